# outcome: resource_limit submission_error unsolved
"""Leaves a tree deeper than what clears it up."""
import os

for _ in range(3500):
    os.mkdir("d")
    os.chdir("d")
