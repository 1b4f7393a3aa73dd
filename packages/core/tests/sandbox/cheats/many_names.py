# outcome: submission_error
"""Defines more names than anybody wants to hear."""
globals().update({f"name{n}": len for n in range(200_000)})
