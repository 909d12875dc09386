"""Metrics of an axle on the rig, each with its definition, sign and unit.

Axes and angles as in ISO 8855:2011: x forward, y left, z up. What is of a wheel is that of a left
one: a right wheel is seen in a mirror, so that both sides of a symmetric axle agree. Definitions
are derived in ``docs/theory/kinematics-and-compliance.md``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from axletree.analysis.kinematics_and_compliance.characteristics import (
    CHARACTERISTICS,
    Characteristic,
    camber,
    caster,
    kingpin_inclination,
    roll_centre_height,
    tan_brake,
    tan_drive,
    toe,
)
from axletree.analysis.kinematics_and_compliance.measured_axle import (
    ALIGNING,
    ALIGNING_OPPOSITE,
    BRAKING,
    DRIVING,
    LATERAL_FORCE,
    LATERAL_OPPOSITE,
    MeasuredAxle,
    MeasuredCase,
)
from axletree.analysis.kinematics_and_compliance.poses import WheelPoses
from axletree.core.arrays import FloatArray
from axletree.core.units import parse_unit
from axletree.metrics.findings import value_in_words
from axletree.model.model import STANDARD_GRAVITY

_TRAVEL, _RACK = 0, 2  # inputs of rates
_PARALLEL = 1e-9  # sine of the angle below which two normals do not meet


@dataclass(frozen=True, eq=False)
class MeasuredWheel:
    """One wheel of a measured axle, as a left one."""

    axle: MeasuredAxle
    side: int  # 0 left, 1 right

    @property
    def design(self) -> WheelPoses:
        """Rates by travel are those of both wheels alike."""
        return self.axle.wheel(self.side).in_travel(1.0)

    @property
    def rolling(self) -> WheelPoses:
        """At design, too, with rates of this wheel up and the other one down."""
        return self.axle.wheel(self.side).in_travel(-1.0)

    @property
    def compliant(self) -> WheelPoses:
        return self.axle.compliant_wheel(self.side)

    def over(self, case: str) -> WheelPoses:
        """In a case."""
        poses = self.axle.cases[case].poses
        return (poses.left, poses.right)[self.side]

    @property
    def outward_roll(self) -> float:
        """The sign of a roll towards this wheel."""
        return (-1.0, 1.0)[self.side]


@dataclass(frozen=True)
class RigMetric:
    """A number of an axle; ``of`` gives it in SI units, or nan where the axle has none."""

    name: str
    unit: str  # in which it is shown
    definition: str
    of: Callable[[MeasuredWheel], float]
    is_of_axle: bool = False  # one for both wheels

    @property
    def title(self) -> str:
        """The name in words."""
        return self.name.replace("_", " ")


@dataclass(frozen=True)
class MeasuredMetric:
    """A metric of an axle, in the unit of the metric; of an axle, left and right are one."""

    metric: RigMetric
    left: float
    right: float

    def __repr__(self) -> str:
        values = (self.left,) if self.is_symmetric else (self.left, self.right)
        said = ", right ".join(value_in_words(value, self.unit, 5) for value in values)
        return f"{self.title} {said} {self.unit}".removesuffix(" 1")

    @property
    def name(self) -> str:
        return self.metric.name

    @property
    def title(self) -> str:
        return self.metric.title

    @property
    def unit(self) -> str:
        return self.metric.unit

    @property
    def is_symmetric(self) -> bool:
        """Whether both sides have the same, but for rounding."""
        return math.isclose(self.left, self.right, rel_tol=1e-6, abs_tol=1e-9)


def measured_metrics(axle: MeasuredAxle) -> Iterator[MeasuredMetric]:
    """All that an axle has."""
    for metric in RIG_METRICS:
        factor = 1.0 / float(parse_unit(metric.unit).factor)
        sides = (0,) if metric.is_of_axle else (0, 1)
        values = [factor * metric.of(MeasuredWheel(axle, side)) for side in sides]
        if all(map(math.isfinite, values)):
            yield MeasuredMetric(metric, values[0], values[-1])


_NONE = math.nan


def _of(characteristic: Characteristic) -> Callable[[MeasuredWheel], float]:
    return lambda w: float(characteristic.of(w.design)[0])


def _in_opposite_travel(name: str) -> Callable[[MeasuredWheel], float]:
    """Of centres about which an axle rolls."""
    return lambda w: float(_kind(name).of(w.rolling)[0])


def _roll_centre_over_travel(w: WheelPoses) -> FloatArray:
    return np.asarray(roll_centre_height(w.in_travel(-1.0)))


def _steered(of: Callable[[MeasuredWheel], float]) -> Callable[[MeasuredWheel], float]:
    """Of axles with a rack alone."""
    return lambda w: of(w) if w.axle.rig.linkage.steers else _NONE


def _on_a_rack(of: Callable[[MeasuredWheel], float]) -> Callable[[MeasuredWheel], float]:
    def found(w: MeasuredWheel) -> float:
        linkage = w.axle.rig.linkage
        return of(w) if linkage.steers and linkage.steering_hinge is None else _NONE

    return found


def _with_kingpin(of: Callable[[MeasuredWheel], float]) -> Callable[[MeasuredWheel], float]:
    def found(w: MeasuredWheel) -> float:
        return of(w) if w.axle.rig.has_kingpin(w.side) else _NONE

    return found


def _rate(quantity: Callable[[WheelPoses], FloatArray]) -> Callable[[MeasuredWheel], float]:
    """By wheel travel at design."""
    return lambda w: float(w.design.rate_of(quantity, _TRAVEL)[0])


def _by_load(
    quantity: Callable[[WheelPoses], FloatArray], load: int
) -> Callable[[MeasuredWheel], float]:
    """By forces or torques, of an axle that gives."""
    return lambda w: float(w.compliant.rate_of(quantity, load)[0]) if w.axle.rig.elastic else _NONE


def _turn_about_y(load: int) -> Callable[[MeasuredWheel], float]:
    return lambda w: float(w.compliant.angular[load][0, 1]) if w.axle.rig.elastic else _NONE


def _contact_shift(axis: int, load: int) -> Callable[[MeasuredWheel], float]:
    """Of the carrier's point at the contact."""

    def found(w: MeasuredWheel) -> float:
        if not w.axle.rig.elastic:
            return _NONE
        wheel = w.compliant
        return float(wheel.point_velocity(wheel.contact, load)[0, axis])

    return found


