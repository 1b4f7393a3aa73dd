"""Discovery of installed benchmarks, and addressed calls of their hooks.

pluggy gives markers, signatures and dispatch. What it does not give is enforced here: a broken entry
point is survived and reported, two distributions with one name are an error that names both, a misspelt
hook and a hook with a default value are refused, and so is a plugin of another hook API version.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

import msgspec
import pluggy

from benchwright import blame, bounds, installed, names
from benchwright.errors import BenchError, PluginError, PluginHung, UserError
from benchwright.hookspecs import API_VERSION, GROUP, PROJECT, Hooks, ListTasks
from benchwright.records import Param, TaskSpec


class Benchmark(msgspec.Struct, frozen=True):
    """An installed plugin that loaded. `status` is its own word, for example "no content yet"."""

    name: str
    distribution: str
    version: str
    module: ModuleType
    api: int
    status: str = ""


class Broken(msgspec.Struct, frozen=True):
    """An installed plugin that did not load, and why, in a sentence."""

    name: str
    distribution: str
    why: str


class Plugins:
    """The installed benchmarks by name, and the calls to their hooks."""

    def __init__(self, manager: pluggy.PluginManager, benchmarks: dict[str, Benchmark], broken: list[Broken]) -> None:
        self._manager = manager
        self._callers: dict[tuple[str, str], Any] = {}
        self.benchmarks = benchmarks
        self.broken = broken

    def call(self, benchmark: str, hook: str, *context: Any) -> Any:
        """What `benchmark` answers to `hook`; None where it is silent. No other plugin is asked.

        What a hook yields comes as a list. Raises PluginHung where it takes longer than `bounds` gives it.
        """
        caller = self._callers.get((benchmark, hook))
        if caller is None:
            owner = self.benchmarks[benchmark].module
            implementations = getattr(self._manager.hook, hook).get_hookimpls()
            others = [impl.plugin for impl in implementations if impl.plugin is not owner]
            caller = self._manager.subset_hook_caller(hook, others)
            self._callers[benchmark, hook] = caller
        arguments = getattr(self._manager.hook, hook).spec.argnames

        def ask() -> Any:
            try:
                answers = caller(**dict(zip(arguments, context, strict=True)))
                answer = answers[0] if answers else None
                return list(answer) if isinstance(answer, Iterator) else answer
            except (SystemExit, GeneratorExit) as error:
                said = f" ({error})" if str(error) else ""
                raise RuntimeError(
                    f"its hook `{hook}` raised {type(error).__name__}{said}; a plugin answers or fails, and ends nothing"
                ) from error

        seconds = bounds.of(hook)
        if seconds is None:
            return ask()
        try:
            return bounds.within(seconds, ask)
        except bounds.Overdue as overdue:
            asked = self.benchmarks[benchmark]
            raise PluginHung(
                f"{asked.distribution} {asked.version} hung in its hook `{hook}`: {overdue} "
                f"({bounds.VARIABLE} gives it more)."
            ) from None

    def call_all(self, hook: str, *context: Any) -> dict[str, Any]:
        """What every plugin that is not silent answers to `hook`, by name."""
        answers = {name: self.call(name, hook, *context) for name in list(self.benchmarks)}
        return {name: answer for name, answer in answers.items() if answer is not None}

    def has(self, benchmark: str, hook: str) -> bool:
        """Whether `benchmark` implements `hook`."""
        module = self.benchmarks[benchmark].module
        return any(caller.name == hook for caller in self._manager.get_hookcallers(module) or ())

    def owner(self, task_id: str) -> Benchmark:
        """The benchmark that a task id names. Raises UserError where it is not installed."""
        return self.find(names.split_task_id(task_id)[0])

    def find(self, name: str) -> Benchmark:
        """The benchmark of this name. Raises UserError where it is not installed, or is broken."""
        if name not in self.benchmarks:
            for broken in self.broken:
                if broken.name == name:
                    raise UserError(f"The benchmark `{name}` ({broken.distribution}) is broken: {broken.why}")
            raise UserError(f"No benchmark `{name}` is installed.{names.suggest(name, self.benchmarks)}")
        return self.benchmarks[name]

    def leave_out(self, name: str, doing: str, error: Exception) -> None:
        """From now on `name` counts as broken, as one that cannot be imported does; the others go on."""
        module = self.benchmarks[name].module.__name__
        why = str(error) if isinstance(error, PluginHung) else f"{doing} failed: {blame.told(error, module)}"
        self.broken.append(Broken(name, self.benchmarks.pop(name).distribution, why))

    def list_params(self, benchmark: str) -> list[Param]:
        """The parameters that a benchmark declares."""
        return list(self.call(benchmark, "list_params") or ())

    def params(self, benchmark: str, given: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Parameters with defaults filled in; `given` holds text as typed. Raises UserError for a bad one."""
        declared = {param.name: param for param in self.list_params(benchmark)}
        values: dict[str, Any] = {name: param.default for name, param in declared.items()}
        for name, text in (given or {}).items():
            if name not in declared:
                known = f" It has: {', '.join(sorted(declared))}." if declared else " It has none."
                raise UserError(f"`{benchmark}` has no parameter `{name}`.{names.suggest(name, declared) or known}")
            values[name] = _typed(benchmark, declared[name], text)
        return values

    def specs(self, params: Mapping[str, Mapping[str, Any]] | None = None) -> list[TaskSpec]:
        """Every task of every benchmark, in the order of names; `params` by benchmark, see `params`."""
        found: list[TaskSpec] = []
        for name in sorted(self.benchmarks):
            try:
                values = dict((params or {}).get(name) or self.params(name))
                found.extend(self._specs_of(name, values))
            except PluginHung as hung:
                self.leave_out(name, "", hung)
            except BenchError:
                raise
            except Exception as error:  # noqa: BLE001  whatever a stranger's module does; the others go on
                self.leave_out(name, "listing its tasks", error)
        return found

    def all_params(self, given: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, Any]]:
        """The parameters of every benchmark; one that cannot say which it has is left out from now on."""
        found = {}
        for name in list(self.benchmarks):
            try:
                found[name] = self.params(name, given.get(name))
            except PluginHung as hung:
                self.leave_out(name, "", hung)
            except BenchError:
                raise
            except Exception as error:  # noqa: BLE001  whatever a stranger's module does; the others go on
                self.leave_out(name, "listing its parameters", error)
        return found

    def _specs_of(self, name: str, params: dict[str, Any]) -> list[TaskSpec]:
        specs = list(self.call(name, "list_tasks", ListTasks(params)) or ())
        seen: set[str] = set()
        for spec in specs:
            owner, _ = names.split_task_id(spec.id)
            if owner != name:
                raise PluginError(
                    f"The plugin `{name}` ({self.benchmarks[name].distribution}) lists the task `{spec.id}`, "
                    f"which belongs to `{owner}`; a plugin lists its own tasks only."
                )
            if spec.id in seen:
                raise PluginError(f"The plugin `{name}` lists the task `{spec.id}` twice.")
            seen.add(spec.id)
        return specs


