"""What can go wrong in the rules: one base error, and its children."""

from collections.abc import Sequence

PLACES = ("player", "other")
"""What the seats of a refusal are called in its words."""


class RulesError(Exception):
    """Everything the rules raise on purpose."""


class ConservationError(RulesError, ArithmeticError):
    """Units appeared or vanished: a bug in the rules, never something a player did."""


class GameFileError(RulesError, ValueError):
    """A game, a rule or an event that cannot be meant: one line with what was seen, what is allowed, what to do."""


class IllegalAction(RulesError, ValueError):
    """An action the rules refuse; nothing has changed.

    Parameters
    ----------
    why : str
        One line for the player. ``{player}`` and ``{other}`` stand for the first and the second of *seats*.
    rule : str
        Paragraph of ``docs/rules.md`` and, after a slash, the house rule that decides.
    source : str
        Numbers of the documents the rule comes from, or that they are silent.
    seats : sequence of int
        The seats *why* speaks about, counted from 0.
    names : sequence of str
        What those seats are called; left out, by their number.

    Attributes
    ----------
    template : str
        *why* as it was given, to be put into another language.
    places : mapping of str to str
        What stands in its places.

    Examples
    --------
    >>> refused = IllegalAction("it is the turn of {player}", rule="MEXICO 10", source="silent", seats=(1,))
    >>> refused.why
    'it is the turn of seat 2'
    >>> str(refused.named(["Ann", "Bob"]))
    'it is the turn of Bob (rule: MEXICO 10; source: silent)'
    """

    def __init__(
        self, why: str, rule: str, source: str, seats: Sequence[int] = (), names: Sequence[str] | None = None
    ) -> None:
        super().__init__(why, rule, source, tuple(seats), names)
        self.rule = rule
        self.source = source
        self.seats = tuple(seats)
        self.template = why
        called = [f"seat {seat + 1}" for seat in seats] if names is None else names
        self.places = dict(zip(PLACES, called, strict=False))
        self.why = why.format(**self.places)

    def named(self, players: Sequence[str]) -> "IllegalAction":
        """Return the same refusal with the names of *players* in place of seat numbers."""
        names = [players[seat] for seat in self.seats]
        return IllegalAction(self.template, self.rule, self.source, self.seats, names)

    def __str__(self) -> str:
        return f"{self.why} (rule: {self.rule}; source: {self.source})"
