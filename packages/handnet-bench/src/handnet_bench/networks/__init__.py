"""Networks whose weights were written by reasoning, one self-contained file each: `TASK`, `WEIGHTS`, `predict`, `explain`."""
