"""Running a submission in the sandbox: one fresh worker a run, plain values in and out, no label near it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec
from benchwright import Limits

from handnet_bench.rules.source import FILE, Source

if TYPE_CHECKING:
    import numpy as np
    from benchwright.hookspecs import Sandbox

IMPORTS = ("numpy",)


class Broke(Exception):
    """The submission raised or broke its run; the message is a sentence, `outcome` a name of `outcomes.py`."""

    def __init__(self, why: str, outcome: str = "submission_error") -> None:
        super().__init__(why)
        self.outcome = outcome


class Run(msgspec.Struct, frozen=True):
    """One run of a submission. `outputs`: what `predict` gave for each call, as it came."""

    task: Any
    weights: dict[str, Any]
    after: dict[str, Any]
    """WEIGHTS once more, after the calls."""
    outputs: list[Any]
    held: dict[str, dict[str, Any]]
    """What module-level names of the forward pass hold: `kind`, and `floats` or `integers`, the numbers in it."""
    seconds: float
    """Spent in `predict`, all calls together."""


def run(
    sandbox: Sandbox,
    source: Source,
    calls: Sequence[Any],
    *,
    limits: Limits,
    weights: Mapping[str, Any] | None = None,
    text: str | None = None,
    names: Sequence[str] = (),
) -> Run:
    """Loads the submission in a fresh worker and calls `predict` once for each of `calls`.

    `weights`: numbers that take the place of those in WEIGHTS, where it is complete and before anything
    derived from it; `text`: another source; `names`: module-level names to report on. Raises Broke.
    """
    content = source.text if text is None else text
    with sandbox.open({FILE: content.encode()}, imports=IMPORTS, limits=limits) as box:
        try:
            got = box.drive(
                _driver(),
                source=content,
                complete=source.complete,
                weights=None if weights is None else dict(weights),
                calls=list(calls),
                names=list(names),
            )
        except box.SubmissionError as error:
            raise Broke(_sentence(error), getattr(error, "outcome", None) or "submission_error") from None
    if not isinstance(got, dict) or set(got) != {"task", "problem", "weights", "after", "outputs", "held", "seconds"}:
        raise Broke("The submission's worker gave back something else than its results.")
    problem = got.pop("problem")
    if problem:
        raise Broke(str(problem)[:200])
    return Run(**got)


def _driver() -> str:
    return (resources.files("handnet_bench") / "driver.py").read_text()


def _sentence(error: Exception) -> str:
    lines = [line for line in str(error).strip().splitlines() if line.strip()]
    return f"The submission failed: {lines[-1].strip()[:300] if lines else type(error).__name__}"


def integers(output: Any, count: int) -> np.ndarray:
    """`output` as (count,) int64 (object where a number is larger). Raises Broke where it is not exactly `count` integers."""
    import numpy as np

    if isinstance(output, np.ndarray):
        if output.dtype.kind not in "iu":
            raise Broke(f"predict gave an array of {output.dtype}; it has to give integers.")
        if output.shape != (count,):
            raise Broke(f"predict gave an array of shape {output.shape} for {count} inputs; expected ({count},).")
        return output.astype(np.int64)
    if not isinstance(output, list | tuple):
        raise Broke(f"predict gave {_kind(output)}; it has to give a list or an array of integers.")
    if len(output) != count:
        raise Broke(f"predict gave {len(output)} values for {count} inputs.")
    for value in output:
        if type(value) is not int and not (isinstance(value, np.generic) and value.dtype.kind in "iu"):
            raise Broke(f"predict gave {_kind(value)} among its values; each has to be an integer.")
    values = [int(value) for value in output]
    if all(-(2**62) < value < 2**62 for value in values):
        return np.array(values, dtype=np.int64)
    return np.array(values, dtype=object)


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, float):
        return "NaN" if value != value else f"the float {value:g}"
    return f"a {type(value).__name__}"
