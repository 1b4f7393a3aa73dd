"""Plugins are found, checked one by one, and called by address; a bad one is reported and survived."""

import json
import re

GOOD = """
from benchwright import Evaluation, Param, TaskSpec, hookimpl

API = 1
calls = []

@hookimpl
def list_params():
    return [Param("n", 2, "how many", minimum=1, maximum=5), Param("hard", False, "harder"),
            Param("kind", "a", "which", choices=("a", "b"))]

@hookimpl
def list_tasks(ctx):
    return [TaskSpec(id=f"{name}/t{i}", title="t", suite=name) for i in range(ctx.params["n"])]

@hookimpl
def evaluate(ctx):
    return Evaluation.solved_if(True, metrics={"who": ord(name[0])})
"""


def good(name: str) -> str:
    return f"name = {name!r}\n" + GOOD


BROKEN = "{b.name: b.why for b in plugins.load().broken}"


def test_an_installed_plugin_is_found_and_its_tasks_are_listed(install, ask):
    install("alpha-dist", name="alpha", module="alpha_mod", source=good("alpha"))
    assert ask("[s.id for s in plugins.load().specs() if s.id.startswith('alpha')]") == ["alpha/t0", "alpha/t1"]
    assert ask("plugins.load().benchmarks['alpha'].distribution") == "alpha-dist"


def test_a_hook_is_called_on_the_owner_only(install, ask):
    install("alpha-dist", name="alpha", module="alpha_mod", source=good("alpha"))
    install("beta-dist", name="beta", module="beta_mod", source=good("beta"))
    assert ask("[plugins.load().call(n, 'evaluate', None).metrics['who'] for n in ('alpha', 'beta')]") == [97, 98]


def test_a_silent_hook_answers_none(install, ask):
    install("alpha-dist", name="alpha", module="alpha_mod", source=good("alpha"))
    assert ask("plugins.load().call('alpha', 'calibrate', None)") is None
    assert ask("plugins.load().has('alpha', 'calibrate')") is False
    assert ask("plugins.load().has('alpha', 'evaluate')") is True


def test_two_distributions_with_one_name_are_an_error_that_names_both(install, ask):
    install("first-dist", name="alpha", module="alpha_mod", source=good("alpha"))
    install("second-dist", name="alpha", module="other_mod", source=good("alpha"))
    answer = ask("plugins.load()")
    assert answer["exit"] == 2
    assert "`alpha`" in answer["error"]
    assert "first-dist and second-dist" in answer["error"]


def test_a_plugin_that_fails_on_import_is_reported_and_survived(install, ask):
    install("bad", name="bad", module="bad_mod", source="raise ValueError('no luck')")
    install("worse", name="worse", module="worse_mod", source="import sys; sys.exit(3)")
    install("gone", name="gone", module="gone_mod", source="import a_module_that_is_not_there")
    install("alpha-dist", name="alpha", module="alpha_mod", source=good("alpha"))
    broken = ask(BROKEN)
    assert re.fullmatch(r"importing `bad_mod` failed: ValueError: no luck \(\S+bad_mod\.py, line 1\)", broken["bad"])
    assert re.fullmatch(r"importing `worse_mod` failed: SystemExit: 3 \(\S+worse_mod\.py, line 1\)", broken["worse"])
    assert "No module named 'a_module_that_is_not_there'" in broken["gone"]
    assert ask("'alpha' in plugins.load().benchmarks") is True


FAILING = """
from benchwright import Task, TaskSpec, hookimpl
from benchwright.errors import BenchError

API = 1

@hookimpl
def list_tasks():
    return [TaskSpec(id="alpha/t", title="t", suite="alpha")]

@hookimpl
def load_task(ctx):
    return Task.single(ctx.id, version="1", prompt="p")
"""


def test_a_task_that_cannot_be_loaded_names_the_line_of_the_plugin(install, ask):
    install("alpha-dist", name="alpha", module="alpha_mod", source=FAILING)
    asked = "(lambda p: __import__('benchwright.engine.plan').engine.plan.load_task(p, p.specs()[0], {}, None))(plugins.load())"
    told = ask(asked)["error"]
    line = FAILING.splitlines().index('    return Task.single(ctx.id, version="1", prompt="p")') + 1
    assert told.startswith(
        "alpha-dist 1.0 could not load `alpha/t`: TypeError: Task.single() missing 1 required keyword"
    )
    assert told.endswith(f"alpha_mod.py, line {line})")


def test_a_broken_plugin_of_ones_own_is_to_be_mended_and_not_fetched(install, ask, tmp_path):
    site = install("own-dist", name="own", module="own_mod", source="nothing_there")
    url = {"url": f"file://{tmp_path}/my%20plugin", "dir_info": {"editable": True}}
    (site / "own_dist-1.0.dist-info" / "direct_url.json").write_text(json.dumps(url))
    install("their-dist", name="their", module="their_mod", source="nothing_there")
    rows = ask("{r.what: r.remedy for r in __import__('benchwright.engine.checkup').engine.checkup.checkup()}")
    assert rows["benchmark own"] == f"mend it in {tmp_path}/my plugin, or pip uninstall own-dist"
    assert rows["benchmark their"] == "pip install -U their-dist"


