"""Rule `training`, second half: weights that a loop moves towards something, by whatever name.

A loop trains where a name is updated from itself, through a product of matrices and a difference (an error), and no
input of the network takes part. A recurrent layer is such a loop over inputs. Where a loop stands for another form of
it, a recursion or `accumulate`, the same holds. Beside it: iterations to a fixed point, searches that keep the better
candidate, and random numbers made by hand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchwright import Violation

from handnet_bench.rules import literals
from handnet_bench.rules.source import Source, bodies, forward, violation

PRODUCTS = frozenset({"dot", "matmul", "einsum", "outer", "tensordot", "inner", "vdot", "kron", "convolve"})
ERRORS = frozenset({"subtract", "not_equal", "less", "greater", "equal", "sign", "heaviside", "negative"})
SUMS = frozenset({"sum", "mean", "average", "fsum", "reduce"})
NORMS = frozenset({"norm", "sum", "max", "sqrt", "mean", "abs"})
TELLS_SIZE = frozenset({"size", "shape", "ndim", "dtype"})

SPREAD = 3
"""From here on a factor of itself spreads a number over the remainders; less only walks on."""

MOST_REMAINDERS = 30
LOUD = 100
"""A factor whose product loses all but its fraction gives a noise."""

Loop = ast.For | ast.While | ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


def check(source: Source) -> Iterator[Violation]:
    """Violations of the rule `training` in loops without inputs."""
    # A function that only makes weights gets no input of the network, whatever its parameters are called.
    inside = forward(source)
    with_inputs = bodies([*inside.values(), *source.definitions.get("explain", ())])
    found: dict[int, tuple[ast.AST, str]] = {}
    functions = [n for nodes in source.definitions.values() for n in nodes if isinstance(n, ast.FunctionDef)]
    methods = [
        n
        for nodes in source.definitions.values()
        for c in nodes
        if isinstance(c, ast.ClassDef)
        for n in c.body
        if isinstance(n, ast.FunctionDef)
    ]
    others = [node for node in source.tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
    for one in [*others, *functions, *methods]:
        of_forward = id(one) in with_inputs and isinstance(one, ast.FunctionDef)
        inputs = _inputs(one) if of_forward and isinstance(one, ast.FunctionDef) else set()
        for loop, made in _loops(one):
            for why in _Loop(loop, made, inputs, source.functions).violations():
                found.setdefault(id(loop), (loop, why))
        if not of_forward:
            for node in ast.walk(one):
                if _best(node, source.functions):
                    why = "keeps what scores best; weights are written, not searched for."
                    found.setdefault(id(node), (node, why))
                if _noise(node):
                    found.setdefault(id(node), (node, "makes a noise by hand; nothing is drawn."))
    for node, why in found.values():
        yield violation("training", node, why)


def _inputs(function: ast.FunctionDef) -> set[str]:
    """The parameters of a function and whatever is made of them; how many inputs there are tells nothing of them."""
    found = {a.arg for a in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]}
    before = -1
    while before != len(found):
        before = len(found)
        for node in ast.walk(function):
            if isinstance(node, ast.Assign | ast.AugAssign) and _values(node.value) & found:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {name for target in targets for name in _bound(target)}
            elif isinstance(node, ast.NamedExpr | ast.For | ast.comprehension):
                value = node.value if isinstance(node, ast.NamedExpr) else node.iter
                if _values(value) & found:
                    found |= _bound(node.target)
    return found


def _values(node: ast.AST) -> set[str]:
    """Names whose value takes part; `x.shape` and `len(x)` are sizes."""
    if isinstance(node, ast.Attribute) and node.attr in TELLS_SIZE:
        return set()
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len":
        return set()
    found = {node.id} if isinstance(node, ast.Name) else set()
    return found.union(*(_values(child) for child in ast.iter_child_nodes(node)))


Made = dict[str, list[ast.AST]]


def _loops(one: ast.AST) -> Iterator[tuple[ast.AST, Made]]:
    """Each loop with the names it makes and what of; calls of itself and `accumulate` are loops, too."""
    for node in ast.walk(one):
        if isinstance(node, Loop):
            yield node, _made(node)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "accumulate":
            lambdas = [a for a in [*node.args, *(k.value for k in node.keywords)] if isinstance(a, ast.Lambda)]
            for each in lambdas:
                if each.args.args:
                    yield node, {each.args.args[0].arg: [each.body]}
    if isinstance(one, ast.FunctionDef):
        calls = [n for n in ast.walk(one) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == one.name]
        if calls:
            made = _made(one)
            for call in calls:
                for parameter, argument in zip(one.args.args, call.args, strict=False):
                    made.setdefault(parameter.arg, []).append(argument)
            yield one, made


def _made(loop: ast.AST) -> Made:
    made: Made = {}
    for node in ast.walk(loop):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=False))
                for each, value in pairs:
                    for name in _bound(each):
                        made.setdefault(name, []).append(value)
        elif isinstance(node, ast.AugAssign):
            for name in _bound(node.target):
                made.setdefault(name, []).append(ast.BinOp(ast.Name(name, ast.Load()), node.op, node.value))
        elif isinstance(node, ast.NamedExpr):
            for name in _bound(node.target):
                made.setdefault(name, []).append(node.value)
    for node in ast.walk(loop):
        if isinstance(node, ast.If):
            # What is changed under a condition comes from it, too.
            below = [n for part in [*node.body, *node.orelse] for n in ast.walk(part)]
            changed = {name for n in below if isinstance(n, ast.AugAssign) for name in _bound(n.target)}
            for name in changed:
                made.setdefault(name, []).append(node.test)
    return made


class _Loop:
    """One loop, the names it makes, and what that amounts to."""

    def __init__(
        self, loop: ast.AST, made: Made, inputs: set[str], functions: dict[str, ast.FunctionDef | ast.ClassDef]
    ) -> None:
        self.loop = loop
        self.made = made
        self.inputs = inputs
        self.functions = functions

    def violations(self) -> Iterator[str]:
        for name, values in self.made.items():
            if name in self.inputs or not self._carried(name):
                continue
            chain, reached = list(values), {name}
            for value in chain:
                for other in _values(value) - reached:
                    reached.add(other)
                    chain.extend(self.made.get(other, []))
            if reached & self.inputs:
                continue
            moving = {other for other in reached if other in self.made}
            if self._searches(name, values, moving):
                yield f"the loop keeps the better `{name}`; weights are written, not searched for."
                continue
            if not any(name in _reads(value) for value in chain):
                continue
            nodes = [n for value in chain for n in ast.walk(value)]
            if self._trains(nodes, moving):
                yield f"the loop moves `{name}` by what it gets wrong; weights are written, not found."
            elif self._settles(nodes, moving):
                yield f"the loop lets `{name}` settle; weights are written, not found."
            elif any(_draws(value, name, self.functions) for value in values):
                yield f"the loop draws `{name}` by hand; nothing is drawn."

    def _carried(self, name: str) -> bool:
        """Whether a round reads what the round before it left, and does not begin anew."""
        if not isinstance(self.loop, Loop):
            return True
        stores = []
        for node in ast.walk(self.loop):
            if isinstance(node, ast.Assign) and any(name in _stored(target) for target in node.targets):
                stores.append((node.end_lineno or 0, node.end_col_offset or 0))
        loads = [
            (n.lineno, n.col_offset)
            for n in ast.walk(self.loop)
            if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
        ]
        return not stores or (bool(loads) and min(loads) < min(stores))

    def _trains(self, nodes: list[ast.AST], moving: set[str]) -> bool:
        products = any(_multiplies(n, moving) for n in nodes)
        errors = any(_differs(n, moving) for n in nodes)
        for node in nodes:
            # What a function of the file does with a moving name, the loop does.
            if not isinstance(node, ast.Call) or not any(_reads(argument) & moving for argument in node.args):
                continue
            function = self.functions.get(getattr(node.func, "id", ""))
            if isinstance(function, ast.FunctionDef):
                own = _local(function)
                products = products or any(_multiplies(n, own) for n in ast.walk(function))
                errors = errors or any(_differs(n, own) for n in ast.walk(function))
        return products and errors

    def _settles(self, nodes: list[ast.AST], moving: set[str]) -> bool:
        """`v = A @ v; v = v / norm(v)`, and `x = x + x + minus(x @ a @ x)`."""
        products = any(_multiplies(n, moving) for n in nodes)
        divides = any(
            isinstance(n, ast.BinOp)
            and isinstance(n.op, ast.Div)
            and bool(_reads(n.right) & moving)
            and any(isinstance(c, ast.Call) and _called(c) in NORMS for c in ast.walk(n.right))
            for n in nodes
        )
        square = any(
            isinstance(n, ast.BinOp)
            and isinstance(n.op, ast.MatMult)
            and bool(_reads(n.left) & moving)
            and bool(_reads(n.right) & moving)
            for n in nodes
        )
        adds = any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Add) and _reads(n) & moving for n in nodes)
        return (products and divides) or (square and adds)

    def _searches(self, name: str, values: list[ast.AST], moving: set[str]) -> bool:
        """`best = trial if score(trial) > score(best) else best`, where the trial is made from the best, or scored."""
        tests: list[tuple[ast.AST, ast.AST]] = []
        for value in values:
            if isinstance(value, ast.IfExp):
                tests += [(value.test, side) for side in (value.body, value.orelse)]
            elif isinstance(value, ast.Call) and _called(value) == "where" and len(value.args) == 3:
                tests += [(value.args[0], side) for side in value.args[1:]]
        for node in ast.walk(self.loop):
            if isinstance(node, ast.If):
                inside = {id(n) for part in [*node.body, *node.orelse] for n in ast.walk(part)}
                tests += [(node.test, value) for value in values if id(value) in inside]
        for test, value in tests:
            kept = _plain_name(value)
            if kept is None or kept == name or kept not in self.made or not _compares(test, moving | {kept}):
                continue
            if name in self._behind(kept) or self._scored(test, kept):
                return True
        return False

    def _behind(self, name: str) -> set[str]:
        """The names that a name of the loop is made of."""
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            one = waiting.pop()
            for value in self.made.get(one, []):
                for read in _reads(value) - reached:
                    reached.add(read)
                    waiting.append(read)
        return reached

    def _scored(self, test: ast.AST, kept: str) -> bool:
        """Whether what is compared was worked out from the candidate by a product, or by a function of the file."""
        asked = [test, *(value for name in _reads(test) for value in self.made.get(name, []))]
        candidate = {kept} | {name for name in self._behind(kept) if name in self.made}
        for node in (n for each in asked for n in ast.walk(each)):
            own = isinstance(node, ast.Call) and getattr(node.func, "id", "") in self.functions
            if (own and _reads(node) & candidate) or _multiplies(node, candidate):
                return True
        return False


def _plain_name(node: ast.AST) -> str | None:
    """The name that an expression is, or is a copy of."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "copy":
        node = node.func.value
    return node.id if isinstance(node, ast.Name) else None


