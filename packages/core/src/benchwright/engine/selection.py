"""Which tasks are meant: suites, globs, ids and parameters, as typed, against what is installed."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchwright import names
from benchwright.errors import UserError
from benchwright.plugins import Plugins
from benchwright.records import TaskSpec
from benchwright.registry import Registry


def read_params(plugins: Plugins, given: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Every benchmark's parameters, from `<benchmark>.<name>=<value>` and defaults."""
    typed: dict[str, dict[str, str]] = {}
    for text in given:
        key, equals, value = text.partition("=")
        benchmark, dot, name = key.partition(".")
        if not (equals and dot and name):
            raise UserError(f"-P {text}: expected <benchmark>.<parameter>=<value>, for example -P weightspace.seed=7.")
        if benchmark not in plugins.benchmarks and not any(broken.name == benchmark for broken in plugins.broken):
            raise UserError(f"-P {text}: no benchmark `{benchmark}`.{names.suggest(benchmark, plugins.benchmarks)}")
        plugins.find(benchmark)
        if name in typed.setdefault(benchmark, {}):
            raise UserError(f"-P {benchmark}.{name} is given twice.")
        typed[benchmark][name] = value
    values = plugins.all_params(typed)
    for benchmark in typed:
        plugins.find(benchmark)  # it may have broken over its parameters
    return values


def select(
    plugins: Plugins,
    registry: Registry,
    params: Mapping[str, Mapping[str, Any]],
    suites: Sequence[str],
    globs: Sequence[str],
) -> list[TaskSpec]:
    """The tasks that suites and globs name; both given, those that both name."""
    specs = plugins.specs(params)
    if not specs:
        raise UserError(
            f"No benchmark with a task is installed; `bench plugins` shows what was found.{_left_out(plugins)}"
        )
    installed = sorted({spec.suite for spec in specs})
    chosen = [name for text in suites for name in text.split(",")] or ["all"]
    for name in chosen:
        if name != "all" and name not in installed:
            raise UserError(_no_suite(registry, name, installed) + _left_out(plugins))
    if "all" not in chosen:
        specs = [spec for spec in specs if spec.suite in chosen]
    patterns = [pattern for text in globs for pattern in text.split(",")]
    if not patterns:
        return specs
    for pattern in patterns:
        if not any(fnmatch.fnmatchcase(spec.id, pattern) for spec in specs):
            near = names.suggest(pattern, [spec.id for spec in specs])
            raise UserError(f"No task matches `{pattern}`.{near}{_left_out(plugins)}")
    return [spec for spec in specs if any(fnmatch.fnmatchcase(spec.id, pattern) for pattern in patterns)]


def _left_out(plugins: Plugins) -> str:
    """Broken plugins, whose tasks may be what is missed."""
    return "".join(f" Left out: `{broken.name}` ({broken.distribution}): {broken.why}" for broken in plugins.broken)


def _no_suite(registry: Registry, name: str, installed: list[str]) -> str:
    known = registry.suites.get(name)
    if known is not None:
        owner = registry.benchmarks[known.benchmark]
        return f"The suite `{name}` comes with {owner.distribution}, which offers none here: pip install {owner.distribution}."
    return f"No suite `{name}`.{names.suggest(name, installed)} Installed: {', '.join(installed)}."


def find_spec(plugins: Plugins, params: Mapping[str, Mapping[str, Any]], task_id: str) -> TaskSpec:
    """The one task of this id. Raises UserError, with the nearest name."""
    owner = plugins.owner(task_id)
    specs = {spec.id: spec for spec in plugins.specs(params) if spec.id.partition("/")[0] == owner.name}
    plugins.find(owner.name)  # it may have broken over its list
    if task_id not in specs:
        raise UserError(f"No task `{task_id}`.{names.suggest(task_id, specs)} `bench list` shows all.")
    return specs[task_id]
