"""An axle after its time on the rig: all cases, and what metrics are taken from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from axletree.analysis.kinematics_and_compliance.load_cases import (
    LOAD_CASES,
    STEERING_ARM,
    LoadCase,
    RigRanges,
)
from axletree.analysis.kinematics_and_compliance.poses import AxlePoses, WheelPoses
from axletree.analysis.kinematics_and_compliance.rig import (
    WHEEL_SIDES,
    AxleRig,
    Pads,
    RigPlan,
    RigPositions,
    RigRates,
)
from axletree.core.arrays import FloatArray
from axletree.core.registry import few_names
from axletree.core.units import units_in
from axletree.vehicles.steering_column import SteeringColumn

# Inputs of the rates of compliance, as a left wheel sees them.
LATERAL_FORCE, LATERAL_OPPOSITE, BRAKING, DRIVING, ALIGNING, ALIGNING_OPPOSITE = range(6)
_FX, _FY, _MZ = 0, 1, 5  # of the six loads of a contact


@dataclass(frozen=True)
class AxleInVehicle:
    """What metrics need of the vehicle; what is not known is None, and leaves metrics out."""

    is_front: bool = True
    wheelbase: float | None = None  # [m]
    centre_height: float | None = None  # [m] of the vehicle's centre of mass
    brake_share: float | None = None  # of this axle
    drive_share: float | None = None
    tyre_stiffness: float | None = None  # [N/m] of a wheel
    rack_per_angle: float | None = None  # [m/rad] of the pinion
    other_roll_stiffness: float | None = None  # [N m/rad] of all other axles, without tyres
    column: SteeringColumn | None = None  # between the steering wheel and the pinion


@dataclass(frozen=True, eq=False)
class MeasuredCase:
    """A case: N positions, with what the wheels did."""

    case: LoadCase
    values: FloatArray  # (N,)
    at: RigPositions
    poses: AxlePoses  # with rates by travels and rack
    contacts: FloatArray  # (N, 2, 3) [m]

    def __repr__(self) -> str:
        ends = (units_in(self.case.shown_unit, self.case.unit) * self.values[k] for k in (0, -1))
        first, last = (f"{one:.4g} {self.case.shown_unit}" for one in ends)
        return f"{self.case.title}: {len(self.values)} positions from {first} to {last}"

    @property
    def middle(self) -> int:
        """Of design."""
        return len(self.values) // 2

    def slope(self, values: FloatArray) -> float:
        """At design, by a central difference of the fourth order where there are points."""
        k, h = self.middle, self.values[1] - self.values[0]
        near = (values[k + 1] - values[k - 1]) / (2.0 * h)
        if len(values) < 5:
            return float(near)
        far = (values[k + 2] - values[k - 2]) / (4.0 * h)
        return float((4.0 * near - far) / 3.0)


@dataclass(frozen=True, eq=False)
class MeasuredAxle:
    """All that was measured of an axle."""

    name: str
    rig: AxleRig
    vehicle: AxleInVehicle
    cases: dict[str, MeasuredCase]
    design: RigPositions
    ranges: RigRanges  # that cases went through
    notes: tuple[str, ...] = ()  # on ranges that are beyond the reach of the axle

    def __repr__(self) -> str:
        cases = [one.case.title for one in self.cases.values()]
        return f"{self.name} on a rig: {few_names(cases, 12)}"

    def over(self, case: str) -> MeasuredCase:
        """One of its cases, by name."""
        return self.cases[case]

    @cached_property
    def rates(self) -> RigRates:
        """At design, by the heights of the wheel centres and rack travel."""
        return self.rig.rates(self.design, Pads.CENTRES)

    @cached_property
    def poses(self) -> AxlePoses:
        """At design."""
        return self.rig.poses(self.design, self.rates)

    @cached_property
    def compliance(self) -> AxlePoses:
        """At design, with rates by loads while pads hold the contacts."""
        return self.compliance_at(self.design)

    def compliance_at(self, at: RigPositions) -> AxlePoses:
        """Likewise at other positions."""
        upright, shaft = (
            self.rig.rates(
                replace(at, plan=replace(at.plan, is_driven=np.full(len(at.plan), driven))),
                Pads.CONTACTS, np.eye(12),
            )
            for driven in (False, True)
        )  # fmt: skip
        both = RigRates(
            np.concatenate([upright.v, shaft.v], axis=-1),
            np.concatenate([upright.w, shaft.w], axis=-1),
            np.concatenate([upright.loads, shaft.loads], axis=-1),
        )
        return self.rig.poses(at, both, {side: _as_seen(side) for side in WHEEL_SIDES})

    def wheel(self, side: int) -> WheelPoses:
        """At design, as a left wheel."""
        return (self.poses.left, self.poses.right)[side]

    def compliant_wheel(self, side: int) -> WheelPoses:
        """Likewise, with rates by loads."""
        return (self.compliance.left, self.compliance.right)[side]


def _as_seen(side: str) -> FloatArray:
    """Loads on both contacts for each input, as a left wheel sees it: (2 * 15, 6)."""
    sign = 1.0 if side == "left" else -1.0
    seen = np.zeros((30, 6))
    left, right = 3, 9  # of the loads, behind heights and rack
    seen[[left + _FY, right + _FY], LATERAL_FORCE] = sign
    seen[[left + _FY, right + _FY], LATERAL_OPPOSITE] = 1.0, -1.0
    seen[[left + _FX, right + _FX], BRAKING] = -1.0
    seen[[15 + left + _FX, 15 + right + _FX], DRIVING] = 1.0
    seen[[left + _MZ, right + _MZ], ALIGNING] = sign
    seen[[left + _MZ, right + _MZ], ALIGNING_OPPOSITE] = 1.0, -1.0
    return seen


def measure_axle(
    rig: AxleRig,
    vehicle: AxleInVehicle | None = None,
    ranges: RigRanges | None = None,
    cases: Sequence[LoadCase] = LOAD_CASES,
) -> MeasuredAxle:
    """Take an axle through all cases that apply to it, in one solution of all positions.

    A range that is beyond the reach of the axle is made as long as it reaches, and a note says so.
    """
    asked = ranges = ranges or RigRanges()
    by_arm = rig.linkage.steering_hinge is not None
    listed = [
        STEERING_ARM if case.is_steered and by_arm else case
        for case in cases
        if (rig.elastic or not case.is_force) and (rig.linkage.steers or not case.is_steered)
    ]
    planned, whole = _solved(rig, listed, ranges)
    while isinstance(whole, RigRanges):
        ranges = whole
        planned, whole = _solved(rig, listed, ranges)
    found, first = {}, 1
    for case, (values, plan) in zip(listed, planned, strict=True):
        at = whole.part(slice(first, first + len(plan)))
        first += len(plan)
        poses = rig.poses(at, rig.rates(at, Pads.CENTRES))
        found[case.name] = MeasuredCase(case, values, at, poses, rig.contacts(at))
    notes = tuple(_notes(listed, asked, ranges))
    design, place = whole.part(slice(0, 1)), vehicle or AxleInVehicle()
    return MeasuredAxle(rig.name, rig, place, found, design, ranges, notes)


_WITHIN = 0.95  # share of what is reached: at the end of it rates have no bound
_FINEST = 0.03  # share of a range to which it is found how far an axle reaches
_LEAST = 0.02  # share of a range below which it is no range

_Planned = list[tuple[FloatArray, RigPlan]]


def _solved(
    rig: AxleRig, cases: Sequence[LoadCase], ranges: RigRanges
) -> tuple[_Planned, RigPositions | RigRanges]:
    """Plans of all cases, and the positions, that of design first; or shorter ranges, all of which
    the axle reaches."""
    planned = [case.plan(ranges) for case in cases]
    plan = RigPlan.joined([RigPlan.at_design(1), *(one for _, one in planned)])
    at, reached = rig.reach(plan, _FINEST)
    if reached.min() >= 1.0:
        return planned, at
    shorter: dict[str, float] = {}
    first = 1
    for case, (values, _) in zip(cases, planned, strict=True):
        shares = reached[first : first + len(values)]
        first += len(values)
        if shares.min() < 1.0:
            limit = _WITHIN * float(np.abs(shares * values)[shares < 1.0].min())
            if limit < _LEAST * getattr(ranges, case.range_name):
                rig.solve(plan)  # refuses it by name
            shorter[case.range_name] = min(limit, shorter.get(case.range_name, limit))
    return planned, replace(ranges, **shorter)  # type: ignore[arg-type]


def _notes(cases: Sequence[LoadCase], asked: RigRanges, taken: RigRanges) -> Iterator[str]:
    for name in dict.fromkeys(case.range_name for case in cases):
        before, after = getattr(asked, name), getattr(taken, name)
        if after < before:
            case = next(one for one in cases if one.range_name == name)
            factor = units_in(case.shown_unit, case.unit)
            titles = few_names([c.title for c in cases if c.range_name == name], 12)
            ends = (f"{factor * x:.4g} {case.shown_unit}" for x in (before, after))
            yield "{}: the axle does not reach {} to both sides; it went to {}".format(
                titles, *ends
            )
