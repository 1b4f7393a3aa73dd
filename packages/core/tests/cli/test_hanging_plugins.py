"""A plugin that hangs, or breaks, in a hook that a command waits for is named, and the others go on."""

import subprocess
from collections.abc import Callable

import pytest

Bench = Callable[..., subprocess.CompletedProcess[str]]

SECONDS = {"BENCHWRIGHT_HOOK_SECONDS": "3"}
"""Far more than any hook of the installed plugins takes on a busy machine, but for the one that hangs."""


def hanging(hook: str) -> dict[str, str]:
    return {**SECONDS, "TRIALS_HANGS": hook}


def told(hook: str) -> str:
    return (
        f"trials 0.1.0 hung in its hook `{hook}`: it did not end within 3 s (BENCHWRIGHT_HOOK_SECONDS gives it more)."
    )


@pytest.mark.parametrize("hook", ["list_tasks", "list_params"])
@pytest.mark.parametrize("command", [("list",), ("list", "--params"), ("run", "--suite", "sums", "--no-mlflow")])
def test_a_plugin_that_hangs_over_its_list_is_left_out_by_name(
    hook: str, command: tuple[str, ...], bench: Bench
) -> None:
    done = bench(*command, env=hanging(hook))
    assert done.returncode == 0, done.stderr
    assert "sums" in done.stdout
    assert "trials" not in done.stdout
    if (hook, command) != ("list_tasks", ("list", "--params")):  # which asks for no list of tasks
        assert f"Plugin `trials` (trials) is left out: {told(hook)}" in done.stderr


def test_plugins_and_doctor_show_it_among_the_broken_ones(bench: Bench) -> None:
    plugins = bench("plugins", env=hanging("list_tasks"))
    assert f"broken: `trials` (trials): {told('list_tasks')}" in plugins.stdout
    assert plugins.stdout.count("trials 0.1.0") == 1, "it has no row among those that work"
    doctor = bench("doctor", env=hanging("check_machine"))
    assert f"looking at the machine failed: {told('check_machine')}" in doctor.stdout
    assert doctor.returncode == 0


def test_who_asks_for_its_tasks_is_told_why_there_are_none(bench: Bench) -> None:
    for command in (("list", "--suite", "trials"), ("run", "--tasks", "trials/*"), ("prompt", "trials/solved")):
        done = bench(*command, env=hanging("list_tasks"))
        assert done.returncode == 2
        assert told("list_tasks") in done.stderr
        assert len(done.stderr.splitlines()) == 1
    done = bench("run", "-P", "trials.x=1", env=hanging("list_params"))
    assert done.returncode == 2
    assert done.stderr == f"The benchmark `trials` (trials) is broken: {told('list_params')}\n"


def test_a_plugin_that_fails_over_its_parameters_or_its_models_is_left_out_as_well(bench: Bench) -> None:
    for hook, doing in (("list_params", "listing its parameters"), ("register_models", "registering its models")):
        done = bench("run", "--suite", "sums", "--no-mlflow", env={"TRIALS_FAILS": hook})
        assert done.returncode == 0, done.stderr
        assert f"Plugin `trials` (trials) is left out: {doing} failed: KeyError: 'nothing there'" in done.stderr
        assert "Traceback" not in done.stderr


def test_one_that_hangs_over_its_models_or_its_commands_holds_up_nobody(bench: Bench) -> None:
    done = bench("run", "--suite", "sums", "--no-mlflow", env=hanging("register_models"))
    assert done.returncode == 0, done.stderr
    assert told("register_models") in done.stderr
    done = bench("--help", env=hanging("register_commands"))
    assert done.returncode == 0, done.stderr
    assert f"trials could not add its commands: {told('register_commands')}" in done.stderr
    assert "leaderboard" in done.stdout


def test_a_report_goes_without_what_a_benchmark_cannot_say_of_failures(bench: Bench) -> None:
    assert bench("run", "--tasks", "trials/unsolved", "--no-mlflow").returncode == 0
    for env, why in ((hanging("calibrate"), told("calibrate")), ({"TRIALS_FAILS": "calibrate"}, "KeyError: 'nothing")):
        done = bench("report", "--tasks", "trials/*", env=env)
        assert done.returncode == 0, done.stderr
        assert f"What failures are like is not known here: {why}" in done.stdout
        assert "1x" in done.stdout


@pytest.mark.parametrize("given", ["0", "-1", "soon", "nan", "inf"])
def test_a_bound_that_is_no_time_is_one_sentence(given: str, bench: Bench) -> None:
    done = bench("list", env={"BENCHWRIGHT_HOOK_SECONDS": given})
    assert done.returncode == 2
    assert done.stderr.startswith(f"BENCHWRIGHT_HOOK_SECONDS={given}: expected seconds above 0")
    assert len(done.stderr.splitlines()) == 1
