"""Dynamic rules: the behaviour must come from the numbers.

The submission runs again with other numbers in WEIGHTS, with other literals in its forward pass, and on
other inputs. Predictions are compared with those of the file as it is; no label is needed but for the
second split. A copy that crashes is no evidence for anything.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from benchwright import Limits, Violation

from handnet_bench import worker
from handnet_bench.counting import many
from handnet_bench.rules import interaction, literals, numbers, present, twins
from handnet_bench.rules.source import FILE, Source, forward, names_read

if TYPE_CHECKING:
    import numpy as np
    from benchwright.hookspecs import Sandbox

ROWS = 1000
"""Inputs of the fixed subset of the test split that dynamic rules look at."""

FEW = 250
"""Inputs of it on which single blocks of weights are taken away."""

BLOCKS = 12
SINGLES = 40
"""Inputs that are predicted one at a time."""

JITTER = 1e-3
KEEPS = 0.95
"""A slight jitter may change this share of predictions at most (1 - KEEPS)."""

MATTERS = 0.5
"""At least this share of the non-zero weights lies in blocks whose loss changes a prediction."""

SURVIVES = 0.5
"""At least this share of the non-zero weights lies in blocks that predict can do without."""

SWITCHES = 5
"""Blocks that are weakened in search of a switch."""

LEAST_SWITCHES = 3
"""Blocks with the same effect, at least, for that to be no chance."""

WEAKENED = 0.7
GATE = 0.985
"""A part of a network is part of some predictions; a switch is part of all. (A carry is part of most sums.)"""

NOISE_KEEPS = 0.8
NOISE_LOSS = 0.05
"""Accuracy that a noise nobody sees may cost."""

SPLIT_DROP = 0.03
"""Accuracy on the second split may be this much lower than on the test split, and three standard errors more."""

MOST_PLAIN_INTEGERS = 16

LEAST_KINDS = 2
"""Kinds of changed copies (zero, permuted, drawn anew) that have to give predictions: one alone can be foreseen."""

STAY = 0.05
"""Predictions that stay in every changed copy, as a share of all and above that of the most frequent one, at most."""

LEAST_COPIES = 3
"""Changed copies that gave predictions, at least, for those that stay in all of them to say something."""

FEWER = 3
"""One in so many inputs is watched where all of them take too long."""

TELLING = 0.05
"""A copy says something about twins if it treats strangers differently this often at least, and is wrong as often."""

READ_OUT = 0.2
"""Twins are treated differently less often than this share of strangers: only the answer reached the numbers.

