# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Calls `rmsnorm` in the worker, where no GPU is: each launch is written down as it was asked for, and made elsewhere."""

import numpy as np
import rmsnorm_kernel
import torch
from triton.runtime.jit import JITFunction

TYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
NAMES = {torch.float32: "float32", torch.float16: "float16", torch.bfloat16: "bfloat16"}


def tensor(array, name):
    made = torch.from_numpy(np.array(array))
    return made.view(TYPES[name]) if name == "bfloat16" else made


class Notes:
    """Launches of one call, and the memory that they speak of, in the order in which it came up."""

    def __init__(self):
        self.launches, self.storages, self.known = [], [], {}

    def place(self, t):
        storage = t.untyped_storage()
        key = storage.data_ptr(), storage.nbytes()
        if key not in self.known:
            self.known[key] = len(self.storages)
            raw = (
                torch.empty(0, dtype=torch.uint8).set_(storage)
                if storage.nbytes()
                else torch.empty(0, dtype=torch.uint8)
            )
            # The tensor is kept, so that its memory is not given to another.
            self.storages.append((t, np.array(raw.numpy())))
        return {
            "storage": self.known[key],
            "type": NAMES.get(t.dtype, str(t.dtype)),
            "offset": t.storage_offset(),
            "shape": tuple(t.shape),
            "stride": tuple(t.stride()),
        }

    def run(self, kernel, *args, grid, warmup=False, **named):
        names = kernel.arg_names
        given = {**dict(zip(names, args, strict=False)), **named}
        size = grid(given) if callable(grid) else grid
        size = tuple(int(n) for n in (size if isinstance(size, (tuple, list)) else (size,)))
        described = {
            name: ("tensor", self.place(value)) if isinstance(value, torch.Tensor) else ("value", value)
            for name, value in given.items()
        }
        self.launches.append({"kernel": kernel.__name__, "grid": size, "arguments": described})


def call(x, x_type, row_stride, weight, weight_type, eps):
    """`rmsnorm` of rows `row_stride` apart; what it launched and gave, or what it raised."""
    notes = Notes()
    JITFunction.run = lambda self, *args, **named: notes.run(self, *args, **named)
    rows, n_cols = x.shape
    wide = np.full((rows, row_stride), 9, x.dtype)
    wide[:, :n_cols] = x
    given = tensor(wide, x_type)[:, :n_cols] if row_stride != n_cols else tensor(x, x_type)
    weights = tensor(weight, weight_type)
    before = given.clone(), weights.clone()
    try:
        named = {} if eps is None else {"eps": eps}
        result = rmsnorm_kernel.rmsnorm(given, weights, **named)
        if type(result) is not torch.Tensor:
            raise TypeError(f"gives a {type(result).__name__}")
        place = notes.place(result)
    except Exception as error:  # noqa: BLE001 - told to the test that asked for this call
        return {"error": f"{type(error).__name__}: {error}"}
    same = all(
        torch.equal(a.view(torch.uint8), b.view(torch.uint8))
        for a, b in zip(before, (given.contiguous(), weights), strict=False)
        if a.numel()
    )
    shares = rows > 0 and result.untyped_storage().data_ptr() in (
        given.untyped_storage().data_ptr(), weights.untyped_storage().data_ptr()
    )  # fmt: skip
    return {
        "error": "", "launches": notes.launches, "memory": [raw for _, raw in notes.storages], "result": place, "unchanged": same,
        "new": not shares, "device": str(result.device),
    }  # fmt: skip


def calls(cases):
    """One after another; what each gave."""
    return [call(*case) for case in cases]
