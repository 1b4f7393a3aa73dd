"""Reading an answer: decoded JSON in, a checked answer or one sentence out.

Any value that JSON can hold is accepted as input and nothing but `Malformed` is raised. Numbers are
taken exactly as written; true and false are no numbers, nor are texts. Keys beside those asked for are
not read.
"""

from __future__ import annotations

from decimal import Context, Decimal, Inexact, InvalidOperation
from typing import Any, NamedTuple

from benchwright.counting import plural

from weightspace.corruption import Place
from weightspace.network import Network

LARGEST = 1_000_000
"""The largest size of a number in an answer."""
PLACES = 1000
"""The most decimal places of a number in an answer."""
MAX_EDITS = 2
MAX_UNITS = 8


class Malformed(Exception):
    """An answer that cannot be read; the text is one sentence."""


class ReadAnswer(NamedTuple):
    """`units`: the functional units named, each once."""

    function: str
    units: frozenset[int]


class FixAnswer(NamedTuple):
    """At most two parameters, each with its new value."""

    edits: tuple[tuple[Place, Decimal], ...]


class WriteAnswer(NamedTuple):
    """A network as written."""

    W1: tuple[tuple[Decimal, ...], ...]
    b1: tuple[Decimal, ...]
    v: tuple[Decimal, ...]
    c: Decimal


def parse_read(answer: Any, hidden: int) -> ReadAnswer:
    """`{"function": name, "functional_units": [j, …]}`; a name outside the menu is read, and wrong."""
    function = _member(answer, "function")
    if not isinstance(function, str):
        raise Malformed(f'"function" is {_kind(function)}; a name from the menu is expected.')
    units: set[int] = set()
    for place, unit in enumerate(_list(_member(answer, "functional_units"), '"functional_units"')):
        index = _index(unit, hidden, f'"functional_units"[{place}]')
        if index in units:
            raise Malformed(f'"functional_units" names unit {index} twice.')
        units.add(index)
    return ReadAnswer(function.strip(), frozenset(units))


def parse_fix(answer: Any, inputs: int, hidden: int) -> FixAnswer:
    """`{"edits": [{"param": …, "row": …, "col": …, "value": …}, …]}`, at most two, no parameter twice."""
    edits: list[tuple[Place, Decimal]] = []
    given = _list(_member(answer, "edits"), '"edits"')
    if len(given) > MAX_EDITS:
        raise Malformed(f'"edits" holds {len(given)} edits; at most {MAX_EDITS} are allowed.')
    for number, edit in enumerate(given):
        where = f'"edits"[{number}]'
        place = _place(edit, inputs, hidden, where)
        if any(place == other for other, _ in edits):
            raise Malformed(f"{where} edits the same parameter as an edit before it.")
        edits.append((place, _number(_member(edit, "value", where), f'{where}: "value"')))
    return FixAnswer(tuple(edits))


def parse_write(answer: Any, inputs: int) -> WriteAnswer:
    """`{"W1": [[…], …], "b1": […], "v": […], "c": x}`, at most eight units."""
    rows = _list(_member(answer, "W1"), '"W1"')
    if len(rows) > MAX_UNITS:
        raise Malformed(f'"W1" holds {len(rows)} units; at most {MAX_UNITS} are allowed.')
    weights = tuple(_numbers(row, f'"W1"[{unit}]', inputs, "inputs") for unit, row in enumerate(rows))
    return WriteAnswer(
        W1=weights,
        b1=_numbers(_member(answer, "b1"), '"b1"', len(rows), 'rows of "W1"'),
        v=_numbers(_member(answer, "v"), '"v"', len(rows), 'rows of "W1"'),
        c=_number(_member(answer, "c"), '"c"'),
    )


def places_of(numbers: list[Decimal]) -> int:
    """The decimal places that hold all the numbers exactly; 3 at least, those of the networks shown."""
    return max(3, *(-_exponent(number) for number in numbers)) if numbers else 3


def integer(number: Decimal, places: int) -> int:
    """The number in units of 10**-places, exactly."""
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    size = int("".join(map(str, digits)) or "0")
    if not size:
        return 0
    shift: int = exponent + places
    ten: int = 10 ** abs(shift)
    size = size * ten if shift >= 0 else size // ten  # only zeros are cut here, see places_of
    return -size if sign else size


def edited(network: Network, answer: FixAnswer) -> tuple[Network, int]:
    """(the network with the edits made, what 1 is in its units)."""
    places = places_of([value for _, value in answer.edits])
    finer = 10 ** (places - 3)
    changed = Network(
        W1=tuple(tuple(w * finer for w in row) for row in network.W1),
        b1=tuple(b * finer for b in network.b1),
        v=tuple(v * finer for v in network.v),
        c=network.c * finer,
    )
    for place, value in answer.edits:
        changed = place.write(changed, integer(value, places))
    return changed, 10**places


