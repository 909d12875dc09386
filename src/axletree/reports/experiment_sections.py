"""What experiments contribute to their pages: histograms, scatter, tornado, tables, a verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping

from axletree.analysis.experiments.monte_carlo import MonteCarlo
from axletree.analysis.experiments.optimise import Optimum
from axletree.analysis.experiments.sobol import SobolIndices, SobolStudy
from axletree.core.text_table import TextTable
from axletree.metrics.findings import Finding
from axletree.metrics.verdict import Verdict, judge
from axletree.plot.experiments import (
    changing_findings,
    design_panels,
    effect_order,
    front_panels,
    histogram_panels,
    history_panels,
    scatter_panels,
)
from axletree.reports.analysis_report import PageSection, ShareBar

_NEGLIGIBLE = 5e-3  # of 1, below which no effect is shown
_MOST_FAILURES = 20


def monte_carlo_sections(found: MonteCarlo) -> list[PageSection]:
    """Distributions, what makes them, findings over what differs, and what failed."""
    bars, notes = [], []
    for one in changing_findings(found):
        effects = found.effects(one.name)
        for name in effect_order(list(effects), list(effects.values())):
            if abs(effects[name]) > _NEGLIGIBLE:
                bars.append(ShareBar(one.description, name, effects[name], f"{effects[name]:+.2f}"))
        share = found.explained(one.name)
        if share < 0.9:
            notes.append(f"{one.description}: a linear regression explains {share:.0%} of the "
                         "variance; the rest is of effects that are not linear.")  # fmt: skip
    failures = TextTable(
        "Cars that failed",
        ("car", "values:", "reason:"),
        tuple(
            (str(k), ", ".join(q.in_words(float(found[q.name][k])) for q in found.quantities), why)
            for k, why in list(found.failures.items())[:_MOST_FAILURES]
        ),
    )
    tornado = PageSection(
        "What makes them differ",
        bars=bars,
        notes=["Standardised regression coefficients: the square is the share of the variance of "
               "the finding that a quantity makes.", *notes],
    )  # fmt: skip
    return [
        PageSection("Distributions", histogram_panels(found), [found.table()],
                    notes=[f"{len(found)} cars, drawn by {found.sampling}; {found.way}."]),
        *([tornado] if bars else []),
        PageSection("Findings over what differs", scatter_panels(found)),
        *([PageSection("Failures", tables=[failures], notes=list(found.remarks))]
          if found.failures else []),
        PageSection("Drawn quantities", tables=[_drawn_table(found)]),
    ]  # fmt: skip


def _drawn_table(found: MonteCarlo) -> TextTable:
    rows = []
    for one in found.quantities:
        values = found.drawn_from[one.name]
        stands = ", ".join(m.name for m in one.members) if len(one.members) > 1 else ""
        rows.append((one.name, type(values).__name__.lower(),
                     ", ".join(map(str, vars(values).values())), stands))  # fmt: skip
    return TextTable("Distributions", ("quantity:", "distribution:", "numbers:", "stands for:"),
                     tuple(rows))  # fmt: skip


def monte_carlo_verdict(found: MonteCarlo) -> Verdict:
    """The range from 5 to 95 % of the cars for each finding that changes."""
    numbers = []
    for one in changing_findings(found):
        for share, value in zip((5, 95), found.percentiles(one.name, (5.0, 95.0)), strict=True):
            said = f"{one.description}, {share} % of the cars below"
            numbers.append(Finding(f"{one.name}.p{share}", float(value), one.unit, said))
    failed = f", {len(found.failures)} of which failed" if found.failures else ""
    tested = f"{found.trials} with {len(found.quantities)} quantities drawn: {len(found)} cars"
    return judge(f"{tested}{failed}", [], numbers[:6])


def monte_carlo_findings(found: MonteCarlo) -> list[Finding]:
    """Mean, deviation and percentiles of each finding, for ``metrics.json``."""
    listed = []
    for one in found.findings:
        for word, value in found.statistics(one.name).items():
            name = f"p{word.removesuffix(' %')}" if "%" in word else word
            listed.append(Finding(f"{one.name}.{name}", value, one.unit,
                                  f"{one.description}: {word}"))  # fmt: skip
    return listed


def sobol_sections(study: SobolStudy) -> list[PageSection]:
    """Total and first-order indices of each finding, the largest first, with standard errors."""
    total: list[ShareBar] = []
    first: list[ShareBar] = []
    for name, one in study.changing.items():
        described = _described(study, name)
        for quantity in effect_order(list(one.total), list(one.total.values())):
            for bars, values, errors in (
                (total, one.total, one.total_error),
                (first, one.first_order, one.first_order_error),
            ):
                text = f"{values[quantity]:.3f} +- {errors[quantity]:.3f}"
                bars.append(ShareBar(described, quantity, values[quantity], text))
    cars = study.cars
    return [
        PageSection("Total indices", bars=total,
                    notes=["The share of the variance that is left when all others are known; "
                           "standard errors are those of cars drawn one by one.",
                           f"{len(cars)} cars; {cars.way}."]),
        PageSection("First-order indices", bars=first,
                    notes=["The share that vanishes when a quantity is known. Where it is less "
                           "than the total, effects depend on one another."]),
        PageSection("Distributions", histogram_panels(cars)),
        PageSection("Indices", tables=[sobol_table(study.indices)]),
    ]  # fmt: skip


def _described(study: SobolStudy, name: str) -> str:
    return next(one.description for one in study.cars.findings if one.name == name)


def sobol_table(indices: Mapping[str, SobolIndices]) -> TextTable:
    """A row for each finding and quantity."""
    rows = [
        (name, quantity, f"{one.first_order[quantity]:.4f}",
         f"{one.first_order_error[quantity]:.4f}", f"{one.total[quantity]:.4f}",
         f"{one.total_error[quantity]:.4f}")
        for name, one in indices.items()
        for quantity in effect_order(list(one.total), list(one.total.values()))
    ]  # fmt: skip
    heads = ("finding:", "quantity:", "first order", "standard error", "total", "standard error")
    return TextTable("Shares of variance", heads, tuple(rows))


def sobol_verdict(study: SobolStudy) -> Verdict:
    """The quantity that matters most for each finding."""
    numbers = []
    for name, one in study.changing.items():
        first = effect_order(list(one.total), list(one.total.values()))[0]
        numbers.append(Finding(f"{name}.{first}", one.total[first], "1",
                               f"{_described(study, name)}: total share of {first}"))  # fmt: skip
    return judge(f"shares of variance in {study.cars.trials}: {len(study.cars)} cars", [],
                 numbers[:6])  # fmt: skip


def optimum_sections(found: Optimum) -> list[PageSection]:
    """The front, what the cars along it are, and how the search went."""
    notes = [f"{found.search}: {found.ending}. {len(found)} cars; {found.way}.",
             *(f"Limit: {one.text}." for one in found.limits), *found.remarks]  # fmt: skip
    if len(found.goals) > 1 and not found.weights:
        notes.append("Every goal is made small. On the front are the cars that no other one is "
                     "better than in all goals; the compromise is nearest to the best of each, "
                     "in parts of the range that the front has.")  # fmt: skip
    fronts = front_panels(found) if len(found.goals) > 1 else []
    bounds = tuple(
        (q.heading, *(f"{q.in_shown_unit(x):.5g}" for x in found.bounds[q.name]),
         ", ".join(m.name for m in q.members) if len(q.members) > 1 else "")
        for q in found.quantities
    )  # fmt: skip
    return [
        PageSection("Pareto front" if fronts else "Optimum", fronts, [found.table()], notes),
        PageSection("Quantities", design_panels(found)),
        PageSection("Search", history_panels(found)),
        PageSection("Bounds", tables=[
            TextTable("Bounds", ("quantity:", "lower", "upper", "stands for:"), bounds)
        ]),
    ]  # fmt: skip


def optimum_verdict(found: Optimum) -> Verdict:
    """The goals of the best car beside those of the model as it is."""
    word = "compromise" if len(found.goals) > 1 and not found.weights else "best car"
    tested = f"{', '.join(q.name for q in found.quantities)} in {found.trials}: {len(found)} cars"
    if found.best_car < 0:
        return Verdict(f"{tested}, none of which keeps the limits")
    numbers = []
    for goal in found.goals:
        best = found.best_goals[goal.text]
        numbers.append(Finding(f"best {goal.text}", best, goal.unit, f"{goal.text}, {word}"))
        numbers.append(Finding(f"model {goal.text}", found.nominal[goal.text], goal.unit,
                               f"{goal.text}, model as it is"))  # fmt: skip
    return judge(tested, [], numbers[:6])


def sobol_findings(study: SobolStudy) -> list[Finding]:
    """Both indices of each finding and quantity, for ``metrics.json``."""
    return [
        Finding(f"{name}.{word}.{quantity}", value, "1",
                f"{_described(study, name)}: {word.replace('_', '-')} share of {quantity}")
        for name, one in study.indices.items()
        for word, values in (("first_order", one.first_order), ("total", one.total))
        for quantity, value in values.items()
        if math.isfinite(value)
    ]  # fmt: skip
