"""Belts, contact points and rims in motion: limits, spin, rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import axletree as at
from axletree.core.errors import ModelError

LAW = at.Brush(**at.Brush.example)
STIFF: list[dict[str, Any]] = [
    {"belt": at.TorsionBelt(inertia=0.5, stiffness=2e6, damping=200.0)},
    {
        "belt": at.LongitudinalLateralBelt(
            mass=3.0, longitudinal_stiffness=3e7, lateral_stiffness=3e7,
            longitudinal_damping=3e3, lateral_damping=3e3,
        )
    },
    {
        "contact_dynamics": at.SecondOrderContact(
            mass=1.0, longitudinal_stiffness=3e7, lateral_stiffness=3e7,
            longitudinal_damping=3e3, lateral_damping=3e3,
        )
    },
    {
        "belt": at.QuadBelt(
            mass=0.3, inertia=0.5, stiffness=3e7, damping=1e3, free_length=0.01, twist_damping=50.0
        )
    },
]  # fmt: skip


SPEED, ROLLING = 15.0, 15.0 / 0.31


def trailer(
    wheel_mass: float, spin_inertia: float, steer: str = "0.05*sin(5*t)",
    brake: str = "-150*sin(3*t)^2", transverse: float = 2.0, **parts: Any,
) -> Any:  # fmt: skip
    """A leaning wheel that steers and brakes, under a cart that slides at a constant height."""
    rig = at.Model("rig")
    cart = rig.add(at.RigidBody("cart", 200.0, (10.0, 10.0, 10.0)))
    rig.add(at.Planar("track", rig.ground.point(0.0, 0.0, 0.305), cart))
    hub = rig.add(at.RigidBody("hub", 5.0, (0.1, 0.1, 0.1)))
    kingpin = rig.add(at.Revolute("kingpin", cart.point(-1.0, 0.0, 0.0), hub, axis="z"))
    rig.add(at.RotationDriver("steer", kingpin, steer))
    wheel = rig.add(at.BodyOfRevolution("wheel", wheel_mass, spin_inertia, transverse, axis="y"))
    leaning = hub.frame("leaning", (0.0, 0.0, 0.0), [("x", 0.2)])
    axle = rig.add(at.Revolute("axle", leaning, wheel, axis="y"))
    rig.add(at.JointTorque("brake", axle, brake))
    rig.add(
        at.Tyre(
            "tyre", axle, rig.ground, unloaded_radius=0.32,
            normal_force=at.LinearNormalForce(stiffness=2e5), **{"law": LAW, **parts},
        )
    )  # fmt: skip
    return rig


def driven(rig: Any, step: float = 5e-5) -> Any:
    system = rig.formulate()
    start = {"track.vx": SPEED, "axle.rate": ROLLING}
    moving = {"vx": SPEED, "rate": ROLLING}
    for q in system.states:
        word = q.name.removeprefix("tyre.").rpartition("_")[2]
        if q.name.startswith("tyre.") and word in moving:
            start[q.name] = moving[word]
    return system.simulate(
        1.0, step=step, record_interval=0.01, initial=start,
        outputs=["tyre.Fx", "tyre.Fy", "tyre.Fz", "tyre.slip", "tyre.slip_angle"],
    )  # fmt: skip


def added(parts: dict[str, Any]) -> tuple[float, float]:
    """Mass and spin inertia that a moving part brings."""
    (part,) = parts.values()
    return part.numbers.get("mass", 0.0), part.numbers.get("inertia", 0.0)


@pytest.mark.parametrize("parts", STIFF, ids=lambda p: type(next(iter(p.values()))).__name__)
def test_a_very_stiff_one_is_rigid(parts: dict[str, Any]) -> None:
    mass, inertia = added(parts)
    soft, rigid = driven(trailer(20.0, 1.5, **parts)), driven(trailer(20.0 + mass, 1.5 + inertia))
    late = rigid.time > 0.1
    for name in ("tyre.Fx", "tyre.Fy", "tyre.Fz"):
        scale = np.abs(rigid[name]).max()
        assert soft[name][late] == pytest.approx(rigid[name][late], abs=0.01 * scale)
    for name in ("track.x", "track.y", "track.angle"):
        assert soft[name] == pytest.approx(rigid[name], abs=2e-3)


def test_the_spin_of_a_belt_turns_the_carrier_as_that_of_the_wheel_does() -> None:
    """In free flight, where a spinning body precesses; belt and rim as one, or apart."""

    def flight(inertia: float, **parts: Any) -> Any:
        body = at.Model("body", (0.0, 0.0, 0.0))
        hub = body.add(at.RigidBody("hub", 5.0, (0.5, 0.7, 0.9)))
        body.add(at.Free("flight", body.ground.point(0.0, 0.0, 5.0), hub))
        wheel = body.add(at.BodyOfRevolution("wheel", 20.0, inertia, 1.2, axis="y"))
        axle = body.add(at.Revolute("axle", hub, wheel, axis="y"))
        force = at.LinearNormalForce(stiffness=2e5)
        body.add(at.Tyre("tyre", axle, body.ground, 0.3, force, LAW, **parts))
        system = body.formulate()
        names = {q.name for q in system.states}
        start = {"flight.wx": 0.8, "flight.wz": 1.1, "flight.wy": 0.3, "axle.rate": 20.0}
        start |= {"tyre.belt_rate": 20.3} if "tyre.belt_rate" in names else {}
        return system.simulate(2.0, step=2e-4, record_interval=0.05, initial=start, outputs=[])

    apart = flight(0.9, belt=at.TorsionBelt(inertia=0.6, stiffness=1e6, damping=100.0))
    as_one, without = flight(1.5), flight(0.9)
    names = [name for name in as_one.names if name.startswith("flight.")]
    assert len(names) >= 12
    for name in names:
        assert apart[name] == pytest.approx(as_one[name], abs=1e-4)
    assert any(np.abs(apart[n] - without[n]).max() > 0.1 for n in names)


MOVING: list[dict[str, Any]] = [
    {"belt": at.TorsionBelt(inertia=0.7, stiffness=3e4, damping=200.0)},
    {"belt": at.LongitudinalLateralBelt(longitudinal_damping=300.0, lateral_damping=900.0)},
    {"belt": at.QuadBelt(damping=40.0, twist_damping=3.0)},
    {"contact_dynamics": at.SecondOrderContact(mass=2.0, lateral_stiffness=6e4)},
]


@pytest.mark.parametrize("parts", MOVING, ids=lambda p: type(next(iter(p.values()))).__name__)
def test_what_rests_stays_at_rest_and_what_is_plucked_comes_to_rest(parts: dict[str, Any]) -> None:
    lag = at.ConstantLag(longitudinal_length=0.3, lateral_length=0.5, low_speed=0.0)
    system = trailer(20.0, 1.5, "0", "0", slip=lag, **parts).formulate()
    names = [q.name for q in system.states]
    still = dict.fromkeys(names, 0.0)
    if isinstance(parts.get("belt"), at.QuadBelt):
        still["tyre.belt_z"] = settled_belt(system)
    run = system.simulate(0.5, step=1e-4, record_interval=0.1, initial=still, outputs=[])
    for name in names:
        assert run[name] == pytest.approx(run[name][0], abs=1e-9)
    for word in ("belt_x", "belt_y", "belt_twist", "contact_x", "contact_y"):
        if f"tyre.{word}" in names:
            still[f"tyre.{word}"] = 1e-3
    run = system.simulate(5.0, step=1e-4, record_interval=0.1, initial=still, outputs=[])
    speeds = [name for name in names if name.startswith("tyre.") and "_v" in name]
    for name in (*speeds, "track.vx", "track.vy"):
        assert abs(run[name][-1]) < 1e-3


def settled_belt(system: Any) -> float:
    """How far a ring has risen in a wheel that stands: normal force over stiffness."""

    def rate(z: float) -> float:
        state = dict.fromkeys((q.name for q in system.states), 0.0)
        return float(system.rhs(state | {"tyre.belt_z": z})["tyre.belt_vz"])

    return float(brentq(rate, -0.01, 0.02, xtol=1e-16))


def test_what_they_do_not_go_with_is_said() -> None:
    with pytest.raises(ModelError, match="holds the wheel at its contact point"):
        trailer(20.0, 1.5, law=at.NoSlip(), belt="torsion")
    with pytest.raises(ModelError, match="belt, QuadBelt, moves along a plane"):
        trailer(20.0, 1.5, belt="quad", surface=at.Sine(amplitude=0.01, wavelength=3.0))
    with pytest.raises(ModelError, match="needs the lever to the contact point"):
        trailer(20.0, 1.5, contact_dynamics="second-order", lever="none")
    with pytest.raises(ModelError, match="the springs hold no twist"):
        at.QuadBelt(free_length=0.06)


def test_a_rim_weighs_what_a_heavier_wheel_does() -> None:
    """The wheel's mass and inertias, in part in a rim; the spin angle still does not count."""
    rim = at.SpokedRim(mass=6.0, axial_inertia=0.25, transverse_inertia=0.2)
    with_rim, heavier = (
        driven(trailer(14.0, 1.25, transverse=1.8, rim=rim)),
        driven(trailer(20.0, 1.5)),
    )
    for name in ("track.x", "track.y", "tyre.Fx", "tyre.Fy"):
        assert with_rim[name] == pytest.approx(heavier[name], abs=1e-6)
    with pytest.raises(ModelError, match="exceeds twice transverse_inertia"):
        at.SpokedRim(axial_inertia=0.25, transverse_inertia=0.05)