def load() -> Plugins:
    """Every installed plugin. Raises PluginError where two distributions claim one name."""
    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(Hooks)
    benchmarks: dict[str, Benchmark] = {}
    broken: list[Broken] = []
    for entry in _entry_points():
        loaded = _load_one(manager, entry)
        if isinstance(loaded, Broken):
            broken.append(loaded)
        else:
            benchmarks[entry.name] = loaded
    return Plugins(manager, benchmarks, broken)


def collisions() -> list[str]:
    """A sentence for each name that more than one distribution claims."""
    claims: dict[str, list[str]] = {}
    for entry in installed.entry_points(GROUP):
        claimants = claims.setdefault(entry.name, [])
        if entry.distribution not in claimants:
            claimants.append(entry.distribution)
    return [
        f"Two distributions claim the benchmark name `{name}`: {' and '.join(sorted(claimants))}. Uninstall one of them."
        for name, claimants in sorted(claims.items())
        if len(claimants) > 1
    ]


def _entry_points() -> list[installed.Entry]:
    found = installed.entry_points(GROUP)
    if len({entry.name for entry in found}) < len(found):
        doubled = collisions()
        if doubled:
            raise PluginError(" ".join(doubled))
    return list({entry.name: entry for entry in found}.values())


def _load_one(manager: pluggy.PluginManager, entry: installed.Entry) -> Benchmark | Broken:
    def broken(why: str) -> Broken:
        return Broken(entry.name, entry.distribution, why)

    if names.SLUG.fullmatch(entry.name.replace("-", "_")) is None:
        return broken(f"the entry-point name `{entry.name}` is not lower-case letters, digits, `-` and `_`.")
    try:
        module = importlib.import_module(entry.module)
    except (Exception, SystemExit) as error:  # noqa: BLE001  whatever a stranger's module does on import
        return broken(f"importing `{entry.module}` failed: {blame.told(error, entry.module)}")
    api = getattr(module, "API", None)
    if api != API_VERSION:
        stated = "states no hook API version" if api is None else f"was written for hook API version {api!r}"
        return broken(
            f"`{entry.module}` {stated}; this bench has version {API_VERSION}. "
            + (
                f"Add `API = {API_VERSION}` to the module."
                if api is None
                else f"Install a release of {entry.distribution} for it, or another bench."
            )
        )
    try:
        manager.register(module, name=entry.name)
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        if manager.is_registered(module):
            manager.unregister(module)
        return broken(_misfit(module, error))
    defaults = [
        f"`{caller.name}` gives `{impl.kwargnames[0]}` a default value"
        for caller in manager.get_hookcallers(module) or ()
        for impl in caller.get_hookimpls()
        if impl.plugin is module and impl.kwargnames
    ]
    if defaults:
        manager.unregister(module)
        return broken(f"the hook {defaults[0]}; a default silently pins an argument, so no hook may have one.")
    return Benchmark(entry.name, entry.distribution, entry.version, module, api, str(getattr(module, "STATUS", "")))


