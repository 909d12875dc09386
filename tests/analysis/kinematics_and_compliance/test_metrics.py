"""Every metric against a value of ``data/suspension``, a closed form or a difference of the rig.

``CHECKS`` has one for each: a metric without a check fails the first test.
"""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest
from analysis.kinematics_and_compliance.test_rig import DESIGN
from mechanisms.hard_point_axle import double_wishbone

from axletree.analysis.kinematics_and_compliance.characteristics import camber, caster, toe
from axletree.analysis.kinematics_and_compliance.characteristics import kingpin_inclination as kpi
from axletree.analysis.kinematics_and_compliance.characteristics import (
    roll_centre_height as rc_height,
)
from axletree.analysis.kinematics_and_compliance.load_cases import RigRanges
from axletree.analysis.kinematics_and_compliance.measured_axle import AxleInVehicle, measure_axle
from axletree.analysis.kinematics_and_compliance.metrics import (
    RIG_METRICS,
    measured_metrics,
    roll_centre,
)
from axletree.analysis.kinematics_and_compliance.rig import AxleRig, Pads, RigPlan
from axletree.vehicles.linkages.linkage import TorsionBar
from axletree.vehicles.linkages.positions import LinkageKinematics
from axletree.vehicles.steering_column import SteeringColumn

LOAD, RADIUS, L, H, P = 4000.0, 0.31, 2.7, 0.55, 0.65
TYRE, GEAR, OTHER = 2e5, -0.008, 25e3
AT = DESIGN["double_wishbone"]
DEG = np.degrees(1.0)
# A column with one universal joint of 20 deg, its fork in the plane of its shafts.
BEND = np.radians(20.0)
COLUMN = SteeringColumn(
    wheel=(0, 0, 1), upper_joint=(0, 0, 0), lower_joint=(np.sin(BEND), 0, -np.cos(BEND)),
    gear=(2.0 * np.sin(BEND), 0, -2.0 * np.cos(BEND)),
)  # fmt: skip
FRONT = AxleInVehicle(True, L, H, P, 0.4, TYRE, GEAR, OTHER, COLUMN)
REAR = AxleInVehicle(False, L, H, 1.0 - P, 0.6)


@functools.cache
def rig(elastic: bool) -> AxleRig:
    return AxleRig(double_wishbone(), RADIUS, LOAD, elastic=elastic)


@functools.cache
def measured(elastic: bool, *, front: bool = True):
    return measure_axle(rig(elastic), FRONT if front else REAR)


def metrics(elastic: bool, *, front: bool = True):
    return {m.name: m for m in measured_metrics(measured(elastic, front=front))}


# -- differences of the rig ------------------------------------------------------------------
def _ends(elastic, step, **changes):
    """Positions and poses on both sides of design."""
    for sign in (1.0, -1.0):
        plan = RigPlan.at_design(1)
        for name, value in changes.items():
            scaled = value if name in ("pads", "is_driven") else sign * step * np.asarray(value)
            plan = replace(plan, **{name: np.asarray(scaled)[None]})
        at = rig(elastic).solve(plan)
        yield at, rig(elastic).poses(at, rig(elastic).rates(at, Pads.CENTRES))


def slope(quantity, *, step=1e-4, elastic=False, **changes):
    """Of a quantity of the left wheel."""
    above, below = (quantity(at, poses) for at, poses in _ends(elastic, step, **changes))
    return float((above - below) / (2.0 * step))


def of_left(quantity):
    return lambda at, poses: quantity(poses.left)[0]


BOTH = {"heights": (1.0, 1.0)}
ROLL = {"roll": 1.0, "pads": int(Pads.ROLL)}


def by_travel(quantity):
    return lambda: slope(of_left(quantity), **BOTH)


def by_roll(quantity):
    """Towards the left wheel."""
    return lambda: -slope(of_left(quantity), **ROLL)