def test_a_misspelt_hook_is_reported_with_the_name_that_was_meant(install, ask):
    install(
        "bad",
        name="bad",
        module="bad_mod",
        source="from benchwright import hookimpl\nAPI = 1\n@hookimpl\ndef evalute(ctx): ...",
    )
    assert ask(BROKEN)["bad"] == "`evalute` in `bad_mod` is no hook. Did you mean `evaluate`?"


def test_a_hook_with_a_wrong_argument_is_reported(install, ask):
    install(
        "bad",
        name="bad",
        module="bad_mod",
        source="from benchwright import hookimpl\nAPI = 1\n@hookimpl\ndef evaluate(context): ...",
    )
    assert "context" in ask(BROKEN)["bad"]


def test_a_hook_with_a_default_value_is_reported(install, ask):
    install(
        "bad",
        name="bad",
        module="bad_mod",
        source="from benchwright import hookimpl\nAPI = 1\n@hookimpl\ndef evaluate(ctx=None): ...",
    )
    assert ask(BROKEN)["bad"].startswith("the hook `evaluate` gives `ctx` a default value")


def test_no_hook_of_ours_has_a_default_value():
    import inspect

    from benchwright.hookspecs import Hooks

    for name, function in inspect.getmembers(Hooks, inspect.isfunction):
        assert all(p.default is p.empty for p in inspect.signature(function).parameters.values()), name


def test_another_api_version_is_a_sentence(install, ask):
    install("old", name="old", module="old_mod", source="API = 0")
    install("new", name="new", module="new_mod", source="API = 2")
    install("none", name="none", module="none_mod", source="")
    broken = ask(BROKEN)
    assert "was written for hook API version 0; this bench has version 1" in broken["old"]
    assert "was written for hook API version 2" in broken["new"]
    assert "states no hook API version" in broken["none"]


def test_a_plugin_that_lists_a_task_of_another_is_an_error(install, ask):
    install("alpha-dist", name="alpha", module="alpha_mod", source=good("beta"))
    assert "which belongs to `beta`" in ask("plugins.load().specs()")["error"]


def test_a_task_listed_twice_is_an_error(install, ask):
    twice = good("alpha").replace('f"{name}/t{i}"', '"alpha/same"')
    install("alpha-dist", name="alpha", module="alpha_mod", source=twice)
    assert "lists the task `alpha/same` twice" in ask("plugins.load().specs()")["error"]


def test_parameters_are_typed_bounded_and_listed(install, ask):
    install("alpha-dist", name="alpha", module="alpha_mod", source=good("alpha"))
    assert ask("plugins.load().params('alpha', {'n': '3', 'hard': 'true', 'kind': 'b'})") == {
        "n": 3,
        "hard": True,
        "kind": "b",
    }
    for given, told in [
        ("{'n': '0'}", "must be at least 1 and at most 5"),
        ("{'n': 'x'}", "expected a whole number"),
        ("{'n': '1.5'}", "expected a whole number"),
        ("{'hard': 'maybe'}", "expected true or false"),
        ("{'kind': 'c'}", "must be one of a, b"),
        ("{'m': '1'}", "has no parameter `m`"),
    ]:
        answer = ask(f"plugins.load().params('alpha', {given})")
        assert told in answer["error"]
        assert answer["exit"] == 2


def test_an_unknown_benchmark_is_a_sentence_with_the_near_name(install, ask):
    install("alpha-dist", name="alpha", module="alpha_mod", source=good("alpha"))
    assert (
        ask("plugins.load().owner('alpa/t0').name")["error"]
        == "No benchmark `alpa` is installed. Did you mean `alpha`?"
    )


def test_a_plugin_that_the_registry_does_not_know_is_unregistered(install, ask):
    install("alpha-dist", name="alpha", module="alpha_mod", source=good("alpha"))
    assert ask("registry.load().set_of(plugins.load(), 'alpha/t0', '1', 'bw1:x')") == "unregistered"


def test_what_a_refused_plugin_implements_is_never_called(install, ask):
    source = """
        from benchwright import TaskSpec, hookimpl
        API = 1
        @hookimpl
        def list_tasks(ctx):
            raise SystemExit("called")
        @hookimpl
        def evaluate(context): ...
    """
    install("bad", name="aaa", module="aaa_mod", source=source)
    install("alpha-dist", name="alpha", module="alpha_mod", source=good("alpha"))
    assert ask("len([s for s in plugins.load().specs() if s.suite == 'alpha'])") == 2
