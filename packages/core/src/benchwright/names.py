"""Names and ids: tasks, models, runs, attempts. Decided once; golden files in the tests pin them."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterable, Mapping

from benchwright.errors import UserError

SLUG = re.compile(r"[a-z][a-z0-9_]*")
TASK_ID = re.compile(r"(?P<benchmark>[a-z][a-z0-9_-]*)/(?P<slug>[a-z][a-z0-9_]*)")
RUN_ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{4}")


def split_task_id(task_id: str) -> tuple[str, str]:
    """The benchmark and the slug of a task id `<benchmark>/<slug>`. Raises UserError for any other text."""
    match = TASK_ID.fullmatch(task_id)
    if match is None:
        raise UserError(
            f"`{task_id}` is not a task id: expected <benchmark>/<slug>, the slug in lower-case letters, "
            "digits and underscores, for example weightspace/read_div_by_3."
        )
    return match["benchmark"], match["slug"]


def new_run_id(now: float | None = None) -> str:
    """A run id `YYYYMMDD-HHMMSS-xxxx` in UTC; the last four are random hex digits."""
    import secrets

    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now))
    return f"{stamp}-{secrets.token_hex(2)}"


def attempt_id(plan_digest: str, task_digest: str, model: str, draw: int) -> str:
    """16 hex digits of sha256 over plan digest, task digest, model identity and draw."""
    text = "\n".join((plan_digest, task_digest, model, str(draw)))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def model_identity(name: str, knobs: Mapping[str, object]) -> str:
    """`provider/model[knob=value,…]`: knobs sorted, only those that are sent; no brackets without knobs."""
    if not knobs:
        return name
    return f"{name}[{','.join(f'{key}={_knob(knobs[key])}' for key in sorted(knobs))}]"


def _knob(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def parse_model(text: str) -> tuple[str, str, dict[str, str]]:
    """`provider/rest[knob=value,…]` or `provider:rest` or `provider` as (provider, rest, knobs).

    `file:PATH`, `replay:RUN` and `command:PROGRAM` keep everything behind the colon, brackets included.
    Raises UserError where the text is none of these.
    """
    refuse_unprintable(text)
    match = re.fullmatch(r"(?P<provider>[a-z][a-z0-9_-]*)(?:(?P<sep>[:/])(?P<rest>.+))?", text, re.DOTALL)
    if match is None:
        raise UserError(f"`{text}` is not a model: expected provider/model, provider:argument or a bare name.")
    provider, rest = match["provider"], match["rest"] or ""
    if match["sep"] == ":":
        return provider, rest, {}
    knobs: dict[str, str] = {}
    bracket = re.fullmatch(r"(?P<rest>[^\[\]]*)\[(?P<knobs>[^\[\]]*)\]", rest)
    if bracket is not None:
        rest = bracket["rest"]
        for pair in filter(None, bracket["knobs"].split(",")):
            key, equals, value = pair.partition("=")
            if not equals or not key or key in knobs:
                raise UserError(f"`{text}`: `{pair}` is not a knob; expected [knob=value,…], each knob once.")
            knobs[key.strip()] = value.strip()
    elif any(letter in "[]" or letter.isspace() for letter in rest):
        raise UserError(
            f"`{text}` is not a model: expected provider/model or provider/model[knob=value,…], without spaces."
        )
    return provider, rest, knobs


def refuse_unprintable(identity: str) -> None:
    """Raises UserError for a model name with line ends, escapes or other characters that no table can show."""
    bad = next((letter for letter in identity if not letter.isprintable()), None)
    if bad is not None:
        raise UserError(f"The model name {identity!a} holds the character {bad!a}, which cannot be shown.")


def folder_name(identity: str) -> str:
    """A model identity as one portable folder name; a short hash keeps two identities apart where letters were replaced."""
    clean = re.sub(r"[^A-Za-z0-9._=,+-]+", "_", identity)[:80].strip("._") or "model"
    if clean == identity and clean == clean.lower():
        return clean
    return f"{clean}-{hashlib.sha256(identity.encode()).hexdigest()[:8]}"


def suggest(wrong: str, known: Iterable[str]) -> str:
    """ " Did you mean `x`?" where a known name is close, else an empty string."""
    import difflib

    near = difflib.get_close_matches(wrong, list(known), n=1, cutoff=0.65)
    # What stands before the slash is right already, and makes any two slugs look alike.
    if near and difflib.SequenceMatcher(None, wrong.rpartition("/")[2], near[0].rpartition("/")[2]).ratio() >= 0.5:
        return f" Did you mean `{near[0]}`?"
    return ""
