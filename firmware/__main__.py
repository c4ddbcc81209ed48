"""``mexico-table``, and ``python -m firmware``: where the program begins.

Ctrl-C is one line from here on: importing the command line takes longer than a finger that changes its mind.
"""

import sys


def main() -> None:
    """Run the command line, and leave with its exit code."""
    try:
        from firmware.cli import main as run
    except KeyboardInterrupt:
        # As `firmware.cli` says it, which is not there yet.
        sys.stderr.write("mexico-table: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
