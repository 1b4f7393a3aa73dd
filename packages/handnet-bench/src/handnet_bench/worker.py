"""Running a submission in the sandbox: one fresh worker a run, plain values in and out, no label near it."""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec
from benchwright import Limits

from handnet_bench.counting import many
from handnet_bench.rules.source import FILE, NETWORKS, PACKAGE, Source

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
    changed: list[str]
    """Module-level names that hold something else after the calls than before (of WEIGHTS, in another order or place),
    and libraries that the file changed; empty where nobody looked."""
    seconds: float
    """Spent in `predict`, all calls together."""
    noted: Any
    """What the expressions of the file were, as `rules.present` reads it; of no site where nobody watched."""
    kept: list[Any]
    """[site, what it was at each turn of each call] of every expression that decides something, where it was asked for."""
    sums: Any
    """What each expression was over a call, as `rules.interaction` reads it."""
    lines: list[int]
    """The line of each site."""


def run(
    sandbox: Sandbox,
    source: Source,
    calls: Sequence[Any],
    *,
    limits: Limits,
    weights: Mapping[str, Any] | None = None,
    text: str | None = None,
    names: Sequence[str] = (),
    state: bool = False,
    watch: int | None = None,
    keep: bool = False,
    decided: Sequence[Any] = (),
) -> Run:
    """Loads the submission in a fresh worker and calls `predict` once for each of `calls`.

    `weights`: numbers that take the place of those in WEIGHTS, where it is complete and before anything
    derived from it; `text`: another source; `names`: module-level names to report on; `state`: whether to look
    for what the calls changed, which takes some hundredths of a second; `watch`: notes what every expression
    of the file is during each call, its first value, its last, and so many more from either end; `keep`: all that each
    deciding one was, and sums, alone; `decided`: what such ones are made to be, as `keep` gave it. Raises Broke.
    """
    content = source.text if text is None else text
    with sandbox.open({FILE: content.encode(), **_own_networks(source)}, imports=IMPORTS, limits=limits) as box:
        try:
            got = box.drive(
                _driver(),
                source=content,
                complete=source.complete,
                weights=None if weights is None else dict(weights),
                calls=list(calls),
                names=list(names),
                state=state,
                watch=watch,
                keep=keep,
                decided=list(decided),
            )
        except box.SubmissionError as error:
            raise Broke(_sentence(error, limits), getattr(error, "outcome", None) or "submission_error") from None
    if not _is_a_run(got):
        raise Broke("The submission's worker gave back something else than its results.")
    problem = got.pop("problem")
    if problem:
        raise Broke(problem[:200])
    if len(got["outputs"]) != len(calls):
        raise Broke(
            f"The submission's worker gave back {many(len(got['outputs']), 'output')} for {many(len(calls), 'call')}."
        )
    return Run(**got)


_PARTS = {
    "task": (str, type(None)),
    "problem": (str,),
    "weights": (dict,),
    "after": (dict,),
    "outputs": (list,),
    "held": (dict,),
    "changed": (list,),
    "seconds": (float,),
    "lines": (list,),
    "kept": (list,),
}
_HELD = {"floats": list, "integers": int, "enumeration": bool, "scalar": bool}


def _is_a_run(got: Any) -> bool:
    """Whether this is what the driver gives: it shares a process with the submission, which may answer in its place."""
    return (
        type(got) is dict
        and set(got) == {*_PARTS, "noted", "sums"}
        and all(type(got[name]) in kinds for name, kinds in _PARTS.items())
        and all(type(name) is str for name in got["changed"])
        and all(type(line) is int for line in got["lines"])
        and all(_is_kept(one, len(got["lines"]), len(got["outputs"])) for one in got["kept"])
        and _is_notes(got["noted"], 3, len(got["lines"]), len(got["outputs"]))
        and _is_notes(got["sums"], 2, len(got["lines"]), len(got["outputs"]))
        and 0.0 <= got["seconds"] < float("inf")
        and all(type(name) is str for part in ("weights", "after", "held") for name in got[part])
        and all(
            type(held) is dict and set(held) == set(_HELD) and all(type(held[n]) is k for n, k in _HELD.items())
            for held in got["held"].values()
        )
        and all(type(v) is float for held in got["held"].values() for v in held["floats"])
        and all(_is_data(value) for part in ("weights", "after") for value in got[part].values())
    )


