"""Who answers: one module a provider, loaded when a model of it is asked for."""

from __future__ import annotations

BUILTIN: dict[str, str] = {
    "anthropic": "benchwright.models.anthropic:factory",
    "openai": "benchwright.models.openai:factory",
    "openai-compatible": "benchwright.models.compatible:factory",
    "command": "benchwright.models.command:factory",
    "person": "benchwright.models.person:factory",
    "file": "benchwright.models.file:factory",
    "replay": "benchwright.models.replay:factory",
    "reference": "benchwright.models.reference:factory",
    "starter": "benchwright.models.starter:factory",
}
"""Provider -> `module:factory`; `register_models` adds to these. No SDK is imported before a factory is called."""
