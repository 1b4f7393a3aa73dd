"""One submission, checked and scored. Labels stay in this process; only aggregates leave it."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict, deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from benchwright import Check, Evaluation, Limits, Submission, Violation

from handnet_bench import answering, baselines, datasets, devreport, tasks, worker
from handnet_bench.counting import many
from handnet_bench.rules import (
    answers,
    behaviour,
    explained,
    forms,
    interaction,
    letters,
    literals,
    loops,
    names,
    numbers,
    payloads,
    source,
    twins,
)

if TYPE_CHECKING:
    import numpy as np
    from benchwright.hookspecs import Sandbox


def only_file(submission: Submission) -> bytes | None:
    """The bytes of a submission's one file, whatever it is called; None where there is not exactly one."""
    return next(iter(submission.files.values())) if len(submission.files) == 1 else None


def check_rules(task: tasks.HandnetTask, submission: Submission, sandbox: Sandbox, folder: Path) -> list[Violation]:
    """Every rule that the submission breaks. What cannot be read or run, or is no answer to the task, breaks none; `evaluate` says so."""
    data = only_file(submission)
    if data is None:
        return []
    try:
        read = answering.read(data)
    except source.Unreadable:
        return []
    if answering.other_task(read, task.accepts) or answering.absent(read):
        return []
    found = static(read, task)
    if found or "predict" not in read.functions or read.complete < 0:
        return found
    try:
        inputs = rule_inputs(task.slug, folder)
    except datasets.NeedsData:
        return []
    try:
        # The pass of the verdict first: a file that does not survive it breaks no rule, and the verdict will say why.
        whole = _whole(task, read, inputs.everything, sandbox, task.limits)
        worker.integers(whole.outputs[0], len(inputs.everything_labels))
    except worker.Broke:
        return []
    # Rules call a file some fifty times: it may take longer than the verdict, and print as much each time.
    limits = msgspec.structs.replace(task.limits, seconds=300.0, cpu_seconds=300.0, file_mb=64 * task.limits.file_mb)
    try:
        return dynamic(task, read, inputs, sandbox, limits, whole)
    except worker.Broke as error:
        # It ran on the whole test set, so it would go unchecked.
        line = getattr(read.tree.body[read.complete], "lineno", 1)
        why = f"predict runs on the whole test set only; otherwise: {error}"
        return [Violation("batch", f"{source.FILE}:{line}", why)]


_IDENTITIES: deque[tuple[Any, str]] = deque(maxlen=4)
"""Inputs of whole test sets, which nothing changes, and what they are: the same object is not read again."""


def _identity(inputs: Any) -> str:
    """The inputs in their order."""
    for known, identity in tuple(_IDENTITIES):
        if known is inputs:
            return identity
    data = inputs.tobytes() if hasattr(inputs, "tobytes") else msgspec.json.encode(inputs)
    _IDENTITIES.append((inputs, hashlib.sha256(data).hexdigest()))
    return _IDENTITIES[-1][1]


