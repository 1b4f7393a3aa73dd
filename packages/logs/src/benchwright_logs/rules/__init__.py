"""What a provider's raw events may hold in a turn without tools: one allow-list a wire format.

Each module judges the events of one turn and knows nothing of files. What is not on a list is never
let pass: a type that nobody listed makes the verdict `unknown`, a tool's own event makes it `tools`.
"""

from benchwright_logs.rules import anthropic, chat, codex, openai
from benchwright_logs.rules.verdict import RULE_VERSION, Finding, Told

JUDGES = {
    "anthropic": anthropic.judge,
    "openai": openai.judge,
    "openai-compatible": chat.judge,
    "codex": codex.judge,
}
"""Provider of a model's name, or wire format, to the judge of its events."""

__all__ = ["JUDGES", "RULE_VERSION", "Finding", "Told"]
