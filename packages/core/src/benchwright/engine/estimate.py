"""What a plan will take: calls, tokens and money, as a range between what is sure and what is possible."""

from __future__ import annotations

from pathlib import Path

import msgspec

from benchwright.engine.plan import Plan
from benchwright.engine.prices import Prices
from benchwright.models.interface import Ask
from benchwright.records import Table, Usage

CHARACTERS_A_TOKEN = 4
"""A rule of thumb for English and code; providers count for themselves."""


class ModelEstimate(msgspec.Struct, frozen=True):
    """One model's part. Tokens and dollars are estimates; None is a model without a price."""

    model: str
    paid: bool
    attempts: int
    not_run: int
    """Attempts whose task lacks something on this machine."""
    calls_low: int
    calls_high: int
    input_tokens: int
    """Of the first messages, by a rule of thumb."""
    usd_low: float | None
    """The first messages alone."""
    usd_high: float | None
    """Every call made, every reply at its output cap."""


class Estimate(msgspec.Struct, frozen=True):
    """A plan's estimate, model by model."""

    plan: str
    attempts: int
    models: tuple[ModelEstimate, ...]

    def sentence(self, most: float | None) -> str:
        """The cost in words, for the plan's line."""
        paid = [model for model in self.models if model.paid]
        if not paid:
            return "no paid calls."
        unpriced = [model.model for model in paid if model.usd_high is None]
        stop = f" (stops at ${most:.2f})" if most is not None else ""
        if unpriced:
            return f"cost unknown: no price for {', '.join(unpriced)}{stop}."
        low = sum(model.usd_low or 0.0 for model in paid)
        high = sum(model.usd_high or 0.0 for model in paid)
        return f"from ${low:.2f} for the prompts alone to ${high:.2f} with every reply at its cap{stop}."

    def table(self) -> Table:
        """A row a model."""
        columns = ("model", "attempts", "calls", "input tokens", "least", "most")
        rows = tuple(
            (
                model.model,
                model.attempts,
                str(model.calls_low)
                if model.calls_low == model.calls_high
                else f"{model.calls_low} to {model.calls_high}",
                f"about {model.input_tokens:,}",
                _dollars(model.paid, model.usd_low),
                _dollars(model.paid, model.usd_high),
            )
            for model in self.models
        )
        return Table(columns, rows)


def _dollars(paid: bool, value: float | None) -> str:
    if not paid:
        return "free"
    return "no price" if value is None else f"${value:.4f}"


def estimate(plan: Plan, prices: Prices, day: str) -> Estimate:
    """The estimate of a plan at the prices of `day`, before any call."""
    models = []
    for model in plan.models:
        calls_low = calls_high = tokens = not_run = 0
        low: float | None = 0.0
        high: float | None = 0.0
        for place in plan.places:
            if place.task is None or place.lacks:
                not_run += 1
                continue
            protocol = place.spec.protocol
            most = 1 + protocol.rounds + protocol.passes
            calls_low += 1
            calls_high += most
            size = (len(place.task.system) + sum(len(message.text) for message in place.messages)) // CHARACTERS_A_TOKEN
            tokens += size
            if model.paid:
                ask = Ask(place.spec, place.task, place.task.system, place.messages, 1, 1, Path())
                worst = prices.worst_case(model, ask, day)
                least = prices.cost(model, Usage(input=size), day)
                low = None if low is None or least is None else low + least
                high = None if high is None or worst is None else high + worst * most
        draws = plan.record.draws
        models.append(
            ModelEstimate(
                model.identity,
                model.paid,
                draws * len(plan.places),
                draws * not_run,
                draws * calls_low,
                draws * calls_high,
                draws * tokens,
                None if low is None else low * draws,
                None if high is None else high * draws,
            )
        )
    return Estimate(plan.digest, len(plan), tuple(models))
