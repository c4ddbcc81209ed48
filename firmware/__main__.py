"""``python -m firmware``: the same as ``mexico-table``."""

from firmware.cli import main

if __name__ == "__main__":
    main()
