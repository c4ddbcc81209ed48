"""The benchmark on throws that another program drew: what they are counted as."""

import json
from pathlib import Path

from benchmarks import hobby
from benchmarks.accuracy import Case, Verdict
from benchmarks.traced import page


def _verdict(name: str, kind: str, faces: tuple[int, ...] | None) -> Verdict:
    case = Case("hard, legible", Path(name), 2, faces, empty=Path("empty/T010.jpg"))
    return Verdict(case, kind, "(6, 1)", 8.0, dict.fromkeys(hobby.WIDTHS, ("refused", 90.0)))


def test_throws_are_counted_by_what_their_dice_are_of_and_a_lie_is_named(tmp_path: Path) -> None:
    colours = {"a.jpg": ("trans_red", "trans_blue"), "b.jpg": ("trans_red", "ivory"), "c.jpg": ("marble_blue",) * 2}
    rows = ({"file": f"stills/{name}", "dice": [{"colour": c} for c in used]} for name, used in colours.items())
    (tmp_path / "truth.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    told = page(
        tmp_path,
        [_verdict("a.jpg", "right", (6, 1)), _verdict("b.jpg", "lie", (6, 2)), _verdict("c.jpg", "named", None)],
    )

    assert told.startswith("3 throws on 1 tables.")
    assert "| clear | 1 | 1 | 0 | 0 |" in told
    assert "| mixed | 1 | 0 | 0 | 1 |" in told
    assert "| veined | 0 | 0 | 0 | 0 |" in told
    assert told.rstrip().endswith("Lie: `b.jpg` was read as (6, 1)")