def _slope(
    case: str, quantity: Callable[[WheelPoses], FloatArray]
) -> Callable[[MeasuredWheel], float]:
    return lambda w: w.axle.cases[case].slope(quantity(w.over(case)))


def _in_roll(quantity: Callable[[WheelPoses], FloatArray]) -> Callable[[MeasuredWheel], float]:
    """By roll towards the wheel."""
    found = _slope("roll", quantity)
    return lambda w: w.outward_roll * found(w)


def _x(w: WheelPoses) -> FloatArray:
    return np.asarray(w.wheel_centre[:, 0])


def _y(w: WheelPoses) -> FloatArray:
    return np.asarray(w.wheel_centre[:, 1])


def _contact_y(w: WheelPoses) -> FloatArray:
    return np.asarray(w.contact[:, 1])


def _kind(name: str) -> Characteristic:
    return next(c for c in CHARACTERISTICS if c.name == name)


def _value(name: str) -> Callable[[MeasuredWheel], float]:
    return _of(_kind(name))


def _contact(w: MeasuredWheel) -> FloatArray:
    return np.asarray(w.design.contact[0])


# Springs and rates.


def _motion_ratio(w: MeasuredWheel, damper: bool) -> float:
    coil = w.axle.rig.coils_of(w.side)[int(damper)]
    length = "damper_length" if damper else "spring_length"
    if coil is None:
        return _NONE
    return -float(w.design.rate_of(lambda p: getattr(p, length))[0])


def _motion_ratio_slope(w: MeasuredWheel) -> float:
    if w.axle.rig.coils_of(w.side)[0] is None:
        return _NONE
    over = w.over("parallel_travel")
    rates = sum(over.rate_of(lambda p: p.spring_length, along) for along in (0, 1))
    return -w.axle.cases["parallel_travel"].slope(np.asarray(rates))


def _wheel_rate(w: MeasuredWheel, sign: float = 1.0) -> float:
    own, other = w.side, 1 - w.side
    loads = w.axle.rates.loads[0]
    return float(loads[own, own] + sign * loads[own, other])


