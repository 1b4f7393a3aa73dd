# outcome: submission_error
"""Raises on import what cannot be made from a message."""
raise ExceptionGroup("several", [ValueError("one")])
