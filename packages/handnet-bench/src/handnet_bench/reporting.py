"""Sections of a report: accuracy with what it cost in weights, and what it is worth in labels."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from benchwright import Attempt, Section, Table
from benchwright.outcomes import OUTCOMES
from benchwright.records import Round

from handnet_bench import baselines
from handnet_bench.counting import many

COLUMNS = (
    "task",
    "model",
    "draw",
    "accuracy",
    "95% interval",
    "non-zero",
    "labels seen",
    "round by round",
    "self-contained",
    "worth in labels",
    "outcome",
    "data",
)


def sections(attempts: Sequence[Attempt]) -> list[Section]:
    """One section with the table of attempts and a figure of accuracy against non-zero weights."""
    if not attempts:
        return []
    rows = tuple(_row(attempt) for attempt in attempts)
    text = (
        "Fewer non-zero weights for the same accuracy are the more articulate network. "
        '"Worth in labels" is the number of labels with which a trained model is as accurate, with a 95% interval.'
    )
    plotted = [a for a in attempts if a.metrics.get("nonzero") and a.metrics.get("accuracy") is not None]
    figures = {"handnet-articulate.svg": _figure(plotted)} if plotted else {}
    table = Table(COLUMNS, rows, "Hand-written networks")
    return [Section("Hand-written networks", text, (table,), figures, at_end=True)]


def _row(attempt: Attempt) -> tuple[Any, ...]:
    metrics, slug = attempt.metrics, attempt.task.id.partition("/")[2]
    accuracy = metrics.get("accuracy")
    interval = None
    if accuracy is not None:
        interval = f"{metrics['accuracy_low']:.4f} to {metrics['accuracy_high']:.4f}"
    return (
        attempt.task.id,
        attempt.model.name,
        attempt.draw,
        None if accuracy is None else f"{accuracy:.4f}",
        interval,
        metrics.get("nonzero"),
        attempt.protocol.labels_seen,
        "; ".join(_round(number, played) for number, played in enumerate(attempt.rounds)) or None,
        {0: "no", 1: "yes"}.get(int(metrics.get("self_contained") or 0)) if "self_contained" in metrics else None,
        None if accuracy is None else _worth(slug, metrics),
        OUTCOMES[attempt.outcome].label,
        attempt.data.id if attempt.data else None,
    )


def _round(number: int, played: Round) -> str:
    """`0: 0.8125, 0 labels shown`; 0 is the first answer. What its writer knew beside the prompt is not counted here."""
    score = "not run" if played.score is None else f"{played.score:.4f}"
    return f"{number}: {score}, {many(played.labels_seen, 'label')} shown"


def _worth(slug: str, metrics: dict[str, Any]) -> str | None:
    curve = baselines.best(slug)
    if curve is None:
        return None
    most = curve.points[-1].labels
    names = ("label_equivalent", "label_equivalent_low", "label_equivalent_high")
    if any(metrics.get(name) is None for name in names):
        return None
    # The curve's last number of labels stands for whatever is beyond it.
    value, low, high = (int(metrics[name]) for name in names)
    shown = [baselines.words(None if found >= most else found, most) for found in (value, low, high)]
    return shown[0] if len(set(shown)) == 1 else f"{shown[0]} ({shown[1]} to {shown[2]})"


def _figure(attempts: Sequence[Attempt]) -> bytes:
    """Accuracy (0 to 1, upwards) against non-zero weights (log, to the right), a dot an attempt, as SVG."""
    import math

    width, height, left, bottom = 640, 360, 50, 40
    most = max(float(a.metrics["nonzero"] or 1) for a in attempts)
    decades = max(1, math.ceil(math.log10(max(most, 10))))

    def x(nonzero: float) -> float:
        return left + (width - left - 20) * math.log10(max(nonzero, 1)) / decades

    def y(accuracy: float) -> float:
        return 10 + (height - bottom - 10) * (1 - accuracy)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">'
    ]
    for decade in range(decades + 1):
        at = x(10**decade)
        parts.append(f'<line x1="{at:.1f}" x2="{at:.1f}" y1="10" y2="{height - bottom}" stroke="#ddd"/>')
        parts.append(f'<text x="{at:.1f}" y="{height - bottom + 14}" text-anchor="middle">{10**decade:,}</text>')
    for tenth in range(0, 11, 2):
        parts.append(
            f'<line x1="{left}" x2="{width - 20}" y1="{y(tenth / 10):.1f}" y2="{y(tenth / 10):.1f}" stroke="#eee"/>'
        )
        parts.append(f'<text x="{left - 6}" y="{y(tenth / 10) + 4:.1f}" text-anchor="end">{tenth / 10:.1f}</text>')
    parts.append(f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">non-zero weights</text>')
    for attempt in attempts:
        label = escape(f"{attempt.task.id}, {attempt.model.name}")
        cx, cy = x(float(attempt.metrics["nonzero"] or 1)), y(float(attempt.metrics["accuracy"] or 0.0))
        parts.append(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="4" fill="#2463ab"><title>{label}</title></circle>')
        parts.append(f'<text x="{cx + 6:.1f}" y="{cy - 5:.1f}" fill="#444">{label}</text>')
    return ("\n".join(parts) + "\n</svg>\n").encode()
