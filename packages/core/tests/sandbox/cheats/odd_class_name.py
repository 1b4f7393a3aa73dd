# outcome: submission_error
"""Tells of a class whose name no class can have."""
odd = type("odd", (), {})
globals()["odd\0name"] = odd