def _ride_rate(w: MeasuredWheel) -> float:
    tyre, wheel = w.axle.vehicle.tyre_stiffness, _wheel_rate(w)
    return _NONE if tyre is None else tyre * wheel / (tyre + wheel)


def _ride_frequency(w: MeasuredWheel) -> float:
    load = w.axle.rig.load
    if not load or _ride_rate(w) <= 0.0:
        return _NONE
    return math.sqrt(_ride_rate(w) * STANDARD_GRAVITY / load) / (2.0 * math.pi)


def roll_moment(case: MeasuredCase) -> FloatArray:
    """Of the pads on the body [N m]: half of the difference of loads times the track."""
    between = case.contacts[:, 0] - case.contacts[:, 1]
    track = np.linalg.norm(between[:, 1:], axis=1)
    return np.asarray(0.5 * (case.at.loads[:, 1] - case.at.loads[:, 0]) * track)


def roll_stiffness(axle: MeasuredAxle) -> float:
    """Of the suspension, on rigid tyres [N m/rad]."""
    return axle.cases["roll"].slope(roll_moment(axle.cases["roll"]))


def _track(axle: MeasuredAxle) -> float:
    contacts = axle.cases["roll"].contacts[axle.cases["roll"].middle]
    return float(contacts[0, 1] - contacts[1, 1])


def _roll_stiffness_with_tyres(w: MeasuredWheel) -> float:
    tyre = w.axle.vehicle.tyre_stiffness
    if tyre is None:
        return _NONE
    suspension, tyres = roll_stiffness(w.axle), 0.5 * tyre * _track(w.axle) ** 2
    return suspension * tyres / (suspension + tyres)


def _roll_share(w: MeasuredWheel) -> float:
    other = w.axle.vehicle.other_roll_stiffness
    own = roll_stiffness(w.axle)
    return _NONE if other is None else own / (own + other)


def roll_centre(case: MeasuredCase) -> FloatArray:
    """Where the normals of the ways of both contacts meet, (N, 2) y and z [m] in the body's axes.

    A contact moves by v as its wheel goes up and the other one down; it turns about any point p of
    its normal, (p - C) . v = 0, and the axle about the point that both have. Where the normals are
    parallel there is none.
    """
    rows, right = [], []
    for side, wheel in enumerate((case.poses.left, case.poses.right)):
        mirror = np.array([1.0, (1.0, -1.0)[side], 1.0])
        contact = case.contacts[:, side]
        own = contact * mirror
        v = (wheel.point_velocity(own, 0) - wheel.point_velocity(own, 1)) * mirror
        rows.append(v[:, 1:])
        right.append((v[:, 1:] * contact[:, 1:]).sum(axis=1))
    A, b = np.stack(rows, axis=1), np.stack(right, axis=1)
    determinant = A[:, 0, 0] * A[:, 1, 1] - A[:, 0, 1] * A[:, 1, 0]
    meet = np.abs(determinant) > _PARALLEL * np.linalg.norm(A, axis=(1, 2)) ** 2
    found = np.full(b.shape, np.nan)
    found[meet] = np.linalg.solve(A[meet], b[meet][..., None])[..., 0]
    return found


def _lateral_migration(w: MeasuredWheel) -> float:
    case = w.axle.cases["roll"]
    contacts = case.contacts[case.middle]
    if np.abs(contacts[0, 1] + contacts[1, 1]) > 1e-6:
        return _NONE  # of an asymmetric axle the middle is not known
    return case.slope(roll_centre(case)[:, 0])


# Longitudinal forces.


def _anti(
    of: Callable[[WheelPoses], FloatArray], *, is_front: bool, by_brakes: bool, sign: float
) -> Callable[[MeasuredWheel], float]:
    """Share of the load transfer that the linkage carries: p tan L / h (``theory``)."""

    def found(w: MeasuredWheel) -> float:
        v = w.axle.vehicle
        share = v.brake_share if by_brakes else v.drive_share
        if v.is_front != is_front or not share or v.wheelbase is None or v.centre_height is None:
            return _NONE
        return float(sign * share * of(w.design)[0] * v.wheelbase / v.centre_height)

    return found


# Steering.


