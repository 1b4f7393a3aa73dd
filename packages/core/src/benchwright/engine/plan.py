"""From what was asked for to a plan: which tasks, which models, how many draws, in what order."""

from __future__ import annotations

import random
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from benchwright import blame, digests, folders, names, replies
from benchwright.engine.requirements import Missing, missing
from benchwright.engine.selection import read_params, select
from benchwright.errors import BenchError, PluginError, UserError
from benchwright.hookspecs import LoadTask
from benchwright.journal.manifest import PinnedTask, PlanRecord
from benchwright.models import providers
from benchwright.models.interface import Factory, Model
from benchwright.plugins import Plugins
from benchwright.records import Message, ModelRef, Task, TaskRef, TaskSpec
from benchwright.registry import Registry

MOST_DRAWS = 1_000_000
"""Draws of one task in one run, at most: far beyond any use, and short of what fits no disk."""


class Request(msgspec.Struct, frozen=True):
    """What the person at the keyboard asked for, as typed."""

    suites: tuple[str, ...] = ()
    """Names of suites; `all` is every suite of every installed benchmark. Empty with no `tasks`: `all`."""
    tasks: tuple[str, ...] = ()
    """Globs over task ids."""
    models: tuple[str, ...] = ("reference",)
    draws: int = 1
    params: tuple[str, ...] = ()
    """`<benchmark>.<name>=<value>`."""
    shuffle: bool = False
    seed: int | None = None
    """The seed of the order with `shuffle`; None draws one, which is recorded."""
    unsafe: bool = False
    options: dict[str, Any] = {}
    """For the models' factories: base URL, output cap, time limits."""


class Place(msgspec.Struct, frozen=True):
    """A task of the plan: loaded, pinned, and what it lacks here."""

    spec: TaskSpec
    task: Task | None
    """None where loading failed; `failure` then says why."""
    ref: TaskRef
    messages: tuple[Message, ...]
    """What a model is sent first, reply format included."""
    lacks: tuple[Missing, ...] = ()
    failure: str = ""


class Slot(msgspec.Struct, frozen=True):
    """One attempt of the plan."""

    attempt: str
    place: Place
    model: Model
    draw: int


class Plan:
    """What will be run. `record` is its durable half, whose digest names the run's plan."""

    def __init__(
        self, record: PlanRecord, places: list[Place], models: list[Model], shuffle: int | None = None
    ) -> None:
        self.record = record
        self.digest = record.digest
        self.places = places
        self.models = models
        self.shuffle = shuffle
        """The seed of the order; an order is no part of a plan, and a resumed run may have another."""

    def __len__(self) -> int:
        return len(self.places) * len(self.models) * self.record.draws

    def pinned(self) -> dict[str, PinnedTask]:
        """The tasks as they are now, for the manifest."""
        return {
            place.spec.id: PinnedTask(place.ref.version, place.ref.digest, place.ref.prompt_digest, place.ref.set)
            for place in self.places
        }

    def slots(self, model: Model) -> Iterator[Slot]:
        """The attempts of one model in the order of the plan: every task once before any is drawn again."""
        for draw in range(1, self.record.draws + 1):
            for place in self.places:
                attempt = names.attempt_id(self.digest, place.ref.digest or place.spec.id, model.identity, draw)
                yield Slot(attempt, place, model, draw)


def make_plan(plugins: Plugins, registry: Registry, request: Request) -> Plan:
    """The plan of a request, with every task loaded and every model made. Raises UserError for what is not there."""
    if request.draws < 1:
        raise UserError(f"--draws {request.draws}: at least one draw is needed.")
    if request.draws > MOST_DRAWS:
        raise UserError(f"--draws {request.draws}: at most {MOST_DRAWS:,} draws are made of one task.")
    factories = providers(plugins)
    params = read_params(plugins, request.params)
    specs = select(plugins, registry, params, request.suites, request.tasks)
    models = make_models(factories, request.models, request.options)
    owners = {plugins.owner(spec.id).name for spec in specs}
    record = PlanRecord(
        suites=sorted({spec.suite for spec in specs}),
        tasks=[spec.id for spec in specs],
        models=[ModelRef(model.identity, settings=dict(model.settings)) for model in models],
        draws=request.draws,
        params={name: params[name] for name in sorted(owners)},
        unsafe=request.unsafe,
    )
    seed = _seed(request)
    if seed is not None:
        random.Random(seed).shuffle(specs)
    places = [load_place(plugins, registry, spec, params) for spec in specs]
    return Plan(record, apart(places), models, seed)


