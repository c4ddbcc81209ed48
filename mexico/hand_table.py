"""What the two games of called hands share: the presses, who opens, what a lost hand costs, and what lies open.

No game: the individual hand and the Stanford variation each have their own turn, and come here to end a round.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mexico.bluff import Ended, Penalized, Revealed, Tally
from mexico.errors import ConservationError
from mexico.game import Fact, HasSeat, Legal, Ordinary, Refusal, Rolled, Seat
from mexico.ring import turned
from mexico.rolloff import LeadFound, LeadTied, Rolloff

MOST_REROLLS = 3

SILENT = "the documents are silent"
ORDINARY = Ordinary.of(over=("HANDS 5", "004"), turn=("HANDS 3", "004"))
OPENING = Ordinary.of(over=("HANDS 5", "004"), turn=("HANDS 1", "004"))
ROLL_FIRST = Refusal("who opens is rolled for: {player} rolls one die", "HANDS 1", "004")
OPENER_KNOWN = Refusal("who opens is known: {player} rolls no single die", "HANDS 1", "004")
NOTHING_CALLED = Refusal("nothing is called yet: {player} calls first", "HANDS 3", "004")
OPENER_CALLS = Refusal("{player} opens: calls, and re-rolls nothing", "HANDS 3", "004")
TOO_LOW = Refusal("{player} must call higher than that", "HANDS 3", "004")
REROLLS_USED = Refusal("{player} has used all three re-rolls", "HANDS 3", "004")
SHOW_FIRST = Refusal("the bluff is called: {player} shows the dice", "HANDS 4", "004")
NOBODY_CALLED = Refusal("the bluff is not called: {player} shows no dice", "HANDS 4", "004")
NOT_ACCUSED = Refusal("{player} shows nothing: the bluff of another was called", "HANDS 4", "004")
SHOWN = Refusal("{player} has shown the dice already", "HANDS 4", "004")
DICE_DECIDE = Refusal("the dice decide here: nobody concedes", "HANDS 4 / announce", SILENT)
UNDECIDED = Refusal("the bluff is not called: nobody has lost yet", "HANDS 6 / announce", SILENT)
SPOKEN = Refusal("calls are spoken here, not entered", "HANDS 6 / announce", SILENT)
NOT_COUNTED = Refusal("calls are spoken here: no roll is counted", "HANDS 6 / announce", SILENT)
CONCEDE = Refusal("whoever has lost concedes: {player} or the other", "HANDS 6 / announce", SILENT)
HAS_LEFT = Refusal("{player} is not in the game any more", "HANDS 5", SILENT)
NOTHING_HIDDEN = Refusal("no cup hides dice now: nothing was exposed", "HANDS 6 / accident", SILENT)


# --- what players do ---


@dataclass(frozen=True, slots=True)
class Rerolled:
    """*seat* shakes *dice* of his hidden dice anew; which of them, only he knows."""

    seat: Seat
    dice: int


@dataclass(frozen=True, slots=True)
class Challenged:
    """*seat* calls the bluff."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Conceded:
    """*seat* says he has lost; only where calls are spoken and the table cannot judge."""

    seat: Seat


# --- what follows ---


@dataclass(frozen=True, slots=True)
class BluffCalled(Fact):
    """The call of *seat* is doubted by *by*, None when it is because three re-rolls are used up."""

    seat: Seat
    by: Seat | None


@dataclass(frozen=True, slots=True)
class HandLost(Fact):
    """*seat* lost the round, *winner* won it."""

    seat: Seat
    winner: Seat


@dataclass(frozen=True, slots=True)
class Reshaken(Fact):
    """The hand is void, the cup of *seat* was lifted too early: all shake anew."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GotUp(Fact):
    """*seat* has left the game."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Challenge:
    """A call being looked at: *accused* made it, *other* doubts it, *waiting* still have to show their dice.

    *automatic* when nobody pressed: three re-rolls are used up.
    """

    accused: Seat
    other: Seat
    waiting: tuple[Seat, ...]
    automatic: bool = False

    def shown_by(self, seat: Seat) -> "Challenge":
        """Return the challenge with the dice of *seat* on the table."""
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))


Payments = tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, slots=True)
class HandTable:
    """The table between two events, whatever is under the cups.

    Attributes
    ----------
    tally
        Marks by seat.
    opener
        Who opens, or has opened, the round in play; None while it is rolled for.
    balance
        By seat, what all wagers have brought; it sums to nothing, or the table cannot be made.
    rolloff
        Rolling one die each for who opens.
    shown
        The dice of the last reveal, in the order shown.
    lying
        Whether these still lie there: until the next shake or call.
    loser, winner, payments
        Of the last round.
    """

    tally: Tally
    opener: Seat | None
    balance: tuple[int, ...]
    rolloff: Rolloff | None = None
    shown: tuple[Revealed, ...] = ()
    lying: bool = False
    loser: Seat | None = None
    winner: Seat | None = None
    payments: Payments = ()

    def __post_init__(self) -> None:
        if sum(self.balance):
            raise ConservationError(f"wagers of {self.balance} do not sum to nothing")

    @classmethod
    def of(cls, seats: int, opener: Seat | None) -> "HandTable":
        """Return the table of *seats* before the first event; the opener is rolled for when None."""
        tally = Tally.of(seats)
        return cls(tally, opener, (0,) * seats, None if opener is not None else Rolloff(tally.playing))

    @property
    def first(self) -> Seat:
        """The opener; only asked where the rules know there is one."""
        if self.opener is None:
            raise RuntimeError("nobody opens yet")
        return self.opener

    @property
    def faces(self) -> dict[Seat, tuple[int, ...]]:
        """What was shown, by seat."""
        return {revealed.seat: revealed.faces for revealed in self.shown}

    def put_away(self) -> "HandTable":
        """Return the table with nothing of the last reveal on it: somebody shakes or calls."""
        return replace(self, lying=False)

    def cleared(self) -> "HandTable":
        """Return the table before the first dice of a reveal."""
        return replace(self, shown=(), lying=False)

    def show(self, revealed: Revealed) -> "HandTable":
        """Return the table with these dice on it as well."""
        return replace(self, shown=(*self.shown, revealed), lying=True)


