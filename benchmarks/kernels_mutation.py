"""The share of machine-made changes of the references that no hidden test sees, a line for each task.

    python benchmarks/kernels_mutation.py [--sample N] [task …]

Every change is one grading behind walls; all of them take some minutes on two cores.
"""

from __future__ import annotations

import argparse


def main() -> int:
    from benchwright.sandbox import Sandbox
    from scratch_kernels import folder as folders
    from scratch_kernels import mutation

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--sample", type=int)
    given = parser.parse_args()
    made = survived = unexplained = 0
    with Sandbox() as sandbox:
        for folder in [folders.of(task) for task in given.tasks] or mutation.laptop():
            result = mutation.run(folder, sandbox, sample=given.sample)
            print(result.told(), flush=True)
            made, survived = made + result.made, survived + len(result.survived)
            unexplained += len(result.unexplained)
    print(f"all: {made} changes, {survived} survive ({survived / made:.1%}), {unexplained} of these unexplained")
    return 1 if unexplained else 0


if __name__ == "__main__":
    raise SystemExit(main())
