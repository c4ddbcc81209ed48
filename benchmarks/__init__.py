"""How fast the reader is and how often it is right, measured on this machine."""

import firmware  # noqa: F401  (before numpy: it keeps OpenBLAS to one thread, as at the table)