class _Passes:
    """The last passes over whole test sets, so that rules and verdict share one. Holds no label."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[tuple[str, ...], worker.Run | worker.Broke] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[str, ...]) -> worker.Run | worker.Broke | None:
        with self._lock:
            return self._known.get(key)

    def keep(self, key: tuple[str, ...], found: worker.Run | worker.Broke) -> None:
        with self._lock:
            self._known[key] = found
            while len(self._known) > self._most:
                self._known.popitem(last=False)


_PASSES = _Passes(4)


def _whole(task: tasks.HandnetTask, read: source.Source, inputs: Any, sandbox: Sandbox, limits: Limits) -> worker.Run:
    """The file on every input of the test split, in a fresh worker; the same pass is made once. Raises worker.Broke."""
    text = hashlib.sha256(read.text.encode()).hexdigest()
    key = (text, task.slug, sandbox.tier, _identity(inputs), msgspec.json.encode(limits).decode())
    found = _PASSES.get(key)
    if found is None:
        try:
            found = worker.run(sandbox, read, [inputs], limits=limits)
        except worker.Broke as error:
            found = error
        _PASSES.keep(key, found)
    if isinstance(found, worker.Broke):
        raise found
    return found


def static(read: source.Source, task: tasks.HandnetTask) -> list[Violation]:
    """Violations that reading the source shows."""
    free = frozenset(task.free)
    found = [
        *forms.check(read),
        *answers.check(read, task.slug),
        *names.check(read),
        *payloads.check(read),
        *letters.check(read),
        *loops.check(read),
        *explained.check(read),
        *literals.check(read, free),
    ]
    return sorted(set(found), key=lambda v: (int(v.where.rpartition(":")[2]), v.rule, v.why))


def dynamic(
    task: tasks.HandnetTask,
    read: source.Source,
    inputs: behaviour.Inputs,
    sandbox: Sandbox,
    limits: Limits,
    whole: worker.Run | None = None,
) -> list[Violation]:
    """Violations that running the file with other numbers shows; the cheaper ones end the search. Raises worker.Broke.

    `whole`: the pass over the whole test set, where it was made already.
    """
    rules = behaviour.Behaviour(sandbox, read, inputs, limits, frozenset(task.free))
    try:
        seen, found = rules.observe(whole)
    except numbers.Malformed as error:
        line = getattr(read.tree.body[read.complete], "lineno", 1)
        return [Violation("weights-form", f"{source.FILE}:{line}", str(error))]
    found += numbers.check(seen.weights, read, tasks.BUDGET, task.floor)
    for step in (
        rules.changed_numbers,
        rules.standing_answers,
        rules.ready_answers,
        rules.changed_literals,
        rules.lost_blocks,
    ):
        if not found:
            found += step(seen)
    return found


def rule_inputs(slug: str, folder: Path) -> behaviour.Inputs:
    """What the dynamic rules run on: a fixed subset of the test split, a noisy copy, the second split."""
    import numpy as np

    test, second = datasets.load(slug, "test", folder), datasets.load(slug, "second", folder)
    rows = np.random.default_rng(20261129).permutation(len(test.labels))[: behaviour.ROWS]
    subset = test.rows(rows)
    noisy: Any = None
    if slug == "mnist":
        noise = np.random.default_rng(20261130).uniform(-0.02, 0.02, subset.shape)
        noisy = np.clip(subset + noise, 0, 1).astype(np.float32)
    elif slug in ("sst2", "sentiment"):
        noisy = [[*tokens, "qvx"] for tokens in subset]
    labels = [test.labels[int(i)] for i in rows]
    return behaviour.Inputs(
        subset,
        labels,
        second.inputs,
        second.labels,
        noisy,
        test.inputs,
        test.labels,
        rows,
        slug in ("addition", "dyck1", "induction"),
        tuple(interaction.make(slug) or ()),
        twins.make(slug),
    )


def evaluate(
    task: tasks.HandnetTask, submission: Submission, sandbox: Sandbox, limits: Limits, folder: Path, split: str
) -> Evaluation:
    """The verdict on the test split, or the development report."""
    data = only_file(submission)
    if data is None:
        return _failed(
            "submission_error",
            f"The submission has {many(len(submission.files), 'file')}; it has to be one Python file.",
        )
    try:
        read = answering.read(data)
    except source.Unreadable as error:
        return _failed("submission_error", str(error))
    try:
        rows = datasets.load(task.slug, "test" if split == "test" else "development", folder)
    except datasets.NeedsData as error:
        return Evaluation("needs_data", reason=str(error))
    own = {"self_contained": int(read.self_contained)}
    try:
        found = _scored(task, read, rows, sandbox, limits, split)
        return msgspec.structs.replace(found, metrics={**found.metrics, **own})
    except worker.Broke as error:
        failed = _failed(error.outcome, str(error), own)
    except numbers.Malformed as error:
        failed = _failed("submission_error", str(error), own)
    if split == "test":
        return failed
    # A writer who may revise is told what broke; no label was shown.
    report = devreport.Report(f"There is no report: {failed.reason}\n", 0)
    return msgspec.structs.replace(failed, feedback=devreport.message(report))


def _scored(
    task: tasks.HandnetTask,
    read: source.Source,
    rows: datasets.Split,
    sandbox: Sandbox,
    limits: Limits,
    split: str,
) -> Evaluation:
    other = answering.other_task(read, task.accepts)
    if other:
        raise worker.Broke(other)
    if split == "test":
        run = _whole(task, read, rows.inputs, sandbox, limits)
    else:
        run = worker.run(sandbox, read, [rows.inputs], limits=limits)
    if run.task not in task.accepts:
        raise worker.Broke(answering.wrong_task(run.task, task.accepts))
    lacks = answering.absent(read)
    if lacks:
        # No rule was asked about such a file.
        raise worker.Broke(lacks)
    weights = numbers.read(run.weights)
    predictions = worker.integers(run.outputs[0], len(rows.labels))
    if split != "test":
        report = devreport.write(task.slug, rows, predictions)
        return Evaluation(
            "unsolved", 0.0, feedback=devreport.message(report), labels_seen=report.labels_seen, data=rows.ref
        )
    return _verdict(task, rows, predictions, weights)


def _failed(outcome: str, why: str, metrics: dict[str, float | int | None] | None = None) -> Evaluation:
    return Evaluation(outcome, 0.0, reason=why, metrics=metrics or {})


def _verdict(
    task: tasks.HandnetTask, rows: datasets.Split, predictions: np.ndarray, weights: numbers.Weights
) -> Evaluation:
    from benchwright.stats.intervals import task_interval

    right = sum(int(a) == int(b) for a, b in zip(predictions, rows.labels, strict=True))
    accuracy = right / len(rows.labels)
    interval = task_interval(right, len(rows.labels))
    equal = baselines.equivalent(task.slug, right, len(rows.labels))
    metrics: dict[str, float | int | None] = {
        "accuracy": accuracy,
        "accuracy_low": interval.low if interval else None,
        "accuracy_high": interval.high if interval else None,
        "params": weights.params,
        "nonzero": weights.nonzero,
    }
    worth = ""
    if equal is not None:
        # Beyond the curve's end its last number of labels stands, and `beyond_curve` says so.
        for name, value in (("", equal.labels), ("_low", equal.low), ("_high", equal.high)):
            metrics[f"label_equivalent{name}"] = equal.most_labels if value is None else value
        metrics["beyond_curve"] = int(equal.labels is None)
        worth = f", worth {baselines.worth(equal.labels, equal.most_labels)}"
    solved = accuracy >= task.bar
    share = f"{right:,} of {len(rows.labels):,} right ({accuracy:.1%})"
    reason = f"{share} with {many(weights.nonzero, 'non-zero weight')}{worth}; the bar is {task.bar:.0%}."
    check = Check("accuracy_reaches_bar", solved, reason)
    return Evaluation.solved_if(solved, accuracy, metrics=metrics, checks=(check,), reason=reason, data=rows.ref)
