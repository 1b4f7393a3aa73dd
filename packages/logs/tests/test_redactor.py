"""One secret, every encoding, one placeholder."""

import base64
import bz2
import codecs
import gzip
import html
import io
import json
import lzma
import tarfile
import urllib.parse
import zipfile

import pytest
from benchwright_logs.archives import Budget, Refused
from benchwright_logs.known import Literal
from benchwright_logs.placeholders import Placeholders
from benchwright_logs.redactor import Redactor
from hypothesis import given, settings
from hypothesis import strategies as st

HOME = "/home/alice"
REPO = "/home/alice/secret-repo"
FILE = f"{REPO}/runs/a.py"


def redactor(key=b"k" * 32):
    return Redactor(
        Placeholders(key),
        [Literal("home", HOME, "home"), Literal("repo", REPO, "repo"), Literal("user", "alice", "user")],
    )


def b64(text):
    return base64.b64encode(text.encode()).decode()


ENCODINGS = {
    "as it is": lambda text: text,
    "in a sentence": lambda text: f"see {text}, please.",
    "JSON": lambda text: json.dumps({"a": [text]}),
    "JSON with slashes escaped": lambda text: json.dumps(text).replace("/", "\\/"),
    "JSON, every letter escaped": lambda text: '"' + "".join(f"\\u{ord(letter):04x}" for letter in text) + '"',
    "JSON in JSON": lambda text: json.dumps(json.dumps({"a": text})),
    "JSON in JSON in JSON": lambda text: json.dumps(json.dumps(json.dumps({"a": text}))),
    "Python's repr": lambda text: repr({"a": text, "b": "\n" + text}),
    "URL": lambda text: "https://example.com/?p=" + urllib.parse.quote(text, safe=""),
    "URL twice": lambda text: urllib.parse.quote(urllib.parse.quote(text, safe=""), safe=""),
    "every letter with a percent sign": lambda text: "".join(f"%{ord(letter):02X}" for letter in text),
    "entities": lambda text: "".join(f"&#{ord(letter)};" for letter in text),
    "hexadecimal entities": lambda text: html.escape(text).replace("/", "&#x2F;").replace("-", "&#x2d;"),
    "base64": b64,
    "base64 in a data URL": lambda text: f"data:text/plain;base64,{b64(text)}",
    "base64 without padding": lambda text: base64.urlsafe_b64encode((text + "?").encode()).decode().rstrip("="),
    "base64 in lines": lambda text: base64.encodebytes((f"{text} and some words " * 5).encode()).decode(),
    "base64 of JSON": lambda text: b64(json.dumps({"path": text})),
    "base64 twice": lambda text: b64(b64(text)),
    "base64 of gzip": lambda text: base64.b64encode(gzip.compress(text.encode())).decode(),
    "base64 in JSON in URL": lambda text: urllib.parse.quote(json.dumps({"a": b64(text)}), safe=""),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "hex in capitals": lambda text: text.encode().hex().upper(),
    "codes of letters": lambda text: json.dumps({"tokens": list(text.encode())}),
    "letters one by one": lambda text: json.dumps({"tokens": list(text)}),
}
SECRETS = {
    "a path in the repository": FILE,
    "another's home": "/home/bob/data/x.npy",
    "a disk": "/mnt/disk7/runs/07/w.npz",
    "a path on a Mac": "/Users/carol/Library/x.txt",
    "a path on Windows": "C:\\Users\\dave\\x.txt",
    "an e-mail address": "erin.doe@corp-mail.com",
    "an address": "10.23.45.67",
    "a version 6 address": "fd12:3456:789a:1::1f",
    "a host": "gpu-node-17.cluster.internal",
    "a host within a domain": "build7.corp.acme-labs.com",
    "a UUID": "6f1c2a9e-8f0b-4d53-9a55-0d9a4c1be777",
    "an API key": "sk-ant-api03-Zx81kQpLm20vBnRt55",
    "a token": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "a cloud key": "AKIAIOSFODNN7EXAMPLE",
    "a web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
}


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_no_secret_survives_in_any_encoding(encoding, secret):
    text = ENCODINGS[encoding](SECRETS[secret])
    redacted = redactor().text(text)
    plain = redactor().text(SECRETS[secret])
    assert plain != SECRETS[secret]
    assert redacted != text
    assert ENCODINGS[encoding](SECRETS[secret])[:-4] not in redacted
    assert redactor().text(redacted) == redacted, "a second pass changes nothing"


