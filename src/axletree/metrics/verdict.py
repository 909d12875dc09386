"""Verdicts: findings held against the limits that a standard sets.

A metric or a manoeuvre has criteria; ``judge`` finds the number of each among the findings of a
run. A procedure of several runs puts checks of all of them into one verdict.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from axletree.core.units import printed_unit
from axletree.metrics.findings import YES_NO, Finding, by_name, unit_in_words, value_in_words

KEY_NUMBERS = 5  # findings that stand beside a verdict
VERDICT_DIGITS = 4


class Comparison(enum.Enum):
    """On which side of the limit a value has to be; the limit itself is allowed."""

    AT_MOST = "at most"
    AT_LEAST = "at least"

    def holds(self, value: float, limit: float) -> bool:
        return value <= limit if self is Comparison.AT_MOST else value >= limit


@dataclass(frozen=True)
class Criterion:
    """A limit of a finding, in the finding's unit.

    Example:
    >>> from axletree.metrics.verdict import Comparison, Criterion
    >>> most = Criterion("cones_hit", "cones hit or missed", Comparison.AT_MOST, 0.0, "1")
    >>> most.in_words
    'at most 0'
    """

    finding: str  # its name
    description: str  # of what is limited
    comparison: Comparison
    limit: float
    unit: str
    source: str = ""  # standard and section

    @property
    def in_words(self) -> str:
        """The limit with its side and unit."""
        limit = _in_words(self.limit, self.unit)
        return f"has to be {limit}" if self.unit == YES_NO else f"{self.comparison.value} {limit}"


@dataclass(frozen=True)
class Check:
    """A criterion and the value that it judges; nan where a run does not show it."""

    criterion: Criterion
    value: float

    @property
    def outcome(self) -> VerdictOutcome:
        """Undecided where the run does not show the value."""
        if math.isnan(self.value):
            return VerdictOutcome.UNDECIDED
        holds = self.criterion.comparison.holds(self.value, self.criterion.limit)
        return VerdictOutcome.PASSED if holds else VerdictOutcome.FAILED

    @property
    def value_in_words(self) -> str:
        return _in_words(self.value, self.criterion.unit)

    @property
    def in_words(self) -> str:
        said = f"{self.criterion.description} {self.value_in_words}, {self.criterion.in_words}"
        return f"{said}: {self.outcome.value}"


class VerdictOutcome(enum.Enum):
    """What a verdict says."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"  # no check has failed, and a value is unknown
    NO_CRITERION = "no criterion"


@dataclass(frozen=True)
class Verdict:
    """What was tested, how it came out, and the numbers that matter most.

    Example:
    >>> from axletree.metrics.findings import Finding
    >>> from axletree.metrics.verdict import Comparison, Criterion, judge
    >>> most = Criterion("yaw", "yaw rate after 1 s", Comparison.AT_MOST, 35.0, "%", "FMVSS 126")
    >>> found = Finding("yaw", 12.3456, "%", "yaw rate 1 s after the end")
    >>> print(judge("sine with dwell", [most], [found]))
    passed: sine with dwell
      yaw rate after 1 s 12.35 %, at most 35 % (FMVSS 126): passed
    """

    tested: str
    checks: tuple[Check, ...] = ()
    numbers: tuple[Finding, ...] = ()  # a handful, the most important first

    @property
    def outcome(self) -> VerdictOutcome:
        """Failed if one criterion is, undecided if one is and none failed."""
        return combined_outcome(check.outcome for check in self.checks)

    def content(self) -> dict[str, Any]:
        """As JSON has it; a value that is not known is null.

        Example:
        >>> from axletree.metrics.verdict import Verdict
        >>> Verdict("step steer").content()
        {'tested': 'step steer', 'outcome': 'no criterion', 'checks': []}
        """
        return {
            "tested": self.tested,
            "outcome": self.outcome.value,
            "checks": [_check_content(check) for check in self.checks],
        }

    def __str__(self) -> str:
        lines = [f"{self.outcome.value}: {self.tested}"]
        for check in self.checks:
            one, source = check.criterion, check.criterion.source
            said = f"{one.description} {check.value_in_words}, {one.in_words}"
            lines.append(f"  {said}{f' ({source})' if source else ''}: {check.outcome.value}")
        return "\n".join(lines)


def judge(
    tested: str,
    criteria: Sequence[Criterion],
    findings: Sequence[Finding],
    key: Sequence[str] = (),
) -> Verdict:
    """The verdict on findings; ``key`` names the findings that matter most, if not the first.

    What is judged stands among the checks, and is not said again among the numbers.

    Example:
    >>> from axletree.metrics.findings import Finding
    >>> from axletree.metrics.verdict import judge
    >>> verdict = judge("step steer", [], [Finding("gain", 0.21, "1/s", "yaw rate gain")])
    >>> verdict.outcome.value, [found.in_words for found in verdict.numbers]
    ('no criterion', ['0.21 1/s'])
    """
    found = by_name(findings)
    unknown = Finding("", math.nan, "1", "")
    checks = tuple(Check(one, found.get(one.finding, unknown).value) for one in criteria)
    judged = {one.finding for one in criteria}
    chosen = [found[name] for name in key if name in found] or list(findings)
    numbers = tuple(
        one
        for one in chosen
        if one.name not in judged and one.unit != YES_NO and math.isfinite(one.value)
    )
    return Verdict(tested, checks, numbers[:KEY_NUMBERS])


def combined_outcome(outcomes: Iterable[VerdictOutcome]) -> VerdictOutcome:
    """Of several: one that fails fails all, and without any that is judged there is no criterion.

    Example:
    >>> from axletree.metrics.verdict import VerdictOutcome, combined_outcome
    >>> combined_outcome([VerdictOutcome.PASSED, VerdictOutcome.UNDECIDED]).value
    'undecided'
    """
    found = set(outcomes)
    for one in (VerdictOutcome.FAILED, VerdictOutcome.UNDECIDED, VerdictOutcome.PASSED):
        if one in found:
            return one
    return VerdictOutcome.NO_CRITERION


def _check_content(check: Check) -> dict[str, Any]:
    one = check.criterion
    return {
        "finding": one.finding,
        "description": one.description,
        "value": check.value if math.isfinite(check.value) else None,
        "comparison": one.comparison.value,
        "limit": one.limit,
        "unit": one.unit,
        "source": one.source,
        "outcome": check.outcome.value,
    }


def _in_words(value: float, unit: str) -> str:
    if math.isnan(value):
        return "not known"
    said = value_in_words(value, unit, VERDICT_DIGITS)
    return f"{said} {printed_unit(unit_in_words(unit))}".rstrip()
