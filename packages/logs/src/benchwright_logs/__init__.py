"""Complete logs of Benchwright runs: check, audit, redact, publish, verify, export."""

__version__ = "0.1.0"
