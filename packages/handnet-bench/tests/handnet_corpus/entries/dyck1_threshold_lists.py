# dyck1
"""No numpy: two accumulators and a few threshold units."""

TASK = "dyck1"

WEIGHTS = {
    # columns: what "(" and ")" add to the two accumulators, opened and closed
    "inputs": [[1.0, 0.0], [0.0, 1.0]],
    # the guard unit compares them: closed minus opened, it must never reach one
    "guard": [-1.0, 1.0, -0.5],
    # the final units compare from both sides, a half is the tolerance
    "more_open": [1.0, -1.0, -0.5],
    "more_closed": [-1.0, 1.0, -0.5],
    # verdict: any of the three units that fires vetoes
    "verdict": [-1.0, -1.0, -1.0, 0.5],
}


def unit(features, weights):
    return sum(f * w for f, w in zip(features + [1.0], weights))


def fires(z):
    return float(z > 0)


def classify(text):
    w = WEIGHTS
    state = [0.0, 0.0]
    vetoed = 0.0
    for sign in text:
        x = w["inputs"][0 if sign == "(" else 1]
        state = [s + v for s, v in zip(state, x)]
        vetoed = max(vetoed, fires(unit(state, w["guard"])))
    final = [vetoed, fires(unit(state, w["more_open"])), fires(unit(state, w["more_closed"]))]
    return int(fires(unit(final, w["verdict"])))


def predict(strings):
    return [classify(text) for text in strings]