def _misfit(module: ModuleType, error: pluggy.PluginValidationError) -> str:
    """pluggy's several lines as one sentence, with the name that was probably meant."""
    known = [name for name, _ in inspect.getmembers(Hooks, inspect.isfunction)]
    for name, function in vars(module).items():
        if getattr(function, f"{PROJECT}_impl", None) and name not in known:
            return f"`{name}` in `{module.__name__}` is no hook.{names.suggest(name, known)}"
    return " ".join(str(error).split())


def bound(value: float) -> str:
    """A bound of a parameter, as a person reads it: `100,000`, `0.5`."""
    return f"{int(value):,}" if value == int(value) else f"{value:g}"


def _typed(benchmark: str, param: Param, text: str) -> int | float | str | bool:
    """`text` as the type of the parameter's default, within its bounds."""
    kind = type(param.default)
    value: int | float | str | bool
    try:
        if kind is bool:
            value = {"true": True, "false": False}[text.lower()]
        else:
            value = kind(text)
    except (ValueError, KeyError, OverflowError):
        word = {int: "a whole number", float: "a number", bool: "true or false"}.get(kind, "text")
        raise UserError(f"-P {benchmark}.{param.name}={text}: expected {word}, for example {param.default}.") from None
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = param.minimum, param.maximum
        if value != value or (low is not None and value < low) or (high is not None and value > high):
            bounds = " and ".join(
                f"{word} {bound(least)}" for word, least in (("at least", low), ("at most", high)) if least is not None
            )
            raise UserError(f"-P {benchmark}.{param.name}={text}: must be {bounds or 'a number'}.")
    if param.choices and value not in param.choices:
        raise UserError(f"-P {benchmark}.{param.name}={text}: must be one of {', '.join(param.choices)}.")
    return value
