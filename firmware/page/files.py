"""Where the files of the page are that are served as they are."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

STATIC: Final = Path(str(files("firmware.page") / "static"))
