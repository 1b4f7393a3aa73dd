"""What `bench` sees: ids, parameters, digests, pins, controls, floors, imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchwright import Evaluate, Evaluation, Limits, ListTasks, LoadTask, Report, Submission, Task, TaskSpec
from benchwright.digests import CANARY, CANARY_ID
from benchwright.errors import UserError
from benchwright.records import Attempt, ModelRef, ProtocolRecord, TaskRef
from click.testing import CliRunner
from weightspace import catalogue, commands, floors, pinning, plugin, reporting, tasks, tools
from weightspace.functions import NAMES
from weightspace.wide_functions import BY_NAME

DEFAULTS: dict[str, Any] = {param.name: param.default for param in catalogue.PARAMS}


def specs(**changed: int) -> list[TaskSpec]:
    found = plugin.list_tasks(ListTasks(DEFAULTS | changed))
    return [spec for spec in found if spec.suite == "weightspace"]


def load(task_id: str, **changed: int) -> Task:
    return plugin.load_task(LoadTask(task_id, DEFAULTS | changed, Path()))


def grade(spec: TaskSpec, task: Task, submission: Submission) -> Evaluation:
    return plugin.evaluate(Evaluate(spec, task, submission, None, Limits(), Path()))  # type: ignore[arg-type]


def test_listing_imports_neither_numpy_nor_a_click_command_nor_a_network() -> None:
    program = (
        "import sys; from weightspace import plugin; from benchwright import ListTasks;"
        "params = {p.name: p.default for p in plugin.list_params()};"
        "list(plugin.list_tasks(ListTasks(params)));"
        "heavy = {'numpy', 'yaml', 'weightspace.tasks', 'weightspace.commands', 'weightspace.batch'} & set(sys.modules);"
        "sys.exit(' '.join(sorted(heavy)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_grading_never_imports_numpy() -> None:
    program = (
        "import sys; from pathlib import Path; from weightspace import plugin, tasks; from benchwright import LoadTask;"
        "params = {p.name: p.default for p in plugin.list_params()};"
        "task = plugin.load_task(LoadTask('weightspace/fix_div_by_3', params, Path()));"
        "assert tasks.evaluate(task.private, task.reference.answer).outcome == 'solved';"
        "sys.exit('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_default_suite_asks_each_function_once_in_each_mode() -> None:
    found = [spec.id for spec in specs()]
    assert len(found) == 48
    assert set(found) == {f"weightspace/{mode}_{name}" for mode in ("read", "fix", "write") for name in NAMES}
    assert [spec.category for spec in specs()][:6] == ["read", "fix", "write"] * 2


def test_more_tasks_repeat_the_cycle_under_numbered_ids() -> None:
    found = [spec.id for spec in specs(num_tasks=100)]
    assert found[48] == f"{found[0]}__2"
    assert found[96] == f"{found[0]}__3"
    assert len(set(found)) == 100
    assert load(found[48], num_tasks=100).messages != load(found[0]).messages


def test_task_i_uses_seed_plus_i() -> None:
    ids = [spec.id for spec in specs()]
    moved = DEFAULTS["seed"] + 48
    assert load(f"{ids[0]}__2", num_tasks=49).messages == load(ids[0], seed=moved).messages


def test_a_changed_parameter_stays_off_the_boards() -> None:
    assert all(spec.default for spec in specs())
    for name, value in {"num_tasks": 12, "hidden": 17, "seed": 1}.items():
        assert not any(spec.default for spec in specs(**{name: value}))


def test_a_functions_tasks_are_one_family() -> None:
    assert len({spec.cluster for spec in specs()}) == 16
    assert {spec.family for spec in specs(num_tasks=96) if "div_by_3" in spec.id} == {"div_by_3"}


@pytest.mark.parametrize(
    "slug",
    [
        *(f"read_majority__{repeat}" for repeat in ("2", "1", "01", "0", "", "x", "²", "-1")),
        *("read_nothing", "read_", "majority"),
    ],
)
def test_an_id_that_is_not_listed_is_one_sentence(slug: str) -> None:
    with pytest.raises(UserError, match=f"No task `weightspace/{slug}`"):
        load(f"weightspace/{slug}")


@pytest.mark.parametrize("hidden", [8, 16, 64])
def test_the_reference_solves_every_task_and_the_starter_none(hidden: int) -> None:
    for spec in specs(hidden=hidden):
        task = load(spec.id, hidden=hidden)
        assert task.reference is not None
        assert task.starter is not None
        solved = grade(spec, task, task.reference)
        assert (solved.outcome, solved.score) == ("solved", 1.0)
        empty = grade(spec, task, task.starter)
        assert empty.outcome == "unsolved"
        assert empty.metrics["answer_parsed"] == 1
        assert empty.score in (0.0, 0.6)


def test_the_pins_are_those_of_the_tasks_as_they_are() -> None:
    assert pinning.pinned() == pinning.sets_yaml()
    assert CliRunner().invoke(commands.weightspace, ["pin"]).output == pinning.pinned()


def test_the_pinned_set_reads_as_the_registry_reads_it() -> None:
    import importlib.resources

    from benchwright import documents
    from benchwright.registry import SetsFile

    found = documents.load(Path(str(importlib.resources.files("weightspace") / "sets.yaml")), SetsFile)
    assert [pin.id for pin in found.sets["warmup"]][:48] == [spec.id for spec in specs()]
    assert all(pin.digest.startswith("bw1:") for pin in found.sets["warmup"])


def test_a_digest_follows_whatever_decides_the_task() -> None:
    task = load("weightspace/read_majority")
    assert load("weightspace/read_majority").digest == task.digest
    assert load("weightspace/read_majority", num_tasks=7).digest == task.digest
    others = {load("weightspace/read_majority", seed=5).digest, load("weightspace/read_majority", hidden=17).digest}
    assert len(others | {task.digest}) == 3


def test_every_text_a_task_is_made_of_carries_the_canary_and_no_model_is_sent_it() -> None:
    folder = Path(tasks.__file__).parent
    files = [
        *folder.glob("prompts/**/*.md"),
        folder / "sets.yaml",
        Path(__file__).parent / "golden" / "first_tasks.json",
    ]
    assert len(files) >= 5
    for file in files:
        assert CANARY in file.read_text(encoding="utf-8"), file
    for spec in specs(num_tasks=3):
        assert CANARY_ID not in load(spec.id).messages[0].text


def test_the_prompt_shows_the_network_exactly_and_nothing_of_the_answer() -> None:
    for spec in specs():
        task = load(spec.id)
        text = task.messages[0].text
        assert "$" not in text
        assert spec.id not in text
        made = task.private["made"]
        if made is None:
            continue
        lines = [line for line in text.splitlines() if line.startswith("    unit ")]
        assert len(lines) == 16
        for unit, line in enumerate(lines):
            cells = line.replace("[", " ").replace("]", " ").replace(",", " ").split()
            numbers = [round(float(cell) * 1000) for cell in cells if "." in cell]
            assert numbers == [*made.network.W1[unit], made.network.b1[unit], made.network.v[unit]]


def test_floors_are_repeatable_and_lie_far_below_a_right_answer() -> None:
    found = {(floor.strategy, floor.mode): floor for floor in floors.floors(DEFAULTS)}
    assert set(found) == {("everything", "read")} | {
        (s, m) for s in ("constant", "random") for m in ("read", "fix", "write")
    }
    assert all(floor.tasks == 16 for floor in found.values())
    assert all(0 <= floor.score < 0.25 for floor in found.values())
    assert found["constant", "fix"].score == found["constant", "write"].score == 0
    assert all(found[s, "read"].solved == 0 for s in ("everything", "constant", "random"))
    floors._floors.cache_clear()
    assert {(floor.strategy, floor.mode): floor for floor in floors.floors(DEFAULTS)} == found


def test_answering_everything_scores_what_the_formula_says() -> None:
    made = [load(spec.id).private["made"] for spec in specs() if spec.category == "read"]
    f1 = [2 * len(hidden.functional) / (16 + len(hidden.functional)) for hidden in made]
    floor = next(floor for floor in floors.floors(DEFAULTS) if floor.strategy == "everything")
    assert floor.score == pytest.approx(0.6 / 16 + 0.4 * sum(f1) / 16, abs=1e-12)


def test_the_floors_of_larger_networks_lie_far_below_a_right_answer_and_stand_in_the_report() -> None:
    found = {(floor.strategy, floor.mode): floor for floor in floors.tool_floors(DEFAULTS)}
    assert set(found) == {("everything", "read")} | {(s, m) for s in ("constant", "random") for m in ("read", "fix")}
    assert all(floor.tasks == 4 and 0 <= floor.score < 0.4 and floor.solved == 0 for floor in found.values())
    made = [tools.make(task, DEFAULTS) for task in tools.TASKS if task.mode == "read"]
    f1 = [2 * len(hidden.functional) / (48 + len(hidden.functional)) for hidden in made]
    assert found["everything", "read"].score == pytest.approx(0.6 / len(BY_NAME) + 0.4 * sum(f1) / 4, abs=1e-12)
    solved = Evaluation("solved", 1.0, {"function_correct": 1, "unit_f1": 1.0, "answer_parsed": 1})
    own = tuple(attempt(task.id, "a", solved) for task in tools.TASKS)
    (section,) = plugin.report(Report(tools.SUITE, own))
    shown, floor_table = section.tables
    assert "write" not in shown.columns
    assert shown.rows[0][1:5] == (1.0, 1.0, 1.0, 1.0)
    assert [row[0] for row in floor_table.rows] == ["everything", "constant", "random"]
    result = CliRunner().invoke(commands.weightspace, ["floors", "--tools", "--markdown"])
    assert (result.exit_code, result.output.count("| fix |")) == (0, 2)


def test_the_floors_command_prints_them() -> None:
    result = CliRunner().invoke(commands.weightspace, ["floors", "--num-tasks", "6"])
    assert result.exit_code == 0
    assert result.output.count("read") == 3
    refused = CliRunner().invoke(commands.weightspace, ["floors", "--hidden", "5"])
    assert refused.exit_code == 2


def test_the_documented_floors_are_the_computed_ones() -> None:
    page = Path(__file__).parents[3] / "docs" / "weightspace.md"
    if not page.is_file():
        pytest.skip("no docs/weightspace.md here: not a checkout of the whole project")
    for options in ([], ["--tools"]):
        command = " ".join(["bench weightspace floors", *options])
        shown = page.read_text(encoding="utf-8").partition(f"<!-- floors: {command} -->\n")[2]
        computed = CliRunner().invoke(commands.weightspace, ["floors", *options, "--markdown"]).output
        assert shown.partition("<!-- end -->")[0].strip() == computed.strip()


def attempt(task_id: str, model: str, evaluation: Evaluation) -> Attempt:
    return Attempt(
        run="20261103-000000-0000",
        attempt="0" * 16,
        task=TaskRef(task_id, "1", "bw1:0", "warmup", "laptop", "weightspace", params=DEFAULTS),
        model=ModelRef(model),
        draw=1,
        outcome=evaluation.outcome,
        score=evaluation.score,
        metrics=evaluation.metrics,
        failed_checks=[],
        violations=[],
        protocol=ProtocolRecord("single", 1),
        usage=None,
        cost_usd=None,
        isolation="not-needed",
        device=None,
        data=None,
        environment="",
        started="",
        seconds=0.0,
        files={},
    )


def test_a_report_shows_scores_by_mode_with_the_floors_beside_them() -> None:
    solved = Evaluation("solved", 1.0, {"function_correct": 1, "unit_f1": 1.0, "answer_parsed": 1})
    lost = Evaluation("provider_error")
    attempts = (
        attempt("weightspace/read_majority", "a", solved),
        attempt("weightspace/fix_majority", "a", lost),
        attempt("weightspace/write_majority", "b", Evaluation("unsolved", 0.25, {"answer_parsed": 1})),
    )
    (section,) = plugin.report(Report("weightspace", attempts))
    scores, floor_table = section.tables
    read, fix, write = (scores.columns.index(mode) for mode in ("read", "fix", "write"))
    assert {row[0]: (row[read], row[fix], row[write]) for row in scores.rows} == {
        "a": (1.0, None, None),
        "b": (None, None, 0.25),
    }
    assert [row[0] for row in floor_table.rows] == ["everything", "constant", "random"]
    assert floor_table.rows[0][2:] == (None, None)
    assert reporting.sections("kernels", attempts) == []
    assert reporting.sections("weightspace", ()) == []
