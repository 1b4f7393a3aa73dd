"""Where no compiler is, the tasks of the kernel suite wait for one: none is broken, and it is said once."""

import os
import subprocess
import sys

import pytest

TASKS = ("--tasks", "kernels/cuda_*", "--tasks", "kernels/metal_*")


@pytest.fixture
def bench(tmp_path):
    environment = {
        **os.environ,
        "BENCHWRIGHT_CXX": str(tmp_path / "none"),
        "BENCHWRIGHT_CACHE": str(tmp_path / "cache"),
    }

    def run(*words):
        done = subprocess.run(
            [sys.executable, "-m", "benchwright", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    return run


def test_a_proof_of_kernel_tasks_without_a_compiler_is_left_open_with_one_sentence_each(bench):
    said = bench("validate", "--suite", "kernels-gpu", *TASKS)
    assert "BROKEN" not in said
    assert "shapes.yaml" not in said
    assert said.count("UNCHECKED, needs dependency") == 2
    assert said.count("is no clang++ of version") == 2
    assert "0 tasks proven. 2 tasks could not be tried here; `bench doctor` says what to add." in said


def test_a_run_of_kernel_tasks_without_a_compiler_ends_with_what_is_missing(bench):
    said = bench("run", "--suite", "kernels-gpu", *TASKS, "--no-mlflow")
    assert said.count("Left out: 2 tasks. BENCHWRIGHT_CXX=") == 1
