"""mexico-table: wires camera, reader, rules, journal and devices together; the command line."""

import os

__version__ = "0.1.0"

# OpenBLAS reads this once, when numpy is loaded. The reader's matrices are small: on them a second thread only spins,
# a third of all processor time of a game.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
