"""A two-wheeler on rigid wheels with laws that slip: loads and forces depend on each other.

Against equations that are written by hand and solved by SciPy, formulas for load transfer, and
the limit of tyres that become stiff.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.two_wheeler import (
    HEIGHT,
    INERTIA,
    MASS,
    RADIUS,
    SPIN,
    WHEEL,
    WHEELS,
    told,
    two_wheeler,
)  # fmt: skip
from oracles.plane_two_wheeler import GRAVITY, Grip, PlaneTwoWheeler

import axletree as at
from axletree.code.backends.c import find_compiler
from axletree.core.registry import load
from axletree.system.system import System
from axletree.wheel.contract import Contact, TyreLaw
from axletree.wheel.tyre import Tyre

RADII = {"front": 0.3, "rear": 0.35}
TOTAL, BASE = MASS + 2.0 * WHEEL, WHEELS["front"][0] - WHEELS["rear"][0]
LAWS = ["fiala", "tmeasy", "magic-formula-5.2", "magic-formula-6.1", "advanced-friction"]
BY_HAND = "Equations by hand, Newton and Euler, by SciPy"
FEWER_LAWS = ["fiala", "magic-formula-5.2", "advanced-friction"]  # where each takes seconds


def made(word: str) -> TyreLaw:
    kind = load("tyre law", word, at.catalogue.TYRES)
    law: TyreLaw = kind(**kind.example)
    return law


def grip_of(law: TyreLaw, radius: float) -> Grip:
    """By the definition of slip, for an upright wheel that goes straight ahead."""

    def forces(Fz: float, spin: float, speed: float) -> tuple[float, float]:
        sliding = speed - spin * radius
        contact = Contact(
            max(Fz, 0.0), -sliding / speed, 0.0, forward_speed=speed, spin_rate=spin,
            sliding_speed=sliding, lateral_speed=0.0, rolling_speed=spin * radius, radius=radius,
        )  # fmt: skip
        found = law(contact)
        return float(found.Fx), float(found.My)

    return forces


def in_the_plane(system: System, slips: Mapping[str, float]) -> dict[str, float]:
    """Rolling at 20 m/s, with the slip of each wheel."""
    named = {f"{name}_tyre": slip for name, slip in slips.items()}
    return dict(
        system.trim({"plane.first_speed": 20.0}, wheels=at.RollingWheels(slip=named)).states
    )


@pytest.mark.validation("tyres")
@pytest.mark.parametrize("word", LAWS)
def test_accelerations_and_loads_by_hand(word: str, agrees: Agrees) -> None:
    """Wheels of two sizes pitch the body. The moments of the side force are no part of it."""
    law = made(word)
    system = two_wheeler(law, plane=True, radii=RADII).formulate()
    grip = {name: grip_of(law, radius) for name, radius in RADII.items()}
    oracle = PlaneTwoWheeler(MASS, INERTIA[1], WHEEL, SPIN, WHEELS, RADII, grip)
    for slips in ((0.0, 0.0), (-0.03, -0.03), (-0.2, -0.01), (0.0, 0.08), (-1.0, -1.0)):
        states = in_the_plane(system, dict(zip(RADII, slips, strict=True)))
        spins = {name: states[f"{name}_axle.rate"] for name in RADII}
        expected = oracle.solve(states["plane.angle"], 20.0, spins)
        rates, values = system.rhs(states), told(system, states)
        case = f"{word}, slips of {slips[0]:g} and {slips[1]:g}"
        agrees(
            "two-wheeler on rigid wheels that slip: accelerations of the body",
            [rates[f"plane.{name}"] for name in ("first_speed", "second_speed", "rate")],
            [expected[name] for name in ("ax", "az", "pitch")],
            abs=1e-10, unit="m/s², rad/s²", source=BY_HAND, case=case,
        )  # fmt: skip
        for name in RADII:
            agrees(
                "two-wheeler on rigid wheels that slip: acceleration of a wheel's spin",
                rates[f"{name}_axle.rate"] + rates["plane.rate"], expected[f"{name}_spin"],
                rel=1e-10, abs=1e-10, unit="rad/s²", source=BY_HAND, case=f"{name} wheel, {case}",
            )  # fmt: skip
            given = expected[f"{name}_load"]
            agrees(
                "two-wheeler on rigid wheels that slip: load of a wheel",
                values[f"{name}_tyre.Fz"], given, rel=1e-10, unit="N",
                source=BY_HAND, case=f"{name} wheel, {case}",
            )  # fmt: skip
            assert abs(values[f"{name}_tyre.Fz_residual"]) < 1e-12 * given


@pytest.mark.validation("tyres")
@pytest.mark.parametrize("word", ["fiala", "tmeasy"])
def test_load_transfer_by_hand(word: str, agrees: Agrees) -> None:
    """All moments about the contact of the rear wheel, as in any textbook; wheels spin down."""
    system = two_wheeler(made(word), plane=True).formulate()
    states = in_the_plane(system, {"front": -0.04, "rear": -0.02})
    rates, values = system.rhs(states), told(system, states)
    braking = -rates["plane.first_speed"]
    assert braking > 1.0
    behind = -WHEELS["rear"][0]
    still = GRAVITY * (MASS * behind + WHEEL * BASE) / BASE
    momenta = MASS * HEIGHT * braking + 2.0 * WHEEL * RADIUS * braking
    of_spin = -sum(SPIN * rates[f"{name}_axle.rate"] for name in WHEELS)
    of_law = sum(values[f"{name}_tyre.My"] for name in WHEELS)
    front = still + (momenta + of_spin + of_law) / BASE
    agrees(
        "two-wheeler that brakes on rigid wheels: load of the front wheel",
        values["front_tyre.Fz"], front, rel=1e-12, unit="N",
        source="Closed form, moments about the rear contact", case=word,
    )  # fmt: skip
    total = values["front_tyre.Fz"] + values["rear_tyre.Fz"]
    assert total == pytest.approx(TOTAL * GRAVITY, rel=1e-13)


@pytest.mark.parametrize("word", FEWER_LAWS)
def test_in_space_forces_are_those_of_the_law_and_move_the_whole(word: str) -> None:
    """Leaning, drifting and yawing: the law at the reaction gives what momentum changes by."""
    law = made(word)
    system = two_wheeler(law, contact={"type": "toroid", "crown_radius": 0.08}).formulate()
    given = {"body.vx": 15.0, "body.roll": 0.1, "body.vy": 0.3, "body.yaw_rate": 0.1}
    names = [f"momentum.linear.{axis}" for axis in "xyz"]
    start = system.trim(given, wheels=at.RollingWheels(slip={"front_tyre": -0.02})).states
    values = told(system, start)
    force = np.array([0.0, 0.0, -TOTAL * GRAVITY])
    for tyre in ("front_tyre", "rear_tyre"):
        own = {key.removeprefix(f"{tyre}."): v for key, v in values.items() if tyre in key}
        contact = Contact(
            own["Fz"], own["slip"], own["slip_angle"], own["inclination"],
            forward_speed=own["VPx_star"], spin_rate=own["spin_rate"], turn_slip=own["turn_slip"],
            sliding_speed=own["VEx"], lateral_speed=own["VPy"],
            rolling_speed=own["VEx_star"] - own["VEx"], radius=RADIUS,
        )  # fmt: skip
        forces = law(contact)
        if word != "advanced-friction":  # whose bore torque goes by the size of the patch
            assert own["Mz"] == pytest.approx(float(forces.Mz), rel=1e-9, abs=1e-9)
        assert own["Fx"] == pytest.approx(float(forces.Fx), rel=1e-10)
        assert own["Fy"] == pytest.approx(float(forces.Fy), rel=1e-10)
        forward, normal = (
            np.array([own[f"{w}.{axis}"] for axis in "xyz"]) for w in ("forward", "normal")
        )
        left = np.cross(normal, forward)
        force += forward * own["Fx"] + left * own["Fy"] + normal * own["Fz"]
    rates, step = system.rhs(start), 1e-6

    def momentum(time: float) -> np.ndarray:
        moved = {name: x + rates[name] * time for name, x in start.items()}
        later = told(system, moved)
        return np.array([later[name] for name in names])

    rate = (momentum(step) - momentum(-step)) / (2.0 * step)
    assert np.abs(rate - force).max() < 1e-8 * TOTAL * GRAVITY


@pytest.mark.parametrize("word", ["fiala", "advanced-friction"])
def test_stiff_tyres_become_rigid_ones(word: str) -> None:
    """Loads of the steady motion that a motor keeps up, as tyres are made stiffer."""

    def steady(normal_force: Any) -> list[float]:
        model = two_wheeler(made(word), normal_force, plane=True)
        model.add(at.JointTorque("motor", model["rear_axle"]))
        system = model.formulate()
        found = system.trim({"plane.first_speed": 25.0}, find=["motor.torque"])
        values = told(system, found.states, found.inputs)
        return [values[f"{name}_tyre.{what}"] for name in WHEELS for what in ("Fz", "Fx")]

    rigid = np.array(steady("none"))
    errors = [
        np.abs(np.array(steady({"type": "linear", "stiffness": c, "damping": 1e3})) - rigid).max()
        for c in (1e6, 1e8)
    ]
    assert errors[1] < 0.02 * errors[0] + 1e-6
    assert errors[1] < 1.0


LAW_IN_C = """\
void my_law(const double *input, double *output)
{
    output[0] = input[0] * (1.1 - 4e-5 * input[0]) * tanh(20.0 * input[1]);
    output[1] = output[2] = output[4] = 0.0;
    output[3] = -0.004 * input[0];
}

