"""Small Triton kernels, one fault each, and right ones of different styles.

Each takes `(x, y, n, BLOCK)`: `x` holds n floats, `y` is an output of n floats, on `grid` programs.
"""

from __future__ import annotations

from typing import NamedTuple

HEAD = "import triton\nimport triton.language as tl\n\n\n"


class Small(NamedTuple):
    body: str
    kind: str = ""
    """The finding that it has to lead to (one of several), empty for a right kernel."""
    line: str = ""
    """What the line holds that the finding has to name."""
    grid: int = 4
    n: int = 100
    block: int = 32
    before: str = ""

    def text(self, name: str) -> str:
        lines = [f"    {line}" if line else "" for line in self.body.strip().split("\n")]
        return f"{self.before}@triton.jit\ndef {name}(x, y, n, BLOCK: tl.constexpr):\n" + "\n".join(lines) + "\n\n\n"


_TILE = """
c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
m = c < n
v = tl.load(x + c, mask=m, other=0.0)
tl.store(y + c, v * 2, mask=m)
"""

FAULTY = {
    "load without a mask": Small(_TILE.replace(", mask=m, other=0.0", ""), "out_of_bounds_read", "tl.load"),
    "store without a mask": Small(_TILE.replace("v * 2, mask=m", "v * 2"), "out_of_bounds_write", "tl.store"),
    "mask one too wide": Small(_TILE.replace("c < n", "c <= n"), "out_of_bounds_read", "tl.load"),
    "index before the array": Small(
        _TILE.replace("tl.load(x + c", "tl.load(x + c - 1"), "out_of_bounds_read", "tl.load"
    ),
    "mask of another axis": Small(
        _TILE.replace("m = c < n", "m = tl.arange(0, BLOCK) < n"), "out_of_bounds_read", "tl.load"
    ),
    "address in no buffer": Small("tl.store(y + (n.to(tl.int64) << 50), 1.0)", "wild_write", "tl.store", grid=1),
    "misaligned pointer": Small(
        "b = y.to(tl.int64) + 2\ntl.store(b.to(tl.pi32_t), 1)", "misaligned", "tl.store", grid=1
    ),
    "two programs write one place": Small(
        "tl.store(y + tl.arange(0, BLOCK), tl.program_id(0).to(tl.float32))", "race_write_after_write", "tl.store"
    ),
    "sum into one place without an atomic": Small(
        "c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\ns = tl.sum(tl.load(x + c, mask=c < n, other=0.0), axis=0)\ntl.store(y, tl.load(x) + s)",
        "race_write_after_write",
        "tl.store",
    ),
    "one reads what another writes": Small(
        "p = tl.program_id(0)\nv = tl.load(x + p + 1)\ntl.store(x + p, v)\ntl.store(y + p, v)",
        "race_write_after_read",
        "tl.store(x",
        n=16,
    ),
    "tiles that overlap": Small(
        "c = tl.program_id(0) * (BLOCK - 1) + tl.arange(0, BLOCK)\ntl.store(y + c, c + tl.program_id(0).to(tl.float32), mask=c < n)",
        "race_write_after_write",
        "tl.store",
    ),
    "atomic meets plain store": Small(
        "tl.atomic_add(x, 1.0)\ntl.store(x, 0.0)\ntl.store(y + tl.program_id(0), 0.0)",
        "race_write_after_write",
        "(x, ",
    ),
    "flag without order": Small(
        'p = tl.program_id(0)\ntl.atomic_add(x, 1.0, sem="relaxed")\nif p == 0:\n    tl.store(x + 1, 3.0)\nelse:\n    tl.store(y + p, tl.load(x + 1))',
        "race_write_after_read|race_read_after_write",
        "x + 1",
        grid=2,
    ),
    "output read before it is written": Small(
        "c = tl.arange(0, BLOCK)\ntl.store(y + c, tl.load(y + c) + 1)", "uninitialised_read", "tl.store", grid=1
    ),
    "accumulates into an output": Small("tl.atomic_add(y, tl.load(x))", "uninitialised_read", "tl.atomic_add"),
    "lanes of one store meet": Small(
        "c = tl.arange(0, BLOCK)\ntl.store(y + c // 2, c.to(tl.float32))", "lanes_of_one_store", "tl.store", grid=1
    ),
    "endless loop": Small("i = 0\nwhile i < 1:\n    i = i * 1\ntl.store(y, i)", "step_budget", grid=1),
    "one is a constant": Small(_TILE + "z = n.to(tl.float32)", "does_not_compile", "n.to", n=1, grid=1),
    "block that is no power of two": Small(_TILE, "does_not_compile", "tl.arange", block=33),
    "branches of two types": Small(
        "if n > 5:\n    z = 1.0\nelse:\n    z = 1\ntl.store(y, z)", "does_not_compile", "if n", grid=1
    ),
    "return inside a loop": Small(
        "for i in range(n):\n    if i > 3:\n        return\ntl.store(y, 1.0)", "does_not_compile", grid=1
    ),
    "a global that is no constexpr": Small(
        _TILE.replace("* 2", "* PLAIN"), "does_not_compile", "PLAIN", before="PLAIN = 2.0\n\n\n"
    ),
    "shape that changes in a loop": Small(
        "a = tl.zeros((BLOCK,), tl.float32)\nfor i in range(n):\n    a = tl.sum(a, axis=0)\ntl.store(y, a)",
        "does_not_compile",
        grid=1,
    ),
    "assertion": Small("tl.static_assert(BLOCK > 64)\ntl.store(y, 1.0)", "assertion", "static_assert", grid=1),
}

