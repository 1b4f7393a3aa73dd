"""Read, fix and write the weights of small neural networks, checked exactly on every input."""

__version__ = "0.1.0"
