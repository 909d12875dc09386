"""Every finding of every metric and manoeuvre is marked on a curve, with its own number."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
import pytest
from reports.made_runs import MANOEUVRES, METRICS

from axletree import catalogue
from axletree.core.registry import load
from axletree.core.units import UnitError, parse_unit
from axletree.metrics.findings import Diagram, Finding, Mark, MarkKind
from axletree.model.manoeuvre import Manoeuvre
from axletree.plot.model_plots import diagram_panels

OFF = 1e-3  # of the size of a diagram: parabolas through records are as far from straight lines
RANGES = {"suspension_travel": "opposite end"}  # what is read between two points


def marks_of(diagrams: Sequence[Diagram]) -> list[tuple[Diagram, Mark]]:
    """Those that say a finding which the run tells."""
    return [
        (one, mark)
        for one in diagrams
        for mark in one.marks
        if isinstance(mark.said, Finding) and mark.is_known
    ]


def distance(diagram: Diagram, mark: Mark) -> float:
    """From a point to the nearest curve, over the size of the diagram."""
    size = np.array([np.ptp(np.concatenate([getattr(t, axis) for t in diagram.traces])) or 1.0
                     for axis in "xy"])  # fmt: skip
    nearest = math.inf
    for trace in diagram.traces:
        ends = (np.stack([trace.x, trace.y], axis=1) - (mark.x, mark.y)) / size
        step = np.diff(ends, axis=0)
        share = np.clip(-(ends[:-1] * step).sum(1) / np.maximum((step**2).sum(1), 1e-300), 0, 1)
        gaps = np.linalg.norm(ends[:-1] + share[:, None] * step, axis=1)
        nearest = min(nearest, float(np.min(gaps, initial=math.inf)))
    return nearest


def read_off(diagram: Diagram, mark: Mark) -> list[float]:
    """The numbers that axes of the dimension of the finding give; none if there is no such axis."""
    assert isinstance(mark.said, Finding)
    x_unit, y_unit = (re.findall(r"\[(.*)\]", label)[0]
                      for label in (diagram.x_label, diagram.y_label))  # fmt: skip
    if mark.said.name in RANGES:
        others = (m for m in diagram.marks if m.said == RANGES[mark.said.name])
        return [mark.y - next(others).y]
    along = mark.x - mark.start if mark.kind is MarkKind.SPAN else mark.x
    of_x = [] if mark.kind is MarkKind.LEVEL else [along * one for one in factor(x_unit, mark.said)]
    of_y = (
        [] if mark.kind is MarkKind.MOMENT else [mark.y * one for one in factor(y_unit, mark.said)]
    )
    return of_x + of_y


def factor(unit: str, found: Finding) -> list[float]:
    """From the unit of an axis to that of a finding; none if these are of other dimensions."""
    if unit == found.unit:
        return [1.0]
    try:
        own, other = parse_unit(found.unit), parse_unit(unit)
    except UnitError:
        return []
    is_scaled = own.dimension == other.dimension and own.factor != other.factor  # 1/s are no Hz
    return [float(other.factor / own.factor)] if is_scaled and any(own.dimension) else []


def check(findings: Sequence[Finding], diagrams: Sequence[Diagram]) -> set[str]:
    """The names that are known, each of which is marked where it is read."""
    known = {one.name: one for one in findings if math.isfinite(one.value)}
    marks = marks_of(diagrams)
    assert {mark.said.name for _, mark in marks if isinstance(mark.said, Finding)} == set(known)
    for diagram, mark in marks:
        assert isinstance(mark.said, Finding)
        assert mark.said == known[mark.said.name]
        numbers = [abs(number) for number in read_off(diagram, mark)]
        value = abs(mark.said.value)
        near = [number == pytest.approx(value, rel=1e-6, abs=1e-9) for number in numbers]
        assert any(near) or not near, (mark.said, numbers)
        if mark.kind is MarkKind.POINT:
            assert distance(diagram, mark) < OFF, mark.said
    assert len(diagram_panels(diagrams)) == len(diagrams)
    for one in diagrams:  # all guides look alike
        assert sum(bool(trace.label) for trace in one.traces if trace.is_guide) <= 1, one.title
    return set(known)


@pytest.mark.parametrize("word", catalogue.METRICS)
def test_every_finding_of_a_metric_is_marked(word: str) -> None:
    kind, names, known = load("metric", word, catalogue.METRICS), set(), set()
    for metric, run in METRICS[word]():
        assert type(metric) is kind
        findings = metric.findings(run)
        names |= {one.name for one in findings}
        known |= check(findings, metric.diagrams(run))
    assert known == names  # in one of the runs


OWN = [
    word
    for word in catalogue.MANOEUVRES
    if load("manoeuvre", word, catalogue.MANOEUVRES).own_findings is not Manoeuvre.own_findings
]


@pytest.mark.parametrize("word", OWN)
def test_every_finding_of_a_manoeuvre_is_marked(word: str) -> None:
    kind, names, known = load("manoeuvre", word, catalogue.MANOEUVRES), set(), set()
    for manoeuvre, run in MANOEUVRES[word]():
        assert type(manoeuvre) is kind
        findings = manoeuvre.own_findings(run)
        names |= {one.name for one in findings}
        known |= check(findings, manoeuvre.own_diagrams(run))
    assert known == names
