"""What a rig found of an axle: metrics with their units, and tables of all cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axletree.analysis.kinematics_and_compliance.characteristics import camber, caster, toe
from axletree.analysis.kinematics_and_compliance.measured_axle import (
    ALIGNING,
    BRAKING,
    DRIVING,
    LATERAL_FORCE,
    MeasuredAxle,
    MeasuredCase,
)
from axletree.analysis.kinematics_and_compliance.metrics import (
    MeasuredMetric,
    measured_metrics,
    roll_centre,
    roll_moment,
)
from axletree.analysis.kinematics_and_compliance.rig import WHEEL_SIDES
from axletree.core.arrays import FloatArray
from axletree.core.registry import few_names, unknown_name
from axletree.core.text_table import TextTable
from axletree.metrics.findings import Finding, shown_findings, value_in_words

# What is said of an axle in a few lines, and in a verdict where no target chooses it.
KEY_METRICS = (
    "bump_steer", "bump_camber", "roll_centre_height", "wheel_rate", "roll_stiffness",
)  # fmt: skip
_DIGITS = 5


@dataclass(frozen=True, eq=False)
class KinematicsAndCompliance:
    """An axle that was on the rig.

    Example:
    >>> import axletree as at
    >>> found = at.kinematics_and_compliance("double-wishbone-sports-car", "rear")
    >>> found["bump_steer"].unit, sorted(found.axle.cases)[:2]
    ('deg/m', ['opposite_travel', 'parallel_travel'])
    """

    axle: MeasuredAxle

    @property
    def name(self) -> str:
        """Of the axle."""
        return self.axle.name

    @property
    def notes(self) -> tuple[str, ...]:
        """What was asked of the axle and is beyond its reach."""
        return self.axle.notes

    @cached_property
    def metrics(self) -> dict[str, MeasuredMetric]:
        """By name, in the order of the reference."""
        return {metric.name: metric for metric in measured_metrics(self.axle)}

    def __getitem__(self, name: str) -> MeasuredMetric:
        """A metric, in the unit that it names."""
        if name not in self.metrics:
            raise unknown_name("metric", name, self.metrics, self.name)
        return self.metrics[name]

    def findings(self) -> list[Finding]:
        """Of the left wheel; of the right one where it differs.

        Example:
        >>> import axletree as at
        >>> found = at.kinematics_and_compliance("double-wishbone-sports-car", "front")
        >>> found.findings()[1].in_words
        '-1.5 deg'
        """
        found = []
        for one in self.metrics.values():
            found.append(Finding(one.name, one.left, one.unit, one.title))
            if not one.is_symmetric:
                found.append(
                    Finding(f"{one.name}_right", one.right, one.unit, f"{one.title}, right")
                )
        return found

    def table(self) -> TextTable:
        """A row for each metric; the right wheel has a column where any differs.

        Example:
        >>> import axletree as at
        >>> found = at.kinematics_and_compliance("double-wishbone-sports-car", "front")
        >>> found.table().rows[1][:3]
        ('camber', '-1.5', 'deg')
        """
        both = not all(one.is_symmetric for one in self.metrics.values())
        rows = []
        for one in self.metrics.values():
            values = (one.left, one.right) if both else (one.left,)
            words = [value_in_words(value, one.unit, _DIGITS) for value in values]
            rows.append((one.title, *words, one.unit, one.metric.definition))
        heads = ("left", "right") if both else ("value",)
        return TextTable(self.name, ("metric:", *heads, "unit:", "definition:"), tuple(rows))

    def __repr__(self) -> str:
        cases = few_names([one.case.title for one in self.axle.cases.values()], 12)
        head = f"Kinematics and compliance of {self.name}: {len(self.metrics)} metrics, {cases}"
        key = [one for one in self.findings() if one.name in KEY_METRICS]
        return shown_findings(head, key)

    def _repr_html_(self) -> str:
        return self.table().html()

    def columns(self, case: str) -> dict[str, FloatArray]:
        """A case as a table in SI units: its quantity, then what the wheels did.

        Example:
        >>> import axletree as at
        >>> found = at.kinematics_and_compliance("double-wishbone-sports-car", "front")
        >>> list(found.columns("parallel_travel"))[:3]
        ['travel_left', 'toe_left', 'camber_left']
        """
        one = self.axle.cases[case]
        found: dict[str, FloatArray] = {}
        if one.case.name not in ("parallel_travel", "opposite_travel"):
            found[one.case.name] = one.values
        for side, name in enumerate(WHEEL_SIDES):
            found |= {f"{key}_{name}": x for key, x in _of_wheel(self.axle, one, side).items()}
        track = one.contacts[:, 0, 1] - one.contacts[:, 1, 1]
        found["track_change"] = track - track[one.middle]
        if self.axle.rig.linkage.steers:
            found["rack_force"] = one.at.rack_force
        if one.case.name == "roll":
            found["roll_moment"] = roll_moment(one)
            found["roll_centre_height"] = _roll_centre_height(one)
        if one.case.name == "parallel_travel" and self.axle.rig.elastic:
            found |= _compliances(self.axle, one)
        return found


COLUMN_UNITS = {
    "travel": "m", "toe": "rad", "camber": "rad", "caster": "rad", "forward": "m", "outward": "m",
    "contact_outward": "m", "load": "N", "spring_length": "m", "track_change": "m",
    "rack_force": "N", "roll_moment": "N*m", "roll_centre_height": "m", "roll": "rad",
    "steering": "m", "lateral_parallel": "N", "lateral_opposite": "N", "braking": "N",
    "driving": "N", "aligning_parallel": "N*m", "aligning_opposite": "N*m",
}  # fmt: skip


# Compliances over travel: of what, by which load, in which unit.
_BY_LOADS = {
    "lateral_compliance_steer": (toe, LATERAL_FORCE, "rad/N"),
    "lateral_compliance_camber": (camber, LATERAL_FORCE, "rad/N"),
    "braking_compliance_steer": (toe, BRAKING, "rad/N"),
    "driving_compliance_steer": (toe, DRIVING, "rad/N"),
    "aligning_compliance_steer": (toe, ALIGNING, "rad/(N*m)"),
    "aligning_compliance_camber": (camber, ALIGNING, "rad/(N*m)"),
}
COLUMN_UNITS |= {name: unit for name, (_, _, unit) in _BY_LOADS.items()}


def _compliances(axle: MeasuredAxle, case: MeasuredCase) -> dict[str, FloatArray]:
    """At each position, as the metrics of these names have them at design."""
    given = axle.compliance_at(case.at)
    return {
        f"{name}_{side}": wheel.rate_of(quantity, load)
        for side, wheel in zip(WHEEL_SIDES, (given.left, given.right), strict=True)
        for name, (quantity, load, _) in _BY_LOADS.items()
    }


def column_units(columns: Sequence[str]) -> dict[str, str]:
    """Of the columns of a case."""
    plain = {name: name.removesuffix("_left").removesuffix("_right") for name in columns}
    return {name: COLUMN_UNITS[word] for name, word in plain.items()}


def _of_wheel(axle: MeasuredAxle, case: MeasuredCase, side: int) -> dict[str, FloatArray]:
    wheel = (case.poses.left, case.poses.right)[side]
    start = (axle.poses.left, axle.poses.right)[side]
    shift = wheel.wheel_centre - start.wheel_centre
    mirror = (1.0, -1.0)[side]
    contact = mirror * case.contacts[:, side, 1]
    found = {"travel": shift[:, 2], "toe": toe(wheel), "camber": camber(wheel)}
    if axle.rig.has_kingpin(side):
        found["caster"] = caster(wheel)
    found |= {
        "forward": shift[:, 0], "outward": shift[:, 1],
        "contact_outward": contact - start.contact[0, 1], "load": case.at.loads[:, side],
    }  # fmt: skip
    if axle.rig.coils_of(side)[0] is not None:
        found["spring_length"] = wheel.spring_length
    return found


def _roll_centre_height(case: MeasuredCase) -> FloatArray:
    """Above the road, along its normal."""
    y, z = roll_centre(case).T
    up = case.at.plan.up
    return np.asarray(y * up[:, 1] + z * up[:, 2] - case.at.road_height)
