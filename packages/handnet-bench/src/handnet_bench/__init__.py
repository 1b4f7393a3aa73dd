"""Hand-written neural networks, scored on sealed sets, by rules that ask whether the numbers do the work."""

__version__ = "0.1.0"
