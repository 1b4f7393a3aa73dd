"""What a submission is handed stays as it was: whoever writes into it is caught by the test that says so."""

import pytest
from benchwright.sandbox import Sandbox
from scratch_kernels import folder as folders
from scratch_kernels import grading, mutants

SAYS_SO = {
    "attention_causal_mask": "test_the_inputs_are_left_as_they_were",
    "cuda_block_softmax_kernel": "test_no_rule_of_the_language_is_broken",
    "custom_autograd_double_backward": "test_the_inputs_are_left_as_they_were",
    "grad_accumulation": "test_the_batch_is_left_as_it_was",
    "kv_cache_equivalence": "test_nothing_handed_in_is_written_to",
    "metal_cross_entropy_kernel": "test_no_rule_of_the_language_is_broken",
    "online_softmax_attention": "test_the_inputs_are_left_as_they_were",
    "softmax_stability": "test_the_input_is_left_as_it_was",
    "speculative_decoding_verify": "test_nothing_handed_in_is_changed",
}
WHEN = ("writes_its_inputs_at_the_start", "writes_its_inputs_at_the_end")
# Writes that the test with that name cannot see: they wait for another size, another kind of input, another call.
ELSEWHERE = {
    ("softmax_stability", "writes_into_a_list"): "test_a_list_is_left_as_it_was",
    ("kv_cache_equivalence", "writes_into_a_long_cache"): "test_any_arrays_of_the_right_shape_are_a_cache",
    ("grad_accumulation", "writes_its_targets_where_they_are_classes"): "test_the_batch_is_left_as_it_was",
    ("kv_cache_equivalence", "writes_into_the_weights_it_was_made_of"): "test_nothing_handed_in_is_written_to",
    ("cuda_block_softmax_kernel", "writes_into_a_wide_row"): "test_the_values_are_right_for_any_block_and_width",
    ("metal_cross_entropy_kernel", "writes_into_a_wide_row"): "test_the_value_is_right_for_any_group_and_width",
    ("online_softmax_attention", "merges_into_the_left_state"): "test_merging_leaves_both_states_as_they_were",
    (
        "custom_autograd_double_backward",
        "writes_the_incoming_gradient_at_the_end",
    ): "test_the_inputs_are_left_as_they_were",
}


def recorded(slug: str, name: str) -> set[str]:
    """The test functions that a mutant fails, by the record."""
    kept = mutants.shapes(folders.TASKS / slug)
    assert kept is not None
    return {grading.function(id) for id in kept.mutants[name]}


@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("slug", SAYS_SO)
def test_a_program_that_writes_its_inputs_fails_the_test_that_says_so(slug: str, when: str) -> None:
    assert SAYS_SO[slug] in recorded(slug, when)


@pytest.mark.parametrize(("slug", "name"), ELSEWHERE)
def test_a_program_that_writes_only_now_and_then_is_seen_where_it_does(slug: str, name: str) -> None:
    assert ELSEWHERE[slug, name] in recorded(slug, name)


def test_what_is_told_is_that_it_wrote_and_where(sandbox: Sandbox) -> None:
    folder = folders.TASKS / "kv_cache_equivalence"
    (mutant,) = [m for m in mutants.mutants(folder) if m.name == "writes_into_a_long_cache"]
    verdict = grading.grade(folder, mutants.program(folder, mutant), sandbox)
    told = {check.id.partition("::")[2]: check.detail for check in verdict.checks}
    detail = told["test_any_arrays_of_the_right_shape_are_a_cache[7]"]
    assert "the submission wrote into what it was handed: float64 of shape (2, 2, 7, 4)" in detail