CORRECT = {
    "one tile a program": Small(_TILE),
    "grid-stride loop": Small(
        "for b in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):\n    c = b + tl.arange(0, BLOCK)\n    m = c < n\n    tl.store(y + c, tl.load(x + c, mask=m) * 2, mask=m)",
        grid=2,
    ),
    "nothing behind the mask, nothing used of it": Small(_TILE.replace(", other=0.0", "")),
    "reduction with atomics": Small(
        "c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\ntl.atomic_add(x, tl.sum(tl.where(c < n, 1.0, 0.0), axis=0))\ntl.store(y + c, 0.0, mask=c < n)"
    ),
    "barrier between lanes": Small(
        "c = tl.arange(0, BLOCK)\ntl.store(y + c, tl.load(x + c))\ntl.debug_barrier()\ntl.store(y + BLOCK + c, tl.load(y + BLOCK - 1 - c))",
        grid=1,
    ),
    "helper function": Small(
        _TILE.replace("v * 2", "twice(v)"), before="@triton.jit\ndef twice(v):\n    return v + v\n\n\n"
    ),
    "constants of the file": Small(_TILE.replace("* 2", "* TWO"), before="TWO = tl.constexpr(2.0)\n\n\n"),
    "two dimensions": Small(
        "r = tl.arange(0, 4)[:, None]\nc = tl.arange(0, BLOCK)[None, :]\nv = tl.load(x + r * BLOCK + c, mask=r * BLOCK + c < n, other=0.0)\ntl.store(y + r * BLOCK + c, v * 2, mask=r * BLOCK + c < n)",
        grid=1,
    ),
    "read by all, written by none": Small("v = tl.load(x)\ntl.store(y + tl.program_id(0), v)", n=16),
    "same value from all": Small("tl.store(y, 1.0)"),
    "a lock": Small(
        "p = tl.program_id(0)\nwhile tl.atomic_cas(x, 0.0, 1.0) == 1.0:\n    pass\ntl.store(x + 1, tl.load(x + 1) + 1.0)\ntl.debug_barrier()\ntl.atomic_xchg(x, 0.0)\ntl.store(y + p, 0.0)"
    ),
    "last one adds up": Small(
        "p = tl.program_id(0)\ntl.store(x + 8 + p, p.to(tl.float32))\ntl.debug_barrier()\ndone = tl.atomic_add(x, 1.0)\nif done == 3.0:\n    c = tl.arange(0, 4)\n    tl.store(y, tl.sum(tl.load(x + 8 + c), axis=0))"
    ),
    "while loop": Small(
        "i = 0\ns = 0.0\nwhile i < n:\n    s += tl.load(x + i)\n    i += 1\ntl.store(y + tl.program_id(0), s)", n=16
    ),
    "static loop": Small(
        "for i in tl.static_range(4):\n    tl.store(y + tl.program_id(0) * 4 + i, tl.load(x + i))", n=16
    ),
}


def name(word: str) -> str:
    """The name of a kernel in `source`."""
    return "k_" + word.replace(" ", "_").replace("-", "_").replace(",", "")


def source() -> str:
    """All of them in one file."""
    return HEAD + "".join(small.text(name(word)) for word, small in {**FAULTY, **CORRECT}.items())
