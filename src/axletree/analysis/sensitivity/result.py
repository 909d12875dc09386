"""Findings with their derivatives by values."""

from __future__ import annotations

import math
from dataclasses import dataclass

from axletree.analysis.sensitivity.along import FindingSlope
from axletree.model.manoeuvres.findings import Finding


@dataclass(frozen=True)
class SensitivityColumn:
    """The derivatives of all findings by one value."""

    name: str
    value: float
    unit: str
    slopes: tuple[FindingSlope, ...]


@dataclass(frozen=True)
class Sensitivity:
    """Findings, and their derivatives; ``found.by["body.mass"]["yaw_rate_gain"]`` is one.

    Example:
    >>> from axletree.analysis.sensitivity import result
    >>> from axletree.model.manoeuvres.findings import Finding
    >>> gain = Finding("gain", 0.4, "1/s", "yaw rate by steering angle")
    >>> slopes = (result.FindingSlope(gain, -1e-4, False),)
    >>> mass = result.SensitivityColumn("body.mass", 1500.0, "kg", slopes)
    >>> found = result.Sensitivity("car", "turn", (gain,), (mass,))
    >>> print(f"{found.relative['body.mass']['gain']:.3f} % by %")  # -1e-4 * 1500 / 0.4
    -0.375 % by %
    """

    model: str
    what: str  # the name of the manoeuvre
    findings: tuple[Finding, ...]
    columns: tuple[SensitivityColumn, ...]
    remarks: tuple[str, ...] = ()

    @property
    def by(self) -> dict[str, dict[str, float]]:
        """In the units of findings by those of values."""
        return {
            column.name: {one.finding.name: one.slope for one in column.slopes}
            for column in self.columns
        }

    @property
    def relative(self) -> dict[str, dict[str, float]]:
        """Percent of a finding by percent of a value."""
        return {
            column.name: {one.finding.name: _relative(one, column.value) for one in column.slopes}
            for column in self.columns
        }


def _relative(one: FindingSlope, value: float) -> float:
    return one.slope * value / one.finding.value if one.finding.value else math.nan
