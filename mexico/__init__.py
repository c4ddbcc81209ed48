"""The rules of the dice games: pure, the standard library only."""
