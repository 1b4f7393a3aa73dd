"""The tasks: what is listed, what is accepted, where each one's bar lies."""

from __future__ import annotations

import msgspec
from benchwright import Limits, Protocol, TaskSpec
from benchwright.errors import UserError

BUDGET = 100_000
"""Numbers that WEIGHTS may hold."""

ROUNDS = 2
"""Revisions after the blind answer."""

SYSTEM = "You design small neural networks by hand and answer with one complete Python file."


class HandnetTask(msgspec.Struct, frozen=True):
    """A task of this benchmark beside its `TaskSpec`."""

    slug: str
    version: str
    title: str
    probes: str
    category: str
    difficulty: str
    bar: float
    """Accuracy from which the task counts as solved."""
    bar_why: str
    floor: int
    """Non-zero weights that no network of this task does without."""
    accepts: tuple[str, ...]
    """Values of TASK."""
    requires: tuple[str, ...] = ()
    free: tuple[float, ...] = ()
    """Literals that the task itself puts into every forward pass."""
    seconds: float = 120.0
    first_set: str = "warmup"

    @property
    def limits(self) -> Limits:
        return Limits(seconds=self.seconds, cpu_seconds=self.seconds, memory_mb=3072)

    @property
    def spec(self) -> TaskSpec:
        return TaskSpec(
            id=f"handnet/{self.slug}",
            title=self.title,
            suite="handnet",
            submission="python-file",
            family="sentiment" if self.slug in ("sst2", "sentiment") else "",
            category=self.category,
            difficulty=self.difficulty,
            probes=self.probes,
            requires=self.requires,
            protocol=Protocol(kind="revise", rounds=ROUNDS),
            file="net.py",
        )


TASKS = (
    HandnetTask(
        "mnist",
        "1",
        "Handwritten digits from 28 x 28 images",
        "Whether knowledge of how digits look is articulate enough to be written down as weights.",
        "images",
        "hard",
        0.82,
        "the nearest of ten class means of all 60,000 training images reaches 82.0%",
        20,
        ("mnist",),
        free=(28, 784, 255, 10),
    ),
    HandnetTask(
        "sst2",
        "1",
        "Sentiment of SST-2 sentences",
        "Whether knowledge of how reviews praise and blame is articulate enough to be written down as weights.",
        "text",
        "medium",
        0.75,
        "a bag of words trained on 2,048 sentences reaches 74.3%",
        8,
        ("sst2", "sentiment"),
        requires=("data:sst2",),
        first_set="unvalidated",
    ),
    HandnetTask(
        "sentiment",
        "1",
        "Sentiment of film-review snippets outside SST-2",
        "As sst2, on sentences that are in no split of it.",
        "text",
        "hard",
        0.64,
        "a bag of words trained on 5,000 sentences of SST-2 reaches 63.7%, the larger class 61.0%",
        8,
        ("sentiment", "sst2"),
        requires=("data:movie-snippets",),
        first_set="unvalidated",
    ),
    HandnetTask(
        "addition",
        "1",
        "Addition of numbers of up to ten digits, as a sequence",
        "Whether the algorithm of carrying can be laid out in a sequence model, exactly.",
        "sequences",
        "medium",
        1.0,
        "an algorithm is right always",
        6,
        ("addition",),
        free=(10,),
    ),
    HandnetTask(
        "dyck1",
        "1",
        "Balanced brackets",
        "Whether counting and never-below-zero can be laid out in a network, exactly.",
        "sequences",
        "easy",
        1.0,
        "an algorithm is right always",
        4,
        ("dyck1",),
    ),
    HandnetTask(
        "induction",
        "1",
        "What came after this token last time",
        "Whether a look-up by content can be laid out in a network, exactly.",
        "sequences",
        "easy",
        1.0,
        "an algorithm is right always",
        6,
        ("induction",),
        free=(32, 48),
    ),
)

BY_SLUG = {task.slug: task for task in TASKS}


def get(task_id: str) -> HandnetTask:
    """The task of a task id. Raises UserError for an unknown one."""
    slug = task_id.partition("/")[2]
    if slug not in BY_SLUG:
        raise UserError(f"`handnet` has no task `{slug}`. It has: {', '.join(BY_SLUG)}.")
    return BY_SLUG[slug]
