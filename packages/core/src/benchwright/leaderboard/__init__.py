"""The board: attempts that were admitted, what is derived from them, and the check that it still is.

`entries` is the format of the admitted attempts, `admit` decides what joins, `boards` derives rows,
`calibration` what a task measures, `build` writes the board and `check` re-derives it.
"""
