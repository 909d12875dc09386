"""Verdicts: limits hold on their own side, what is unknown never passes."""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest

import axletree as at
from axletree.metrics.findings import Finding
from axletree.metrics.verdict import (
    KEY_NUMBERS,
    Check,
    Comparison,
    Criterion,
    Verdict,
    VerdictOutcome,
    combined_outcome,
    judge,
)
from axletree.simulation.trajectory import Trajectory

MOST = Criterion("ratio", "yaw rate ratio", Comparison.AT_MOST, 35.0, "%", "FMVSS 126, S5.2.1")
LEAST = Criterion("aside", "lateral displacement", Comparison.AT_LEAST, 1.83, "m")


def found(name: str, value: float, unit: str = "m") -> Finding:
    return Finding(name, value, unit, name)


@pytest.mark.parametrize(
    ("criterion", "value", "outcome"),
    [
        (MOST, 34.9, VerdictOutcome.PASSED),
        (MOST, 35.0, VerdictOutcome.PASSED),
        (MOST, 35.1, VerdictOutcome.FAILED),
        (MOST, -400.0, VerdictOutcome.PASSED),
        (LEAST, 1.83, VerdictOutcome.PASSED),
        (LEAST, 1.82, VerdictOutcome.FAILED),
        (MOST, math.nan, VerdictOutcome.UNDECIDED),
        (LEAST, math.nan, VerdictOutcome.UNDECIDED),
        (MOST, math.inf, VerdictOutcome.FAILED),
    ],
)
def test_a_limit_is_allowed_and_what_is_unknown_does_not_pass(
    criterion: Criterion, value: float, outcome: VerdictOutcome
) -> None:
    assert Check(criterion, value).outcome is outcome


def test_one_failure_fails_all_and_the_order_of_checks_does_not_matter() -> None:
    for several in itertools.product(VerdictOutcome, repeat=3):
        combined = combined_outcome(several)
        assert (combined is VerdictOutcome.FAILED) == (VerdictOutcome.FAILED in several)
        judged = set(several) - {VerdictOutcome.NO_CRITERION}
        assert (combined is VerdictOutcome.PASSED) == (judged == {VerdictOutcome.PASSED})
        assert {combined_outcome(order) for order in itertools.permutations(several)} == {combined}
    assert combined_outcome([]) is VerdictOutcome.NO_CRITERION


def test_a_finding_that_is_missing_leaves_it_undecided() -> None:
    verdict = judge("sine with dwell", [MOST, LEAST], [found("ratio", 12.0, "%")])
    assert [check.outcome.value for check in verdict.checks] == ["passed", "undecided"]
    assert verdict.outcome is VerdictOutcome.UNDECIDED
    assert "lateral displacement not known, at least 1.83 m: undecided" in str(verdict)


def test_numbers_beside_it_are_few_known_and_not_those_that_are_judged() -> None:
    findings = [found("ratio", 12.0, "%"), found("lost", math.nan)]
    findings += [found(f"n{k}", float(k)) for k in range(9)]
    numbers = judge("sine with dwell", [MOST], findings).numbers
    assert [one.name for one in numbers] == [f"n{k}" for k in range(KEY_NUMBERS)]
    chosen = judge("sine with dwell", [MOST], findings, key=("n7", "none", "n2")).numbers
    assert [one.name for one in chosen] == ["n7", "n2"]


def test_a_verdict_is_written_as_json() -> None:
    verdict = Verdict("both", (Check(MOST, 12.0), Check(LEAST, math.nan)))
    content = json.loads(json.dumps(verdict.content(), allow_nan=False))
    assert content["outcome"] == "undecided"
    assert [check["value"] for check in content["checks"]] == [12.0, None]
    assert content["checks"][0]["limit"] == 35.0
    assert content["checks"][0]["unit"] == "%"


def test_limits_of_fmvss_126_are_those_of_its_text() -> None:
    """49 CFR 571.126, S5.2: 35 % at 1 s, 20 % at 1.75 s; 1.83 m, and 1.52 m above 3500 kg."""
    limits = [(one.comparison.value, one.limit, one.unit) for one in at.DwellStability().criteria]
    assert limits == [("at most", 35.0, "%"), ("at most", 20.0, "%"), ("at least", 1.83, "m")]
    for name, way in (("sedan", 1.83), ("truck-4x2", 1.52)):
        (metric,) = at.read_model(name).manoeuvres["sine-with-dwell"].metrics
        assert metric.criteria[-1].limit == way


@pytest.mark.parametrize("rest", [0.0, 0.1, 0.19, 0.3, 0.5])
@pytest.mark.parametrize("speed", [1.0, 2.5])
def test_a_dwell_passes_where_it_is_stable_and_responsive(rest: float, speed: float) -> None:
    """By the two findings that say so, which are computed without criteria."""
    time = np.linspace(0.0, 6.0, 601)  # s
    columns = dict.fromkeys(at.DwellStability.needs, 0.0 * time)
    turned = np.where((time > 1.0) & (time < 3.0), np.sin(np.pi * (time - 1.0)), 0.0)
    columns["driver.steering"] = turned  # rad
    columns["vehicle.yaw_rate"] = 0.2 * np.where(time < 3.0, turned, -rest)  # rad/s
    columns["vehicle.y"] = speed * np.maximum(time - 1.0, 0.0)  # m
    run = Trajectory("car", time, columns, {}, ())
    driven = at.SineWithDwell(speed=20.0, steering=["driver.steering"], amplitude=1.0,
                              metrics=(at.DwellStability(),))  # fmt: skip
    findings = driven.findings(run)
    stable, responsive = (one.value for one in findings if one.unit == "yes/no")
    assert stable == (rest <= 0.2)
    expected = VerdictOutcome.PASSED if stable and responsive else VerdictOutcome.FAILED
    assert driven.verdict(findings).outcome is expected


@pytest.mark.parametrize("aside", [1.0, 0.8])
def test_a_cone_that_is_hit_fails_a_path(aside: float) -> None:
    x = np.linspace(0.0, 120.0, 241)  # m, past one cone at 50 m, on its right side or over it
    slalom = at.FollowPath(speed=10.0, path=at.SlalomPath(cone_count=1, entry=50.0), width=1.8)
    side = -slalom.path.cones()[0].side
    columns = dict(zip(slalom.place, (x, side * aside + 0.0 * x, 0.0 * x, 0.0 * x, x), strict=True))
    findings = slalom.findings(Trajectory("car", x / 10.0, columns, {}, ()))
    verdict = slalom.verdict(findings)
    passed = next(one.value for one in findings if one.name == "passed")
    assert passed == (aside > 0.9)  # half of its width
    assert verdict.outcome is (VerdictOutcome.PASSED if passed else VerdictOutcome.FAILED)
    assert [one.name for one in verdict.numbers] == ["maximum_path_deviation", "clearance"]
