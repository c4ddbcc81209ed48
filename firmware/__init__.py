"""mexico-table: wires camera, reader, rules, journal and devices together; the command line."""

__version__ = "0.1.0"