Outcome = tuple[HandTable, tuple[Fact, ...]]


# --- who opens ---


def die_rolled(table: HandTable, rolled: Rolled) -> Outcome:
    """One die fell in the roll for the opener."""
    check_playing(table, rolled.seat)
    if table.rolloff is None:
        raise OPENER_KNOWN.error(rolled.seat)
    now: Legal[HasSeat] = Legal(table.rolloff.waiting[0], dice=1, choices=(), ordinary=OPENING)
    now.check(rolled)
    return _decide(table, table.rolloff.put(rolled.seat, rolled.faces[0]))


def _decide(table: HandTable, rolloff: Rolloff) -> Outcome:
    """Look whether the dice name an opener; those who tie for highest roll again."""
    if rolloff.waiting:
        return replace(table, rolloff=rolloff), ()
    highest = rolloff.highest
    if len(highest) > 1:
        return replace(table, rolloff=Rolloff(highest, again=True)), (LeadTied(highest),)
    return replace(table, rolloff=None, opener=highest[0]), (LeadFound(highest[0]),)


# --- how a round ends ---


def lose(table: HandTable, loser: Seat, winner: Seat, *, marks: int, wager: int, rounds: int | None) -> Outcome:
    """*loser* is handed *marks*, pays *winner* the *wager* and opens the next round, unless *rounds* are played."""
    tally = table.tally.hand_out([(loser, marks)]).round_over(rounds)
    payments: Payments = ((loser, -wager), (winner, wager)) if wager else ()
    moved = dict(payments)
    balance = tuple(held + moved.get(Seat(seat), 0) for seat, held in enumerate(table.balance))
    after = replace(table, tally=tally, opener=loser, loser=loser, winner=winner, payments=payments, balance=balance)
    return after, (HandLost(loser, winner), Penalized(loser, marks), *_ended(tally))


def get_up(table: HandTable, seat: Seat) -> Outcome:
    """*seat* leaves: the hand in play is void, nobody pays, and the next in order opens if he was to."""
    check_playing(table, seat)
    tally = table.tally.without(seat)
    table, told = replace(table, tally=tally).put_away(), (GotUp(seat), *_ended(tally))
    if tally.closed:
        return replace(table, rolloff=None), told
    if table.rolloff is not None:
        table, found = _decide(table, table.rolloff.without(seat))
        return table, (*told, *found)
    return replace(table, opener=turned(tally.playing, table.first)[0]), told


def close(table: HandTable, seat: Seat) -> Outcome:
    """*seat* says that it is closing time: the hand in play is void."""
    check_playing(table, seat)
    tally = table.tally.close()
    return replace(table, tally=tally, rolloff=None).put_away(), _ended(tally)


def check_playing(table: HandTable, seat: Seat) -> None:
    """Raise IllegalAction when the game is over, or *seat* has left it."""
    if table.tally.closed:
        raise ORDINARY.over.error()
    if seat in table.tally.gone:
        raise HAS_LEFT.error(seat)


def _ended(tally: Tally) -> tuple[Fact, ...]:
    return (Ended(tally.fewest),) if tally.closed else ()


# --- what everybody may know ---


def table_facts(table: HandTable, players: Sequence[str], mark_value: int) -> dict[str, object]:
    """Return the facts that do not depend on what is being called, and the empty ones of the other games."""
    rolloff = table.rolloff
    waiting = _names(rolloff.waiting, players) if rolloff else []
    opener = None if table.opener is None else players[table.opener]
    return {
        "direction": "clockwise",
        "seats": list(players),
        "opener": opener,
        "next_opener": opener if table.tally.rounds and not table.tally.closed else None,
        "to_beat": None,
        **table.tally.facts(players, mark_value),
        "visible": visible(table, players),
        "revealed": [players[revealed.seat] for revealed in table.shown],
        "rolling_for_lead": waiting,
        "rerolling": waiting if rolloff and rolloff.again else [],
        "out": [],
        "loser": None if table.loser is None else players[table.loser],
        "winner_of_round": None if table.winner is None else players[table.winner],
        "bid": None,
        "count": None,
        "dice_left": {},
        "payments": {players[seat]: units for seat, units in table.payments},
        "balance": dict(zip(players, table.balance, strict=True)),
    }


def visible(table: HandTable, players: Sequence[str]) -> list[int] | dict[str, list[int]]:
    """Return the faces the display may show: a list, by name when they are of more than one player."""
    if not table.lying:
        return []
    if len(table.shown) == 1:
        return list(table.shown[0].faces)
    return {players[revealed.seat]: list(revealed.faces) for revealed in table.shown}


def _names(seats: Iterable[Seat], players: Sequence[str]) -> list[str]:
    return [players[seat] for seat in seats]


def waiting_for(challenge: Challenge | None, players: Sequence[str]) -> str | None:
    """Return what the table waits for besides an ordinary turn."""
    if challenge is None:
        return None
    if challenge.waiting:
        return f"reveal of {players[challenge.waiting[0]]}"
    return f"concession of {players[challenge.accused]} or {players[challenge.other]}"
