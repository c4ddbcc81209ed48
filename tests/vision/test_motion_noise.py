"""What a film shows of dice at rest is no motion, however dark its felt is, and however coarsely it is packed."""

from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.clips import clips
from hardware.cameras import open_camera
from vision.motion.measure import change, noise_of, shrink, threshold


@pytest.mark.parametrize("name", ["c00", "c08", "c13"])
def test_dice_that_lie_still_do_not_move(shared: Path, name: str) -> None:
    (clip,) = (clip for clip in clips(shared) if clip.path.stem == name)
    camera = open_camera(str(clip.path))
    still = [shrink(camera.capture().image) for _ in range(70)][clip.rest :]
    camera.close()
    changes = [change(now, before, None) for before, now in pairwise(still)]
    limit = threshold([noise_of(blocks) for blocks in changes])

    assert max(float(blocks.max()) for blocks in changes) < limit
