"""Debouncing, pure: what a bouncing contact says, and what is to be believed.

The first edge is believed at once, so that a press is answered without delay. For a quiet time after it nothing is
believed; when that is over the contact is looked at again, so a tap that ended within the quiet time cannot stick.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

QUIET_S = 0.03
"""Seconds of silence after a believed edge; push buttons bounce for 1 to 20 milliseconds."""


@dataclass(frozen=True, slots=True)
class Contact:
    """What is believed of one contact.

    Attributes
    ----------
    closed
        True while the contact is believed closed: the button is down.
    look_again_s
        When the contact must be looked at again, in seconds of the clock; None while nothing is open.
    """

    closed: bool = False
    look_again_s: float | None = None


def look(contact: Contact, closed: bool, time_s: float, quiet_s: float = QUIET_S) -> Contact:
    """Return what is believed after a look at the contact: at an edge, or when it is time to look again.

    Parameters
    ----------
    contact
        What was believed until now.
    closed
        What the contact says now.
    time_s
        When it said so, in seconds.
    quiet_s
        How long to believe nothing after a change, in seconds.

    Returns
    -------
    Contact
        Its `closed` differs from before exactly when an edge is to be reported. While its `look_again_s` is not
        None, the caller looks at the contact at that time, whether or not an edge came in between.

    Examples
    --------
    A tap of 5 ms: the release falls into the quiet time, and is found when the contact is looked at again.

    >>> down = look(Contact(), closed=True, time_s=1.0, quiet_s=0.03)
    >>> down
    Contact(closed=True, look_again_s=1.03)
    >>> look(down, closed=False, time_s=1.005, quiet_s=0.03) == down
    True
    >>> look(down, closed=False, time_s=1.03, quiet_s=0.03).closed
    False
    """
    if contact.look_again_s is not None and time_s < contact.look_again_s:
        return contact
    if closed == contact.closed:
        return replace(contact, look_again_s=None)
    return Contact(closed, time_s + quiet_s)
