"""Numbers of things in a sentence."""


def plural(number: int, noun: str, more: str = "") -> str:
    """`1 task`, `48 tasks`, `1,200 tasks`. `more`: the noun for several, where it is not made with an s."""
    return f"{number:,} {noun if number == 1 else more or f'{noun}s'}"
