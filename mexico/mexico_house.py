"""The house rules of Mexico: what they are called, what they may be, what they are when nobody says anything.

The tags are those of docs/rules.md, section 9.
"""

from mexico.house import Choice, House, Number
from mexico.mexico_choices import MexicoRules, Preset

COUNTS = tuple(range(1, 13))
ROUNDS = (1, 2, 3, 5, 8, 10, 12, 15, 20, 30, 50)
COINS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
SECONDS = (0, 15, 20, 30, 45, 60, 90, 120)

HOUSE: House[MexicoRules] = House(
    defaults=MexicoRules(),
    asked=(
        Choice("preset", "preset", "a set of house rules under one name", "A1", "001"),
        Choice("end", "end", "when the game ends", "A1", "000, 001, 003"),
        Number("end.rounds", "end_rounds", ROUNDS, 1, 999, "number of rounds when end is rounds", "A1", "000"),
        Number("buy_in", "buy_in", COUNTS, 1, 1000, "units everybody brings", "A1", "000, 001, 003"),
        Number(
            "unit_value", "unit_value", COINS, 0, 1_000_000, "small coins a unit is worth, 0 for nothing", "A1", "000"
        ),
        Choice("stakes", "stakes", "paid units go to the pot, or out of play", "A18", "000, 003"),
        Number("units_per_loss", "units_per_loss", COUNTS, 1, 1000, "units a lost round costs at first", "A18", "000"),
        Choice("pay.short", "pay_short", "a loser who holds less than the stake", "A14", "silent"),
        Number("max_rolls", "max_rolls", COUNTS[:5], 1, 5, "rolls the lead may take", "A17", "000, 001, 003"),
        Choice("lead_roll.ties", "lead_roll_ties", "who rolls again after a tie for the lead", "A2", "001"),
        Choice("lead.if_loser_out", "lead_if_loser_out", "who leads when the loser is out", "A3", "000, 001"),
        Choice("mexico.escalation", "escalation", "what Mexicos of leads do to the stake", "A4, A5", "000, 003"),
        Number(
            "mexico.max_multiplier",
            "max_multiplier",
            COUNTS,
            1,
            1000,
            "how many times the stake may grow",
            "A5",
            "silent",
        ),
        Choice("mexico.nonlead_after", "nonlead_after", "21 of a follower after a lead's Mexico", "A7", "000, 003"),
        Choice("mexico.last_player", "last_player", "the last player when all others have 21", "A8", "000"),
        Choice("mexico.all", "all_mexico", "when everybody has Mexico", "A9", "000"),
        Choice("mexico.last_counts", "last_counts", "whether the last one's 21 counts too", "A9", "silent"),
        Choice("tie.lead", "tie_lead", "who of the tied leads the sub-round", "A10", "silent"),
        Choice("tie.cap", "tie_cap", "rolls in a sub-round", "A11", "000, 003"),
        Choice("tie.mexico", "tie_mexico", "what a lead's 21 does in a sub-round", "A12", "003"),
        Choice("tie.stake", "tie_stake", "what the loser of a sub-round pays", "A13", "000"),
        Choice("auto_end_on_21", "auto_end_on_21", "whether a follower's 21 ends his turn", "A15", "000"),
        Choice("bad_roll", "bad_roll", "a cocked, stacked or lost die", "A16", "000, 003"),
        Choice("rebuy", "rebuy", "whether who is out may buy in again", "A19", "silent"),
        Choice("leave", "leave", "where the units of a player who leaves go", "A19", "silent"),
        Number(
            "turn_seconds", "turn_seconds", SECONDS, 0, 3600, "seconds a turn may take, 0 for no limit", "A20", "silent"
        ),
    ),
    presets={
        str(Preset.NONE): {},
        str(Preset.ONE_LIFE): {"buy_in": 1, "units_per_loss": 1, "mexico.escalation": "off"},
    },
)
"""
>>> HOUSE.check({"preset": "one_life"}).buy_in
1
>>> HOUSE.check({"tie.cap": "on"})
Traceback (most recent call last):
mexico.errors.GameFileError: house rule tie.cap is "on"; allowed are free, inherit, one (did you mean one?)
>>> HOUSE.fingerprint(HOUSE.check({})) == HOUSE.fingerprint(HOUSE.check({"buy_in": 5}))
True
"""
