"""Sources inside downloaded distributions, read where they lie: wheels and source archives in one folder."""

from __future__ import annotations

import re
import tarfile
import zipfile
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

KERNEL_FILES = (".metal", ".h", ".cu", ".cuh", ".py")
TYPES = {
    "int8_t": "i1", "uint8_t": "u1", "int16_t": "i2", "uint16_t": "u2", "int32_t": "i4", "uint32_t": "u4", "int64_t": "i8",
    "uint64_t": "u8", "float": "f4", "bool": "?", "int": "i4", "uint": "u4", "short": "i2",
}  # fmt: skip


@cache
def texts(folder: Path, pattern: str, under: str) -> dict[str, str]:
    """The kernel files of the newest archive that fits `pattern`, below `under`: relative path -> text."""
    found = sorted(folder.glob(pattern))
    if not found:
        raise FileNotFoundError(f"no {pattern} in {folder}; `pip download` it as the top of the benchmark says")
    out: dict[str, str] = {}

    def take(name: str, read: Any) -> None:
        _, within, rest = name.partition(under)
        if within and rest and PurePosixPath(name).suffix in KERNEL_FILES:
            out[rest] = read().decode(errors="replace")

    if found[-1].suffix == ".whl":
        with zipfile.ZipFile(found[-1]) as wheel:
            for name in wheel.namelist():
                take(name, lambda name=name: wheel.read(name))
    else:
        with tarfile.open(found[-1]) as sdist:
            for member in sdist:
                if member.isfile():
                    take(member.name, lambda member=member: sdist.extractfile(member).read())
    return out


def struct(header: str, name: str, **values: Any) -> Any:
    """The bytes of a C structure of `header` with some fields set and the others zero."""
    body = re.search(r"typedef struct\s*\{([^}]*)\}\s*" + name + r"\s*;", header)
    if body is None:
        raise KeyError(f"no structure {name}")
    plain = re.sub(r"//[^\n]*", "", body[1])
    fields: list[Any] = []
    for kind, field, size in re.findall(r"(\w+)\s+(\w+)\s*(?:\[(\d+)\])?\s*;", plain):
        fields.append((field, TYPES[kind], (int(size),)) if size else (field, TYPES[kind]))
    record = np.zeros(1, np.dtype(fields, align=True))
    for field, value in values.items():
        record[field] = value
    return record.view(np.uint8)
