"""Every class of fault is found at its place; correct kernels are left alone and compute what numpy computes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from scratch_kernels import simt
from scratch_kernels.simt.findings import KINDS

_spec = importlib.util.spec_from_file_location("simt_corpus_reader", Path(__file__).parent / "corpus_reader.py")
assert _spec
assert _spec.loader
reader = importlib.util.module_from_spec(_spec)
sys.modules["simt_corpus_reader"] = reader
_spec.loader.exec_module(reader)

FAULTY = [*reader.cases("faulty", "metal"), *reader.cases("faulty", "cuda")]
CORRECT = [*reader.cases("correct", "metal"), *reader.cases("correct", "cuda")]


def _marked(cases):
    """All cases in the long runs; of each language every third in the short ones."""
    return [
        pytest.param(case, id=f"{case.language}: {case.name}", marks=[] if i % 3 == 0 else [pytest.mark.proof])
        for i, case in enumerate(cases)
    ]


@pytest.mark.parametrize("case", _marked(FAULTY))
def test_a_fault_is_found_at_its_place(case):
    if case.expects == "compile":
        with pytest.raises(simt.CompileError) as refused:
            reader.run(case)
        assert refused.value.line in case.places
        return
    result, _ = reader.run(case)
    wanted = set(case.expects.split("|"))
    found = [f for f in result.findings if f.kind in wanted]
    assert found, [str(f) for f in result.findings]
    assert not case.places or any(f.line in case.places or f.other_line in case.places for f in found)


@pytest.mark.parametrize("case", _marked(CORRECT))
@pytest.mark.parametrize("schedule", ["shuffled", "simdgroup"])
def test_a_correct_kernel_is_right_and_not_accused(case, schedule):
    result, buffers = reader.run(case, schedule=schedule, seed=5)
    assert [str(f) for f in result.findings if f.severity != "note"] == []
    assert result.stopped == ""
    assert reader.right(case, result, buffers)


@pytest.mark.proof
@pytest.mark.parametrize("case", [pytest.param(c, id=f"{c.language}: {c.name}") for c in CORRECT])
def test_a_correct_kernel_gives_the_same_outputs_and_counts_over_fifty_schedules(case):
    results = [reader.run(case, schedule=("shuffled", "simdgroup", "ordered")[i % 3], seed=i)[0] for i in range(50)]
    assert len({tuple(sorted((name, data.tobytes()) for name, data in r.outputs.items())) for r in results}) == 1
    # A loop around a compare-and-swap that may fail tries as often as the others get in between.
    assert len({r.counts for r in results}) == 1 or "compare_exchange" in case.source


def test_the_corpus_is_as_large_as_promised_and_has_every_kind_of_finding():
    assert len(FAULTY) >= 60
    assert len(CORRECT) >= 30
    expected = {kind for case in FAULTY for kind in case.expects.split("|")} - {"compile"}
    assert expected <= set(KINDS)
    # These are shown elsewhere: consequences of others, or not reachable from a kernel's text alone.
    elsewhere = {
        "same_value_write", "unused_race", "unused_undefined_lane", "index_past_row", "private_memory", "crash",
        "write_after_read_across_unfenced_barrier", "race_in_simdgroup_write_write", "mask_names_returned", "step_budget_of_group",
        "uninitialised_variable", "uninitialised_local", "unset_on_a_path",
    }  # fmt: skip
    assert set(KINDS) - expected == elsewhere
