"""The board: attempts that were admitted, what is derived from them, and the check that it still is.

`entries` is the format of the admitted attempts, `admit` decides what joins, `boards` derives rows,
`calibration` what a task measures, `everything` is all of it (`collect` derives it, `read` takes it from the
published `board.json`), `build` writes the pages and `check` re-derives them.
"""
