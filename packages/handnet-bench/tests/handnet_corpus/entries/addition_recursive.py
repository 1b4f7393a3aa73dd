# addition
from itertools import zip_longest

TASK = "addition"

# A column with digits x, y and carry c: three inputs.
WEIGHTS = {
    "total": [1, 1, 1],            # all three add up
    "over": [1, -9.5],             # the carry unit is on if the total is above nine and a half
    "wrap": [1, -10],              # a carry takes ten away from what is written
}


def carry_unit(t):
    w, b = WEIGHTS["over"]
    return 1 if w * t + b > 0 else 0


def columns(digits, carry=0):
    """Runs the net over the columns, least significant first, and yields the digits."""
    if not digits:
        if carry:
            yield carry
        return
    (x, y), *rest = digits
    wx, wy, wc = WEIGHTS["total"]
    t = wx * x + wy * y + wc * carry
    c = carry_unit(t)
    keep, back = WEIGHTS["wrap"]
    yield keep * t + back * c
    yield from columns(rest, c)


def predict(pairs):
    answers = []
    for a, b in pairs:
        digits = [(int(x), int(y)) for x, y in zip_longest(str(a)[::-1], str(b)[::-1], fillvalue="0")]
        written = [str(int(round(d))) for d in columns(digits)]
        answers.append(int("".join(reversed(written))) if all(len(s) == 1 for s in written) else -1)
    return answers
