"""Runs inside the worker, beside the submission. Holds no label and no expected value; its word is checked outside.

Loaded as text and defined as `drive` there; nothing imports this module.
"""

import collections
import itertools
import sys

LOADED = frozenset(sys.modules)
"""Modules that are there before the submission: others may be loaded within them when they are first asked for."""
LIBRARIES = ("numpy", "collections", "re", "string", "typing")
"""Libraries a submission may import whose classes and functions take new attributes."""


def drive(source, complete, weights, calls, names, state, watch, keep, decided):
    import ast
    import copy
    import sys
    import time
    import types

    import numpy as np

    def plain(value, depth=0):
        """WEIGHTS as data that can cross: arrays, lists, numbers; anything else as a description."""
        if isinstance(value, np.ndarray):
            if value.dtype.kind in "biuf":
                return np.array(value)
            return {"why": f"an array of {value.dtype}"}
        if isinstance(value, (bool, int, float)):
            return value
        if isinstance(value, np.generic):
            return value.item() if value.dtype.kind in "biuf" else {"why": f"a {value.dtype}"}
        if isinstance(value, (list, tuple)):
            return [plain(each, depth + 1) for each in value] if depth < 12 else {"why": "a list more than 12 deep"}
        return {"why": f"a {type(value).__name__}"}

    def snapshot(module):
        found = module.__dict__.get("WEIGHTS")
        if type(found) is not dict:
            return {}
        texts = {name: plain(value) for name, value in found.items() if type(name) is str}
        others = {
            f"{type(name).__name__} {name!r}"[:80]: {"name": type(name).__name__} for name in found if name not in texts
        }
        return {**texts, **others}

    def put(target):
        """Writes the given numbers into WEIGHTS in place, so that every alias sees them."""
        for name, new in weights.items():
            old = target.get(name)
            if isinstance(old, np.ndarray):
                if old.flags.writeable:
                    old[...] = new
                else:
                    target[name] = np.asarray(new, dtype=old.dtype)
            elif isinstance(old, list):
                old[:] = np.asarray(new).tolist()
            else:
                target[name] = np.asarray(new).tolist()

    tree = ast.parse(source)
    if weights is not None and complete >= 0:
        hook = ast.parse("_put_weights_(WEIGHTS)").body
        line = getattr(tree.body[complete], "end_lineno", 1)
        for node in ast.walk(hook[0]):
            if hasattr(node, "lineno"):
                node.lineno = node.end_lineno = line
        tree.body[complete + 1 : complete + 1] = hook
    module = types.ModuleType("submission")
    module.__dict__["_put_weights_"] = put
    notes = Notes(np, watch or 0, keep, dict(decided))
    if watch is not None:
        note, reach = (
            next(f"{name}{k}" for k in itertools.count() if f"{name}{k}" not in source) for name in ("_note", "_reach")
        )
        tree = ast.fix_missing_locations(watched(tree, ast, notes, note, reach))
        module.__dict__.update({note: notes.value, reach: notes.reach})
    sys.modules["submission"] = module
    alive = []
    libraries = {name: fingerprint(sys.modules[name], np, alive) for name in LIBRARIES if state and name in sys.modules}
    staying(lambda: exec(compile(tree, "net.py", "exec"), module.__dict__), "The file")
    module.__dict__.pop("_put_weights_", None)

    before = snapshot(module)
    changed = [
        f"the library {name}" for name in libraries if libraries[name] != fingerprint(sys.modules[name], np, alive)
    ]
    kept = fingerprints(module, np, alive) if state else {}
    task = module.__dict__.get("TASK")
    predict = module.__dict__.get("predict")
    held = {}
    for name in names:
        value = module.__dict__.get(name)
        if not isinstance(value, types.ModuleType):
            own = module.__dict__.get("WEIGHTS")
            floats, whole = numbers_in(
                value, np, {id(own)} | {id(v) for v in own.values()} if type(own) is dict else set()
            )
            held[name] = {
                "floats": [float(v) for v in floats[:200000]],
                "integers": whole,
                "enumeration": not whole,
                "scalar": isinstance(value, (int, float)),
            }
    outputs = []
    start = time.perf_counter()
    if callable(predict):
        for call in calls:
            given = copy.deepcopy(call) if len(calls) > 1 else call
            notes.begin()
            outputs.append(convert(staying(lambda given=given: predict(given), "predict"), np))
            notes.end()
    seconds = time.perf_counter() - start
    return {
        "task": task if isinstance(task, str) else None,
        "problem": missing(module),
        "weights": before,
        "after": snapshot(module),
        "outputs": outputs,
        "held": held,
        "changed": changed + changed_names(kept, fingerprints(module, np, alive) if state else {}),
        "seconds": seconds,
        "noted": notes.table(),
        "sums": notes.totals(),
        "kept": [[site, [calls.get(site, []) for calls in notes.kept]] for site in sorted(notes.decides)]
        if keep
        else [],
        "lines": notes.lines,
    }


