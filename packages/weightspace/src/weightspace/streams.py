"""The random stream of every generated task: splitmix64, addressed by counter.

Draw `i` of a stream is a pure function of the stream's key and `i` (Steele, Lea and Flood, "Fast
splittable pseudorandom number generators", OOPSLA 2014), so the stream belongs to this package: it is
the same on every platform, in every Python, and in the numpy path, whatever order draws are asked in.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """The finaliser of splitmix64, a bijection of the 64-bit integers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def stream_key(*path: int) -> int:
    """The key of the stream at `path`, for example (task seed, attempt, purpose)."""
    key = 0
    for step in path:
        key = mix(((key ^ mix(step & MASK)) + GOLDEN) & MASK)
    return key


def draw(key: int, index: int) -> int:
    """Draw `index` (from 0) of a stream: 64 bits."""
    return mix((key + (index + 1) * GOLDEN) & MASK)


def below(z: int, n: int) -> int:
    """The upper 32 bits of a draw as an integer in [0, n), n at most 2**31."""
    return ((z >> 32) * n) >> 32


def field(z: int, k: int, n: int) -> int:
    """Bits 10k to 10k+9 of a draw as an integer in [0, n), n at most 1024; k from 0 to 5."""
    return (((z >> (10 * k)) & 1023) * n) >> 10
