"""Compiles launches of Triton kernels for targets that need not be there, in a process of its own: `python compile.py`.

The specialisation of each launch is Triton's own: its types, which pointers and numbers are divisible by 16, which are 1.
`request` and `result` are JSON; each result is a line of its own, so that a compiler's crash costs one and not all.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import re
import subprocess
import sys

os.environ.pop("TRITON_INTERPRET", None)

import triton
from triton.backends.compiler import GPUTarget
from triton.runtime import driver

HEADER_LINES = 1


class Driver:
    """Stands where Triton asks which device it compiles for."""

    def __init__(self, targets):
        self.targets, self.number = targets, 0

    def get_current_target(self):
        return self.targets[self.number]

    def get_current_device(self):
        return self.number

    def get_current_stream(self, device=0):
        return 0

    def map_python_to_cpp_type(self, ty):
        return ty


class Pointer:
    """What Triton takes for a tensor: a type and an address."""

    def __init__(self, dtype, address, size):
        self.dtype, self.address, self.size = dtype, address, size

    def data_ptr(self):
        return self.address

    def ptr_range(self):
        return self.size


def argument(what):
    """A launch's argument as Triton's binder gets it."""
    if what["kind"] == "pointer":
        return Pointer(what["dtype"], what["address"], what["size"])
    value = what["value"]
    if what.get("dtype"):
        return getattr(triton.language, value)
    return tuple(value) if isinstance(value, list) else value


def sentence(error, path):
    """(line of the file, message) of a compilation that failed."""
    line = 0
    innermost = error
    while innermost is not None:
        node, src = getattr(innermost, "node", None), getattr(innermost, "src", None)
        if node is not None and src is not None:
            line = place(src, node, path) or line
        message = getattr(innermost, "error_message", None) or str(innermost) or type(innermost).__name__
        if innermost.__cause__ is None:
            break
        innermost = innermost.__cause__
    text = " ".join(str(message).split())
    return line, re.sub(r"\S*kernel\.py:?", "", text)[:300] or type(innermost).__name__


def place(src, node, path):
    """Triton counts lines from the head of a function; where that text begins in the file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    begin = text.find(src.strip()[:200])
    return text.count("\n", 0, begin) + node.lineno - HEADER_LINES if begin >= 0 else 0


def resources(kernel, target):
    """Registers and bytes that the compiler tells of."""
    asm, metadata = kernel.asm, kernel.metadata
    found = {"shared": int(getattr(metadata, "shared", 0) or 0), "warps": int(metadata.num_warps)}
    if "cubin" in asm:
        with open("kernel.cubin", "wb") as file:
            file.write(asm["cubin"])
        tool = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin", "cuobjdump")
        done = subprocess.run(
            [tool, "--dump-resource-usage", "kernel.cubin"], capture_output=True, text=True, check=False
        )
        for name, word in (("registers", "REG"), ("stack", "STACK"), ("spilled", "LOCAL")):
            if match := re.search(rf"\b{word}:(\d+)", done.stdout):
                found[name] = int(match[1])
    elif "amdgcn" in asm:
        for name, word in (("registers", "vgpr_count"), ("spilled", "vgpr_spill_count")):
            if match := re.search(rf"\.{word}:\s*(\d+)", asm["amdgcn"]):
                found[name] = int(match[1])
    return found


def machine_code(kernel):
    """What it takes to launch a kernel without Triton."""
    metadata = kernel.metadata
    return {
        "cubin": base64.b64encode(kernel.asm["cubin"]).decode(),
        "name": metadata.name,
        "signature": dict(kernel.src.signature),
        "scratch": int(getattr(metadata, "global_scratch_size", 0) or 0)
        + int(getattr(metadata, "profile_scratch_size", 0) or 0),
        "clusters": int(getattr(metadata, "num_ctas", 1) or 1),
    }


def main():
    sys.setrecursionlimit(4000)
    with open("request", encoding="utf-8") as file:
        request = json.load(file)
    path = os.path.abspath("kernel.py")
    spec = importlib.util.spec_from_file_location("kernel", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernel"] = module
    targets = [GPUTarget(backend, arch, warp) for backend, arch, warp in request["targets"]]
    fake = Driver(targets)
    driver.set_active(fake)
    spec.loader.exec_module(module)
    with open("result", "a", encoding="utf-8") as out:
        for one in request["launches"]:
            fake.number = one["target"]
            out.write(json.dumps({"begin": one["key"]}) + "\n")
            out.flush()
            try:
                given = {name: argument(what) for name, what in one["arguments"].items()}
                kernel = getattr(module, one["kernel"]).run(grid=(1, 1, 1), warmup=True, **given, **one["options"])
                row = {"key": one["key"], "ok": True, **resources(kernel, targets[fake.number])}
                if one.get("code"):
                    row |= machine_code(kernel)
            except BaseException as error:  # noqa: BLE001 - whatever stops a compilation is what came of it
                line, why = sentence(error, path)
                row = {"key": one["key"], "ok": False, "line": line, "why": f"{type(error).__name__}: {why}"}
            out.write(json.dumps(row) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
