"""The first moments of the program, before anything of it is imported."""

import subprocess
import sys
from importlib.abc import MetaPathFinder

import pytest

from firmware.__main__ import main


class Finger(MetaPathFinder):
    """Presses Ctrl-C while the command line is imported."""

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name == "firmware.cli":
            raise KeyboardInterrupt


def test_ctrl_c_while_it_is_imported_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "firmware.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Finger(), *sys.meta_path])
    with pytest.raises(SystemExit) as left:
        main()

    assert left.value.code == 130
    assert capsys.readouterr().err == "mexico-table: interrupted\n"


def test_what_looks_at_no_picture_waits_for_neither_compiler_nor_server() -> None:
    looked = "import sys, firmware.cli_games, firmware.cli_stats; print(*{'numba', 'uvicorn'} & set(sys.modules))"

    said = subprocess.run([sys.executable, "-c", looked], check=True, capture_output=True, text=True)

    assert said.stdout == "\n"
