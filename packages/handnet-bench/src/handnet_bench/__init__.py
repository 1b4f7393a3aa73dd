"""Hand-written neural networks, scored on sealed sets by rules that a cheat cannot slip past."""

__version__ = "0.1.0"