def _is_notes(noted: Any, axes: int, sites: int, calls: int) -> bool:
    import numpy as np

    return (
        type(noted) is np.ndarray
        and noted.dtype == np.float64
        and noted.ndim == axes
        and (noted.shape[0], noted.shape[-1]) == (sites, calls)
    )


def _is_kept(one: Any, sites: int, calls: int) -> bool:
    if type(one) is not list or len(one) != 2 or type(one[0]) is not int or not 0 <= one[0] < sites:
        return False
    return type(one[1]) is list and len(one[1]) == calls and all(type(turns) is list for turns in one[1])


def _is_data(value: Any) -> bool:
    """Whether this is made of arrays, lists and numbers: a range or an object would be more when it is looked at."""
    import numpy as np

    if type(value) is list:
        return all(map(_is_data, value))
    if type(value) is dict:
        return len(value) == 1 and set(value) <= {"why", "name"} and all(type(text) is str for text in value.values())
    return type(value) in (bool, int, float, np.ndarray)


def _own_networks(source: Source) -> dict[str, bytes]:
    """For a file that imports them: the networks of this package as files beside it. The package itself, with its data, stays outside."""
    if source.self_contained:
        return {}
    folder = resources.files(PACKAGE) / "networks"
    files = {f"{PACKAGE}/__init__.py": b"", f"{PACKAGE}/networks/__init__.py": b""}
    return files | {f"{PACKAGE}/networks/{name}.py": (folder / f"{name}.py").read_bytes() for name in NETWORKS}


def _driver() -> str:
    return (resources.files("handnet_bench") / "driver.py").read_text()


def _sentence(error: Exception, limits: Limits) -> str:
    lines = [line for line in str(error).strip().splitlines() if line.strip()]
    said = lines[-1].strip()[:300] if lines else type(error).__name__
    limit = _limit(error, said, limits)
    return f"The submission failed: {said}{f' ({limit})' if limit else ''}"


def _limit(error: Exception, said: str, limits: Limits) -> str:
    """The limit that `error` says was passed, with its unit; empty where it says nothing of one."""
    outcome = getattr(error, "outcome", "")
    if isinstance(error, MemoryError) or (outcome == "resource_limit" and "memory" in said):
        return f"the limit is {limits.memory_mb:,} MiB of memory"
    if outcome == "timeout":
        return f"the limit is {limits.cpu_seconds if 'CPU' in said else limits.seconds:g} s"
    if isinstance(error, OSError) and f"[Errno {errno.EFBIG}]" in said:
        return f"the limit is {limits.file_mb:,} MiB, for what it prints as for a file"
    if isinstance(error, OSError) and f"[Errno {errno.EMFILE}]" in said:
        return f"the limit is {many(limits.open_files, 'open file')}"
    return ""


def integers(output: Any, count: int) -> np.ndarray:
    """`output` as (count,) int64 (object where a number is larger). Raises Broke where it is not exactly `count` integers."""
    import numpy as np

    if isinstance(output, np.ndarray):
        if output.dtype.kind not in "iu":
            raise Broke(f"predict gave an array of {output.dtype}; it has to give integers.")
        if output.shape != (count,):
            raise Broke(
                f"predict gave an array of shape {output.shape} for {many(count, 'input')}; expected ({count},)."
            )
        return output.astype(np.int64)
    if not isinstance(output, list | tuple):
        raise Broke(f"predict gave {_kind(output)}; it has to give a list or an array of integers.")
    if len(output) != count:
        raise Broke(f"predict gave {many(len(output), 'value')} for {many(count, 'input')}.")
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
    if type(value) is dict and set(value) == {"why"}:
        return str(value["why"])[:60]
    if isinstance(value, float):
        return "NaN" if value != value else f"the float {value:g}"
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
