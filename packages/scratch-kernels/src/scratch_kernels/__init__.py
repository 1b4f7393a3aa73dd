"""Machine-learning machinery and GPU kernels written from a specification, graded by hidden tests on any laptop."""

__version__ = "0.1.0"