def by_load(quantity, name, axis, signs, *, driven=False):
    """Per newton or newton metre, of the axle with bushings, contacts held."""
    loads = np.zeros((2, 3))
    loads[:, axis] = signs
    changes = {name: loads, "pads": int(Pads.CONTACTS), "is_driven": driven}
    size = 10.0 if name == "force" else 1.0
    return lambda: slope(quantity, step=size, elastic=True, **changes)


LAT = ("force", 1, (1.0, 1.0))
LAT_OUT = ("force", 1, (1.0, -1.0))
BRAKE = ("force", 0, (-1.0, -1.0))
DRIVE = ("force", 0, (1.0, 1.0))
ALIGN = ("torque", 2, (1.0, 1.0))
ALIGN_OUT = ("torque", 2, (1.0, -1.0))


def wheel_centre(axis):
    return lambda at, poses: poses.left.wheel_centre[0, axis]


def upright_point(axis):
    """Of the upright at the contact of design."""
    contact = tuple(float(x) for x in measured(True).wheel(0).contact[0])
    return lambda at, poses: rig(True).point(at, "left_upright", contact)[0, axis]


def wind_up(at, poses):
    R = at.R[0, rig(True).order["left_upright"]]
    return 0.5 * (R[0, 2] - R[2, 0])


def contact_y(at, poses):
    return poses.left.contact[0, 1]


def load(at, poses):
    return at.loads[0, 0]


def length(at, poses):
    return poses.left.spring_length[0]


def motion_ratio_change():
    """The second difference of the spring's length."""
    step = 1e-3
    (up, _), (down, _) = ((length(*one), one) for one in _ends(False, step, **BOTH))
    return -(up - 2.0 * AT["spring_length"] + down) / step**2


def roll_moment(at, poses):
    """About the middle between the contacts, of loads along the normal of the road."""
    contacts = rig(False).contacts(at)[0]
    arm = 0.5 * (contacts[0] - contacts[1])
    up = at.plan.up[0]
    return np.cross(arm, (at.loads[0, 0] - at.loads[0, 1]) * up)[0] * -1.0


def lateral_migration():
    small = measure_axle(rig(False), FRONT, RigRanges(roll=1e-3, positions=5))
    found = roll_centre(small.cases["roll"])[:, 0]
    values = small.cases["roll"].values
    return (found[-1] - found[0]) / (values[-1] - values[0])


# -- steering by a second closure ------------------------------------------------------------
def _toe_by_rack(rack):
    """Toe of both wheels and contacts by ``LinkageKinematics``."""
    linkage = rig(False).linkage
    at = LinkageKinematics(linkage).at(np.array([[0.0, 0.0, rack]]))
    found = []
    for side, sign in (("left", 1.0), ("right", -1.0)):
        carrier = linkage.carriers[side]
        s = at.direction(carrier.link, carrier.spin_axis)[0] * [sign, 1.0, sign]
        found.append(np.arctan(s[0] / s[1]))
    return np.array(found)


def _turn():
    """Inner and outer angle of a turn to the left, at 60 mm of rack travel."""
    straight = _toe_by_rack(0.0)
    ends = [np.abs(_toe_by_rack(r) - straight) for r in (-0.06, 0.06)]
    best = max(ends, key=lambda pair: pair[0])
    return best[0], best[1]


def _ackermann(half_track):
    inner, outer = _turn()
    ideal = np.arctan(1.0 / (1.0 / np.tan(inner) + 2.0 * half_track / L))
    return (inner - outer) / (inner - ideal)


def _half_contact_track():
    return 0.76 - RADIUS * np.sin(AT["camber"]) * np.cos(AT["toe"])


def _half_kingpin_track():
    low, high = np.array([0.008, 0.71, 0.185]), np.array([-0.03, 0.665, 0.475])
    road = 0.31 - RADIUS * np.cos(AT["camber"])
    ground = low + (high - low) * (road - low[2]) / (high - low)[2]
    return ground[1]


def _column_slope(rack):
    """Of tan(pinion) = tan(hand) / c by the hand's angle: c / (c^2 cos^2 + sin^2)."""
    c, pinion = np.cos(BEND), rack / GEAR
    cos, sin = np.cos(pinion), c * np.sin(pinion)  # of the hand's angle, times a factor
    return c * (cos**2 + sin**2) / ((c * cos) ** 2 + sin**2)


