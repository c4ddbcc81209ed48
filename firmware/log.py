"""Log lines on standard error: every module logs with the standard library, structlog makes the lines."""

from __future__ import annotations

import logging
import sys

import structlog

LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


def configure(verbosity: int, *, lines_for_machines: bool = False) -> None:
    """Send log records to standard error.

    Parameters
    ----------
    verbosity
        0 for warnings, 1 for the evening's story, 2 for the pixels.
    lines_for_machines
        True for one JSON object per line, False for text.
    """
    shared: list[structlog.types.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if not lines_for_machines else "iso", utc=lines_for_machines),
    ]
    plain = structlog.dev.plain_traceback
    is_terminal = sys.stderr is not None and sys.stderr.isatty()  # none where it was closed: nothing is logged then
    renderer: structlog.types.Processor = (
        structlog.processors.JSONRenderer()
        if lines_for_machines
        else structlog.dev.ConsoleRenderer(colors=is_terminal, exception_formatter=plain)
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    for old in list(root.handlers):
        if isinstance(old.formatter, structlog.stdlib.ProcessorFormatter):
            root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(LEVELS[min(max(verbosity, 0), len(LEVELS) - 1)])
