"""Graders get the user's choice of compiler and device, workers never."""

import pytest
from benchwright.sandbox import environment


@pytest.mark.parametrize("name", ["BENCHWRIGHT_CXX", "BENCHWRIGHT_NVRTC", "BENCHWRIGHT_DEVICE", "BENCHWRIGHT_CACHE"])
def test_a_grader_gets_the_choice_and_a_worker_does_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "chosen")
    assert environment.trusted()[name] == "chosen"
    assert name not in environment.clean()


def test_neither_gets_what_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    assert "secret" not in {*environment.trusted().values(), *environment.clean().values()}