def written(answer: WriteAnswer) -> tuple[Network, int]:
    """(the network as written, what 1 is in its units)."""
    numbers = [w for row in answer.W1 for w in row] + [*answer.b1, *answer.v, answer.c]
    places = places_of(numbers)
    return Network(
        W1=tuple(tuple(integer(w, places) for w in row) for row in answer.W1),
        b1=tuple(integer(b, places) for b in answer.b1),
        v=tuple(integer(v, places) for v in answer.v),
        c=integer(answer.c, places),
    ), 10**places


def _exponent(number: Decimal) -> int:
    """The power of ten of the last digit that is not zero; 0 for zero."""
    _, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    while len(digits) > 1 and digits[-1] == 0:
        digits = digits[:-1]
        exponent += 1
    return 0 if digits in ((), (0,)) else exponent


_CONTEXT = Context(prec=PLACES + 10, Emin=-10_000_000, Emax=10_000_000, traps=[Inexact, InvalidOperation])


def _number(value: Any, where: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise Malformed(f"{where} is {_kind(value)}; a number is expected.")
    if isinstance(value, float):
        value = Decimal(repr(value))
    if isinstance(value, int):
        if not -LARGEST <= value <= LARGEST:
            raise Malformed(f"{where} is larger than {LARGEST:,}.")
        return Decimal(value)
    if not value.is_finite():
        raise Malformed(f"{where} is not finite.")
    if not value:
        return Decimal(0)
    if value.adjusted() > 6 or value > LARGEST or value < -LARGEST:
        raise Malformed(f"{where} is larger than {LARGEST:,}.")
    if value.adjusted() < -PLACES:
        raise Malformed(f"{where} has more than {PLACES} decimal places.")
    try:
        exact: Decimal = _CONTEXT.plus(value)
    except (Inexact, InvalidOperation):
        raise Malformed(f"{where} has more than {PLACES} decimal places.") from None
    if _exponent(exact) < -PLACES:
        raise Malformed(f"{where} has more than {PLACES} decimal places.")
    return exact


def _numbers(value: Any, where: str, count: int, of: str) -> tuple[Decimal, ...]:
    values = _list(value, where)
    if len(values) != count:
        raise Malformed(f"{where} holds {plural(len(values), 'number')}; expected {count}, one for each of the {of}.")
    return tuple(_number(number, f"{where}[{place}]") for place, number in enumerate(values))


def _place(edit: Any, inputs: int, hidden: int, where: str) -> Place:
    param = _member(edit, "param", where)
    if param not in ("W1", "b1", "v", "c") or not isinstance(param, str):
        shown = f"the text {_short(param)}" if isinstance(param, str) else _kind(param)
        raise Malformed(f'{where}: "param" is {shown}; W1, b1, v or c is expected.')
    row, col = edit.get("row"), edit.get("col")
    if param == "c" and row is not None:
        raise Malformed(f'{where}: c is a single number and takes no "row".')
    if param != "W1" and col is not None:
        raise Malformed(f'{where}: {param} takes no "col".')
    if param == "c":
        return Place("c")
    unit = _index(_member(edit, "row", where), hidden, f'{where}: "row"')
    if param != "W1":
        return Place(param, unit)
    return Place("W1", unit, _index(_member(edit, "col", where), inputs, f'{where}: "col"'))


def _index(value: Any, count: int, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Malformed(f"{where} is {_kind(value)}; a whole number from 0 to {count - 1} is expected.")
    if not 0 <= value < count:
        raise Malformed(f"{where} is out of range; a whole number from 0 to {count - 1} is expected.")
    return value


def _member(value: Any, key: str, where: str = "The answer") -> Any:
    if not isinstance(value, dict):
        raise Malformed(f'{where} is {_kind(value)}; an object with "{key}" is expected.')
    if key not in value:
        raise Malformed(f'{where} has no "{key}".')
    return value[key]


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise Malformed(f"{where} is {_kind(value)}; a list is expected.")
    return list(value)


def _short(text: str) -> str:
    return ascii(text if len(text) <= 20 else text[:20] + "…")


def _kind(value: Any) -> str:
    """What a value is, in the words of JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, int):
        return "a number"
    if isinstance(value, float | Decimal):
        return "a number with a fraction or an exponent"
    if isinstance(value, list | tuple):
        return "a list"
    return "an object" if isinstance(value, dict) else "no JSON value"