def test_a_ring_weighs_and_falls_like_all_else() -> None:
    """Standing, its weight is on the road; in free fall no spring is stretched."""
    model = at.Model("falling")
    fork = model.add(at.RigidBody("fork", 4.0, (0.1, 0.1, 0.1)))
    model.add(at.Prismatic("mast", model.ground, fork, axis="z"))
    wheel = model.add(at.BodyOfRevolution("wheel", 6.0, 0.5, 0.3, axis="y"))
    axle = model.add(at.Revolute("axle", fork, wheel, axis="y"))
    force = at.LinearNormalForce(stiffness=1e5, damping=1e3)
    belt = at.QuadBelt(mass=5.0, damping=200.0, twist_damping=5.0)
    model.add(at.Tyre("tyre", axle, model.ground, 0.3, force, LAW, belt=belt))
    run = model.formulate().simulate(
        4.0, step=1e-4, record_interval=0.01, initial={"mast.position": 1.3}, outputs=["tyre.Fz"]
    )
    flight = run.time < 0.4
    expected = 1.3 - 0.5 * 9.80665 * run.time[flight] ** 2
    assert run["mast.position"][flight] == pytest.approx(expected, abs=1e-9)
    assert run["tyre.belt_z"][flight] == pytest.approx(0.0, abs=1e-9)
    assert run["tyre.Fz"][-1] == pytest.approx(15.0 * 9.80665, rel=1e-3)
