"""Debouncing, pure: what a bouncing contact says, and what is to be believed.

The first edge is believed at once, so that a press is answered without delay. For a quiet time after it nothing is
believed; when that is over the contact itself is looked at, so a tap that ended within the quiet time cannot stick.

Edges carry the time at which they happened, and may be told late, after the contact was looked at: a busy computer
holds up the thread that brings them. So the quiet time counts from edge to edge and not from telling to telling, and
a look that finds the contact otherwise than its last edge said waits once more for the edges that are on their way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

QUIET_S = 0.03
"""Seconds of silence after a believed edge; push buttons bounce for 1 to 20 milliseconds."""


@dataclass(frozen=True, slots=True)
class Contact:
    """What is believed of one contact.

    Attributes
    ----------
    closed
        True while the contact is believed closed: the button is down.
    said
        What it said last, believed or not.
    quiet_until_s
        Edges before this time are not believed, in seconds of the clock.
    look_again_s
        When the contact must be looked at, in seconds of the clock; None while nothing is open.
    """

    closed: bool = False
    said: bool = False
    quiet_until_s: float = -inf
    look_again_s: float | None = None


def edge(contact: Contact, closed: bool, time_s: float, quiet_s: float = QUIET_S) -> Contact:
    """Return what is believed after an edge, however late it is told.

    Parameters
    ----------
    contact
        What was believed until now.
    closed
        What the contact said at the edge.
    time_s
        When the edge was, in seconds; edges of one contact are told in their order.
    quiet_s
        How long to believe nothing after a change, in seconds.

    Returns
    -------
    Contact
        Its `closed` differs from before exactly when an edge is to be reported. While its `look_again_s` is not
        None, the caller looks at the contact at that time (`look`), whether or not an edge came in between.

    Examples
    --------
    A tap of 5 ms: the release falls into the quiet time, and is believed when the contact is looked at.

    >>> down = edge(Contact(), closed=True, time_s=1.0, quiet_s=0.03)
    >>> down
    Contact(closed=True, said=True, quiet_until_s=1.03, look_again_s=1.03)
    >>> up = edge(down, closed=False, time_s=1.005, quiet_s=0.03)
    >>> up.closed, look(up, closed=False, time_s=1.03, quiet_s=0.03).closed
    (True, False)
    """
    if time_s < contact.quiet_until_s or closed == contact.closed:
        return replace(contact, said=closed)
    return _changed(closed, time_s, quiet_s)


def look(contact: Contact, closed: bool, time_s: float, quiet_s: float = QUIET_S) -> Contact:
    """Return what is believed after a look at the contact itself; parameters and result as for `edge`.

    Examples
    --------
    A press that bounced. At 1.03 the contact is closed; its last edge said that it is open, so the edge that closed
    it has not been told yet, or was lost. When it is told, the next look changes nothing.

    >>> bounced = edge(edge(Contact(), closed=True, time_s=1.0), closed=False, time_s=1.001)
    >>> waiting = look(bounced, closed=True, time_s=1.03)
    >>> waiting.look_again_s
    1.06
    >>> look(edge(waiting, closed=True, time_s=1.002), closed=True, time_s=1.06).look_again_s is None
    True
    """
    if contact.look_again_s is None or time_s < contact.look_again_s:
        return contact
    if closed != contact.said:
        return replace(contact, said=closed, look_again_s=time_s + quiet_s)
    if closed == contact.closed:
        return replace(contact, look_again_s=None)
    return _changed(closed, time_s, quiet_s)


def _changed(closed: bool, time_s: float, quiet_s: float) -> Contact:
    until_s = time_s + quiet_s
    return Contact(closed, closed, until_s, until_s)
