"""What scoring costs beside the arithmetic: a 100,000-parameter convolution on the 10,000 test images.

    python benchmarks/handnet_scoring.py [--repeats 3]

Runs the same file bare (in a fresh Python with one thread, as the worker has) and through the scoring pass (read,
worker, images sent, predictions checked and compared), in turns, and prints both times and the ratio of the medians.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NET = """import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

TASK = "mnist"

kernels = np.zeros((500, 25))
kernels[:, ::2] = 0.5  # every second cell of the patch, as a checkerboard of ink and paper
votes = np.zeros((500, 16, 10))
votes[::7, :, 3] = 0.25  # a seventh of the maps speaks for a three
scale = np.zeros((7500,))
scale[:1] = 1.0  # the maps are taken as they are

WEIGHTS = {"kernels": kernels.astype(np.float32), "votes": votes.astype(np.float32), "scale": scale.astype(np.float32)}


def predict(images):
    w = WEIGHTS
    out = []
    for part in np.array_split(images, max(1, len(images) // 100)):
        small = part[:, 2:26, 2:26]
        patches = sliding_window_view(small, (5, 5), axis=(1, 2))[:, ::5, ::5].reshape(-1, 25)
        maps = np.maximum(patches @ w["kernels"].T, 0).reshape(len(part), 16, 500) * w["scale"][0]
        out.extend(int(k) for k in np.einsum("npm,mpd->nd", maps, w["votes"], optimize=True).argmax(axis=1))
    return out
"""

BARE = """
import importlib.util, sys, time
from pathlib import Path
from handnet_bench import datasets
spec = importlib.util.spec_from_file_location("net", sys.argv[1])
net = importlib.util.module_from_spec(spec)
spec.loader.exec_module(net)
images = datasets.load("mnist", "test", Path()).inputs
start = time.perf_counter()
net.predict(images)
print(time.perf_counter() - start)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()

    from benchwright import Submission
    from benchwright.sandbox import Sandbox
    from handnet_bench import datasets, scoring, tasks

    task = tasks.BY_SLUG["mnist"]
    datasets.load("mnist", "test", Path())

    def submission(number: int) -> Submission:
        # Another text each time: rules and verdict share the pass of one text, and here every pass is to be made.
        return Submission(kind="python-file", files={"net.py": f"{NET}\n# {number}\n".encode()})

    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    bare, scored = [], []
    with tempfile.TemporaryDirectory() as folder, Sandbox() as sandbox:
        path = Path(folder) / "net.py"
        path.write_text(NET)
        scoring.evaluate(task, submission(0), sandbox, task.limits, Path(), "test")
        for number in range(1, options.repeats + 1):
            done = subprocess.run(
                [sys.executable, "-c", BARE, str(path)],
                capture_output=True,
                text=True,
                check=True,
                env={**os.environ, **threads},
            )
            bare.append(float(done.stdout))
            start = time.perf_counter()
            found = scoring.evaluate(task, submission(number), sandbox, task.limits, Path(), "test")
            scored.append(time.perf_counter() - start)
    print(f"parameters {found.metrics['params']:,}, outcome {found.outcome}")
    a, b = statistics.median(bare), statistics.median(scored)
    print(f"bare {a:.2f} s, scored {b:.2f} s (medians of {options.repeats}), ratio {b / a:.2f}")


if __name__ == "__main__":
    main()