def steer_angles(axle: MeasuredAxle) -> tuple[FloatArray, FloatArray]:
    """Of the left and the right wheel over rack travel, from straight ahead, to the left [rad]."""
    case = axle.cases["steering"]
    left, right = toe(case.poses.left), toe(case.poses.right)
    return -(left - left[case.middle]), right - right[case.middle]


def _turn(w: MeasuredWheel) -> tuple[float, float]:
    """Magnitudes of the inner and the outer angle at the end of the rack at which the left wheel
    is the inner one."""
    left, right = steer_angles(w.axle)
    end = int(np.argmax(left)) if w.side == 0 else int(np.argmin(right))
    inner, outer = abs(left[end]), abs(right[end])
    return (inner, outer) if w.side == 0 else (outer, inner)


def _kingpin_offset(w: MeasuredWheel) -> float:
    return float(_kind("scrub").of(w.design)[0])


def _ackermann(w: MeasuredWheel, *, at_kingpins: bool) -> float:
    wheelbase = w.axle.vehicle.wheelbase
    if wheelbase is None:
        return _NONE
    inner, outer = _turn(w)
    track = sum(
        _contact(one)[1] - (_kingpin_ground_offset(one) if at_kingpins else 0.0)
        for one in (MeasuredWheel(w.axle, 0), MeasuredWheel(w.axle, 1))
    )
    ideal = math.atan(1.0 / (1.0 / math.tan(inner) + track / wheelbase))
    return (inner - outer) / (inner - ideal)


def _kingpin_ground_offset(w: MeasuredWheel) -> float:
    """From the kingpin on the road to the contact, along y [m]."""
    wheel = w.design
    k = (wheel.kingpin_upper - wheel.kingpin_lower)[0]
    low, contact = wheel.kingpin_lower[0], wheel.contact[0]
    ground = low + k * (contact[2] - low[2]) / k[2]
    return float(contact[1] - ground[1])


def _turning_circle(w: MeasuredWheel) -> float:
    wheelbase = w.axle.vehicle.wheelbase
    if wheelbase is None:
        return _NONE
    return 2.0 * (wheelbase / math.sin(_turn(w)[1]) + _kingpin_offset(w))


def _steer_by_rack(axle: MeasuredAxle) -> float:
    """Mean of both wheels, to the left [rad/m]."""
    rates = [float(axle.wheel(side).rate_of(toe, _RACK)[0]) for side in (0, 1)]
    return -0.5 * sum(rates)


def _column_slope(w: MeasuredWheel, rack: float) -> float:
    """Angle of the pinion by that of the steering wheel, at a travel of the rack [m]."""
    v = w.axle.vehicle
    if v.column is None or v.rack_per_angle is None:
        return 1.0
    return float(v.column.slope(v.column.hand_angle(rack / v.rack_per_angle)))


def _steering_ratio(w: MeasuredWheel) -> float:
    gear = w.axle.vehicle.rack_per_angle
    return _NONE if gear is None else 1.0 / (gear * _column_slope(w, 0.0) * _steer_by_rack(w.axle))


def _steering_ratio_at_the_end(w: MeasuredWheel) -> float:
    gear, case = w.axle.vehicle.rack_per_angle, w.axle.cases["steering"]
    if gear is None:
        return _NONE
    rates = [-0.5 * p.rate_of(toe, _RACK) for p in (case.poses.left, case.poses.right)]
    by_rack = np.asarray(rates[0] + rates[1])
    by_hand = [by_rack[k] * _column_slope(w, float(case.values[k])) for k in (0, -1)]
    return float(2.0 / (gear * sum(by_hand)))


def _column_fluctuation(w: MeasuredWheel) -> float:
    column = w.axle.vehicle.column
    return _NONE if column is None else column.fluctuation


_OUT = "force outward on this wheel"

