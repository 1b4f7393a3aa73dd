"""Nothing of a Triton file is run as Python, and a kernel reaches nothing but the language. Needs no Triton."""

from __future__ import annotations

import pytest
from scratch_kernels import simt
from scratch_kernels.simt import triton_source

pytestmark = pytest.mark.without_triton

HEAD = "import triton\nimport triton.language as tl\n\n\n"


def kernel(body, parameters="x, n, BLOCK: tl.constexpr", before="", decorator="@triton.jit"):
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return f"{HEAD}{before}{decorator}\ndef k({parameters}):\n{lines}\n"


REFUSED = {
    "import": ("import os", "an import"),
    "import from": ("from os import system", "an import"),
    "dunder": ("z = x.__class__", ".__class__"),
    "dunder of a function": ("z = tl.store.__globals__", "__globals__"),
    "private attribute": ("z = x._handle", "._handle"),
    "handle": ("z = x.handle", ".handle"),
    "builtin that reads attributes": ("z = getattr(x, 'handle')", "getattr"),
    "eval": ("eval('1')", "eval"),
    "open": ("open('/etc/passwd')", "open"),
    "global": ("global State", "global"),
    "nonlocal-like function": ("def f():\n    pass", "a function inside a function"),
    "lambda": ("z = (lambda: 1)()", "a lambda"),
    "comprehension": ("z = [i for i in range(3)]", "a comprehension"),
    "try": ("try:\n    pass\nexcept Exception:\n    pass", "try"),
    "with": ("with x:\n    pass", "with"),
    "raise": ("raise SystemExit", "raise"),
    "class": ("class A:\n    pass", "a class"),
    "format": ("z = f'{x}'", "an f-string"),
    "method of a text": ("z = '{0.handle}'.format(x)", ".format"),
    "attribute that is written": ("x.dtype = 1", "attributes cannot be assigned"),
    "attribute of the language that is written": ("tl.load = 1", "attributes cannot be assigned"),
    "element that is written": ("x[0] = 1", "elements cannot be assigned"),
    "del": ("del x", "del"),
    "walrus": ("z = (y := 1)", "an assignment inside an expression"),
    "inline assembly": ("tl.inline_asm_elementwise('', '', [], tl.int32, True, 1)", "inline_asm_elementwise"),
    "module of the language": ("tl.core.store(x, 1)", "core"),
    "the runtime of Triton": ("triton.runtime.driver", "triton.runtime"),
    "private argument": ("tl.load(x, _semantic=1)", "_semantic"),
    "double star": ("tl.load(x, **{})", "**"),
    "star": ("tl.load(*x)", "a starred value"),
    "name of the interpreter": ("interpreter_semantic = 1", "interpreter_semantic"),
    "name of the runtime": ("__simt_step = 1", "__simt_step"),
    "the language under another value": ("tl = 1", "`tl`"),
    "unknown name": ("z = State", "State"),
    "bytes": ("z = b'a'", "no value of the language"),
    "complex number": ("z = 1j", "no value of the language"),
    "append to a list": ("z = [1]\nz.append(2)", ".append"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_kernel_that_reaches_out_is_refused_at_its_line(name):
    body, told = REFUSED[name]
    with pytest.raises(simt.SimtError) as error:
        simt.triton(kernel("pass\n" + body))
    assert told in str(error.value)
    assert isinstance(error.value, simt.CompileError)
    assert error.value.line >= 8


FILES = {
    "two kernels of one name": kernel("pass") + kernel("pass")[len(HEAD) :],
    "two constants on one line": kernel("pass", before="A = 1; B = 2\n\n\n"),
    "a constant that becomes something else": kernel("pass", before="A = 1\nA = open('/etc/passwd')\n\n\n"),
    "a decorator below": kernel("pass", decorator="@triton.jit\n@staticmethod"),
    "an option that is called": kernel("pass", decorator="@triton.jit(repr=print)"),
    "a default that is computed": kernel("pass", parameters="x, n=open('/etc/passwd')"),
    "an annotation that is computed": kernel("pass", parameters="x: print('seen'), n"),
    "an annotation in a text": kernel("pass", parameters="x: 'print(1)', n"),
    "a name of the language for a kernel": HEAD + "@triton.jit\ndef tl(x):\n    pass\n",
    "a star import": "import triton\nfrom triton.language import *\n",
    "variable arguments": kernel("pass", parameters="*x"),
    "a form feed": kernel("pass") + "\x0c",
    "a line separator": kernel("pass") + "# \u2028 x = 1\n",
    "a zero byte": kernel("pass") + "\0",
    "no Python": "__global__ void k() {}",
    "ten megabytes": "#" * 10_000_000,
    "brackets without end": HEAD + "A = " + "(" * 5000 + ")" * 5000 + "\n",
    "sums without end": HEAD + "A = " + "1+" * 100_000 + "1\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_kernel_language_is_told_so(name):
    with pytest.raises(simt.CompileError):
        simt.triton(FILES[name])


@pytest.mark.parametrize("line", ["A: tl.constexpr = 1; import os", "import os; A: tl.constexpr = 1"])
def test_host_code_on_the_line_of_a_constant_is_cut_off(line):
    text = triton_source.read(kernel("tl.store(x, A)", before=line + "\n\n\n")).text
    assert "os" not in text
    assert "A: tl.constexpr = 1" in text


def test_host_code_is_left_out_of_what_is_run():
    source = kernel(
        "tl.store(x, n)", before="import os\nos.environ['SEEN'] = '1'\n\n\ndef host(x):\n    os.abort()\n\n\n"
    )
    read = triton_source.read(source)
    assert "os" not in read.text
    assert read.host == ("host",)
    assert [k.name for k in read.kernels.values()] == ["k"]
    # Lines are those of the file, below one of our own.
    assert read.text.split("\n")[read.kernels["k"].line] == "def k(x, n, BLOCK: tl.constexpr):"


def test_the_language_goes_by_the_names_that_the_file_gives_it():
    source = "import triton as T\nfrom triton import language as L\n\n\n@T.jit\ndef k(x, B: L.constexpr):\n    L.store(x, L.cdiv(B, 2))\n"
    (found,) = triton_source.read(source).kernels.values()
    assert [(p.name, p.constexpr) for p in found.parameters] == [("x", False), ("B", True)]


def test_what_the_emulator_does_not_model_is_said():
    source = (
        "import triton\nfrom triton.language.extra import libdevice\n\n\n@triton.jit\ndef k(x):\n    libdevice.abs(x)\n"
    )
    with pytest.raises(simt.UnsupportedError, match="not modelled"):
        simt.triton(source)
