"""What the table shows, on its way: whoever publishes never waits, and nothing piles up for anybody."""

from __future__ import annotations

import asyncio
import json
import threading
import time

import pytest

from firmware.page.hub import Hub
from firmware.page.stream import news


def told(kind: str, many: int = 1) -> Hub:
    """Return a hub with so many messages of a kind."""
    filled = Hub()
    for number in range(many):
        filled.publish(kind, lambda number=number: {"number": number})  # type: ignore[misc]
    return filled


@pytest.mark.parametrize(
    "last_id",
    ["", "-", "nonsense", "{boot}", "{boot}-", "{boot}--1", "{boot}-+1", "{boot}-1.0", "{boot}-٣", "{boot}-0x1",
     "{boot}-1\x00", "{boot}-4", "{boot}-999999999999999", "{boot}-" + "9" * 5000, "-3", "0-3", "00000000-3",
     "{boot}-3-3", " {boot}-3", "{boot}-3\r\nevil: 1", "\xff" * 4000],
    ids=lambda last_id: last_id[:24],
)  # fmt: skip
def test_an_unknown_number_is_shown_everything(last_id: str) -> None:
    filled = told("table", 3)
    seen = filled.seen_by(last_id.replace("{boot}", filled.run))

    assert [message.number for message in filled.since(seen)] == [3]


def test_who_was_away_is_shown_what_is_newer_each_kind_once() -> None:
    filled = told("table", 2)
    filled.publish("game", dict)
    filled.publish("table", dict)

    assert [message.number for message in filled.since(filled.seen_by(f"{filled.run}-2"))] == [3, 4]
    assert filled.since(filled.seen_by(f"{filled.run}-4")) == []


def test_an_evening_leaves_one_message_of_each_kind() -> None:
    filled = told("table", 5000)

    assert [message.number for message in filled.since(0)] == [5000]


def test_a_message_is_made_once_for_all_who_get_it() -> None:
    made = []
    filled = Hub()
    filled.publish("table", lambda: made.append(1) or {"a": 'line\nbreak\r and "quotes"  '})  # type: ignore[func-returns-value]
    (message,) = filled.since(0)
    wires = {id(message.wire) for _ in range(200)}

    assert (len(made), len(wires)) == (1, 1)
    head, data, *rest = message.wire.split(b"\ndata: ")
    assert rest == []
    assert head == f"id: {filled.run}-1\nevent: table".encode()
    assert data.endswith(b"\n\n")
    assert b"\r" not in data
    assert json.loads(data)["a"].startswith("line\nbreak\r")


def test_a_server_that_hangs_is_told_once_and_the_table_does_not_wait() -> None:
    async def evening() -> tuple[float, int, list[int]]:
        loop, filled = asyncio.get_running_loop(), Hub()
        filled.serve(loop)
        before = len(loop._ready)  # type: ignore[attr-defined]
        longest = []

        def table() -> None:
            for _ in range(20_000):
                begun = time.perf_counter()
                filled.publish("table", dict)
                longest.append(time.perf_counter() - begun)

        thread = threading.Thread(target=table)
        thread.start()
        thread.join()  # the loop does nothing else meanwhile: it hangs
        waiting = len(loop._ready) - before  # type: ignore[attr-defined]
        numbers = [message.number for message in await filled.newer(0, 1.0)]
        return sum(longest), waiting, numbers

    taken_s, waiting, numbers = asyncio.run(evening())

    assert waiting <= 1
    assert taken_s < 10
    assert numbers == [20_000]


def test_everybody_who_waits_is_woken_and_those_who_come_later_too() -> None:
    async def evening() -> list[list[int]]:
        filled = Hub()
        filled.serve(asyncio.get_running_loop())
        heard = []
        for number in range(3):
            waiting = [asyncio.create_task(filled.newer(number, 10.0)) for _ in range(50)]
            await asyncio.sleep(0)
            threading.Thread(target=filled.publish, args=("table", dict)).start()
            for newer in await asyncio.gather(*waiting):
                heard.append([message.number for message in newer])
        return heard

    assert asyncio.run(evening()) == [[number] for number in (1, 2, 3) for _ in range(50)]


def test_what_flickers_goes_out_in_bundles() -> None:
    async def evening() -> int:
        filled = Hub()
        filled.serve(asyncio.get_running_loop())
        bundles, number = 0, 0

        def flicker() -> None:
            for _ in range(200):
                filled.publish("devices", dict)
                time.sleep(0.0005)

        thread = threading.Thread(target=flicker)
        thread.start()
        while number < 200:
            number = (await filled.newer(number, 10.0))[-1].number
            bundles += 1
        thread.join()
        return bundles

    assert asyncio.run(evening()) <= 100, "two hundred changes of a lamp"


def test_the_more_look_on_the_farther_apart_are_the_bundles() -> None:
    async def bundles(watching: int) -> int:
        filled = Hub()
        filled.serve(asyncio.get_running_loop())
        for _ in range(watching):
            filled.watching.take("somebody", lambda: None)
        times, number = 0, 0
        end_s = time.monotonic() + 0.6
        while time.monotonic() < end_s:
            filled.publish("devices", dict)
            await asyncio.sleep(0.002)
            heard = await filled.newer(number, 0.0) if filled._told else []
            times, number = times + bool(heard), heard[-1].number if heard else number
        return times

    assert asyncio.run(bundles(400)) <= 4, "0.2 s apart"


def test_nobody_to_be_told_is_no_trouble() -> None:
    loop, filled = asyncio.new_event_loop(), Hub()
    filled.serve(loop)
    loop.close()
    filled.publish("table", dict)
    filled.serve(None)
    filled.publish("table", dict)

    async def evening() -> list[int]:
        filled.serve(asyncio.get_running_loop())
        waiting = asyncio.create_task(filled.newer(2, 10.0))
        await asyncio.sleep(0)
        filled.publish("table", dict)
        return [message.number for message in await waiting]

    assert asyncio.run(evening()) == [3], "a server that begins again hears of everything"


def test_a_message_that_cannot_be_made_is_missing_and_no_other(caplog: pytest.LogCaptureFixture) -> None:
    def wrong() -> dict[str, object]:
        raise RuntimeError("a mistake of the page")

    filled = Hub()
    filled.publish("game", wrong)
    filled.publish("devices", lambda: {"tone_hz": object()})
    filled.publish("story", dict)

    async def looked() -> list[bytes]:
        return [await anext(one) for one in (news(filled, ""),) for _ in range(2)]

    assert asyncio.run(looked())[1] == b": a message is missing\n\n" * 2 + f"id: {filled.run}-3\n".encode() + (
        b"event: story\ndata: {}\n\n"
    )
    assert len(caplog.records) == 2
    assert not [record for record in caplog.records if record.exc_info]


def test_nothing_comes_after_a_while_without_news() -> None:
    assert asyncio.run(Hub().newer(0, 0.01)) == []
