"""Numbers of things in a sentence."""


def plural(number: int, noun: str) -> str:
    """`1 task`, `48 tasks`, `1,200 tasks`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
