"""The program begins anew: by itself, or by systemd, which would kill one that says that it ends and stays."""

from __future__ import annotations

import sys

import pytest

from firmware.page import power


@pytest.mark.parametrize("service", [False, True])
def test_a_program_begins_anew_by_itself_unless_it_is_a_service(monkeypatch: pytest.MonkeyPatch, service: bool) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr("os.execv", lambda _program, arguments: begun.append(arguments))
    monkeypatch.setattr(sys, "argv", ["mexico-table", "--hardware", "--state", "/var/lib/mexico-table"])
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    if service:
        monkeypatch.setenv("NOTIFY_SOCKET", "/run/systemd/notify")

    power.begin_anew_if_alone()

    again = [sys.executable, "-m", "firmware", "--hardware", "--state", "/var/lib/mexico-table"]
    assert begun == ([] if service else [again])
