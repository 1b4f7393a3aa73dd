"""The table of the corpus; `python benchmarks/handnet_rules.py` prints it whole."""

from typing import NamedTuple


class Row(NamedTuple):
    """`expected`: the rule that has to refuse, empty for an honest file; `got`: the rules that did."""

    name: str
    task: str
    expected: str
    got: tuple[str, ...]

    @property
    def verdict(self):
        if not self.expected:
            return "FALSE ALARM" if self.got else "passed"
        if self.expected in self.got:
            return "refused"
        return "refused by another rule" if self.got else "MISSED"


def show(rows):
    lines = [f"\n{'file':50} {'task':10} {'has to be refused by':24} {'verdict':14} rules"]
    lines += [f"{r.name:50} {r.task:10} {r.expected or '-':24} {r.verdict:14} {', '.join(r.got)}" for r in rows]
    counts = {verdict: sum(r.verdict == verdict for r in rows) for verdict in sorted({r.verdict for r in rows})}
    return "\n".join(lines) + f"\n{len(rows)} files: " + ", ".join(f"{n} {verdict}" for verdict, n in counts.items())
