"""The car with trailer of Lot and Massaro 2017 from components, for comparison.

Nothing is taken as small here: the equations are those of finite angles. The coordinates are
the paper's: ``base`` has the speeds u, v, r of T_0 (``vx``, ``vy``, ``wz``), ``suspension`` has z,
mu and phi, and ``place`` is the trailer in T_0 (``x``, ``y``, ``z``, ``yaw`` for alpha, ``pitch``
for beta). There is no air drag, as in table 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from axletree.examples.car_and_trailer.axles import RigidAxle, SprungAxle
from axletree.examples.car_and_trailer.data import PARAMETERS
from axletree.examples.car_and_trailer.guides import ConstantSpeed, Suspension, UprightGuide
from axletree.library.bodies import RigidBody
from axletree.library.frame import GROUND
from axletree.library.joints.free import Free
from axletree.library.joints.spherical import Spherical
from axletree.library.motion.free import Speeds
from axletree.library.signal import Constant, Input
from axletree.pipeline import Model

Values = Mapping[str, float]  # of the paper's letters

TABLE_1: Final[Values] = {name: value for name, (value, _, _) in PARAMETERS.items()}


def car(p: Values = TABLE_1, hitch_load: float = 0.0) -> Model:
    """The car alone, level where ``hitch_load`` [N] weighs on its hitch.

    Its input is ``front.steer``.
    """
    return _hull(p, hitch_load).model


def car_with_trailer(p: Values = TABLE_1, hitch_load: float = 0.0) -> Model:
    """The car as above, and the trailer on its hitch."""
    hull = _hull(p, hitch_load)
    model = hull.model
    model.name = "car_with_trailer"
    trailer = model.add(RigidBody("trailer", p["m_t"], (p["I_txx"], p["I_tyy"], p["I_tzz"])))
    T_0, T_T = hull.unsprung.main_frame, trailer.main_frame
    model.add(Free("place", T_0, T_T, speeds=Speeds.DERIVATIVES))
    on_car = hull.chassis.point(-p["f_x"], 0.0, p["f_z"], "hitch")
    on_trailer = trailer.point(p["j_x"], 0.0, p["j_z"], "hitch")
    model.add(Spherical("hitch", on_car, on_trailer))
    axle = trailer.point(-p["a_3"], 0.0, p["h_t"] - p["r_3"], "axle")
    model.add(RigidAxle("axle", GROUND, p["b_3"], **_tyre(p, "3"), axle=axle, radius=p["r_3"]))
    model.start |= {"place.x": -p["f_x"] - p["j_x"], "place.z": -p["h_t"]}
    model.tree = ("base", "suspension", "place")
    return model


@dataclass(frozen=True)
class _Hull:
    """A model with the bodies of the car; the unsprung one's main frame is T_0, on the road."""

    model: Model
    unsprung: RigidBody
    chassis: RigidBody


def _hull(p: Values, hitch_load: float) -> _Hull:
    model = Model("car", gravity=(0.0, 0.0, p["g"]))
    # The unsprung body never rolls or pitches, so that of its inertia I_uzz alone counts.
    upright = (p["I_uzz"] / 2, p["I_uzz"] / 2, p["I_uzz"])
    centre = (0.0, 0.0, -p["h_u"])
    unsprung = model.add(RigidBody("unsprung", p["m_u"], upright, centre_of_mass=centre))
    inertia = (p["I_cxx"], p["I_cyy"], p["I_czz"], 0.0, -p["I_cxz"], 0.0)
    chassis = model.add(RigidBody("chassis", p["m_c"], inertia))
    T_0, T_C = unsprung.main_frame, chassis.main_frame
    model.add(Free("base", GROUND, T_0))
    model.add(Suspension("suspension", unsprung.point(0.0, 0.0, -p["h_c"], "above"), T_C))
    model.add(UprightGuide("guide", GROUND, T_0, T_C))
    driven = unsprung.point(-p["a_2"], 0.0, 0.0, "rear")
    model.add(ConstantSpeed("drive", GROUND, driven, p["u"]))
    hull = _Hull(model, unsprung, chassis)
    w = p["a_1"] + p["a_2"]
    _add_axle(hull, p, "1", p["a_1"], hitch_load * (p["a_2"] - p["f_x"]) / w)
    _add_axle(hull, p, "2", -p["a_2"], hitch_load * (p["a_1"] + p["f_x"]) / w)
    model.start = {"base.vx": p["u"]}
    model.tree = ("base", "suspension")
    return hull


def _add_axle(hull: _Hull, p: Values, index: str, x: float, extra: float) -> None:
    """At x [m] before C; its springs bear ``extra`` [N] at rest beside the car."""
    name = "front" if index == "1" else "rear"
    other, b = p["a_2"] if index == "1" else p["a_1"], p[f"b_{index}"]
    share = other / (2 * (p["a_1"] + p["a_2"]))  # of a wheel, eq. (30)
    hull.model.add(
        SprungAxle(
            name,
            GROUND,
            b,
            **_tyre(p, index),
            carrier=hull.unsprung.point(x, 0.0, 0.0),
            right=hull.chassis.point(x, b, 0.0, f"{name}_right"),
            left=hull.chassis.point(x, -b, 0.0, f"{name}_left"),
            height=p["h_c"],
            stiffness=p[f"k_{index}"],
            damping=p[f"c_{index}"],
            sprung_load=share * p["m_c"] * p["g"] + extra / 2,
            unsprung_load=share * p["m_u"] * p["g"],
            steer=Input() if index == "1" else Constant(0.0),
        )
    )


def _tyre(p: Values, index: str) -> dict[str, float]:
    return {
        "relaxation_length": p[f"sigma_{index}"],
        "stiffness_factor": p[f"B_{index}"],
        "shape_factor": p[f"C_{index}"],
        "peak_factor": p[f"D_{index}"],
        "load_factor": p[f"load_{index}"],
        "nominal_load": p[f"N0_{index}"],
    }
