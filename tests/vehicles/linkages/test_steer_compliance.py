"""Toe by tyre forces in models by curves: against the stiffness method, the rig, and statics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from analysis.kinematics_and_compliance.stiffness_method import Springs
from vehicles.linkages.bushed_samples import bushed
from vehicles.linkages.linkage_samples import SAMPLES

import axletree as at
from axletree.core.errors import ModelError
from axletree.vehicles.linear_single_track import linear_single_track
from axletree.vehicles.linkages.curves.compliance import steer_compliance
from axletree.vehicles.linkages.parts.mounts import elastic_linkage
from axletree.vehicles.steer_estimate import understeer
from axletree.vehicles.suspensions import SteerCompliance, add_steer_compliance

_FX, _FY, _FZ, _MZ = 0, 1, 2, 5  # of the six loads of a contact


@pytest.mark.parametrize("name", SAMPLES)
def test_it_is_that_of_the_stiffness_method(name: str) -> None:
    """Whose contacts are free to rise: pads that hold their heights take C_z C_zz^-1 C_z^T."""
    linkage = bushed(name).linkage()
    carriers = list(linkage.carriers.values())
    height = carriers[0].centre[2]
    found = steer_compliance(linkage, height)
    assert found is not None
    C = Springs(elastic_linkage(linkage)).compliance(linkage, height)
    pads = [_FZ, 6 + _FZ]
    C = C - C[:, pads] @ np.linalg.solve(C[np.ix_(pads, pads)], C[pads])
    toe = np.zeros((2, 12))
    for k, (carrier, sign) in enumerate(zip(carriers, (1.0, -1.0), strict=True)):
        s, turn = np.array(carrier.spin_axis), C[6 * k + 3 : 6 * k + 6]
        ds = np.cross(turn.T, s)
        toe[k] = sign * (s[1] * ds[:, 0] - s[0] * ds[:, 1]) / (s[0] ** 2 + s[1] ** 2)
    for own, load, signs in (
        (found.aligning_steer, _MZ, (1.0, -1.0)),
        (found.lateral_steer, _FY, (1.0, -1.0)),
        (found.braking_steer, _FX, (-1.0, -1.0)),
    ):
        both = toe[:, load] + toe[:, 6 + load]  # by loads alike on both
        wanted = 0.5 * (signs[0] * both[0] + signs[1] * both[1])
        assert own == pytest.approx(wanted, rel=1e-6, abs=1e-13)


@pytest.mark.parametrize("axle", ["front", "rear"])
def test_the_rig_has_nearly_the_same_under_load(axle: str) -> None:
    """What springs and bushings carry at design stiffens the sedan's axles by a few hundredths."""
    sedan = at.read_model("five-link-sedan")
    rig = at.kinematics_and_compliance(sedan, axle)
    found = sedan.described["vehicle"].axles[axle].suspension.steer_compliance
    for word, own in (
        ("aligning", found.aligning_steer),
        ("lateral", found.lateral_steer),
        ("braking", found.braking_steer),
    ):
        measured = np.radians(rig[f"{word}_compliance_steer"].left) / 1e3
        assert own == pytest.approx(measured, rel=0.05)


def test_ideal_joints_do_not_give() -> None:
    car = at.read_model("double-wishbone-sports-car").described["vehicle"]
    assert car.axles["front"].suspension.steer_compliance is None
    assert steer_compliance(SAMPLES["macpherson"]().linkage(), 0.3) is None


SOFT = SteerCompliance(-1e-5, lateral_steer=-1.5e-6, braking_steer=2.5e-6)  # rad/(N m), rad/N
LOADS = [
    ({"Mz": 100.0}, -1e-5 * 100.0),
    ({"Fy": 2000.0}, -1.5e-6 * 2000.0),
    ({"Fx": -800.0}, 2.5e-6 * 800.0),
    ({"Fx": -800.0, "Fy": 2000.0, "Mz": 100.0}, -1e-3 - 3e-3 + 2e-3),
]


@pytest.mark.parametrize(("load", "toe"), LOADS, ids=[str(load) for load, _ in LOADS])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_wheel_turns_by_what_loads_give(side: str, load: dict[str, float], toe: float) -> None:
    """At rest, by statics; a right wheel is a left one in a mirror."""
    sign = 1.0 if side == "left" else -1.0
    stand = at.Model("stand", gravity=(0, 0, 0))
    hub = stand.add(at.RigidBody("hub", 20.0, (1.0, 1.0, 1.0)))
    stand.add(at.Weld("mount", stand.ground, hub))
    end = add_steer_compliance(stand, SOFT, "wheel", side, hub.main_frame)
    wheel = stand.add(at.RigidBody("disc", 20.0, (1.0, 1.0, 1.0)))
    stand.add(at.Weld("bearing", end, wheel.main_frame))
    mirrored = {k: v * (sign if k in ("Fy", "Mz") else 1.0) for k, v in load.items()}
    contact = wheel.point(0.0, 0.0, -0.3, "contact")
    stand.add(at.LoadDriver("load", stand.ground, contact, **mirrored))  # type: ignore[arg-type]
    angle = stand.formulate().trim()["wheel_compliance.angle"]
    assert -sign * angle == pytest.approx(toe, rel=5e-3)  # levers turn with the wheel


def soft_sedan(rear: dict[str, str] | None) -> Any:
    axles = {} if rear is None else {"rear": {"suspension": {"compliance": rear}}}
    return at.read_model("sedan", {"vehicle": {"fidelity": "linear", "axles": axles}})


def test_understeer_and_the_linear_model_have_it() -> None:
    """A rear axle that turns into the turn by 0.04 deg/kN of side force lets the car understeer by
    that: of K a by c m_r / 2 a."""
    stiff = soft_sedan(None).described["vehicle"]
    given = {"aligning_steer": "-1e-12 rad/(N*m)", "lateral_steer": "-7e-7 rad/N"}
    soft = soft_sedan(given).described["vehicle"]
    before, after = (understeer(one, 2.0, leans=False) for one in (stiff, soft))
    rear = soft.axles["rear"]
    wheels = 2.0 * rear.wheel.mass
    loads = linear_single_track(soft)
    share = soft.axles["front"].position / soft.wheelbase
    force = 2.0 * (loads.mass * share - wheels)
    assert after.compliance == pytest.approx(7e-7 * 0.5 * force, rel=0.05)
    assert after.tyres == pytest.approx(before.tyres)
    C, C_soft = (linear_single_track(one).axles["rear"].stiffness for one in (stiff, soft))
    # alpha = F (1/C - c/2) of both wheels, with c of each below 0
    assert C_soft == pytest.approx(1.0 / (1.0 / C - 0.5 * 7e-7), rel=1e-6)


def test_what_turns_the_wrong_way_is_refused() -> None:
    with pytest.raises(ModelError, match="aligning_steer"):
        SteerCompliance(0.0)
    with pytest.raises(ModelError, match="aligning_steer"):
        SteerCompliance("0.5 deg/(kN*m)")  # type: ignore[arg-type]