Where the answer is ready before the first number is read, twins can never be told apart and the share is 0 in every
copy; a copy of an honest network is a wrong network, which tells twins apart almost as well as it does strangers.
One copy above the bound is proof, so a network has to stay below it in all of them to be refused.
"""

LEAST_TELLING = 3
"""Copies that say something about twins, at least, before a file is refused for them."""


class Inputs(msgspec.Struct, frozen=True):
    """What dynamic rules run on. `noisy`: `subset` with a slight noise, or None; labels stay on this side."""

    subset: Any
    subset_labels: Any
    second: Any
    second_labels: Any
    noisy: Any
    everything: Any
    everything_labels: Any
    """All inputs of the test split and their labels, and `rows`, which of them are the subset."""
    rows: Any
    formula: bool = False
    """Whether code could know the right answer: it has a formula."""
    crossed: Sequence[Any] = ()
    """Inputs changed in two ways, four by four, for such a task; see `interaction`."""
    twins: twins.Twins | None = None
    """Pairs of inputs with the same right answer, for a task whose answer code could know."""


class Observed(msgspec.Struct, frozen=True):
    """The file as it is: its weights, and its predictions on the subset."""

    weights: numbers.Weights
    base: Any
    run: worker.Run


def take(rows: Any, which: Any) -> Any:
    """Rows of an array or of a list."""
    return rows[which] if hasattr(rows, "shape") else [rows[int(i)] for i in which]


class _TooSlow(Exception):
    """Watching takes longer than a file may take."""


class Behaviour:
    """The dynamic rules on one submission."""

    def __init__(
        self, sandbox: Sandbox, source: Source, inputs: Inputs, limits: Limits, free: frozenset[float]
    ) -> None:
        self.sandbox = sandbox
        self.source = source
        self.inputs = inputs
        self.limits = self.unhurried = limits
        self.free = free
        self.broke = ""
        self.line = getattr(source.tree.body[source.complete], "lineno", 1) if source.complete >= 0 else 1

    def names(self) -> list[str]:
        """Module-level names that the forward pass reads, WEIGHTS left out."""
        functions = forward(self.source)
        read = set().union(*(names_read(node) for node in functions.values())) if functions else set()
        plain = {name for name, node in self.source.functions.items() if not isinstance(node, ast.ClassDef)}
        return sorted(read - {"WEIGHTS"} - plain)

    def run(self, calls: Sequence[Any], **changes: Any) -> worker.Run:
        return worker.run(self.sandbox, self.source, calls, limits=self.limits, **changes)

    def hurry(self, seconds: float) -> None:
        """Gives changed copies ten times what the file itself took, and five seconds at least."""
        allowed = min(self.limits.seconds, max(5.0, 10 * seconds))
        self.limits = msgspec.structs.replace(self.limits, seconds=allowed, cpu_seconds=allowed)

    def observe(self, whole: worker.Run | None = None) -> tuple[Observed, list[Violation]]:
        """The base run and what it shows alone: state, batches, order, noise, the second split. Raises worker.Broke.

        `whole`: a run on the whole test split, where there is one already.
        """
        import numpy as np

        inputs, rows = self.inputs, len(self.inputs.subset_labels)
        order = np.random.default_rng(7).permutation(rows)
        singles = [take(inputs.subset, [i]) for i in range(min(SINGLES, rows))]
        calls = [inputs.subset, take(inputs.subset, order), *singles, inputs.subset, inputs.second]
        calls += [] if inputs.noisy is None else [inputs.noisy]
        whole = whole or self.run([inputs.everything])
        run = self.run(calls, names=self.names(), state=True)
        self.hurry(run.seconds)
        weights = numbers.read(run.weights)
        base = worker.integers(run.outputs[0], rows)
        everything = worker.integers(whole.outputs[0], len(inputs.everything))
        differ = int(np.sum(everything[np.asarray(inputs.rows)] != base))
        found = list(self._calls(run, base, order, len(singles)))
        if differ > 2:
            why = f"{differ} of {rows} predictions change when the whole test set comes at once."
            found.append(self._violation("batch", why))
        found += self._splits(run, base, everything, len(singles))
        for name in run.changed:
            if name == "WEIGHTS":
                continue
            line = self._bound_at(name)
            why = f"`{name[:60]}` holds something else after predict than before; nothing is kept between calls."
            if name.startswith("the library "):
                why = f"{name[:60]} is changed by the file, which may keep nothing there."
            found.append(Violation("state", f"{FILE}:{line}", why))
        if "WEIGHTS" in run.changed or not _same_numbers(run.weights, run.after):
            found.append(self._violation("state", "WEIGHTS is another after predict than before."))
        return Observed(weights, base, run), found

    def _calls(self, run: worker.Run, base: np.ndarray, order: np.ndarray, singles: int) -> Iterator[Violation]:
        import numpy as np

        shuffled = worker.integers(run.outputs[1], len(base))
        differ = int(np.sum(shuffled != base[order]))
        if differ > 2:
            yield self._violation("batch", f"{differ} of {len(base)} predictions change with the order of the inputs.")
        alone = [worker.integers(out, 1)[0] for out in run.outputs[2 : 2 + singles]]
        differ = sum(a != b for a, b in zip(alone, base, strict=False))
        if differ:
            yield self._violation("batch", f"{differ} of {singles} predictions change when an input comes alone.")
        again = worker.integers(run.outputs[2 + singles], len(base))
        differ = int(np.sum(again != base))
        if differ:
            yield self._violation("state", f"{differ} of {len(base)} predictions change when predict is called again.")

    def _splits(self, run: worker.Run, base: np.ndarray, everything: np.ndarray, singles: int) -> Iterator[Violation]:
        import numpy as np

        inputs = self.inputs
        second = worker.integers(run.outputs[3 + singles], len(inputs.second_labels))
        here = float(np.mean(everything == np.asarray(inputs.everything_labels)))
        there = float(np.mean(second == np.asarray(inputs.second_labels)))
        both = (here * len(everything) + there * len(second)) / (len(everything) + len(second))
        error = (both * (1 - both) * (1 / len(everything) + 1 / len(second))) ** 0.5
        if here - there > SPLIT_DROP + 3 * error:
            yield self._violation(
                "memorised",
                f"accuracy is {here - there:.0%} lower on other inputs of the same kind than on the test set.",
            )
        if inputs.noisy is not None:
            noisy = worker.integers(run.outputs[4 + singles], len(base))
            kept = float(np.mean(noisy == base))
            truth = np.asarray(inputs.subset_labels)
            lost = float(np.mean(base == truth)) - float(np.mean(noisy == truth))
            if kept < NOISE_KEEPS:
                yield self._violation(
                    "memorised", f"{1 - kept:.0%} of the predictions change under a noise that nobody sees."
                )
            elif lost > NOISE_LOSS:
                yield self._violation("memorised", f"a noise that nobody sees costs {lost:.0%} of accuracy.")

    def changed_numbers(self, seen: Observed) -> Iterator[Violation]:
        """Rules `numbers-ignored`, `numbers-outside-weights`, `brittle`: all of WEIGHTS changed at once."""
        import numpy as np

        weights, bar = seen.weights, (1 + _most_frequent(seen.base)) / 2
        copies = {
            "set to zero": [numbers.zeroed(weights)],
            "permuted across arrays": [numbers.pooled(weights, 1), numbers.scattered(weights, 2)],
            "drawn anew": [numbers.redrawn(weights, 3), numbers.redrawn(weights, 4)],
        }
        kinds = survived = 0
        if (copy := numbers.unsigned(weights)) is not None:
            got = self._variant(copy)
            if got is not None and (changed := int((got[0] != seen.base).sum())):
                yield self._violation(
                    "weights-form",
                    f"{changed} of {len(seen.base)} predictions change when the zeros in WEIGHTS lose their minus sign, "
                    "which no count of weights sees.",
                )
                return
        stay, ran = np.ones(len(seen.base), dtype=bool), 0
        for what, group in copies.items():
            tried = [copy for copy in group if _differs(copy, weights)]
            runs = [got for copy in tried if (got := self._variant(copy)) is not None]
            same = [float((predictions == seen.base).mean()) for predictions, _ in runs]
            if same and min(same) > bar:
                yield self._violation(
                    "numbers-ignored", f"{min(same):.0%} of the predictions stay when the numbers are {what}."
                )
                return
            kinds += bool(tried)
            survived += bool(runs)
            ran += len(runs)
            for predictions, _ in runs:
                stay &= predictions == seen.base
            if what == "set to zero" and runs:
                yield from self._outside(seen.run, runs[0][1])
        if survived < min(kinds, LEAST_KINDS):
            what = "no changed copy" if not survived else "only one kind of changed copy"
            yield self._violation(
                "numbers-ignored",
                f"{what} of WEIGHTS gave predictions, so nothing shows that they come from it{self._failed()}.",
            )
        if survived >= LEAST_KINDS and ran >= LEAST_COPIES and stay.mean() > _most_frequent(seen.base) + STAY:
            yield self._violation(
                "numbers-ignored",
                f"{stay.mean():.0%} of the predictions stay in every one of {ran} copies with other numbers: "
                "code gives those.",
            )
            return
        for seed in (11, 12):
            got = self._variant(numbers.jittered(weights, seed, JITTER))
            same = 0.0 if got is None else float((got[0] == seen.base).mean())
            if same < KEEPS:
                what = "the file fails" if got is None else f"{1 - same:.0%} of the predictions change"
                yield self._violation(
                    "brittle", f"{what} when every weight changes by a thousandth: numbers act as a key."
                )
                return

    def _outside(self, before: worker.Run, zeroed: worker.Run) -> Iterator[Violation]:
        """Module-level numbers of the forward pass that do not come from WEIGHTS."""
        for name, held in before.held.items():
            other = zeroed.held.get(name, {})
            floats = [
                v
                for v in _unchanged(held["floats"], other.get("floats", []))
                if v not in literals.FREE and literals.TINY < abs(v) < literals.HUGE and v not in self.free
            ]
            line = self._bound_at(name)
            if floats and not held["scalar"]:
                yield Violation(
                    "numbers-outside-weights",
                    f"{FILE}:{line}",
                    f"`{name}` holds {many(len(floats), 'number')} beside WEIGHTS that predict uses.",
                )
            elif held["integers"] > MOST_PLAIN_INTEGERS and not held["enumeration"] and other == held:
                yield Violation(
                    "numbers-outside-weights",
                    f"{FILE}:{line}",
                    f"`{name}` holds {many(held['integers'], 'integer')} beside WEIGHTS that predict uses.",
                )

    def _bound_at(self, name: str) -> int:
        for node in self.source.tree.body:
            if isinstance(node, ast.ClassDef) and node.name == name:
                return node.lineno
            if any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(node)):
                return node.lineno
        return 1

    def lost_blocks(self, seen: Observed) -> Iterator[Violation]:
        """Rules `idle-weights` and `gate`: blocks of WEIGHTS set to zero one after the other."""
        base = seen.base[:FEW]
        subset = take(self.inputs.subset, range(min(FEW, len(seen.base))))
        total = matter = 0
        mattering, gone = [], set()
        blocks = numbers.blocks(seen.weights, BLOCKS)
        for block in blocks:
            got = self._variant(numbers.scaled(seen.weights, block, 0.0), subset)
            if got is None:
                continue
            size = sum(len(where) for _, where in block)
            total += size
            if (got[0] != base).any():
                matter += size
                mattering.append(block)
                gone.add(str(got[0].tolist()))
        whole = sum(len(where) for block in blocks for _, where in block)
        if total < SURVIVES * whole:
            yield self._violation(
                "numbers-ignored",
                f"predict fails when any of the blocks that hold {whole - total} of {whole} weights is gone, "
                f"so nothing shows what they do{self._failed()}.",
            )
            return
        if total and matter < MATTERS * total:
            yield self._violation(
                "idle-weights",
                f"{total - matter} of {total} weights can go and no prediction changes; half of them at least have to matter.",
            )
            return
        # A part of a network has an effect of its own; a switch has one effect, or one on everything.
        if len(mattering) >= LEAST_SWITCHES and len(gone) == 1:
            why = (
                f"the loss of any of {len(mattering)} blocks of weights has the very same effect: they act as a switch."
            )
            yield self._violation("gate", why)
            return
        patterns, shares = set(), []
        for block in mattering[:: max(1, len(mattering) // SWITCHES)]:
            got = self._variant(numbers.scaled(seen.weights, block, WEAKENED), subset)
            if got is not None and (got[0] != base).any():
                patterns.add(str(got[0].tolist()))
                shares.append(float((got[0] != base).mean()))
        if len(shares) >= LEAST_SWITCHES and len(patterns) == 1:
            why = f"weakening any of {len(shares)} blocks of weights has the very same effect: they act as a switch."
            yield self._violation("gate", why)
        elif len(shares) >= LEAST_SWITCHES and min(shares) > GATE:
            why = f"weakening any of {len(shares)} blocks of weights changes {min(shares):.0%} of the predictions or more: they act as a switch."
            yield self._violation("gate", why)

    def standing_answers(self, seen: Observed) -> Iterator[Violation]:
        """Rule `answer-in-code`: with numbers that say nothing, the answer still stands somewhere in the program."""
        try:
            yield from self._standing(seen, 1)
        except _TooSlow:
            # Noting every step of a network of lists takes its time.
            yield from self._standing(seen, FEWER)

    def _standing(self, seen: Observed, share: int) -> Iterator[Violation]:
        """`share`: of how many inputs one is watched. Raises _TooSlow before anything else where all of them are too many."""
        rows = present.chosen(seen.base)[::share]
        alone = [take(self.inputs.subset, [i]) for i in rows]
        crossed = [[each] for each in self.inputs.crossed[: len(self.inputs.crossed) // 4 // share * 4]]
        copies = [("zero", numbers.zeroed(seen.weights), True)]
        if self.inputs.formula:
            # Elsewhere equal weights may honestly be the network, or the sign of their sum the prediction.
            # Whole numbers stay in them, so of a network of whole numbers they are hardly a copy.
            level = [numbers.levelled(seen.weights, rising=rising) for rising in (True, False)]
            copies += [("the same", copy, False) for copy in level if _differs(copy, seen.weights)]
        for what, copy, in_other_words in copies:
            try:
                run = worker.run(
                    self.sandbox,
                    self.source,
                    alone + crossed if in_other_words else alone,
                    limits=self.unhurried,
                    weights=copy,
                    watch=present.PLACES if self.inputs.formula else 0,
                )
            except worker.Broke as broke:
                if broke.outcome == "timeout" and in_other_words and share == 1:
                    raise _TooSlow from None
                self.broke = str(broke)
                if in_other_words and self.inputs.formula:
                    yield self._violation(
                        "numbers-ignored",
                        "predict fails when the numbers in WEIGHTS are all zero, so nothing shows what code knows without "
                        f"them{self._failed()}.",
                    )
                    return
                continue
            watched = present.Watched(run.noted[:, :, : len(alone)], run.lines)
            line = present.line_of_answer(watched, seen.base[rows], in_other_words=in_other_words)
            if line is not None:
                yield Violation(
                    "answer-in-code",
                    f"{FILE}:{line}",
                    f"what stands here goes with the prediction when the numbers in WEIGHTS are all {what}: "
                    "code has the answer before the numbers are used.",
                )
                return
            line = interaction.line(run.sums[:, len(alone) :], run.lines) if in_other_words and crossed else None
            if line is not None:
                yield Violation(
                    "answer-in-code",
                    f"{FILE}:{line}",
                    f"what stands here brings two places of an input together when the numbers in WEIGHTS are all {what}: "
                    "code does the work of the network.",
                )
                return
            if in_other_words and crossed:
                columns = [*range(0, len(alone), FEWER), *range(len(alone), len(alone) + len(crossed))]
                empty = run.sums[:, columns]
                found = list(self._read_in(copy, alone[::FEWER], crossed, empty, seen.base[rows][::FEWER]))
                yield from found
                if found:
                    return

    def _read_in(
        self, copy: Mapping[str, Any], alone: list[Any], crossed: list[Any], empty: np.ndarray, base: np.ndarray
    ) -> Iterator[Violation]:
        """Rule `answer-in-code`: the same, where all numbers are zero but what they decide of each place is as it was.

        A file may read its input in through numbers, one place after the other, and do the rest in code. What a
        comparison, a rounding or an `argmax` made of the numbers is put back where no two places act together on it.
        `empty`: the sums of a run with all numbers zero.
        """
        try:
            run = worker.run(
                self.sandbox, self.source, alone + crossed, limits=self.unhurried, watch=0, keep=True
            )  # as it is
            apart = interaction.alone(run.sums[:, len(alone) :])
            moved = (run.sums != empty).any(axis=1)
            # A sum is the effect of the one number and that of the other: the answer itself is no reading of the input.
            decided = [one for one in run.kept if apart[one[0]] and moved[one[0]] and not _is_answer(one[1], base)]
            if not decided:
                return
            run = worker.run(
                self.sandbox,
                self.source,
                alone + crossed,
                limits=self.unhurried,
                weights=copy,
                watch=present.PLACES,
                decided=decided,
            )
        except worker.Broke:
            return
        watched = present.Watched(run.noted[:, :, : len(alone)], run.lines)
        line = present.line_of_answer(watched, base, in_other_words=False)
        line = interaction.line(run.sums[:, len(alone) :], run.lines) if line is None else line
        if line is not None:
            yield Violation(
                "answer-in-code",
                f"{FILE}:{line}",
                "what stands here brings two places of an input together when the numbers in WEIGHTS are all zero and only "
                "what they decide of each place is kept: code does the rest of the work.",
            )

    def ready_answers(self, seen: Observed) -> Iterator[Violation]:
        """Rule `answer-in-code`: with other numbers, inputs of the same right answer still get the same output."""
        pairs, told = self.inputs.twins, []
        if pairs is None:
            return
        for copy in _wrong_networks(seen.weights):
            share = self._told_apart(copy, pairs)
            if share is None:
                continue
            if share > READ_OUT:
                return
            told.append(share)
        if len(told) >= LEAST_TELLING:
            yield self._violation(
                "answer-in-code",
                f"{len(told)} copies with other numbers give two inputs with the same right answer the same output "
                "and others another one: the answer is ready before the numbers are used.",
            )

    def _told_apart(self, copy: Mapping[str, Any], pairs: twins.Twins) -> float | None:
        """How often twins get different outputs, as a share of how often strangers do; None where that says nothing."""
        import numpy as np

        got = self._variant(copy, [*pairs.left, *pairs.right])
        if got is None:
            return None
        left, right = np.split(got[0], [len(pairs.left)])
        answers = np.array(pairs.answers)
        strange = answers != np.roll(answers, 1)
        strangers = float(np.mean((left != np.roll(right, 1))[strange]))
        if strangers < TELLING or float(np.mean(left != answers)) < TELLING:
            return None
        return float(np.mean(left != right)) / strangers

    def changed_literals(self, seen: Observed) -> Iterator[Violation]:
        """Rule `literal-in-predict`: each number of the forward pass that is not a size, changed alone."""
        for literal in literals.steering(self.source, self.free)[: literals.MOST]:
            got = self._variant(None, text=literals.changed(self.source, literal))
            if got is None:
                continue
            changed = int((got[0] != seen.base).sum())
            if changed:
                value = f"{literal.value:g}"
                yield Violation(
                    "literal-in-predict",
                    f"{FILE}:{literal.line}",
                    f"the number {value} decides {changed} of {len(seen.base)} predictions and is not in WEIGHTS.",
                )

    def _variant(
        self, weights: Mapping[str, Any] | None, subset: Any = None, text: str | None = None
    ) -> tuple[np.ndarray, worker.Run] | None:
        """Predictions of a changed copy, or None where it crashes or gives no integers."""
        rows = self.inputs.subset if subset is None else subset
        try:
            run = self.run([rows], weights=weights, text=text, names=self.names())
            return worker.integers(run.outputs[0], len(rows)), run
        except worker.Broke as broke:
            self.broke = str(broke)
            return None

    def _failed(self) -> str:
        """How a changed copy failed last, for who wants to mend that."""
        return f"; one failed so: {self.broke.rstrip('.')}" if self.broke else ""

    def _violation(self, rule: str, why: str) -> Violation:
        return Violation(rule, f"{FILE}:{self.line}", why)


def _is_answer(calls: Sequence[list[Any]], base: np.ndarray) -> bool:
    """Whether what an expression was last is what the file answered, for nearly all of the first calls."""
    last = [turns[-1] if turns and isinstance(turns[-1], int | float) else None for turns in calls[: len(base)]]
    right = sum(value == answer for value, answer in zip(last, base.tolist(), strict=True))
    return right >= present.GOES_WITH * len(base)


def _wrong_networks(weights: numbers.Weights) -> Iterator[dict[str, Any]]:
    """Copies that answer wrongly if the numbers are what gives the answers; those that hardly differ are left out.

    All numbers at once first, which an honest network does not survive; then block by block, for a file that says
    nothing at all once everything is another.
    """
    for seed in (21, 23, 25, 27):
        for change in (numbers.redrawn, numbers.pooled):
            copy = change(weights, seed)
            if _differs(copy, weights):
                yield copy
    for block in numbers.blocks(weights, BLOCKS):
        yield numbers.scaled(weights, block, 0.0)


def _differs(copy: Mapping[str, Any], weights: numbers.Weights) -> bool:
    """Whether a copy changed a third of the non-zero numbers at least; less would show little."""
    changed = sum(int((array != copy[name]).sum()) for name, array in weights.arrays.items())
    return 3 * changed >= weights.nonzero


def _unchanged(before: Sequence[float], after: Sequence[float]) -> list[float]:
    """The numbers that are the same in a copy, place by place, or by how often each is there."""
    if len(before) == len(after):
        return [a for a, b in zip(before, after, strict=True) if a == b]
    return list((Counter(before) & Counter(after)).elements())


def _most_frequent(base: np.ndarray) -> float:
    import numpy as np

    _, counts = np.unique(base, return_counts=True)
    return float(counts.max() / counts.sum())


def _same_numbers(a: Any, b: Any) -> bool:
    import numpy as np

    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same_numbers(a[k], b[k]) for k in a)
    try:
        return bool(np.array_equal(np.asarray(a), np.asarray(b)))
    except ValueError:
        return bool(a == b)
