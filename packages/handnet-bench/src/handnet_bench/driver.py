"""Runs inside the worker, beside the submission. Holds no label and no expected value; its word is checked outside.

Loaded as text and defined as `drive` there; nothing imports this module.
"""

import sys

LOADED = frozenset(sys.modules)
"""Modules that are there before the submission: others may be loaded within them when they are first asked for."""
LIBRARIES = ("numpy", "collections", "re", "string", "typing")
"""Libraries a submission may import whose classes and functions take new attributes."""


def drive(source, complete, weights, calls, names, state):
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
        if isinstance(value, (list, tuple)) and depth < 12:
            return [plain(each, depth + 1) for each in value]
        return {"why": f"a {type(value).__name__}"}

    def snapshot(module):
        found = module.__dict__.get("WEIGHTS")
        if type(found) is not dict:
            return {}
        return {str(name): plain(value) for name, value in found.items()}

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

    def numbers(value, depth=0):
        """(floats, integers, whether the integers only number something) held by a value."""
        if isinstance(value, bool) or value is None or isinstance(value, str):
            return [], []
        if isinstance(value, float):
            return [value], []
        if isinstance(value, int):
            return [], [value]
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            flat = value.ravel().tolist()
            return (flat, []) if value.dtype.kind == "f" else ([], [int(each) for each in flat])
        if isinstance(value, np.generic):
            return numbers(value.item(), depth)
        floats, whole = [], []
        if depth < 8 and isinstance(value, dict):
            value = [*value.keys(), *value.values()]
        if depth < 8 and isinstance(value, (list, tuple, set, frozenset)):
            for each in value:
                a, b = numbers(each, depth + 1)
                floats += a
                whole += b
        return floats, whole

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
    sys.modules["submission"] = module
    alive = []
    libraries = {name: fingerprint(sys.modules[name], np, alive) for name in LIBRARIES if state and name in sys.modules}
    exec(compile(tree, "net.py", "exec"), module.__dict__)
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
        if not callable(value) and not isinstance(value, types.ModuleType):
            floats, whole = numbers(value)
            held[name] = {
                "floats": [float(v) for v in floats[:200000]],
                "integers": len(whole),
                "enumeration": len(set(whole)) == len(whole)
                and (not whole or max(whole) - min(whole) < 2 * len(whole) + 8),
                "scalar": isinstance(value, (int, float)),
            }
    outputs = []
    start = time.perf_counter()
    if callable(predict):
        for call in calls:
            outputs.append(convert(predict(copy.deepcopy(call)), np))
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
    }


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
    """What predict gave, in values that can cross; the grader looks at the types."""
    if isinstance(value, np.ndarray):
        return np.array(value) if value.dtype.kind in "biuf" else "an array of " + str(value.dtype)
    if isinstance(value, (list, tuple)):
        return [
            each.item()
            if isinstance(each, np.generic)
            else each
            if isinstance(each, (bool, int, float, str)) or each is None
            else "a " + type(each).__name__
            for each in value
        ]
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, (bool, int, float, str)) or value is None else "a " + type(value).__name__


def missing(module):
    names = [name for name in ("TASK", "WEIGHTS", "predict") if name not in module.__dict__]
    if names:
        return "The file defines no " + " and no ".join(names) + "."
    if not isinstance(module.TASK, str) or type(module.WEIGHTS) is not dict or not callable(module.predict):
        return "TASK has to be a text, WEIGHTS a dict and predict a function."
    return ""