def _seed(request: Request) -> int | None:
    if not request.shuffle:
        if request.seed is not None:
            raise UserError(
                "--seed is the seed of --shuffle; give both. A benchmark's own seed is -P <benchmark>.seed=…"
            )
        return None
    return random.SystemRandom().randrange(2**32) if request.seed is None else request.seed


def make_models(factories: Mapping[str, Factory], texts: Iterable[str], options: Mapping[str, Any]) -> list[Model]:
    """The models of these names, each once. Raises UserError for an unknown provider."""
    models: list[Model] = []
    for text in texts:
        provider, rest, knobs = names.parse_model(text)
        factory = factories.get(provider)
        if factory is None:
            raise UserError(
                f"No provider `{provider}` (in --model {text}).{names.suggest(provider, factories)} "
                f"There are: {', '.join(sorted(factories))}."
            )
        model = factory(rest, knobs, options)
        if any(model.identity == other.identity for other in models):
            raise UserError(f"--model {model.identity} is named twice; more draws of one model are --draws.")
        models.append(model)
    return models


def load_task(plugins: Plugins, spec: TaskSpec, params: Mapping[str, Any], data: Path) -> Task:
    """The task, loaded by its owner. Raises PluginError where the plugin fails, hangs or gives another task."""
    owner = plugins.owner(spec.id)
    try:
        context = LoadTask(spec.id, dict(params), data)
        task = plugins.call(owner.name, "load_task", context)
    except BenchError:
        raise
    except Exception as error:  # whatever a plugin does; told with its name
        raise PluginError(
            f"{owner.distribution} {owner.version} could not load `{spec.id}`: {blame.told(error, owner.module.__name__)}"
        ) from error
    if not isinstance(task, Task) or task.id != spec.id:
        raise PluginError(f"{owner.distribution} {owner.version} gave no task for `{spec.id}`.")
    return task


def load_place(plugins: Plugins, registry: Registry, spec: TaskSpec, params: Mapping[str, Mapping[str, Any]]) -> Place:
    """A task made ready for a run. A plugin that cannot load it costs this task, not the run."""
    data = folders.data()
    lacks = tuple(missing(spec, data))
    values = dict(params[plugins.owner(spec.id).name])
    ref = TaskRef(spec.id, "", "", "", spec.tier, spec.suite, spec.cluster, params=values)
    try:
        task = load_task(plugins, spec, values, data)
    except BenchError as error:
        reason = str(error)
        if error.__cause__ is not None:
            reason += "\n" + "".join(traceback.format_exception(error.__cause__))
        return Place(spec, None, ref, (), lacks, reason)
    messages = opening(spec, task)
    ref = msgspec.structs.replace(
        ref,
        version=task.version,
        digest=task.digest,
        set=registry.set_of(plugins, spec.id, task.version, task.digest) if spec.default else "custom",
        prompt_digest=digests.prompt_digest(task.system, messages),
    )
    return Place(spec, task, ref, messages, lacks)


def apart(places: Sequence[Place]) -> list[Place]:
    """`places`, those that cannot be told from another as failures: attempts are named by the digest of their task."""
    by_digest: dict[str, list[str]] = {}
    for place in places:
        if place.task is not None:
            by_digest.setdefault(place.ref.digest, []).append(place.spec.id)
    found = []
    for place in places:
        alike = [other for other in by_digest.get(place.ref.digest, ()) if other != place.spec.id]
        if place.task is not None and alike:
            reason = (
                f"`{place.spec.id}` and `{alike[0]}` have the same digest {place.ref.digest[:15]}, so their attempts could "
                "not be told apart: give each something of its own, such as its id in `parts`."
            )
            ref = msgspec.structs.replace(place.ref, version="", digest="", set="", prompt_digest="")
            place = Place(place.spec, None, ref, (), place.lacks, reason)
        found.append(place)
    return found


def opening(spec: TaskSpec, task: Task) -> tuple[Message, ...]:
    """The messages that a model is sent first: the task's, the reply format under the last."""
    *before, last = task.messages
    text = f"{last.text.rstrip()}\n\n{replies.instructions(spec)}"
    return (*before, msgspec.structs.replace(last, text=text))
