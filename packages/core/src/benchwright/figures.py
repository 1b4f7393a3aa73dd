"""How a figure is written: in reports, on every page of the board, and at a terminal."""

from __future__ import annotations

NOT_RUN = "not run"


def score(value: float | None) -> str:
    """Three digits behind the point; "not run" where nothing was measured."""
    return NOT_RUN if value is None else f"{round(value, 6):.3f}"


def interval(low: float | None, high: float | None) -> str:
    """`0.29 to 0.65`; empty where there is none."""
    return "" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def share(value: float | None) -> str:
    """A rate in percent, without digits where it is whole."""
    if value is None:
        return NOT_RUN
    return f"{100 * value:.1f}%".replace(".0%", "%")


def dollars(value: float | None, note: str = "") -> str:
    """Dollars with two significant digits at least; the note where there is no price."""
    if value is None:
        return note
    if value == 0:
        return "$0"
    return f"${value:.2f}" if value >= 1 else f"${value:.2g}" if value >= 0.01 else f"${value:.4f}"


def rank(places: tuple[int, int] | None, note: str = "") -> str:
    """`1`, `2 to 4`, or why there is none."""
    if places is None:
        return note
    best, worst = places
    return str(best) if best == worst else f"{best} to {worst}"


def signed(value: float | None) -> str:
    """A difference, with its sign."""
    return NOT_RUN if value is None else f"{round(value, 6):+.3f}"


def probability(value: float | None) -> str:
    """A p value."""
    if value is None:
        return ""
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"
