"""Intervals, comparisons and ranks, in plain Python.

`intervals` has what one model's attempts say, `pairs` what two or more say against each other,
`draws` what repeated draws add, `quantiles` the two distributions that all of it stands on.
A rate over nothing is None, never zero.
"""

from __future__ import annotations

from benchwright.stats.draws import Spread, pass_at_k, pass_hat_k, spread
from benchwright.stats.intervals import (
    Cell,
    Interval,
    Overall,
    Summary,
    cells,
    overall,
    suite_interval,
    suite_summary,
    summarize,
    task_interval,
)
from benchwright.stats.pairs import (
    Difference,
    RankInterval,
    holm,
    minimum_detectable,
    paired_difference,
    rank_intervals,
    sign_flip_p,
)

__all__ = [
    "Cell",
    "Difference",
    "Interval",
    "Overall",
    "RankInterval",
    "Spread",
    "Summary",
    "cells",
    "holm",
    "minimum_detectable",
    "overall",
    "paired_difference",
    "pass_at_k",
    "pass_hat_k",
    "rank_intervals",
    "sign_flip_p",
    "spread",
    "suite_interval",
    "suite_summary",
    "summarize",
    "task_interval",
]
