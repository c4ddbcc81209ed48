"""Watch a stream of pictures: when dice roll, rest or are covered, and what they show once they rest."""

from vision.motion.automaton import forgotten, pardoned, resumed, start, step
from vision.motion.state import Watch, WatchEvent, WatchState

__all__ = ["Watch", "WatchEvent", "WatchState", "forgotten", "pardoned", "resumed", "start", "step"]
