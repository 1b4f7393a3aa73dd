# dyck1
TASK = "dyck1"

SIZE = 64  # at most this many brackets can be open

# Each of the 64 cells looks at itself and its two neighbours. One row per bracket: weights for the cell
# below, the cell itself, and the cell above.
WEIGHTS = {
    "open": [1.0, 0.0, 0.0],     # "(": every cell takes over from the cell below, the pile grows
    "close": [0.0, 0.0, 1.0],    # ")": every cell takes over from the cell above, the pile shrinks
    "source": [1.0],             # below the lowest cell there is always something to take over
    "alarm": [1.0, -1.0],        # ")" on an empty lowest cell: 1 - cell
    "out": [-1.0, -1.0, 0.5],    # something left in the pile or an alarm speaks against, a half for it
}


def shift(cells, weights, below):
    padded = [below] + cells + [0.0]
    return [sum(w * v for w, v in zip(weights, padded[i : i + 3])) for i in range(len(cells))]


def predict(strings):
    answers = []
    for text in strings:
        cells = [0.0] * SIZE
        alarm = 0.0
        for bracket in text:
            if bracket == "(":
                cells = shift(cells, WEIGHTS["open"], WEIGHTS["source"][0])
            else:
                base, slope = WEIGHTS["alarm"]
                alarm = alarm + base + slope * cells[0]
                cells = shift(cells, WEIGHTS["close"], WEIGHTS["source"][0])
        left, wrong, bias = WEIGHTS["out"]
        answers.append(int(left * cells[0] + wrong * alarm + bias > 0))
    return answers
