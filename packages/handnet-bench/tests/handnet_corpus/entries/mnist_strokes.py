# mnist
import numpy as np

TASK = "mnist"

# Drawings on a 7 x 7 grid (each cell is 4 x 4 pixels): # is ink, . is paper, - does not matter.
GLYPHS = {
    0: [".......", "..###..", "..#.#..", ".##.##.", ".##.#..", "..###..", "......."],
    1: [".......", "...#...", "...#...", "...#...", "...#...", "...#...", "......."],
    2: [".......", "..##...", "...##..", "...##..", "..##...", "..####.", "......."],
    3: [".......", "..###..", "...##..", "..###..", "...##..", "..###..", "......."],
    4: [".......", "..#.#..", ".##.#..", "..####.", "....#..", "....#..", "......."],
    5: [".......", "..###..", "..##...", "..###..", "...##..", "..##...", "......."],
    6: [".......", "...#...", "..##...", "..###..", "..#.#..", "..###..", "......."],
    7: [".......", "..####.", "....#..", "...##..", "...#...", "...#...", "......."],
    8: [".......", "..###..", "..###..", "...#...", "..###..", "..###..", "......."],
    9: [".......", "..###..", "..#.#..", "..###..", "....#..", "...#...", "......."],
}  # each digit as I would write it, slanted a little

INK, PAPER = 1.0, -0.6  # ink where it should be speaks for a digit, ink on paper against it, less since strokes wander


def template(rows):
    """A 7 x 7 weight matrix out of a drawing."""
    return np.array([[{"#": INK, ".": PAPER, "-": 0.0}[c] for c in row] for row in rows])


templates = np.stack([template(GLYPHS[d]) for d in range(10)])
# A digit with much ink would win always: each template is measured by the length of its strokes.
norms = np.sqrt((templates ** 2).sum(axis=(1, 2), keepdims=True))
WEIGHTS = {"templates": templates / norms}


def predict(images):
    pooled = images.reshape(len(images), 7, 4, 7, 4).mean(axis=(2, 4))
    scores = np.einsum("nij,dij->nd", pooled, WEIGHTS["templates"])
    return scores.argmax(axis=1).tolist()