RIG_METRICS = (
    RigMetric("toe", "deg", "static toe: atan(s_x/s_y) of the outward spin axis s; + toe-in",
              _value("toe")),
    RigMetric("camber", "deg", "static camber: -asin(s_z); + top outward", _value("camber")),
    RigMetric("caster", "deg", "atan(-k_x/k_z) of the upward kingpin k; + top rearward",
              _with_kingpin(_value("caster"))),
    RigMetric("kingpin_inclination", "deg", "atan(-k_y/k_z); + top inboard",
              _with_kingpin(_value("kpi"))),
    RigMetric("trail", "mm", "kingpin on the road ahead of the contact, along the heading",
              _with_kingpin(_value("trail"))),
    RigMetric("scrub_radius", "mm", "contact outboard of the kingpin on the road",
              _with_kingpin(_value("scrub"))),
    RigMetric("hub_trail", "mm", "as trail, at the height of the wheel centre",
              _with_kingpin(_value("hub_trail"))),
    RigMetric("hub_offset", "mm", "as scrub radius, at the height of the wheel centre",
              _with_kingpin(_value("hub_offset"))),
    # Over travel of both wheels.
    RigMetric("bump_steer", "deg/m", "toe by wheel travel; + toe-in in bump",
              _value("dtoe_dz")),
    RigMetric("bump_camber", "deg/m", "camber by wheel travel; + top outward in bump",
              _value("dcamber_dz")),
    RigMetric("caster_change", "deg/m", "caster by wheel travel",
              _with_kingpin(_slope("parallel_travel", caster))),
    RigMetric("kingpin_inclination_change", "deg/m", "kingpin inclination by wheel travel",
              _with_kingpin(_slope("parallel_travel", kingpin_inclination))),
    RigMetric("wheel_recession", "mm/m", "wheel centre rearward by wheel travel",
              lambda w: -_rate(_x)(w)),
    RigMetric("wheelbase_change", "mm/m", "wheel centres forward by parallel travel, mean of both",
              lambda w: sum(_rate(_x)(MeasuredWheel(w.axle, k)) for k in (0, 1)) / 2.0,
              is_of_axle=True),
    RigMetric("track_change", "mm/m", "distance of the contacts by parallel travel",
              lambda w: sum(_rate(_contact_y)(MeasuredWheel(w.axle, k)) for k in (0, 1)),
              is_of_axle=True),
    RigMetric("half_track_change", "mm/m", "contact outward by wheel travel", _rate(_contact_y)),
    RigMetric("wheel_centre_shift", "mm/m", "wheel centre outward by wheel travel", _rate(_y)),
    # Centres.
    RigMetric("roll_centre_height", "mm", "y_C v_y/v_z of the carrier's point at the contact, "
              "above the road", _in_opposite_travel("roll_centre_height")),
    RigMetric("roll_centre_migration", "mm/m", "roll centre height by parallel travel",
              _slope("parallel_travel", _roll_centre_over_travel)),
    RigMetric("roll_centre_lateral_migration", "mm/deg", "roll centre to the left by roll of the "
              "body to the right", _lateral_migration, is_of_axle=True),
    RigMetric("front_view_centre_y", "m", "front-view instant centre, + on this side of the middle",
              _in_opposite_travel("front_view_ic_y")),
    RigMetric("front_view_centre_z", "m", "front-view instant centre above the origin",
              _in_opposite_travel("front_view_ic_z")),
    RigMetric("front_view_swing_arm", "m", "contact outboard of the front-view instant centre",
              lambda w: float(_contact(w)[1]) - _in_opposite_travel("front_view_ic_y")(w)),
    RigMetric("side_view_centre_x", "m", "side-view instant centre, + ahead of the wheel centres",
              _value("side_view_ic_x")),
    RigMetric("side_view_centre_z", "m", "side-view instant centre above the origin",
              _value("side_view_ic_z")),
    RigMetric("side_view_swing_arm", "m", "wheel centre ahead of the side-view instant centre",
              lambda w: float(_x(w.design)[0]) - _value("side_view_ic_x")(w)),
    RigMetric("brake_support_angle", "deg", "atan(v_x/v_z) of the carrier's point at the contact: "
              "torque held by the upright", lambda w: math.atan(_value("tan_brake")(w))),
    RigMetric("drive_support_angle", "deg", "atan(v_x/v_z) of the wheel centre: torque held by a "
              "shaft", lambda w: math.atan(_value("tan_drive")(w))),
    RigMetric("anti_dive", "%", "p tan L/h of the brake support angle, p the share of this axle",
              _anti(tan_brake, is_front=True, by_brakes=True, sign=1.0)),
    RigMetric("anti_dive_inboard", "%", "likewise of inboard brakes, by the drive support angle",
              _anti(tan_drive, is_front=True, by_brakes=True, sign=1.0)),
    RigMetric("anti_lift_drive", "%", "of a driven front axle: p tan L/h of the drive support "
              "angle", _anti(tan_drive, is_front=True, by_brakes=False, sign=1.0)),
    RigMetric("anti_lift", "%", "of a rear axle: -p tan L/h of the brake support angle",
              _anti(tan_brake, is_front=False, by_brakes=True, sign=-1.0)),
    RigMetric("anti_lift_inboard", "%", "likewise of inboard brakes",
              _anti(tan_drive, is_front=False, by_brakes=True, sign=-1.0)),
    RigMetric("anti_squat", "%", "of a driven rear axle: -p tan L/h of the drive support angle, "
              "torque held by shafts", _anti(tan_drive, is_front=False, by_brakes=False,
                                             sign=-1.0)),
    RigMetric("anti_squat_axle", "%", "likewise of a driven axle that holds the torque itself",
              _anti(tan_brake, is_front=False, by_brakes=False, sign=-1.0)),
    # Springs.
    RigMetric("spring_motion_ratio", "1", "minus the spring's length by wheel travel",
              lambda w: _motion_ratio(w, damper=False)),
    RigMetric("damper_motion_ratio", "1", "minus the damper's length by wheel travel",
              lambda w: _motion_ratio(w, damper=True)),
    RigMetric("motion_ratio_change", "1/m", "spring motion ratio by parallel travel",
              _motion_ratio_slope),
    RigMetric("wheel_rate", "N/mm", "load by travel of the wheel centre, both wheels alike",
              _wheel_rate),
    RigMetric("wheel_rate_opposite", "N/mm", "load by travel, wheels against one another",
              lambda w: _wheel_rate(w, -1.0)),
    RigMetric("ride_rate", "N/mm", "of wheel rate and tyre in series", _ride_rate),
    RigMetric("ride_frequency", "Hz", "of the load on the ride rate", _ride_frequency),
    RigMetric("roll_stiffness", "N*m/deg", "moment of the pads by roll angle, constant axle load, "
              "rigid tyres", lambda w: roll_stiffness(w.axle), is_of_axle=True),
    RigMetric("roll_stiffness_with_tyres", "N*m/deg", "likewise, in series with the tyres",
              _roll_stiffness_with_tyres, is_of_axle=True),
    RigMetric("roll_stiffness_share", "%", "of this axle in that of the vehicle, rigid tyres",
              _roll_share, is_of_axle=True),
    RigMetric("anti_roll_share", "%", "1 - wheel rate / opposite wheel rate: what couples the "
              "wheels", lambda w: 1.0 - _wheel_rate(w) / _wheel_rate(w, -1.0)),
    # Roll at constant axle load.
    RigMetric("roll_steer", "deg/deg", "mean steer angle to the left by roll to the right",
              lambda w: 0.5 * (w.axle.cases["roll"].slope(toe(w.axle.cases["roll"].poses.right))
                               - w.axle.cases["roll"].slope(toe(w.axle.cases["roll"].poses.left))),
              is_of_axle=True),
    RigMetric("roll_toe", "deg/deg", "toe by roll towards this wheel", _in_roll(toe)),
    RigMetric("roll_camber", "deg/deg", "camber to the body by roll towards this wheel",
              _in_roll(camber)),
    RigMetric("roll_camber_to_road", "deg/deg", "camber to the road by roll towards this wheel",
              lambda w: 1.0 + _in_roll(camber)(w)),
    # Steering.
    RigMetric("toe_by_rack", "deg/mm", "toe by rack travel to this wheel's side",
              _on_a_rack(_value("dtoe_drack"))),
    RigMetric("camber_by_rack", "deg/mm", "camber by rack travel to this wheel's side",
              _on_a_rack(_value("dcamber_drack"))),
    RigMetric("steering_ratio", "1", "steering wheel angle by mean steer angle, straight ahead",
              _steered(_steering_ratio), is_of_axle=True),
    RigMetric("steering_ratio_at_the_end", "1", "likewise at the ends of the rack's range, mean of "
              "both", _steered(_steering_ratio_at_the_end), is_of_axle=True),
    RigMetric("column_fluctuation", "%", "of the column's ratio over a turn by its universal "
              "joints: greatest less least by their mean", _steered(_column_fluctuation),
              is_of_axle=True),
    RigMetric("greatest_inner_angle", "deg", "steer angle at the end of the rack's range, this "
              "wheel inside", _steered(lambda w: _turn(w)[0])),
    RigMetric("greatest_outer_angle", "deg", "steer angle of the other wheel there",
              _steered(lambda w: _turn(w)[1])),
    RigMetric("ackermann", "%", "(d_i - d_o)/(d_i - d_o*) there, d_o* = acot(cot d_i + T/L), T the "
              "distance of the kingpins on the road",
              _steered(lambda w: _ackermann(w, at_kingpins=True))),
    RigMetric("ackermann_contact_track", "%", "likewise, T the distance of the contacts",
              _steered(lambda w: _ackermann(w, at_kingpins=False))),
    RigMetric("turning_circle", "m", "diameter of the way of the outer contact there, kerb to "
              "kerb: 2 (L / sin d_o + scrub radius)", _steered(_turning_circle)),
    # Compliance: pads hold the heights of the contacts, the rack is held.
    RigMetric("lateral_compliance_steer", "deg/kN", f"toe by {_OUT} and alike on the other",
              _by_load(toe, LATERAL_FORCE)),
    RigMetric("lateral_compliance_camber", "deg/kN", f"camber by {_OUT} and alike on the other",
              _by_load(camber, LATERAL_FORCE)),
    RigMetric("lateral_compliance", "mm/kN", f"contact outward by {_OUT} and alike on the other",
              _contact_shift(1, LATERAL_FORCE)),
    RigMetric("lateral_compliance_at_centre", "mm/kN", "wheel centre outward, likewise",
              _by_load(_y, LATERAL_FORCE)),
    RigMetric("lateral_compliance_steer_opposite", "deg/kN", "toe by forces outward on both",
              _by_load(toe, LATERAL_OPPOSITE)),
    RigMetric("lateral_compliance_camber_opposite", "deg/kN", "camber by forces outward on both",
              _by_load(camber, LATERAL_OPPOSITE)),
    RigMetric("lateral_compliance_opposite", "mm/kN", "contact outward by forces outward on both",
              _contact_shift(1, LATERAL_OPPOSITE)),
    RigMetric("braking_compliance_steer", "deg/kN", "toe by brake forces rearward on both",
              _by_load(toe, BRAKING)),
    RigMetric("braking_compliance", "mm/kN", "wheel centre rearward by brake forces on both",
              lambda w: -_by_load(_x, BRAKING)(w)),
    RigMetric("braking_wind_up", "deg/kN", "turn of the upright about y, its top forward, by brake "
              "forces on both", _turn_about_y(BRAKING)),
    RigMetric("driving_compliance_steer", "deg/kN", "toe by driving forces forward on both, torque "
              "held by shafts", _by_load(toe, DRIVING)),
    RigMetric("driving_compliance", "mm/kN", "wheel centre forward, likewise",
              _by_load(_x, DRIVING)),
    RigMetric("aligning_compliance_steer", "deg/(kN*m)", "toe by torques about the vertical on "
              "both, to this wheel's side", _by_load(toe, ALIGNING)),
    RigMetric("aligning_compliance_camber", "deg/(kN*m)", "camber, likewise",
              _by_load(camber, ALIGNING)),
    RigMetric("aligning_compliance_steer_opposite", "deg/(kN*m)", "toe by torques that turn both "
              "wheels outward", _by_load(toe, ALIGNING_OPPOSITE)),
)  # fmt: skip

# Titles of groups, by the first metric of each.
_GROUPS = {
    "toe": "Wheels at design", "bump_steer": "Over wheel travel",
    "roll_centre_height": "Centres, and support of longitudinal forces",
    "spring_motion_ratio": "Springs", "roll_steer": "Roll at constant axle load",
    "toe_by_rack": "Steering", "lateral_compliance_steer": "Compliance",
}  # fmt: skip


def metric_groups() -> dict[str, str]:
    """The group of each metric, by name, in order.

    Example:
    >>> from axletree.analysis.kinematics_and_compliance.metrics import metric_groups
    >>> metric_groups()["anti_dive"]
    'Centres, and support of longitudinal forces'
    """
    found, group = {}, ""
    for metric in RIG_METRICS:
        group = _GROUPS.get(metric.name, group)
        found[metric.name] = group
    return found