def _compares(test: ast.AST, moving: set[str]) -> bool:
    orders = ast.Lt | ast.LtE | ast.Gt | ast.GtE
    return any(
        isinstance(n, ast.Compare) and any(isinstance(op, orders) for op in n.ops) and bool(_reads(n) & moving)
        for n in ast.walk(test)
    )


def _draws(value: ast.AST, name: str, functions: dict[str, ast.FunctionDef | ast.ClassDef]) -> bool:
    """`state = state * 75 % 65537`, by itself or in a function: each number the remainder of a multiple of the last."""
    if _spreads(value, {name}):
        return True
    for node in ast.walk(value):
        if not isinstance(node, ast.Call) or name not in _reads(node):
            continue
        function = functions.get(getattr(node.func, "id", ""))
        if isinstance(function, ast.FunctionDef):
            own = _local(function)
            if any(_spreads(n, own) for n in ast.walk(function) if isinstance(n, ast.expr)):
                return True
    return False


def _spreads(value: ast.AST, names: set[str]) -> bool:
    for node in ast.walk(value):
        called = _called(node) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.BitAnd):
            inner, by = node.left, literals.folded(node.right)
        elif called in ("mod", "remainder", "fmod", "divmod") and isinstance(node, ast.Call) and len(node.args) == 2:
            inner, by = node.args[0], literals.folded(node.args[1])
        else:
            continue
        # A remainder by a name may be as large as one likes.
        if by is not None and by <= MOST_REMAINDERS:
            continue
        for part in ast.walk(inner):
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult | ast.Pow) and _reads(part) & names:
                factors = [literals.folded(side) for side in (part.left, part.right)]
                if all(factor is None or abs(factor) >= SPREAD for factor in factors) or isinstance(part.op, ast.Pow):
                    return True
    shifts = [n for n in ast.walk(value) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.LShift | ast.RShift)]
    mixes = any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.BitXor) for n in ast.walk(value))
    return mixes and any(_reads(n) & names for n in shifts)