class Notes:
    """What the expressions of the file are during each call: their first value and their last, each read in many ways,
    and the digits that they are one after the other."""

    LONGEST = 12
    """Digits of an answer that may stand in a sequence, at most."""
    LARGEST = 4096
    """Elements of a value that is looked at, at most."""
    EXACT = 2**53
    """Whole numbers below it are exact as fractions."""
    READINGS = 14
    REACHED, ITSELF = 10, 11

    DECIDING = frozenset(
        [
            "argmax",
            "argmin",
            "argsort",
            "int",
            "round",
            "rint",
            "floor",
            "ceil",
            "trunc",
            "bool",
            "sign",
            "heaviside",
            "nonzero",
            "flatnonzero",
            "argwhere",
            "searchsorted",
            "digitize",
            "greater",
            "less",
            "isclose",
            "astype",
            "index",
        ]
    )
    """Calls that make something whole of what the numbers gave; comparisons do, too."""

    def __init__(self, np, places, keep=False, decided=None):
        """`places`: how many values of an expression are kept from either end of a call, beside the first and the last.

        `keep`: whether to keep what every deciding expression was, and nothing else but sums; `decided`: what such ones
        are made to be, by site, a list for each call.
        """
        self.keep, self.decided, self.decides, self.kept = keep, decided or {}, set(), []
        self.np, self.places, self.lines, self.rows, self.on = np, places, [], [], False
        self.sums, self.factors = [], 1.0 + np.arange(self.LARGEST) * 7919 % 97
        self.from_front = max(self.LONGEST, places)
        self.special = keep or bool(self.decided)

    def site(self, line):
        self.lines.append(line)
        return len(self.lines) - 1

    def begin(self):
        self.records = [None] * len(self.lines)
        self.kept.append({})
        self.turns, self.on = {}, True

    def end(self):
        self.on = False
        self.sums.append([0.0 if record is None else record[-1] for record in self.records])
        row = {}
        for site, record in enumerate([] if self.keep else self.records):
            if record is None:
                continue
            front, last, back, count, _ = record
            row[site] = (*self.readings(front[0]), *self.readings(last))
            if 1 < count <= self.LONGEST:
                digits = [self.digit(value) for value in front]
                row[site] = (*row[site][:-2], self.joined(digits), self.joined(digits[::-1]))
            if self.places and count > 2:
                ends = [
                    *front[: self.places],
                    *[None] * (self.places - len(front)),
                    *[None] * (self.places - len(back)),
                    *back,
                ]
                row[site] = (
                    *row[site],
                    *(number for value in ends for number in (self.digit(value), self.sign(value))),
                )
        self.rows.append(row)

    def reach(self, site):
        self.value(site, True)

    def value(self, site, value):
        # A network of lists comes here for every number of every step, so this has to be quick.
        if not self.on:
            return value
        if self.special:
            value = self.decision(site, value)
        kind = type(value)
        if (kind is float or kind is int or kind is bool) and -self.EXACT < value < self.EXACT:
            held, weighed = value, value + 1.0
        else:
            held = self.held(value)
            weighed = self.weighed(value, held)
        record = self.records[site]
        if record is None:
            self.records[site] = [[held], held, collections.deque([held], self.places), 1, weighed]
        else:
            record[1] = held
            if record[3] < self.from_front:
                record[0].append(held)
            record[2].append(held)
            record[3] += 1
            record[4] += weighed
        return value

    def decision(self, site, value):
        """The value, or what it is made to be; kept where that is asked for."""
        if site in self.decided:
            return self.made(site, value)
        if self.keep and site in self.decides:
            self.kept[-1].setdefault(site, []).append(self.plain(value))
        return value

    def plain(self, value):
        """A number or an array as data; None for anything else."""
        np = self.np
        if isinstance(value, (bool, int, float)):
            return value
        if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biuf" and value.size <= self.LARGEST:
            return value.tolist()
        return None

    def made(self, site, value):
        """What a deciding expression was at the same turn of the same call of another run, in the form it has here."""
        np = self.np
        turn = self.turns[site] = self.turns.get(site, -1) + 1
        rows = self.decided[site][len(self.kept) - 1]
        if turn >= len(rows) or rows[turn] is None:
            return value
        if isinstance(value, (np.ndarray, np.generic)):
            array = np.asarray(rows[turn]).astype(value.dtype)
            return array if isinstance(value, np.ndarray) or array.ndim else array[()]
        return np.asarray(rows[turn]) if isinstance(rows[turn], list) else type(value)(rows[turn])

    def held(self, value):
        """What is kept of a value, which may change before the call ends."""
        np = self.np
        if isinstance(value, (bool, int, float, str, np.generic)):
            return value
        if isinstance(value, complex):
            return np.array([value.real, value.imag])
        if isinstance(value, np.ndarray):
            if value.dtype.kind == "c":
                value = np.concatenate(
                    [value.real.ravel()[: self.LARGEST // 2], value.imag.ravel()[: self.LARGEST // 2]]
                )
            if value.size > self.LARGEST:
                value = value.ravel()[: self.LARGEST]
            return np.array(value) if value.dtype.kind in "biuf" else None
        if isinstance(value, (set, frozenset, dict)) and len(value) <= self.LARGEST:
            value = sorted(value, key=repr)
            return value[0] if len(value) == 1 else tuple(value)
        if isinstance(value, (list, tuple)):
            return tuple(value[: self.LARGEST])
        return None

    def readings(self, value):
        """The number, its sign, the digits of a sequence, where it is largest and smallest, its first and last, itself."""
        np = self.np
        found = [float("nan")] * self.READINGS
        found[self.REACHED] = 1.0
        try:
            if isinstance(value, str):
                digits = value.strip()
                if digits.isdecimal() and len(digits) <= self.LONGEST:
                    found[0] = float(digits)
                found[self.ITSELF] = self.mark(value.encode())
                return found
            array = np.asarray(value)
            if array.dtype.kind == "U":
                found[self.ITSELF] = self.mark(array.tobytes())
            if array.dtype.kind not in "biuf" or not array.size:
                return found
            flat = array.astype(np.float64).ravel()
            if flat.size == 1 or (flat == flat[0]).all():
                found[0], found[1] = float(flat[0]), float(flat[0] > 0)
            if flat.size == 1:
                return found
            found[self.ITSELF] = self.mark(flat.tobytes())
            if flat.size <= self.LONGEST:
                found[2], found[3] = self.joined(flat), self.joined(flat[::-1])
            if flat.max() > flat.min():
                found[4], found[5] = float(flat.argmax()), float(flat.argmin())
            rows = np.squeeze(array)
            if rows.ndim == 2 and rows.shape[0] <= self.LONGEST:
                best = rows.argmax(axis=1)
                found[6], found[7] = self.joined(best), self.joined(best[::-1])
            found[8], found[9] = float(flat[0]), float(flat[-1])
        except (ValueError, TypeError, OverflowError, RuntimeError):
            pass
        return found

    def weighed(self, value, held):
        """The elements of a value, each times a whole number of its place, and how many there are; 0 for what has no order."""
        np = self.np
        if isinstance(value, (set, frozenset, dict)):
            return 0.0
        try:
            if isinstance(held, str):
                array = np.frombuffer(held[: self.LARGEST].encode("utf-32-le", "replace"), np.uint32)
            else:
                array = np.asarray(held)
                if array.dtype.kind == "U":
                    array = np.ascontiguousarray(array).reshape(-1).view(np.uint32)
            if array.dtype.kind not in "biuf":
                return self.mark(repr(held)[: self.LARGEST].encode()) if isinstance(held, int) else 0.0
            flat = array.astype(np.float64).ravel()[: self.LARGEST]
            total = float(flat @ self.factors[: flat.size]) + flat.size
        except (ValueError, TypeError, OverflowError, RuntimeError):
            return 0.0
        return total if abs(total) < float("inf") else 0.0

    def digit(self, value):
        """A value as one digit: itself, or the place where it is largest; NaN where it is none."""
        np = self.np
        if value is None:
            return float("nan")
        try:
            if type(value) in (int, float, bool):
                return float(value)
            if isinstance(value, str):
                return float(value) if len(value) == 1 and value.isdecimal() else float("nan")
            flat = np.asarray(value, dtype=np.float64).ravel()
        except (ValueError, TypeError, OverflowError):
            return float("nan")
        if flat.size == 1:
            return float(flat[0])
        return float(flat.argmax()) if flat.size and flat.max() > flat.min() else float("nan")

    def sign(self, value):
        """1 for a number above zero, 0 for another, NaN for what is no number."""
        if isinstance(value, (bool, int, float, self.np.generic)) and not isinstance(value, str):
            try:
                return float(value > 0)
            except TypeError:
                pass
        return float("nan")

    def mark(self, data):
        """A number that stands for the value."""
        import zlib

        return float(zlib.crc32(data))

    def joined(self, digits):
        total = 0
        for digit in digits:
            if not (0 <= digit <= 9 and digit == int(digit)):
                return float("nan")
            total = 10 * total + int(digit)
        return float(total)

    def totals(self):
        """float64 (sites, calls): what `weighed` gave of an expression, over all of a call."""
        np = self.np
        return np.array(self.sums, dtype=np.float64).reshape(len(self.sums), len(self.lines)).T

    def table(self):
        """float64 (sites, 2 x readings and 2 for each place from either end, calls)."""
        np = self.np
        noted = np.full((len(self.lines), 2 * self.READINGS + 4 * self.places, len(self.rows)), np.nan)
        noted[:, [self.REACHED, self.READINGS + self.REACHED]] = 0.0
        for call, row in enumerate(self.rows):
            for site, readings in row.items():
                noted[site, : len(readings), call] = readings
        return noted


def watched(tree, ast, notes, note_name, reach_name):
    """The program with every expression of its functions noted, and every branch that is reached."""

    class Watch(ast.NodeTransformer):
        inside = 0

        def decides(self, node):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                return name in notes.DECIDING
            return isinstance(node, ast.Compare)

        def note(self, node, line):
            deciding = self.decides(node)
            name = ast.copy_location(ast.Name(note_name, ast.Load()), node)
            number = notes.site(line)
            if deciding:
                notes.decides.add(number)
            site = ast.copy_location(ast.Constant(number), node)
            return ast.copy_location(ast.Call(name, [site, node], []), node)

        def branch(self, body):
            if not body:
                return body
            call = ast.Call(ast.Name(reach_name, ast.Load()), [ast.Constant(notes.site(body[0].lineno))], [])
            mark = ast.copy_location(ast.Expr(ast.copy_location(call, body[0])), body[0])
            return [mark, *body]

        def visit(self, node):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                if self.inside:
                    node.args.defaults = [self.visit(each) for each in node.args.defaults]
                    node.args.kw_defaults = [each and self.visit(each) for each in node.args.kw_defaults]
                self.inside += 1
                if isinstance(node, ast.Lambda):
                    node.body = self.visit(node.body)
                else:
                    node.body = [self.visit(each) for each in node.body]
                self.inside -= 1
                return self.note(node, node.lineno) if isinstance(node, ast.Lambda) and self.inside else node
            if not self.inside:
                return self.generic_visit(node)
            if isinstance(node, (ast.Constant, ast.pattern)):
                return node
            if isinstance(node, ast.JoinedStr):
                for part in node.values:
                    if isinstance(part, ast.FormattedValue):
                        part.value = self.visit(part.value)
                return self.note(node, node.lineno)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                return node
            if isinstance(node, ast.AnnAssign):
                node.value = self.visit(node.value) if node.value else None
                return node
            if isinstance(node, ast.Call):
                if isinstance(node.func, ast.Attribute):
                    node.func.value = self.visit(node.func.value)
                elif not isinstance(node.func, ast.Name):
                    node.func = self.visit(node.func)
                node.args = [self.visit(each) for each in node.args]
                for keyword in node.keywords:
                    keyword.value = self.visit(keyword.value)
                return self.note(node, node.lineno)
            self.generic_visit(node)
            for field in ("body", "orelse", "finalbody"):
                if isinstance(
                    node, (ast.If, ast.For, ast.While, ast.Try, ast.ExceptHandler, ast.match_case)
                ) and isinstance(getattr(node, field, None), list):
                    setattr(node, field, self.branch(getattr(node, field)))
            if (
                isinstance(node, ast.expr)
                and not isinstance(node, (ast.Starred, ast.Slice))
                and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
            ):
                return self.note(node, node.lineno)
            return node

    return Watch().visit(tree)


def fingerprints(module, np, alive):
    """Name -> digest of whatever a module-level name holds, through lists, objects, defaults, closures and generators.

    Of WEIGHTS, how it is put together; its numbers are compared outside. `alive`: collects what was looked at by its
    address, so that no later object gets that address.
    """
    return {
        name: build(value, np, alive) if name == "WEIGHTS" else fingerprint(value, np, alive)
        for name, value in list(module.__dict__.items())
        if not (name.startswith("__") and name.endswith("__"))
    }


def build(weights, np, alive):
    """The order of the names in WEIGHTS, which object each is, and how an array lies in memory."""
    if type(weights) is not dict:
        return ""
    alive.extend(weights.values())
    return repr([(str(name), id(value), *form(value, np)) for name, value in weights.items()])


def form(value, np):
    """(dtype, shape, strides, whether it may be written to) of an array; nothing for anything else."""
    if not isinstance(value, np.ndarray):
        return ()
    return str(value.dtype), value.shape, value.strides, value.flags.writeable


def attributes(owner):
    """(name, object) of each attribute that a module, class or function of a library has of its own."""
    import types

    return [
        (name, each)
        for name, each in sorted(dict(getattr(owner, "__dict__", None) or {}).items(), key=lambda item: str(item[0]))
        if not (str(name).startswith("__") and str(name).endswith("__"))
        and not (isinstance(each, types.ModuleType) and each.__name__ not in LOADED)
    ]


def contents(name, value, np):
    """What a container under a public name holds, in its first signs; private ones may be caches of the library."""
    public = not str(name).startswith("_") and isinstance(value, (list, dict, set, bytearray, np.ndarray))
    return repr(value)[:2000] if public else ""


def staying(run, what):
    """What `run` gives; a program that ends itself has failed like one that raises."""
    try:
        return run()
    except (SystemExit, KeyboardInterrupt, GeneratorExit) as error:
        raise RuntimeError(
            f"{what} raised {type(error).__name__}; a network gives its answers and ends nothing."
        ) from None


def numbers_in(value, np, weights):
    """(floats, how many integers that do not only number something) that a value holds, however it holds them.

    `weights`: ids of WEIGHTS and its arrays, whose numbers do not count where an object keeps them.
    """
    import types

    floats, loose, seen, alive = [], [0], set(weights), []

    def unit(value):
        """One list, table or attribute: its integers count unless they run from one to the next."""
        whole = []
        walk(value, whole, 0)
        if not counts_on(whole):
            loose[0] += len(whole)

    def walk(value, whole, depth):
        if value is None or isinstance(value, (bool, range, types.ModuleType, np.ufunc, np.dtype)) or depth > 20:
            return
        if isinstance(value, float):
            floats.append(value)
            return
        if isinstance(value, int):
            whole.append(value)
            return
        if isinstance(value, complex):
            floats.extend([value.real, value.imag])
            return
        if isinstance(value, str):
            for each in in_text(value):
                (whole if isinstance(each, int) else floats).append(each)
            return
        if id(value) in seen or len(seen) > 300000:
            return
        seen.add(id(value))
        alive.append(value)
        if isinstance(value, np.ndarray):
            if value.dtype.kind in "biu":
                whole.extend(int(each) for each in value.ravel().tolist())
            elif value.dtype.kind in "fc":
                floats.extend(np.real(value).ravel().tolist())
                floats.extend(np.imag(value).ravel().tolist() if value.dtype.kind == "c" else [])
            else:
                walk(value.tolist(), whole, depth + 1)
        elif isinstance(value, np.generic):
            walk(value.item(), whole, depth + 1)
        elif isinstance(value, dict):
            for key, each in list(value.items()):
                walk(key, whole, depth + 1)
                walk(each, whole, depth + 1)
        elif isinstance(value, (list, tuple, set, frozenset)):
            for each in list(value):
                walk(each, whole, depth + 1)
            parts(getattr(value, "__dict__", None))
        else:
            parts(inside(value))

    def parts(held):
        for each in list(held.values()) if isinstance(held, dict) else []:
            unit(each)

    def inside(value):
        """What an object of another kind keeps, part by part."""
        if isinstance(value, types.FunctionType):
            cells = [cell.cell_contents for cell in value.__closure__ or () if has_contents(cell)]
            return dict(enumerate([*cells, value.__defaults__, value.__kwdefaults__, dict(value.__dict__)]))
        if isinstance(value, types.MethodType):
            return {0: value.__self__, 1: value.__func__}
        if isinstance(value, types.BuiltinFunctionType):
            return {0: value.__self__}
        if isinstance(value, type):
            own = value.__module__ == "submission"
            return {k: v for k, v in vars(value).items() if not k.startswith("__")} if own else {}
        if isinstance(value, np.flatiter):
            return {0: value.base}
        if type(value).__name__ in ("dict_keys", "dict_values", "dict_items", "deque"):
            return {0: list(value)}
        if isinstance(value, types.GeneratorType):
            return {} if value.gi_frame is None else dict(value.gi_frame.f_locals)
        kept = dict(getattr(value, "__dict__", None) or {})
        for slot in [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]:
            kept[slot] = getattr(value, slot, None)
        if kept or type(value).__module__ not in ("builtins", "itertools", "collections"):
            return kept
        try:
            return dict(enumerate(value.__reduce_ex__(2)[1:]))
        except Exception:  # noqa: BLE001  not every object tells what it keeps
            return {}

    def has_contents(cell):
        try:
            cell.cell_contents  # noqa: B018  an empty cell raises
        except ValueError:
            return False
        return True

    unit(value)
    return floats, loose[0]


def counts_on(whole):
    """Whether integers are all different and run on evenly, but for one in twenty: a numbering, no table."""
    steps = sorted(set(whole))
    if len(steps) < len(whole):
        return False
    even = len({b - a for a, b in itertools.pairwise(steps)}) <= 1
    return even or steps[-1] - steps[0] <= len(steps) + len(steps) // 20 + 2


def in_text(value):
    """The numbers that a text consists of; none where it holds anything else."""
    words = value.replace(",", " ").replace(";", " ").split()
    try:
        return [int(word) if word.lstrip("+-").isdigit() else float(word) for word in words]
    except ValueError:
        return []


def changed_names(before, after):
    """Names that are new, gone or hold something else, the first ten."""
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))[:10]


