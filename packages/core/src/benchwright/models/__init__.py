"""Who answers: one module a provider, loaded when a model of it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from benchwright.errors import BenchError, PluginError, PluginHung

if TYPE_CHECKING:
    from benchwright.models.interface import Factory, Model
    from benchwright.plugins import Plugins

BUILTIN: dict[str, str] = {
    "anthropic": "benchwright.models.anthropic:factory",
    "openai": "benchwright.models.openai:factory",
    "openai-compatible": "benchwright.models.compatible:factory",
    "command": "benchwright.models.command:factory",
    "person": "benchwright.models.person:factory",
    "file": "benchwright.models.file:factory",
    "replay": "benchwright.models.replay:factory",
    "reference": "benchwright.models.reference:reference",
    "starter": "benchwright.models.reference:starter",
}
"""Provider -> `module:factory`; `register_models` adds to these. No SDK is imported before a factory is called."""


def providers(plugins: Plugins) -> dict[str, Factory]:
    """Provider name to factory: those built in, and those that plugins register. A plugin that fails at it is left out.

    Raises PluginError where two claim one name.
    """
    found: dict[str, Factory] = {name: _Late(place) for name, place in BUILTIN.items()}
    owners = dict.fromkeys(found, "benchwright")
    for name in list(plugins.benchmarks):
        distribution = plugins.benchmarks[name].distribution

        def register(provider: str, factory: Factory, *, by: str = distribution) -> None:
            if provider in found:
                raise PluginError(
                    f"Two distributions register the model provider `{provider}`: {owners[provider]} and {by}. "
                    "Uninstall one of them."
                )
            found[provider], owners[provider] = factory, by

        try:
            plugins.call(name, "register_models", register)
        except PluginHung as hung:
            plugins.leave_out(name, "", hung)
        except BenchError:
            raise
        except Exception as error:  # noqa: BLE001  whatever a stranger's module does; the others go on
            plugins.leave_out(name, "registering its models", error)
    return found


class _Late:
    """A built-in factory, imported when a model of it is made."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __call__(self, argument: str, knobs: Mapping[str, str], options: Mapping[str, Any]) -> Model:
        module, _, function = self._place.partition(":")
        factory = cast("Factory", getattr(importlib.import_module(module), function))
        return factory(argument, knobs, options)
