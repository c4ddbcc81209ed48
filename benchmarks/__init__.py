"""How fast the reader is and how often it is right, measured on this machine."""