def fingerprint(value, np, alive):
    import hashlib
    import types
    import warnings

    digest, seen = hashlib.sha256(), {}

    def note(*words):
        digest.update(repr(words).encode("utf-8", "backslashreplace"))

    def walk(value, depth):
        kind = type(value)
        if value is None or kind in (bool, int, float, complex, str, bytes):
            note(kind.__name__, value)
            return
        if id(value) in seen or depth > 40 or len(seen) > 300000:
            note("seen", seen.get(id(value), -1))
            return
        seen[id(value)] = len(seen)
        alive.append(value)
        note(kind.__name__)
        if isinstance(value, np.ndarray):
            note(*form(value, np))
            if value.dtype.hasobject:
                walk(value.tolist(), depth + 1)
            else:
                digest.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, np.generic):
            note(repr(value))
        elif isinstance(value, dict):
            for key, each in list(value.items()):
                walk(key, depth + 1)
                walk(each, depth + 1)
        elif isinstance(value, (set, frozenset)):
            note(sorted(map(repr, value)))
        elif isinstance(value, (list, tuple)) or kind.__name__ == "deque":
            note(len(value))
            if isinstance(getattr(value, "__dict__", None), dict):
                walk(value.__dict__, depth + 1)
            for each in list(value):
                walk(each, depth + 1)
        elif isinstance(value, types.FunctionType):
            for part in (value.__defaults__, value.__kwdefaults__, value.__dict__):
                walk(part, depth + 1)
            for cell in value.__closure__ or ():
                try:
                    walk(cell.cell_contents, depth + 1)
                except ValueError:
                    note("empty cell")
        elif isinstance(value, types.MethodType):
            walk(value.__self__, depth + 1)
        elif isinstance(value, types.GeneratorType):
            frame = value.gi_frame
            note(-1 if frame is None else frame.f_lasti)
            walk({} if frame is None else dict(frame.f_locals), depth + 1)
        elif isinstance(value, type):
            if value.__module__ == "submission":
                passing = ("__dict__", "__weakref__", "__slotnames__")
                walk({k: v for k, v in vars(value).items() if k not in passing}, depth + 1)
            else:
                of_library(value)
        elif isinstance(value, types.ModuleType):
            of_library(value)
        elif isinstance(value, types.BuiltinFunctionType):
            note(getattr(value, "__name__", ""))
        else:
            other(value, depth)

    def other(value, depth):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                walk(list(value.__reduce_ex__(2)[1:]), depth + 1)
        except Exception:  # noqa: BLE001  whatever an object does when it is asked for its state
            text = repr(value)
            note("" if " at 0x" in text else text[:1000])
            if isinstance(getattr(value, "__dict__", None), dict):
                walk(value.__dict__, depth + 1)

    def of_library(value):
        note(getattr(value, "__name__", ""))
        for name, each in attributes(value):
            inner = attributes(each)
            alive.append(each)
            alive.extend(held for _, held in inner)
            note(name, id(each), contents(name, each, np))
            note([(within, id(held), contents(within, held, np)) for within, held in inner])

    walk(value, 0)
    return digest.hexdigest()


def convert(value, np):
    """What predict gave, in values that can cross, or a dict that says what it is; the grader looks at the types."""
    if isinstance(value, np.ndarray):
        return np.array(value) if value.dtype.kind in "biuf" else {"why": "an array of " + str(value.dtype)}
    if isinstance(value, (list, tuple)):
        return [
            each.item()
            if isinstance(each, np.generic) and each.dtype.kind in "biufU"
            else each
            if type(each) in (bool, int, float, str) or each is None
            else {"why": named(each)}
            for each in value
        ]
    if isinstance(value, np.generic) and value.dtype.kind in "biufU":
        return value.item()
    return value if type(value) in (bool, int, float, str) or value is None else {"why": named(value)}


def named(value):
    """The kind of a value with its article."""
    name = type(value).__name__
    return ("an " if name[:1].lower() in "aeiou" else "a ") + name


def missing(module):
    names = [name for name in ("TASK", "WEIGHTS", "predict") if name not in module.__dict__]
    if names:
        return "The file defines no " + " and no ".join(names) + "."
    if not isinstance(module.TASK, str) or type(module.WEIGHTS) is not dict or not callable(module.predict):
        return "TASK has to be a text, WEIGHTS a dict and predict a function."
    return ""
