"""Characteristics of a wheel's guidance, each with its definition, sign and unit.

Axes and angles as in ISO 8855:2011; instant centres, support angles and anti-dive as in Milliken
and Milliken 1995, chapter 17. All are of a wheel as a left one, body held level.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from axletree.analysis.kinematics_and_compliance.poses import WheelPoses, norm

_TRAVEL, _RACK = 0, 2  # inputs of rates: own travel, rack
_STRAIGHT = 1e-9  # [rad/m], of a wheel that goes straight and has no centre


@dataclass(frozen=True)
class Characteristic:
    """A quantity of a wheel at N positions, in SI units."""

    name: str
    unit: str
    definition: str
    of: Callable[[WheelPoses], Any]


def toe(w: WheelPoses) -> Any:
    return np.arctan(w.spin_axis[:, 0] / w.spin_axis[:, 1])


def camber(w: WheelPoses) -> Any:
    return -np.arcsin(w.spin_axis[:, 2])


def _kingpin(w: WheelPoses) -> Any:
    return w.kingpin_upper - w.kingpin_lower


def caster(w: WheelPoses) -> Any:
    k = _kingpin(w)
    return np.arctan(-k[:, 0] / k[:, 2])


def kingpin_inclination(w: WheelPoses) -> Any:
    k = _kingpin(w)
    return np.arctan(-k[:, 1] / k[:, 2])


def _from_kingpin(w: WheelPoses, point: Any) -> tuple[Any, Any]:
    """From the kingpin at the height of a point to the point: against the heading, outward."""
    k = _kingpin(w)
    G = w.kingpin_lower + k * ((point - w.kingpin_lower)[:, 2] / k[:, 2])[:, None]
    heading = np.cross(w.spin_axis, [0.0, 0.0, 1.0])
    heading = heading / norm(heading)[:, None]
    outward = np.cross([0.0, 0.0, 1.0], heading)
    return ((G - point) * heading).sum(axis=1), ((point - G) * outward).sum(axis=1)


def _contact_velocity(w: WheelPoses) -> Any:
    return w.point_velocity(w.contact)


def _front_centre(w: WheelPoses) -> Any:
    """(y, z) of the point of the plane x = x_W with v_y = v_z = 0."""
    v, W, wx = w.rates[_TRAVEL]["wheel_centre"], w.wheel_centre, w.angular[_TRAVEL][:, 0]
    wx = np.where(np.abs(wx) < _STRAIGHT, np.nan, wx)
    return W[:, 1] - v[:, 2] / wx, W[:, 2] + v[:, 1] / wx


def _side_centre(w: WheelPoses) -> Any:
    """(x, z) of the point of the plane y = y_W with v_x = v_z = 0."""
    v, W, wy = w.rates[_TRAVEL]["wheel_centre"], w.wheel_centre, w.angular[_TRAVEL][:, 1]
    wy = np.where(np.abs(wy) < _STRAIGHT, np.nan, wy)
    return W[:, 0] + v[:, 2] / wy, W[:, 2] - v[:, 0] / wy


def roll_centre_height(w: WheelPoses) -> Any:
    v = _contact_velocity(w)
    return w.contact[:, 1] * v[:, 1] / v[:, 2]


def tan_brake(w: WheelPoses) -> Any:
    v = _contact_velocity(w)
    return v[:, 0] / v[:, 2]


def tan_drive(w: WheelPoses) -> Any:
    v = w.rates[_TRAVEL]["wheel_centre"]
    return v[:, 0] / v[:, 2]


def _spring(w: WheelPoses) -> Any:
    return w.spring_length


_BY_TRAVEL = "by wheel travel at held rack"
_BY_RACK = "by rack travel at held wheel travel"

CHARACTERISTICS = (
    Characteristic("toe", "rad", "atan(s_x/s_y) of the outward spin axis s; + toe-in", toe),
    Characteristic("camber", "rad", "-asin(s_z); + top outward", camber),
    Characteristic(
        "dtoe_dz",
        "rad/m",
        f"bump steer: toe {_BY_TRAVEL}; + toe-in in bump",
        lambda w: w.rate_of(toe),
    ),
    Characteristic("dcamber_dz", "rad/m", f"camber {_BY_TRAVEL}", lambda w: w.rate_of(camber)),
    Characteristic(
        "dtoe_drack",
        "rad/m",
        f"toe {_BY_RACK}, rack + to the left",
        lambda w: w.rate_of(toe, _RACK),
    ),
    Characteristic(
        "dcamber_drack", "rad/m", f"camber {_BY_RACK}", lambda w: w.rate_of(camber, _RACK)
    ),
    Characteristic(
        "caster", "rad", "atan(-k_x/k_z) of the upward kingpin k; + top rearward", caster
    ),
    Characteristic(
        "kpi", "rad", "kingpin inclination atan(-k_y/k_z); + top inboard", kingpin_inclination
    ),
    Characteristic(
        "trail",
        "m",
        "kingpin on the road ahead of the contact, along the heading",
        lambda w: _from_kingpin(w, w.contact)[0],
    ),
    Characteristic(
        "scrub",
        "m",
        "contact outboard of the kingpin on the road",
        lambda w: _from_kingpin(w, w.contact)[1],
    ),
    Characteristic(
        "hub_trail",
        "m",
        "as trail, at the height of the wheel centre",
        lambda w: _from_kingpin(w, w.wheel_centre)[0],
    ),
    Characteristic(
        "hub_offset",
        "m",
        "as scrub, at the height of the wheel centre",
        lambda w: _from_kingpin(w, w.wheel_centre)[1],
    ),
    Characteristic(
        "front_view_ic_y",
        "m",
        "front-view instant centre, lateral, + outward of the middle",
        lambda w: _front_centre(w)[0],
    ),
    Characteristic(
        "front_view_ic_z",
        "m",
        "front-view instant centre above the origin",
        lambda w: _front_centre(w)[1],
    ),
    Characteristic(
        "side_view_ic_x",
        "m",
        "side-view instant centre, + ahead of the origin",
        lambda w: _side_centre(w)[0],
    ),
    Characteristic(
        "side_view_ic_z",
        "m",
        "side-view instant centre above the origin",
        lambda w: _side_centre(w)[1],
    ),
    Characteristic(
        "roll_centre_height",
        "m",
        "y_C v_y/v_z of the upright's point at the contact, above the road",
        roll_centre_height,
    ),
    Characteristic(
        "tan_brake",
        "1",
        "v_x/v_z of the upright's point at the contact: torque reacted at the upright",
        tan_brake,
    ),
    Characteristic(
        "tan_drive",
        "1",
        "v_x/v_z of the wheel centre: torque through a shaft from the body",
        tan_drive,
    ),
    Characteristic("spring_length", "m", "distance of the spring's ends", _spring),
    Characteristic(
        "motion_ratio",
        "1",
        f"minus the spring's length {_BY_TRAVEL}",
        lambda w: -w.rate_of(_spring),
    ),
)


def anti_dive(tangent: Any, brake_share_front: float, wheelbase: float, height: float) -> Any:
    """Of a front axle [%]: 100 p tan L/h; + where braking extends the suspension."""
    return 100.0 * brake_share_front * tangent * wheelbase / height
