"""What the exact JSON reader takes and what it refuses."""

from decimal import Decimal

import pytest
from benchwright import exact_json


def test_numbers_are_kept_as_written():
    value = exact_json.decode('{"a": 0.1, "b": 1e-3, "c": 12345678901234567890, "d": -0.0, "e": 1.50}')
    assert value["a"] == Decimal("0.1")
    assert isinstance(value["a"], Decimal)
    assert value["b"] == Decimal("0.001")
    assert value["c"] == 12345678901234567890
    assert type(value["c"]) is int
    assert value["d"].is_signed()
    assert str(value["e"]) == "1.50"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": NaN}', "NaN"),
        ("[Infinity]", "Infinity"),
        ("[-Infinity]", "-Infinity"),
        ('{"a": 1, "a": 1}', "twice"),
        ('{"x": {"a": 1, "b": 2, "a": 3}}', '"a"'),
        ("[1e1001]", "beyond"),
        ("[1e-1001]", "below"),
        ("[1e99999999999999999999]", "absurd exponent"),
        ("[0e2000]", "beyond"),
        ("[" + "9" * 1001 + "]", "digits"),
        ("[0." + "3" * 1001 + "]", "digits"),
        ("[" * 65 + "]" * 65, "deeper than 64"),
        ("[" * 100_000 + "]" * 100_000, "deeper than 64"),
        (r'["\ud800"]', "surrogate"),
        (r'{"\udc00": 1}', "surrogate"),
    ],
)
def test_what_reads_in_more_than_one_way_or_breaks_a_bound_is_refused(text, why):
    with pytest.raises(exact_json.RefusedJson, match=why):
        exact_json.decode(text)


def test_nesting_up_to_the_bound_is_read():
    assert exact_json.decode("[" * 64 + "]" * 64)


@pytest.mark.parametrize(
    "text", ["", "{", "[1,]", "{'a': 1}", "{a: 1}", "[1] [2]", "01", "+1", ".5", "1.", "[1 2]", '["a\nb"]', "١"]
)
def test_what_is_not_json_is_told_with_its_place(text):
    with pytest.raises(exact_json.NotJson, match=r"at line \d+, column \d+"):
        exact_json.decode(text)


def test_the_place_of_an_error_counts_lines():
    with pytest.raises(exact_json.NotJson, match="line 3, column 7"):
        exact_json.decode('{\n "a": 1,\n "b": ?}')


def test_equality_ignores_the_order_of_keys_and_tells_true_from_one():
    decode = exact_json.decode
    assert exact_json.same(decode('{"a": 1, "b": [2.0]}'), decode('{"b": [2], "a": 1.0}'))
    assert not exact_json.same(decode("[true]"), decode("[1]"))
    assert not exact_json.same(decode("[1, 2]"), decode("[2, 1]"))
    assert not exact_json.same(decode('["1"]'), decode("[1]"))
