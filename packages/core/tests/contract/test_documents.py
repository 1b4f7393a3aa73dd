"""YAML files that people write are read strictly, and every refusal names file, line and reason."""

from pathlib import Path

import msgspec
import pytest
from benchwright import documents
from benchwright.errors import FileError
from hypothesis import given, settings
from hypothesis import strategies as st


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    weight: float = 1


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entries: list[Entry] = []
    by_name: dict[str, Entry] = {}
    text: str = ""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BENCHWRIGHT_CACHE", str(tmp_path / "cache"))


def refusal(text: str | bytes) -> str:
    raw = text.encode() if isinstance(text, str) else text
    with pytest.raises(FileError) as caught:
        documents.parse(raw, Document, place="f.yaml")
    return str(caught.value)


def test_a_document_becomes_its_record():
    read = documents.parse(b"entries:\n- name: a\n  weight: 1e-6\n", Document, place="f.yaml")
    assert read == Document(entries=[Entry("a", 1e-6)])


def test_words_that_yaml_1_1_would_turn_into_booleans_and_dates_stay_text():
    for word in ("no", "yes", "on", "off", "2026-11-29", "1_000", "0x1f", "12:30:45"):
        assert documents.parse(f"text: {word}\n".encode(), Document, place="f.yaml").text == word


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("text: a\ntext: b\n", "f.yaml:2: the key `text` stands here a second time (first on line 1)"),
        ("entries:\n- name: a\n  wieght: 3\n", "f.yaml:3: unknown key `wieght` (in `entries[0]`)"),
        ("entries:\n- name: a\n- name: 3\n", "f.yaml:3: Expected `str`, got `int` (in `entries[1].name`)"),
        ("by_name:\n  x: {name: a}\n  y: {weight: 1}\n", "f.yaml:3: the key `name` is missing (in `by_name.y`)"),
        ("- a\n", "f.yaml:1: Expected a mapping, got a list"),
        ("", "f.yaml:1: Expected a mapping, got nothing"),
        ("text: [\n", "f.yaml:2: is not YAML"),
        ("text: !!python/object/apply:os.system [x]\n", "f.yaml:1: "),
        ("? [a]\n: b\n", "f.yaml:1: a key must be plain text"),
        ("text: &a [*a]\n", "nested more than 50 levels"),
        (b"\xff\n", "f.yaml: is not UTF-8 (byte 0)"),
        ("<<: {text: a}\n", "f.yaml:1: merge keys"),
    ],
)
def test_a_bad_document_is_refused_with_its_place_and_reason(text, told):
    assert told in refusal(text)


def test_a_document_refused_once_is_refused_again_although_the_cache_was_written():
    text = "entries:\n- name: a\n  wieght: 3\n"
    assert refusal(text) == refusal(text)


def test_a_warm_read_gives_the_same_record_without_reading_yaml(tmp_path, monkeypatch):
    path = tmp_path / "f.yaml"
    path.write_text("entries:\n- name: a\n")
    cold = documents.load(path, Document)
    monkeypatch.setattr(documents, "_plain", lambda *_: pytest.fail("parsed again"))
    assert documents.load(path, Document) == cold


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BENCHWRIGHT_CACHE", str(tmp_path / "file"))
    assert documents.parse(b"text: a\n", Document, place="f.yaml").text == "a"


def test_a_damaged_cache_entry_is_read_anew(tmp_path):
    documents.parse(b"text: a\n", Document, place="f.yaml")
    for kept in Path(tmp_path, "cache").rglob("*.json"):
        kept.write_bytes(b"{")
    assert documents.parse(b"text: a\n", Document, place="f.yaml").text == "a"


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(FileError, match="cannot be read: No such file"):
        documents.load(tmp_path / "absent.yaml", Document)


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(st.binary(max_size=60), st.text(alphabet="a:-[]{}&*!?|>'\"\n #%@`<,0.e+", max_size=60).map(str.encode))
)
def test_no_text_ever_raises_anything_but_a_file_error(raw):
    refused = ""
    try:
        documents.parse(raw, Document, place="f.yaml")
    except FileError as error:
        refused = str(error)
    assert "\n" not in refused
