"""The rig at design against an independent solver, and its rates against differences."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from mechanisms.double_wishbone_car import double_wishbone_car

from axletree.analysis.kinematics_and_compliance.axle import AxleOnRig, WheelOnRig
from axletree.analysis.kinematics_and_compliance.characteristics import (
    CHARACTERISTICS,
    anti_dive,
    tan_brake,
    tan_drive,
)
from axletree.analysis.kinematics_and_compliance.linkage import Linkage, UnreachableError

DESIGN = {
    "toe": 0.0017453292519943294, "camber": -0.008726646259971648,
    "dtoe_dz": -0.04291800815108147, "dcamber_dz": -0.46607835772290557,
    "dtoe_drack": 8.052631592082633, "dcamber_drack": -1.0220133529175837,
    "roll_centre_height": 0.09636611586217536, "front_view_ic_y": -1.3881386661398578,
    "front_view_ic_z": 0.2717661703295648, "side_view_ic_x": -3.1179353155272906,
    "side_view_ic_z": 0.29725214090934315, "tan_brake": 0.09510396399210747,
    "tan_drive": -0.004088557907911892, "caster": 0.13029215972909317,
    "kpi": 0.1539446644583497, "trail": 0.032276950149136285, "scrub": 0.023943859556305642,
    "hub_trail": -0.008258177812191675, "hub_offset": 0.06941107067520362,
    "spring_length": 0.47066442397954833, "motion_ratio": 0.604416720436909,
}  # fmt: skip


def _wheel(side: str) -> WheelOnRig:
    name = f"front_{side}"
    return WheelOnRig(
        hub=f"{name}_upright.hub",
        kingpin=(f"{name}_upright", f"{name}_upright.top"),
        spring=(f"chassis.{name}_dome", f"{name}_lower_arm.seat"),
        spin=None,
    )


@functools.cache
def linkage() -> Linkage:
    model = double_wishbone_car(["front_left", "front_right"], tyres=False, on_rig=True)
    return Linkage(AxleOnRig(model, _wheel("left"), _wheel("right"), 0.31, 0.31, "way.position"))


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("characteristic", CHARACTERISTICS, ids=lambda c: c.name)
def test_value_at_design(characteristic, side):
    found = characteristic.of(getattr(linkage().poses(linkage().design[None]), side))
    assert found[0] == pytest.approx(DESIGN[characteristic.name], rel=1e-8, abs=0.0)


def test_anti_dive_at_design():
    left = linkage().poses(linkage().design[None]).left
    assert anti_dive(tan_brake(left), 0.65, 2.7, 0.55)[0] == pytest.approx(30.346810328390657, 1e-8)
    assert anti_dive(tan_drive(left), 0.65, 2.7, 0.55)[0] == pytest.approx(-1.304621659706431, 1e-7)


def test_rates_are_slopes_of_a_sweep():
    rig, step = linkage(), 1e-4
    travel = np.array([[z, 0.0, 0.004] for z in (0.03 - step, 0.03, 0.03 + step)])
    poses = rig.poses(rig.coordinates(travel)).left
    by_name = {c.name: c.of(poses) for c in CHARACTERISTICS}
    for value, rate in (("toe", "dtoe_dz"), ("camber", "dcamber_dz")):
        slope = (by_name[value][2] - by_name[value][0]) / (2 * step)
        assert by_name[rate][1] == pytest.approx(slope, rel=1e-6)


def test_out_of_reach_names_travel_and_loop():
    with pytest.raises(UnreachableError, match=r"comes to .* mm .* the loop of front_"):
        linkage().coordinates(np.array([[0.6, 0.0, 0.0]]))