def _ratio(rack):
    step = 1e-5
    moved = _toe_by_rack(rack + step) - _toe_by_rack(rack - step)
    by_rack = 0.5 * (-moved[0] + moved[1]) / (2.0 * step)
    return 1.0 / (GEAR * by_rack)


def _in_series(a, b):
    return a * b / (a + b)


def wheel_rate():
    return slope(load, **BOTH)


def _share(tangent, share):
    return share * tangent * L / H


CHECKS = {
    "toe": lambda: AT["toe"],
    "camber": lambda: AT["camber"],
    "caster": lambda: AT["caster"],
    "kingpin_inclination": lambda: AT["kpi"],
    "trail": lambda: AT["trail"],
    "scrub_radius": lambda: AT["scrub"],
    "hub_trail": lambda: AT["hub_trail"],
    "hub_offset": lambda: AT["hub_offset"],
    "bump_steer": lambda: AT["dtoe_dz"],
    "bump_camber": lambda: AT["dcamber_dz"],
    "caster_change": by_travel(caster),
    "kingpin_inclination_change": by_travel(kpi),
    "wheel_recession": lambda: -slope(wheel_centre(0), **BOTH),
    "wheelbase_change": lambda: slope(wheel_centre(0), **BOTH),
    "track_change": lambda: 2.0 * slope(contact_y, **BOTH),
    "half_track_change": lambda: slope(contact_y, **BOTH),
    "wheel_centre_shift": lambda: slope(wheel_centre(1), **BOTH),
    "roll_centre_height": lambda: AT["roll_centre_height"],
    "roll_centre_migration": by_travel(rc_height),
    "roll_centre_lateral_migration": lateral_migration,
    "front_view_centre_y": lambda: AT["front_view_ic_y"],
    "front_view_centre_z": lambda: AT["front_view_ic_z"],
    "front_view_swing_arm": lambda: _half_contact_track() - AT["front_view_ic_y"],
    "side_view_centre_x": lambda: AT["side_view_ic_x"],
    "side_view_centre_z": lambda: AT["side_view_ic_z"],
    "side_view_swing_arm": lambda: -AT["side_view_ic_x"],
    "brake_support_angle": lambda: np.arctan(AT["tan_brake"]),
    "drive_support_angle": lambda: np.arctan(AT["tan_drive"]),
    "anti_dive": lambda: 0.30346810328390657,
    "anti_dive_inboard": lambda: -0.01304621659706431,
    "anti_lift_drive": lambda: _share(AT["tan_drive"], 0.4),
    "anti_lift": lambda: -_share(AT["tan_brake"], 1.0 - P),
    "anti_lift_inboard": lambda: -_share(AT["tan_drive"], 1.0 - P),
    "anti_squat": lambda: -_share(AT["tan_drive"], 0.6),
    "anti_squat_axle": lambda: -_share(AT["tan_brake"], 0.6),
    "spring_motion_ratio": lambda: AT["motion_ratio"],
    "damper_motion_ratio": lambda: AT["motion_ratio"],
    "motion_ratio_change": motion_ratio_change,
    "wheel_rate": wheel_rate,
    "wheel_rate_opposite": lambda: slope(load, heights=(1.0, -1.0)),
    "ride_rate": lambda: _in_series(wheel_rate(), TYRE),
    "ride_frequency": lambda: (
        np.sqrt(_in_series(wheel_rate(), TYRE) / (LOAD / 9.80665)) / (2 * np.pi)
    ),
    "roll_stiffness": lambda: slope(roll_moment, **ROLL),
    "roll_stiffness_with_tyres": lambda: _in_series(
        slope(roll_moment, **ROLL), 0.5 * TYRE * (2.0 * _half_contact_track()) ** 2
    ),
    "roll_stiffness_share": lambda: (
        slope(roll_moment, **ROLL) / (slope(roll_moment, **ROLL) + OTHER)
    ),
    "anti_roll_share": lambda: 0.0,  # no bar; one stands in a test below
    "roll_steer": lambda: by_roll(toe)(),  # symmetric: the other wheel's toe by roll towards it
    "roll_toe": by_roll(toe),
    "roll_camber": by_roll(camber),
    "roll_camber_to_road": lambda: 1.0 + by_roll(camber)(),
    "toe_by_rack": lambda: AT["dtoe_drack"],
    "camber_by_rack": lambda: AT["dcamber_drack"],
    "steering_ratio": lambda: _ratio(0.0) * np.cos(BEND),
    "steering_ratio_at_the_end": lambda: (
        2.0 / sum(_column_slope(x) / _ratio(x) for x in (0.06, -0.06))
    ),
    "column_fluctuation": lambda: 2.0 * np.sin(BEND) ** 2 / (1.0 + np.cos(BEND) ** 2),
    "greatest_inner_angle": lambda: _turn()[0],
    "greatest_outer_angle": lambda: _turn()[1],
    "ackermann": lambda: _ackermann(_half_kingpin_track()),
    "ackermann_contact_track": lambda: _ackermann(_half_contact_track()),
    "turning_circle": lambda: 2.0 * (L / np.sin(_turn()[1]) + AT["scrub"]),
    "lateral_compliance_steer": by_load(of_left(toe), *LAT),
    "lateral_compliance_camber": by_load(of_left(camber), *LAT),
    "lateral_compliance": lambda: by_load(upright_point(1), *LAT)(),
    "lateral_compliance_at_centre": by_load(wheel_centre(1), *LAT),
    "lateral_compliance_steer_opposite": by_load(of_left(toe), *LAT_OUT),
    "lateral_compliance_camber_opposite": by_load(of_left(camber), *LAT_OUT),
    "lateral_compliance_opposite": lambda: by_load(upright_point(1), *LAT_OUT)(),
    "braking_compliance_steer": by_load(of_left(toe), *BRAKE),
    "braking_compliance": lambda: -by_load(wheel_centre(0), *BRAKE)(),
    "braking_wind_up": by_load(wind_up, *BRAKE),
    "driving_compliance_steer": by_load(of_left(toe), *DRIVE, driven=True),
    "driving_compliance": by_load(wheel_centre(0), *DRIVE, driven=True),
    "aligning_compliance_steer": by_load(of_left(toe), *ALIGN),
    "aligning_compliance_camber": by_load(of_left(camber), *ALIGN),
    "aligning_compliance_steer_opposite": by_load(of_left(toe), *ALIGN_OUT),
}
# Units of metrics in SI, by which checks are compared.
SCALES = {
    "deg": DEG, "mm": 1e3, "deg/m": DEG, "mm/m": 1e3, "mm/deg": 1e3 / DEG, "m": 1.0, "%": 100.0,
    "1": 1.0, "1/m": 1.0, "N/mm": 1e-3, "Hz": 1.0, "N*m/deg": 1.0 / DEG, "deg/deg": 1.0,
    "deg/mm": DEG * 1e-3, "deg/kN": DEG * 1e3, "mm/kN": 1e6, "deg/(kN*m)": DEG * 1e3,
}  # fmt: skip


