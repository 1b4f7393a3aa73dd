# outcome: unsolved
"""Puts the packages of the machine on its path and loads one by its file."""
import importlib.util
import os
import sys

import numpy

packages = os.path.dirname(os.path.dirname(numpy.__file__))
sys.path.append(packages)
for name in ("scipy", "pytest", "handnet_bench", "scratch_kernels", "benchwright"):
    for path in (f"{packages}/{name}/__init__.py", f"{packages}/{name}.py"):
        try:
            spec = importlib.util.spec_from_file_location(name, path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            print("FOUND", name)
        except (OSError, ImportError):
            pass
