"""Numbers in addresses: ``{game:number}`` takes no more digits than a number of the journal can have."""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor


class NumberConvertor(Convertor[int]):
    """At most 15 digits: thousands of them are no number, and nothing to be converted."""

    regex = "[0-9]{1,15}"

    def convert(self, value: str) -> int:
        """Return the number of an address."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Return how a number stands in an address."""
        return str(value)


def register() -> None:
    """Let addresses have such numbers."""
    register_url_convertor("number", NumberConvertor())