@pytest.mark.parametrize(
    ("encoding", "decode"),
    [
        ("JSON", lambda text: json.loads(text)["a"][0]),
        ("JSON, every letter escaped", json.loads),
        ("JSON in JSON in JSON", lambda text: json.loads(json.loads(json.loads(text)))["a"]),
        ("URL twice", lambda text: urllib.parse.unquote(urllib.parse.unquote(text))),
        ("entities", html.unescape),
        ("base64", lambda text: base64.b64decode(text).decode()),
        ("base64 twice", lambda text: base64.b64decode(base64.b64decode(text)).decode()),
        ("base64 of gzip", lambda text: gzip.decompress(base64.b64decode(text)).decode()),
        ("base32", lambda text: base64.b32decode(text).decode()),
        ("hex", lambda text: bytes.fromhex(text).decode()),
        ("codes of letters", lambda text: bytes(json.loads(text)["tokens"]).decode()),
        ("letters one by one", lambda text: "".join(json.loads(text)["tokens"])),
    ],
)
@pytest.mark.parametrize("secret", SECRETS)
def test_decoded_again_one_thing_has_one_placeholder(encoding, decode, secret):
    one = redactor()
    assert decode(one.text(ENCODINGS[encoding](SECRETS[secret]))) == one.text(SECRETS[secret])


def test_the_longest_place_comes_first():
    assert redactor().text(f"{FILE} {HOME}/x {HOME} alice") == "<repo>/runs/a.py <home>/x <home> <user>"


def test_the_same_key_gives_the_same_placeholder_and_another_key_another():
    text = "/mnt/disk7/x.npy and bob@corp.com"
    assert redactor().text(text) == redactor().text(text)
    assert redactor().text(text) != redactor(b"another key, as long").text(text)
    assert redactor().text("/mnt/disk7/x.npy") in redactor().text("at /mnt/disk7/x.npy.")


HARMLESS = [
    "a/b and/or </div> x //= 2, 1/2 of 10 tokens/second, ~10/20, 3/4/5",
    "x@w.T + h@self.weight; a @ b; @property",
    "torch 2.13.0, 12:30:45, 1.2.3, 0.0.0.0, 127.0.0.1:8000, ::1",
    "https://example.com/a/b?c=d#e and someone@example.com",
    "docs.internal_api.com, torch.internal.utils, self.corp.io(x), www.corp.com, lan.example.com",
    "/usr/lib/python3/dist-packages/x.py, /dev/null, /proc/cpuinfo, #!/usr/bin/env python3",
    "def f(x): return x / y / z\nkey = tokens[i]\npassword = None\ntoken = next(tokens)",
    "sha256:" + "ab12" * 16 + " bw1:" + "0f" * 32,
    '{"sum": 12, "weights": [0.5, -1.25e-3], "sk": "skip-connection"}',
    "0.1 0.25 12345678901234567890 deadbeef",
    "aGVsbG8gd29ybGQsIGhvdyBhcmUgeW91",
    "[72, 101, 108, 108, 111, 44, 32, 119, 111, 114, 108, 100]",
    "<home>/x <path-0a1b2c3d> id-0a1b2c3d",
]


@pytest.mark.parametrize(
    "text",
    [
        'password = "correcthorse"', "DB_PASSWORD=correcthorse", '{"api_key": "correcthorse"}', "client_secret: 'correcthorse'",
        "https://joe:correcthorse@example.com/x", "Authorization: Bearer correcthorse1234567", "sk-ant-correcthorse",
    ],
)  # fmt: skip
def test_what_is_called_a_password_is_one(text):
    done = redactor().data(text.encode())
    assert b"correcthorse" not in done
    assert redactor().data(done) == done


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_not_secret_stays_as_it_is(text):
    assert redactor().text(text) == text


def test_no_prompt_of_an_installed_benchmark_is_taken_for_a_secret():
    from benchwright.engine import Request, make_plan
    from benchwright.engine.workbench import Workbench

    one = Redactor(Placeholders(b"k" * 32))
    with Workbench() as bench:
        if not bench.plugins.specs():
            pytest.skip("no benchmark is installed")
        plan = make_plan(bench.plugins, bench.registry, Request(suites=("all",)))
        for place in plan.places:
            for message in place.messages:
                assert one.text(message.text) == message.text, place.spec.id
                for content in message.attachments.values():
                    assert one.data(content) == content, place.spec.id


def zipped(**members):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def tarred(name, content):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.size = len(content)
        info.uname = "alice"
        archive.addfile(info, io.BytesIO(content))
    return made.getvalue()


def test_archives_within_archives_are_opened_and_packed_again():
    inner = zipped(a=FILE.encode(), b=b"nothing")
    outer = zipped(x=gzip.compress(inner), y=bz2.compress(FILE.encode()), z=lzma.compress(b"fine"))
    done = redactor().data(outer)
    with zipfile.ZipFile(io.BytesIO(done)) as archive:
        assert bz2.decompress(archive.read("y")) == b"<repo>/runs/a.py"
        assert lzma.decompress(archive.read("z")) == b"fine"
        with zipfile.ZipFile(io.BytesIO(gzip.decompress(archive.read("x")))) as packed:
            assert packed.read("a") == b"<repo>/runs/a.py"
            assert packed.read("b") == b"nothing"
    assert redactor().data(done) == done


