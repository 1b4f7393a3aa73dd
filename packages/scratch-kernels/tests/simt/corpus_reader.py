"""Reads the corpus of small kernels and makes their launches."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

CORPUS = Path(__file__).parent / "corpus"
PREFIX = "#include <metal_stdlib>\nusing namespace metal;\n"


class Case(NamedTuple):
    """One kernel. `expects`: the kinds of finding of a faulty one, or the check of a correct one."""

    language: str
    name: str
    expects: str
    launch: dict[str, Any]
    source: str
    places: frozenset[int]
    """Lines marked as the fault's place."""


def cases(which: str, language: str) -> list[Case]:
    """`which`: faulty or correct; `language`: metal or cuda."""
    text = (CORPUS / f"{which}.{'metal' if language == 'metal' else 'cu'}").read_text()
    found = []
    for part in text.split("//=== ")[1:]:
        head, _, body = part.partition("\n")
        name, expects, launch = (s.strip() for s in head.split("; ", 2))
        source = (PREFIX if language == "metal" else "") + body
        places = frozenset(i for i, line in enumerate(source.split("\n"), 1) if "//!" in line)
        found.append(Case(language, name, expects, json.loads(launch), source, places))
    return found


def array(spec: Any, name: str, out: Any) -> Any:
    """A buffer from its description."""
    if not isinstance(spec, str):
        return spec
    words = spec.split()
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    match words[0]:
        case "out":
            return out(int(words[2]), words[1])
        case "rand":
            return rng.normal(size=int(words[2])).astype(words[1])
        case "uniform":
            return rng.uniform(size=int(words[2])).astype(words[1])
        case "zeros":
            return np.zeros(int(words[2]), words[1])
        case "iota":
            return np.arange(int(words[2]), dtype=words[1])
    return np.array([float(w) for w in words[1:]]).astype(words[0])


def run(case: Case, **options: Any) -> tuple[Any, dict[str, Any]]:
    """Builds and launches a case; gives the launch and its inputs."""
    from scratch_kernels import simt

    launch = dict(case.launch)
    library = simt.metal(case.source) if case.language == "metal" else simt.cuda(case.source)
    buffers = {name: array(spec, name, simt.out) for name, spec in launch.pop("buffers", {}).items()}
    kernel = launch.pop("kernel", library.kernels[0])
    if "threadgroup" in launch:
        launch["threadgroup"] = {int(k): v for k, v in launch["threadgroup"].items()}
    if "symbols" in launch:
        launch["symbols"] = {k: array(v, k, simt.out) for k, v in launch["symbols"].items()}
    if not launch:
        library.build(kernel)
        return None, {}
    return library.launch(kernel, launch.pop("grid", 1), launch.pop("group"), buffers, **{**launch, **options}), buffers


def right(case: Case, result: Any, buffers: dict[str, Any]) -> bool:
    """Whether the outputs are what numpy says."""

    def softmax(x: Any) -> Any:
        e = np.exp(x - x.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)

    exact = " = " in case.expects.split("~")[0]
    name, _, expression = case.expects.partition(" = " if exact else " ~ ")
    wanted = eval(expression, {"np": np, "softmax": softmax, **buffers})
    got = result[name.strip()]
    if exact:
        return bool(np.array_equal(got, np.asarray(wanted).astype(got.dtype)))
    return bool(np.allclose(got, wanted, rtol=2e-5, atol=2e-6, equal_nan=False))