void my_law_slopes(const double *input, double *output)
{
    const double wave = tanh(20.0 * input[1]);
    int i;
    for (i = 0; i < 10; ++i) {
        output[i] = 0.0;
    }
    output[0] = (1.1 - 8e-5 * input[0]) * wave;
    output[1] = input[0] * (1.1 - 4e-5 * input[0]) * 20.0 * (1.0 - wave * wave);
    output[6] = -0.004;
}
"""


@pytest.mark.skipif(find_compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("slopes", [True, False])
def test_a_law_in_c_with_slopes_or_without(slopes: bool, tmp_path: Path) -> None:
    source = tmp_path / "my_law.c"
    source.write_text(LAW_IN_C)
    law = at.ExternalLaw("my_law", ("normal_load", "longitudinal_slip"), slopes=slopes)
    system = two_wheeler(law, plane=True, radii=RADII).formulate()
    system = system.with_functions({"my_law": source})
    states = in_the_plane(system, {"front": -0.05, "rear": -0.02})

    def grip(load: float, spin: float, speed: float, radius: float) -> tuple[float, float]:
        slip = (spin * radius - speed) / speed
        return load * (1.1 - 4e-5 * load) * np.tanh(20.0 * slip), -0.004 * load

    grips = {name: partial(grip, radius=radius) for name, radius in RADII.items()}
    oracle = PlaneTwoWheeler(MASS, INERTIA[1], WHEEL, SPIN, WHEELS, RADII, grips)
    spins = {name: states[f"{name}_axle.rate"] for name in RADII}
    expected = oracle.solve(states["plane.angle"], 20.0, spins)
    names = [f"{name}_tyre.{what}" for name in RADII for what in ("Fz", "Fz_residual")]
    run = system.simulate(1e-4, step=1e-4, initial=states, outputs=names)
    for name in RADII:
        given = expected[f"{name}_load"]
        assert run[f"{name}_tyre.Fz"][0] == pytest.approx(given, rel=1e-10)
        assert abs(run[f"{name}_tyre.Fz_residual"][0]) < 1e-10 * given


@pytest.mark.validation("tyres")
def test_the_bicycle_of_the_benchmark_on_tyres_that_slip(agrees: Agrees) -> None:
    """Ten times stiffer in slip it is ten times nearer to the modes of Meijaard et al. 2007."""
    described = at.read_model("whipple-bicycle")
    published = (-0.32286642900409, -0.77534188219585 + 4.46486771378823j, -14.07838969279822)
    errors = []
    for stiffness in (1e6, 1e7):
        bicycle = at.Model("slipping_bicycle", gravity=described.gravity)
        law = at.LinearTyre(slip_stiffness=stiffness, cornering_stiffness=stiffness)
        for part in described:
            bicycle.add(replace(part, law=law) if isinstance(part, Tyre) else part)
        bicycle.start = described.start
        system = bicycle.formulate()
        straight = system.trim({"rear_frame.vx": 5.0}).states
        keep = ["rear_frame.roll", "steer.angle", "rear_frame.wx", "steer.rate"]
        modes = system.linearise(straight, keep=keep).without_drift().modes
        found = [mode.eigenvalue for mode in modes]
        errors.append([min(abs(value - given) for value in found) for given in published])
    agrees(
        "bicycle on tyres ten times as stiff in slip: distance from the modes on ideal wheels",
        np.divide(errors[1], errors[0]), [0.1, 0.1, 0.1], rel=0.05,
        source="Meijaard et al. 2007, section 5, as a limit",
    )  # fmt: skip
    assert max(errors[1]) < 1e-3