def test_tar_archives_are_packed_again_without_their_owner():
    done = redactor().data(tarred("a.txt", FILE.encode()))
    with tarfile.open(fileobj=io.BytesIO(done)) as archive:
        [member] = archive.getmembers()
        assert member.uname == ""
        assert archive.extractfile(member).read() == b"<repo>/runs/a.py"


def test_arrays_of_text_are_changed_and_read_by_numpy():
    numpy = pytest.importorskip("numpy")
    made = io.BytesIO()
    numpy.savez(
        made,
        names=numpy.array([[FILE, "x"], ["y", "alice"]]),
        raw=numpy.array([HOME.encode(), b"z"]),
        w=numpy.arange(6.0),
    )
    done = numpy.load(io.BytesIO(redactor().data(made.getvalue())))
    assert done["names"].tolist() == [["<repo>/runs/a.py", "x"], ["y", "<user>"]]
    assert done["raw"].tolist() == [b"<home>", b"z"]
    assert done["w"].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize("kind", ["uint8", "int64", ">i4", "uint16"])
def test_codes_of_letters_in_an_array_cannot_be_shown_in_part(kind):
    numpy = pytest.importorskip("numpy")
    made = io.BytesIO()
    numpy.save(made, numpy.array(list(FILE.encode())).astype(kind))
    with pytest.raises(Refused, match="codes of letters"):
        redactor().data(made.getvalue())


def test_an_array_of_python_objects_is_never_opened():
    numpy = pytest.importorskip("numpy")
    made = io.BytesIO()
    numpy.save(made, numpy.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(Refused, match="Python objects"):
        redactor().data(made.getvalue())


@pytest.mark.parametrize("coding", ["utf-8", "utf-16-le", "utf-32-le"])
def test_letters_within_binary_data_are_seen(coding):
    with pytest.raises(Refused, match="binary"):
        redactor().data(b"\x00\xff\xfe\x01\x02" + FILE.encode(coding) + b"\x00\x80\x90")


@pytest.mark.parametrize(
    ("mark", "coding"),
    [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF32_LE, "utf-32-le")],
)
def test_text_of_wide_letters_is_changed(mark, coding):
    assert redactor().data(mark + FILE.encode(coding)) == mark + "<repo>/runs/a.py".encode(coding)


@pytest.mark.parametrize(
    "content",
    [
        zipped(**{f"m{number}": b"\0" * 2**22 for number in range(80)}),
        gzip.compress(b"\0" * (300 * 2**20), 9),
        zipped(a=b"x")[:-10],
        b"PK\3\4" + b"x" * 40,
        gzip.compress(b"x" * 1000)[:-9],
        tarred("../outside", b"x"),
        zipped(**{"../outside": b"x"}),
        zipped(**{FILE.replace("/", "_"): b"x", "alice": b"y"}),
    ],
    ids=[
        "zip bomb",
        "gzip bomb",
        "cut zip",
        "no zip",
        "cut gzip",
        "tar that leads out",
        "zip that leads out",
        "secret name",
    ],
)
def test_archives_that_cannot_be_looked_into_are_withheld_whole(content):
    with pytest.raises(Refused):
        redactor().data(content, Budget())


def test_nesting_without_end_is_refused_in_time():
    text = FILE
    for _ in range(12):
        text = b64(text)
    assert "alice" not in redactor().text(text)


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
        | st.just(FILE) | st.just(f"x\n{HOME}"),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
        max_leaves=12,
    ),
    st.booleans(),
)  # fmt: skip
def test_json_stays_json_and_only_its_texts_change(value, ascii):
    raw = json.dumps(value, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    done = redactor().data(raw)
    assert b"alice" not in done

    def same(one, other):
        if isinstance(one, dict):
            assert len(one) == len(other)
            for a, b in zip(one.values(), other.values(), strict=True):
                same(a, b)
        elif isinstance(one, list):
            assert len(one) == len(other) or all(isinstance(x, int | str) for x in one)
            for a, b in zip(one, other, strict=False):
                same(a, b)
        elif not isinstance(one, str):
            assert one == other

    same(value, json.loads(done))


def test_a_long_text_takes_no_longer_than_it_has_to():
    """A quadratic pattern would take many minutes here."""
    for text in (
        "A" * 10**5,
        "/" * 10**5,
        "a." * 10**5,
        "%41" * 30_000,
        "\\u0041" * 20_000,
        '"' * 10**5,
        "1," * 10**5,
        "a@" * 10**5,
        "-" * 10**5,
    ):
        redactor().data(text.encode())