def test_every_metric_has_a_check():
    assert len(RIG_METRICS) >= 45
    assert {metric.name for metric in RIG_METRICS} == set(CHECKS)


@pytest.mark.parametrize("metric", RIG_METRICS, ids=lambda m: m.name)
def test_metric(metric):
    is_of_rear = metric.name in ("anti_lift", "anti_lift_inboard", "anti_squat", "anti_squat_axle")
    gives = "compliance" in metric.name or metric.name == "braking_wind_up"
    found = metrics(gives, front=not is_of_rear)[metric.name]
    expected = CHECKS[metric.name]() * SCALES[metric.unit]
    # A migration is a difference of the fourth order over positions 0.43 deg apart.
    rel = 1e-4 if metric.name == "roll_centre_lateral_migration" else 2e-5
    assert found.left == pytest.approx(expected, rel=rel, abs=1e-9)
    assert found.right == pytest.approx(expected, rel=rel, abs=1e-9)


def test_rigid_axle_has_no_compliances():
    assert not [name for name in metrics(False) if "compliance" in name]
    assert len(metrics(True)) - len(metrics(False)) == 15


def test_metrics_of_an_unknown_vehicle_are_left_out():
    found = {m.name for m in measured_metrics(measure_axle(rig(False)))}
    needing = {"anti_dive", "ride_rate", "roll_stiffness_share", "turning_circle", "ackermann"}
    assert not found & needing
    assert {"toe", "wheel_rate", "roll_stiffness"} <= found


