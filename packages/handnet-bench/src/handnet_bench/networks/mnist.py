# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Handwritten digits from drawn strokes: a template bank whose templates the network draws itself.

The weights are the control points of some sixty pen strokes, "how people write a 2". The first layers turn them
into curves (Catmull-Rom), into ink (a Gaussian pen) and, for a few widths and pens, into 28 x 28 images. Images and
drawings then pass through the same layers: upright by their moments, edges in eight directions, pooled
over a 7 x 7 grid, normalised. The logit of a digit is a soft maximum over the similarity to its drawings.
"""

import numpy as np

TASK = "mnist"

# Each drawing: its digit and its strokes, as points (x, y) in a box 10 wide and 14 high, y downwards.
DRAWINGS = [
    # 0, flat and wide, lying on its side
    (0, [[(5, 3), (9, 5), (9.5, 9), (5, 11.5), (0.8, 9.5), (1, 5), (5, 3)]]),
    # 0, leaning right, pointed ends
    (0, [[(6, 0), (8.8, 4), (8, 11), (4, 14), (1.2, 10), (2, 3), (6, 0)]]),
    # 0, open spiral that ends inside
    (0, [[(4, 0), (1, 5), (2, 12), (6, 14), (9, 9), (8, 3), (5, 1.5), (3, 3.5)]]),
    # 0, plain ellipse
    (0, [[(5, 0), (8.5, 2.5), (9, 7), (8.5, 11.5), (5, 14), (1.5, 11.5), (1, 7), (1.5, 2.5), (5, 0)]]),
    # 0, starts at the top right, ends overlapping
    (0, [[(6.5, 1), (3, 1), (1, 7), (3, 13), (7, 12.5), (9, 7), (8, 2), (5, 0.5), (3, 1.5)]]),
    # 0, starts inside the top left
    (0, [[(3, 2), (1, 6), (1.5, 11), (4.5, 14), (8, 12), (9, 7), (7.5, 2), (5, 0), (4.5, 3)]]),
    # 1, one vertical stroke
    (1, [[(5, 0), (5, 14)]]),
    # 1, with a flag at the top left
    (1, [[(3, 3), (5, 0)], [(5, 0), (5, 14)]]),
    # 1, with a flag and a foot
    (1, [[(2.5, 3), (5, 0)], [(5, 0), (5, 14)], [(2, 14), (8, 14)]]),
    # 1, bent to the left
    (1, [[(5.8, 0), (4.6, 5), (5, 14)]]),
    # 1, bent to the right
    (1, [[(4.2, 0), (5.4, 8), (5, 14)]]),
    # 2, large loop at the bottom left, tail going down right
    (2, [[(2, 2.5), (5, 0), (8, 2.5), (6.5, 8), (3, 12.5), (1.2, 12), (2.5, 9.8), (5.5, 11), (9.5, 13)]]),
    # 2, swan neck with a short rising foot
    (2, [[(2, 1), (6, 0), (7.5, 3), (5, 8), (2.5, 12.5)], [(2.5, 12.5), (5, 13), (9, 11.5)]]),
    # 2, small open loop, foot falling
    (2, [[(1.5, 2.5), (5, 0), (7.5, 3), (5.5, 9), (2.5, 13), (1, 11.5), (3.5, 9.5), (7, 11.5), (8, 14)]]),
    # 2, swan neck, long diagonal, flat foot
    (2, [[(1.5, 3.5), (3, 1), (6, 0), (8.5, 2), (8, 5.5), (5, 9), (1, 14)], [(1, 14), (9, 14)]]),
    # 2, closed loop at the bottom left
    (2, [[(1.5, 3), (4.5, 0), (8, 2), (7.5, 6), (4, 11), (1.5, 13), (1, 11.5), (3, 10.8), (6, 13), (9.5, 13)]]),
    # 2, Z: flat top, straight diagonal, flat foot
    (2, [[(1, 1), (8, 1)], [(8, 1), (1.5, 13)], [(1.5, 13), (9, 13)]]),
    # 2, round head, wavy foot
    (
        2,
        [
            [(1, 4), (2, 1), (5, 0), (8, 1.5), (8.5, 4), (7, 7), (4, 10.5), (1, 13)],
            [(1, 13), (4, 12.3), (6.5, 13), (9.5, 12.5)],
        ],
    ),
    # 2, narrow head, loop, rising tail
    (2, [[(2, 2), (5, 0), (7.5, 2.5), (6.5, 7), (3.5, 12), (1, 13.5), (0.5, 12), (2.5, 11), (6, 13), (9.5, 11.5)]]),
    # 3, two bowls, the lower one larger
    (3, [[(1.5, 2), (4.5, 0), (8, 1.5), (7.5, 5), (4, 6.8)], [(4, 6.8), (8, 8), (8.8, 11), (6, 13.8), (1.5, 12.8)]]),
    # 3, flat top, diagonal, one bowl
    (3, [[(1, 0.5), (8.5, 0.5)], [(8.5, 0.5), (4, 6)], [(4, 6), (8, 7.5), (8.8, 10.5), (6.5, 13.8), (1, 13)]]),
    # 3, small curl in the middle
    (
        3,
        [
            [
                (1.5, 2),
                (5, 0),
                (8, 2),
                (6.5, 5.5),
                (4.5, 6.5),
                (3.8, 6),
                (5, 6.2),
                (8, 8.5),
                (8.2, 12),
                (5, 14),
                (1, 12.5),
            ]
        ],
    ),
    # 3, upper bowl larger than the lower
    (3, [[(1.5, 1), (5, 0), (8, 2.5), (6.5, 6), (4.5, 7)], [(4.5, 7), (7.5, 8.2), (7, 12), (4, 14), (1.5, 14)]]),
    # 4, open, bar rising a little, stem at the right
    (4, [[(2, 0), (1, 7.5)], [(1, 7.5), (8.5, 7)], [(8, 0), (7.5, 14)]]),
    # 4, closed triangle
    (4, [[(7, 0), (1, 9)], [(1, 9), (9.5, 9)], [(7, 0), (7, 14)]]),
    # 4, open U on a stem
    (4, [[(1.5, 0.5), (1.5, 6), (4, 8), (8, 6.5)], [(8.5, 0), (7.5, 14)]]),
    # 4, short stem under a long bar
    (4, [[(1, 1), (1.5, 7.5), (9, 7.5)], [(6, 3), (6, 14)]]),
    # 4, closed at the top like a 9
    (4, [[(7.5, 1), (3, 4), (1.2, 7.5), (8, 7.5)], [(7.5, 1), (7, 14)]]),
    # 4, open, round corner, stem at the right
    (4, [[(1.5, 0), (1, 5), (2.5, 7.5), (8, 6)], [(8.5, 1), (8, 14)]]),
    # 5, bowl curls back to the left, almost a 6
    (5, [[(8.5, 0), (3, 1)], [(3, 1), (3, 6)], [(3, 6), (7.5, 7), (8.5, 10.5), (6, 13.5), (2.5, 13), (2, 11)]]),
    # 5, long flag to the right
    (5, [[(10, 0), (4, 0.5)], [(4, 0.5), (2.5, 6)], [(2.5, 6), (6, 6.5), (7, 9.5), (4.5, 13), (1, 13)]]),
    # 5, flag running into the neck by a curve
    (5, [[(9.5, 0), (4, 1)], [(4, 1), (3, 5.5), (6.5, 7), (8, 10.5), (5.5, 14), (1.5, 12.5)]]),
    # 5, flat top, upright neck, round bowl
    (
        5,
        [
            [(8.5, 0.5), (2.5, 0.5)],
            [(2.5, 0.5), (2, 6)],
            [(2, 6), (5.5, 5), (8.7, 8.5), (7.5, 12.5), (4, 14), (1, 12.5)],
        ],
    ),
    # 5, one S without a corner
    (5, [[(8.5, 0.5), (4, 1), (2.5, 4), (5, 6.5), (8, 9), (7.5, 12.8), (4, 14), (1, 12.8)]]),
    # 5, high rising flag
    (5, [[(3, 2), (2.5, 6.5), (6, 6.5), (8, 9.5), (6, 13.5), (1.5, 13.5)], [(3, 1.5), (9.5, 0)]]),
    # 5, slanting flag, small bowl
    (5, [[(9, 0), (4, 0.8), (3, 5.5)], [(3, 5.5), (6, 6), (7.5, 9), (6, 12.5), (3, 14), (1, 13)]]),
    # 6, stem from the right, small loop
    (6, [[(7, 0), (3.5, 4), (1.5, 9), (3, 13.5), (7, 13.5), (8.5, 10.5), (6.5, 7.8), (3.5, 8.5), (1.8, 11)]]),
    # 6, upright stem at the left, low loop
    (6, [[(3, 0), (1.5, 7), (2, 12.5), (5, 14), (8.5, 12), (7.5, 9), (4.5, 8.5), (2, 11)]]),
    # 6, large loop up to the middle
    (6, [[(8, 0.5), (4, 2), (1.2, 7), (1.5, 12), (5, 14), (8.8, 11.5), (8, 7.5), (5, 6.5), (2, 8.5)]]),
    # 6, straight slanting stem, small loop
    (6, [[(6, 0), (2.5, 5), (1.5, 11), (4, 14), (7, 12.5), (7, 9.5), (4.5, 9), (2.5, 12)]]),
    # 7, hook down at the left, stem upright
    (7, [[(1, 5), (1.5, 1), (5, 1.5), (9, 0.5), (7.5, 6), (6, 14)]]),
    # 7, short, with a bar through the stem
    (7, [[(2, 1), (8, 0.5)], [(8, 0.5), (6.5, 7), (6, 14)], [(4, 7.5), (9, 7)]]),
    # 7, plain: bar and slanting stem
    (7, [[(1, 1), (9, 0.8)], [(9, 0.8), (6.5, 6), (4.5, 14)]]),
    # 7, plain, with a bar through the stem
    (7, [[(1, 1), (9, 0.8)], [(9, 0.8), (6.5, 6), (4.5, 14)], [(3, 7), (8.5, 6.8)]]),
    # 7, serif at the left of the bar
    (7, [[(1.2, 3.5), (1.2, 1)], [(1.2, 1), (9, 1)], [(9, 1), (5, 14)]]),
    # 7, one curve without a corner
    (7, [[(1, 2.5), (4, 1), (8.5, 1), (7.5, 5), (5.5, 9), (5, 14)]]),
    # 7, n-like: hook, round shoulder, stem
    (7, [[(1, 3), (3, 0.8), (8, 1.5), (8, 6), (7, 14)]]),
    # 8, loop crossing high, open end at the top right
    (8, [[(7, 2.5), (4.5, 0.5), (2.5, 3), (5.5, 6.5), (7.5, 10.5), (5, 14), (3, 11), (4.5, 7.5), (8, 3.5), (7.5, 1)]]),
    # 8, hourglass of one line
    (
        8,
        [
            [
                (2.5, 1.5),
                (5, 0),
                (7.5, 2),
                (6, 5.5),
                (4, 8.5),
                (2.5, 12),
                (5, 14),
                (7, 12),
                (6, 8.5),
                (3.5, 5),
                (2.5, 1.5),
            ]
        ],
    ),
    # 8, one line crossing in the middle
    (
        8,
        [[(8, 2), (5, 0), (2, 2.5), (4, 6), (7.5, 9), (8.5, 12), (5, 14), (1.5, 12), (3, 8.5), (6.5, 5.5), (8.3, 2.5)]],
    ),
    # 8, two circles, one on the other
    (
        8,
        [
            [(5, 0.5), (7.5, 2), (7.5, 5), (5, 6.8), (2.5, 5), (2.5, 2), (5, 0.5)],
            [(5, 6.8), (8, 8.5), (8.5, 11.5), (5, 14), (1.5, 11.5), (2, 8.5), (5, 6.8)],
        ],
    ),
    # 8, open at the top right
    (8, [[(8.5, 1), (4.5, 0.5), (2, 3), (5, 6.5), (8, 10), (6.5, 13.5), (3, 13.5), (2, 10.5), (5, 7), (8.5, 2)]]),
    # 8, slim, one line
    (
        8,
        [
            [
                (7, 1.5),
                (4.5, 0),
                (2.5, 2),
                (4, 5.5),
                (6, 8.5),
                (6, 12.5),
                (4, 14),
                (2.5, 12),
                (3.5, 8.5),
                (6.5, 5),
                (7.2, 2.5),
            ]
        ],
    ),
    # 9, large loop, upright stem
    (9, [[(8.5, 3.5), (5, 0), (1, 3.5), (2.5, 8), (6.5, 8), (8.5, 3.5)], [(8.5, 3.5), (8.5, 9), (8, 14)]]),
    # 9, flat loop, stem starting beside it
    (9, [[(7.5, 2.5), (4, 0.5), (1, 3), (3.5, 5.5), (8, 3)], [(8, 2.5), (8.5, 8), (8.5, 14)]]),
    # 9, round loop, stem slightly curved
    (9, [[(8, 3.5), (5, 0.5), (1.5, 2.5), (2, 6), (5.5, 7), (8, 4)], [(8.2, 2), (8, 8), (7, 14)]]),
    # 9, loop with a tail curling left
    (9, [[(8, 3), (4.5, 0.3), (1.3, 3.2), (3, 7), (7, 6), (8.3, 2.5), (8.3, 8), (6.5, 13), (2.5, 13.5)]]),
    # 9, small loop, straight slanting stem
    (9, [[(7.5, 2), (4, 0.8), (1.5, 4), (3.5, 7), (7.5, 4.5)], [(8.3, 1.5), (5.5, 14)]]),
    # 9, angular loop, upright stem
    (9, [[(7.5, 1), (3.5, 1.5), (1.5, 5.5), (4, 7), (7.5, 3.5)], [(7.7, 1), (7, 14)]]),
    # 9, narrow loop at the top of a stem
    (9, [[(7, 3), (5, 0.5), (2.5, 2.5), (3, 5.5), (6, 5.5), (7, 2.5), (7, 9), (6.5, 14)]]),
]

strokes = [(drawing, stroke) for drawing, (_, all_of_it) in enumerate(DRAWINGS) for stroke in all_of_it]
lines = [
    (drawing, stroke[max(i - 1, 0)], stroke[i], stroke[i + 1], stroke[min(i + 2, len(stroke) - 1)])
    for drawing, stroke in strokes
    for i in range(len(stroke) - 1)
]

WEIGHTS = {
    # A stretch of curve: the point before, its two ends, the point after; as drawn above.
    "curve": np.array([four for _, *four in lines], dtype=float),
    "drawing_of": np.array([drawing for drawing, *_ in lines]),  # which drawing a stretch belongs to
    "digit_of": np.array([digit for digit, _ in DRAWINGS]),  # which digit a drawing is
    # Catmull-Rom: a curve through its points whose tangent is half the way between the neighbours.
    "spline": np.array([[0, 1, 0, 0], [-0.5, 0, 0.5, 0], [1, -2.5, 2, -0.5], [-0.5, 1.5, -1.5, 0.5]]),
    "steps": (np.arange(8) + 0.5) / 8,  # eight dabs of ink a stretch
    "centre": np.array([5.0, 7.0]),  # the middle of the drawing box
    # The bank: each drawing as slim, normal, broad and very broad writing ...
    "breadth": np.array([0.6, 0.8, 1.0, 1.3]),
    # ... with a fine, a normal and a thick pen (standard deviation of the ink, in pixels) ...
    "pen": np.array([0.7, 1.1, 1.6]),
    "ink": np.array([2.5]),  # ... which covers the paper: 1 - exp(-2.5) is 92% black in the middle of a line
    "box": np.array(
        [18.5, 17.5, 16.0]
    ),  # digits fill 20 pixels, the pen's own width included: 20 less about two deviations
    "middle": np.array([13.5]),  # the middle of 28 pixels
    "blur": np.array([0.25, 0.5, 0.25]),  # smallest bell, so that edges have a direction everywhere
    "edge": np.array([-1.0, 0.0, 1.0]),  # difference of the neighbours
    # Eight directions of an edge, 22.5 degrees apart; double angles make opposite directions one.
    "direction": np.stack([f(2 * np.pi * np.arange(8) / 8) for f in (np.cos, np.sin)]),
    "tuning": np.array([np.cos(2 * np.pi / 8)]),  # a direction answers up to its neighbours, where its response is zero
    "cells": np.arange(7) * 4 + 1.5,  # a 7 x 7 grid of cells, 4 pixels apart
    "reach": np.array([5.0]),  # a cell looks 5 pixels far, so cells overlap and a stroke may wander
    "contrast": np.array([0.5]),  # square root: a faint stroke counts almost like a strong one
    "sharpness": np.array([60.0]),  # soft maximum over drawings: 1/60 in similarity is one nat
}


def draw():
    """(templates, 28, 28) ink and the (templates,) digits, from the strokes."""
    w = WEIGHTS
    powers = np.stack([np.ones_like(w["steps"]), w["steps"], w["steps"] ** 2, w["steps"] ** 3], axis=1)
    dabs = np.einsum("tk,ki,sic->stc", powers, w["spline"], w["curve"]) - w["centre"]
    ends = w["curve"][:, 2] - w["curve"][:, 1]
    grid = np.arange(28) - w["middle"]
    pictures, digits = [], []
    for drawing, digit in enumerate(w["digit_of"]):
        mine = w["drawing_of"] == drawing
        for box, pen in zip(w["box"], w["pen"], strict=True):
            scale = np.stack([w["breadth"], np.ones_like(w["breadth"])], axis=1)[:, None, :]
            at = dabs[mine].reshape(1, -1, 2) * scale
            step = np.repeat(ends[mine], len(w["steps"]), axis=0)[None] * scale / len(w["steps"])
            size = box / ((at.max(axis=1) - at.min(axis=1)).max(axis=1)[:, None, None] + 1e-6)
            at, length = at * size, np.sqrt(((step * size) ** 2).sum(axis=-1))
            at = at - (at * length[..., None]).sum(axis=1, keepdims=True) / (length.sum(axis=1)[:, None, None] + 1e-6)
            bell = np.exp(-(((grid - at[..., None]) / pen) ** 2) / 2) / np.sqrt(pen)
            amount = np.einsum("bp,bpx,bpy->byx", length, bell[:, :, 0], bell[:, :, 1]) / np.sqrt(2 * np.pi)
            pictures.append(1 - np.exp(-w["ink"] * amount))
            digits.append(np.full(len(w["breadth"]), digit))
    return np.concatenate(pictures).astype(np.float32), np.concatenate(digits)


def upright(x):
    """Images sheared about their centre of mass until x and y of the ink are uncorrelated, and centred across."""
    grid = np.arange(28, dtype=np.float32)
    mass = x.sum(axis=(1, 2)) + 1e-6
    cx, cy = x.sum(axis=1) @ grid / mass, x.sum(axis=2) @ grid / mass
    dx, dy = grid - cx[:, None], grid - cy[:, None]
    lean = np.einsum("nyx,ny,nx->n", x, dy, dx) / (np.einsum("nyx,ny->n", x, dy**2) + 1e-6)
    source = grid + lean[:, None, None] * dy[:, :, None] + (cx - WEIGHTS["middle"])[:, None, None]
    left = np.floor(source)
    part = (source - left).astype(np.float32)
    width = x.shape[2]
    padded = np.pad(x, ((0, 0), (0, 0), (width, width)))
    index = np.clip(left.astype(int) + width, 0, padded.shape[2] - 2)
    return np.take_along_axis(padded, index, 2) * (1 - part) + np.take_along_axis(padded, index + 1, 2) * part


def slide(x, kernel, axis):
    """x convolved with a kernel of three along one axis, zeros beyond the border."""
    kernel = kernel.astype(np.float32)
    padded = np.pad(x, [(0, 0) if a != axis else (1, 1) for a in range(3)])
    n = x.shape[axis]
    return sum(kernel[i] * np.take(padded, np.arange(i, i + n), axis=axis) for i in range(3))


def features(x):
    """(N, 392): edge energy in eight directions over a 7 x 7 grid, of unit length."""
    w = WEIGHTS
    x = slide(slide(x, w["blur"], 1), w["blur"], 2)
    gx, gy = slide(x, w["edge"], 2), slide(x, w["edge"], 1)
    size = np.sqrt(gx * gx + gy * gy) + 1e-6
    # The double angle of the gradient: (cos 2a, sin 2a) times its size.
    double = np.stack([(gx * gx - gy * gy) / size, 2 * gx * gy / size], axis=-1)
    pool = np.maximum(1 - np.abs(np.arange(28) - w["cells"][:, None]) / w["reach"], 0).astype(np.float32)
    maps = []
    for c, s in w["direction"].T.astype(np.float32):
        energy = np.maximum(c * double[..., 0] + s * double[..., 1] - size * w["tuning"].astype(np.float32), 0)
        maps.append(pool @ energy @ pool.T)
    f = np.stack(maps, axis=1).reshape(len(x), -1) ** w["contrast"].astype(np.float32)
    return f / (np.sqrt((f * f).sum(axis=1, keepdims=True)) + 1e-6)


PICTURES, DIGITS = draw()
BANK = features(upright(PICTURES))  # (templates, 392), drawn from WEIGHTS once


def logits(images):
    """((N, 10) logits, (N, templates) similarities)."""
    same = [features(upright(x)) @ BANK.T for x in np.split(images, range(500, len(images), 500))]
    same = np.concatenate(same)
    near = np.exp(WEIGHTS["sharpness"] * (same - 1))
    return np.log(near @ (DIGITS[:, None] == np.arange(10)) + 1e-30), same


def predict(images):
    """(N,) digits from (N, 28, 28) images in [0, 1]."""
    return [int(k) for k in logits(np.asarray(images, dtype=np.float32))[0].argmax(axis=1)]


def explain(image):
    """The digit of one image, its logit and the parts that sum to it.

    The logit is log sum exp over the drawings of the digit: their mean similarity, weighted by how much each
    is believed, cell by cell of the 7 x 7 grid; minus the sharpness (a perfect match is 0); plus the spread,
    which is the entropy of that belief.
    """
    image = np.asarray(image, dtype=np.float32)[None]
    scores, same = logits(image)
    digit = int(scores[0].argmax())
    mine = BANK[digit == DIGITS]
    sharpness = float(WEIGHTS["sharpness"][0])
    near = np.exp(sharpness * (same[0, digit == DIGITS] - 1))
    belief = near / near.sum()
    cells = (sharpness * (belief @ mine) * features(upright(image))[0]).reshape(-1, 7, 7).sum(axis=0)
    parts = {f"cell {row},{column}": float(cells[row, column]) for row in range(7) for column in range(7)}
    parts["offset"] = -sharpness
    parts["spread"] = float(-(belief * np.log(belief + 1e-30)).sum())
    drawing = int(belief.argmax() // (len(WEIGHTS["breadth"]) * len(WEIGHTS["pen"])))
    return {"digit": digit, "logit": float(scores[0, digit]), "drawing": drawing, "parts": parts}
