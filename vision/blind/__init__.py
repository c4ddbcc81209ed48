"""Look at a bluff game without seeing its dice: pictures in which no face is left, and what is told from them."""

from vision.blind.picture import Small, reduce
from vision.blind.watch import CupState, CupWatch, Shakes

__all__ = ["CupState", "CupWatch", "Shakes", "Small", "reduce"]
