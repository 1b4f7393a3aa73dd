"""Numbers of things in a sentence."""


def many(number: int, noun: str) -> str:
    """`many(1, "label")` is "1 label", `many(5000, "label")` is "5,000 labels"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
