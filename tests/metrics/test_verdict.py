"""Verdicts: limits hold on their own side, what is unknown never passes."""

from __future__ import annotations

import itertools
import json
import math

import pytest

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