def test_what_couples_the_wheels_is_seen_by_both_rates():
    """A torsion bar between the lower arms, which turn against one another in parallel travel, adds
    to the rate of that alone: k (2 a) a / c at each wheel, with a the angle of an arm and c the
    rise of the contact by travel."""
    linkage = double_wishbone()
    bar = TorsionBar("bar", ("left_lower", "right_lower"), 500.0)
    axle = AxleRig(replace(linkage, bars=(bar,)), RADIUS, LOAD)
    found = {m.name: m.left for m in measured_metrics(measure_axle(axle))}
    alone = {m.name: m.left for m in measured_metrics(measured(False))}
    w = axle.rates(axle.solve(RigPlan.at_design(1)), Pads.CENTRES).w[0]
    ends = np.subtract(*hinge_ends(linkage, "left_lower"))
    by_travel = abs(ends @ w[axle.order["left_lower_arm"], :, 0]) / np.linalg.norm(ends)
    wheel = measured(False).wheel(0)
    rise = wheel.point_velocity(wheel.contact)[0, 2]
    added = 500.0 * 2.0 * by_travel * by_travel / rise * 1e-3  # N/mm
    assert found["wheel_rate"] == pytest.approx(alone["wheel_rate"] + added, rel=1e-9)
    opposite = alone["wheel_rate_opposite"]
    assert found["wheel_rate_opposite"] == pytest.approx(opposite, rel=1e-9)
    share = 100.0 * (1.0 - (alone["wheel_rate"] + added) / opposite)
    assert found["anti_roll_share"] == pytest.approx(share, rel=1e-9)


def test_ranges_beyond_the_reach_are_shortened_and_say_so():
    """Of both cases of travel and of steering; metrics at design stay, and others go as far."""
    asked = RigRanges(travel=0.4, rack=0.3)
    found = measure_axle(rig(False), FRONT, asked)
    taken = found.ranges
    assert 0.05 < taken.travel < 0.4
    assert 0.05 < taken.rack < 0.3
    assert (taken.roll, taken.positions) == (asked.roll, asked.positions)
    for name in ("parallel_travel", "opposite_travel"):
        assert found.cases[name].values[[0, 7, -1]] == pytest.approx(
            [-taken.travel, 0.0, taken.travel], abs=1e-12
        )
    travel, steering = found.notes
    assert travel.startswith(
        "Parallel wheel travel, Opposite wheel travel: the axle does not reach"
    )
    assert f"400 mm to both sides; it went to {1e3 * taken.travel:.4g} mm" in travel
    assert steering.startswith("Steering: the axle does not reach 300 mm")
    assert measured(False).notes == ()
    by_name = {m.name: m.left for m in measured_metrics(found)}
    assert by_name["bump_steer"] == pytest.approx(metrics(False)["bump_steer"].left, rel=1e-12)
    # A little less than it is taken to is reached, and half as much again is not.
    axle = rig(False)
    for far, reaches in ((taken.rack, True), (1.5 * taken.rack, False)):
        plan = replace(RigPlan.at_design(2), rack=np.array([-far, far]))
        assert (axle.reach(plan)[1].min() >= 1.0) == reaches


def hinge_ends(linkage, name):
    return next(joint.ends for joint in linkage.joints if joint.name == name)
