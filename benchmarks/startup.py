"""CPU of `bench --help` and `bench list` above importing click and pluggy, warm, and the modules they import.

    python benchmarks/startup.py [REPEATS]

Prints one JSON line a command: seconds of CPU (the least of the repeats, user and system), the baseline measured in
between, their difference and ratio.
"""

import json
import resource
import subprocess
import sys

COMMANDS = {
    "bench --help": ["-m", "benchwright", "--help"],
    "bench list": ["-m", "benchwright", "list"],
    "bench run --help": ["-m", "benchwright", "run", "--help"],
}
BASELINE = ["-c", "import click, pluggy"]


def cpu(arguments: list[str]) -> float:
    """CPU seconds of one Python process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    for name, arguments in COMMANDS.items():
        cpu(arguments)  # warm: the caches of parsed documents and entry points are filled
        pairs = [(cpu(arguments), cpu(BASELINE)) for _ in range(repeats)]
        ours, baseline = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
        print(
            json.dumps(
                {
                    "command": name,
                    "cpu_s": round(ours, 3),
                    "baseline_s": round(baseline, 3),
                    "above_s": round(ours - baseline, 3),
                    "ratio": round(ours / baseline, 2),
                }
            )
        )


if __name__ == "__main__":
    main()