def _best(node: ast.AST, functions: dict[str, ast.FunctionDef | ast.ClassDef]) -> bool:
    """`max(trials, key=lambda t: (t @ t.T).min())`: a score by a product of matrices."""
    if not isinstance(node, ast.Call) or _called(node) not in ("max", "min", "sorted"):
        return False
    for key in (keyword.value for keyword in node.keywords if keyword.arg == "key"):
        function = key if isinstance(key, ast.Lambda) else functions.get(getattr(key, "id", ""))
        if isinstance(function, ast.Lambda | ast.FunctionDef):
            own = {a.arg for a in function.args.args} | _stored(function)
            if any(_multiplies(n, own) for n in ast.walk(function)):
                return True
    return False


def _noise(node: ast.AST) -> bool:
    """`np.sin(place * 12.9) * 43758 % 1`: the fraction of a number that was made large first."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mod) or literals.folded(node.right) != 1:
        return False
    return any(
        isinstance(n, ast.BinOp)
        and isinstance(n.op, ast.Mult)
        and any((value := literals.folded(side)) is not None and abs(value) >= LOUD for side in (n.left, n.right))
        for n in ast.walk(node.left)
    )


def _local(function: ast.FunctionDef) -> set[str]:
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {a.arg for a in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]}


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _multiplies(node: ast.AST, moving: set[str]) -> bool:
    """A product of matrices, written as one, as a sum of products, or as a product of moving numbers with each other."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return bool(_reads(node) & moving)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return bool(_reads(node.left) & moving) and bool(_reads(node.right) & moving)
    if not isinstance(node, ast.Call):
        return False
    if _called(node) in PRODUCTS:
        return bool(_reads(node) & moving)
    inner = [n for n in ast.walk(node) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult)]
    # A sum of products; a number times an array is none.
    pairs = [n for n in inner if literals.folded(n.left) is None and literals.folded(n.right) is None]
    return _called(node) in SUMS and any(_reads(n) & moving for n in pairs)


def _differs(node: ast.AST, moving: set[str]) -> bool:
    difference = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
    call = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ERRORS
    return (difference or call or isinstance(node, ast.Compare)) and bool(_reads(node) & moving)


def _reads(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)} | (
        {node.id} if isinstance(node, ast.Name) else set()
    )


def _stored(target: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _bound(target: ast.AST) -> set[str]:
    """Names that an assignment changes; `rows[k] = …` changes rows."""
    while isinstance(target, ast.Subscript | ast.Attribute):
        target = target.value
    return {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
