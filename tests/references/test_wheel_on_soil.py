"""The quarter vehicle of Peiret et al., table 1, on soft ground, against numbers found by hand.

Load, deflection and pull are not printed there. Here the deflection follows from pressure and load,
the pull is 500 N s/m times the speed, and four cases have other masses, loads and torques.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import numpy as np
import pytest
from agreement import Agrees
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import axletree as at
from axletree.system.system import System

SCHEMES = ["set-valued", "global", "local", "dissipative"]
ORDER_ONE = ["global", "dissipative"]
RADIUS, WIDTH, HEIGHT, PRESSURE, CONE_INDEX = 0.381, 0.2, 0.14, 2e5, 4e5
PULL, INERTIA, QUARTER, WHOLE = 500.0, 6.0, 2452.5, 9810.0
BY_HAND = "Peiret et al., eqs. (18) to (20), with table 1, solved by hand"
CALLED = {
    "quarter_load": "1000 kg under a quarter of the load",
    "quarter_vehicle": "250 kg",
    "strong_torque": "1000 kg, 1500 N m",
}
CASES = {  # mass, load, torque
    "quarter_load": (1000.0, QUARTER, 600.0),
    "quarter_vehicle": (250.0, QUARTER, 600.0),
    "strong_torque": (1000.0, WHOLE, 1500.0),
}
RAMP = "600.0*min(t/10, 1)"
Numbers = dict[str, float]


@cache
def vehicle(scheme: str, *, sprung: bool = False, form: str = "set-valued") -> System:
    """On a slide along x; where it is sprung, also on one along z and on soil that gives."""
    model = at.Model("quarter", gravity=(-1.0, 0.0, -9.81))
    body = model.add(at.RigidBody("body", 999.0, (1.0, 1.0, 1.0)))
    sled = model.add(at.MasslessBody("sled")) if sprung else body
    way = model.add(at.Prismatic("way", model.ground, sled, axis="x"))
    if sprung:
        model.add(at.Prismatic("lift", sled, body, axis="z"))
    wheel = model.add(at.BodyOfRevolution("wheel", 1.0, INERTIA, 3.0, axis="y"))
    axle = model.add(at.Revolute("axle", body, wheel, axis="y"))
    model.add(at.SlideSpringDamper("pull", way, damping=PULL))
    model.add(at.JointTorque("drive", axle))
    model.add(at.FrictionBrake("brake", axle))
    carried = at.YieldingGround(1e5, 4e3) if sprung else at.GivenLoad(QUARTER)
    law = at.Brixius(CONE_INDEX, section_height=HEIGHT, inflation_pressure=PRESSURE)
    model.add(at.SoilWheel("soil", axle, model.ground, RADIUS, WIDTH, law, carried, scheme))
    return model.formulate(form=form)


def numbers(mass: float = 1e3, x: float = 0.0, z: float = -9.81, pull: float = PULL) -> Numbers:
    return {"body.mass": mass - 1.0, "gravity.x": x, "gravity.z": z, "pull.damping": pull}


def solved(
    system: System,
    duration: float,
    step: float = 1e-2,
    torque: float | str = 0.0,
    parameters: Mapping[str, float] = MappingProxyType(numbers()),
    brake: float = 0.0,
    **first: float,
) -> at.Trajectory:
    return system.simulate(
        duration,
        step=step,
        method="complementarity",
        initial={name.replace("_", "."): value for name, value in first.items()},
        inputs={"drive.torque": torque, "brake.torque": brake},
        parameters=parameters,
        watch=False,
    )


# -- by hand ---------------------------------------------------------------------------------
def mobility(load: float) -> float:
    length, diameter = load / (WIDTH * PRESSURE), 2.0 * RADIUS
    deflection = 0.5 * (diameter - math.sqrt(diameter**2 - length**2))
    yielding = (1.0 + 5.0 * deflection / HEIGHT) / (1.0 + 3.0 * WIDTH / diameter)
    return CONE_INDEX * WIDTH * diameter / load * yielding


def thrust(slip: float, load: float) -> float:
    strength = 0.88 * (1.0 - math.exp(-0.1 * mobility(load)))
    return load * (strength * (1.0 - math.exp(-7.5 * slip)) + 0.04)


def resistance(slip: float, load: float) -> float:
    return load * (1.0 / mobility(load) + 0.5 * slip / math.sqrt(mobility(load)) + 0.04)


def steady(load: float, torque: float) -> dict[str, float]:
    """Where the torque is r F_t, and the pull what the resistance leaves of F_t."""
    force = torque / RADIUS
    slip = brentq(lambda i: thrust(i, load) - force, 0.0, 1.0, xtol=1e-15)
    speed = (force - resistance(slip, load)) / PULL
    return {
        "way.speed": speed,
        "axle.rate": speed / (1.0 - slip) / RADIUS,
        "soil.slip": slip,
        "soil.traction": force,
        "soil.resistance": resistance(slip, load),
        "soil.drawbar_pull": PULL * speed,
        "soil.mobility_number": mobility(load),
    }


# -- steady states ---------------------------------------------------------------------------
def test_the_steady_state_by_hand_is_that_of_independent_numbers() -> None:
    found = steady(QUARTER, 600.0)
    known = [2.423505, 9.066965, 0.298452, 1574.803, 363.050, 1211.753, 14.519912]
    assert list(found.values()) == pytest.approx(known, rel=2e-6)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.validation("soils")
def test_all_schemes_reach_the_same_steady_state(scheme: str, case: str, agrees: Agrees) -> None:
    mass, load, torque = CASES[case]
    loaded = numbers(mass) | {"soil.normal_force.load": load}
    run = solved(vehicle(scheme), 60.0, torque=f"{torque}*min(t/10, 1)", parameters=loaded)
    expected = steady(load, torque)
    agrees(
        f"quarter vehicle on soil, {CALLED[case]}: speeds, slip, forces, mobility number",
        [run[name][-1] for name in expected], list(expected.values()), rel=1e-6,
        case=f"{scheme} traction", source=BY_HAND,
    )  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.validation("soils")
def test_the_smooth_path_reaches_it_too(case: str, agrees: Agrees) -> None:
    """Where the torque does not suffice yet it creeps, and says so."""
    mass, load, torque = CASES[case]
    with pytest.warns(UserWarning, match="soil: it creeps for a second or more"):
        run = vehicle("dissipative", form="projected").simulate(
            60.0,
            step=0.1,
            method="radau",
            inputs={"drive.torque": f"{torque}*min(t/10, 1)", "brake.torque": 0.0},
            parameters=numbers(mass) | {"soil.normal_force.load": load},
            relative_tolerance=1e-8,
        )
    expected = steady(load, torque)
    agrees(
        "quarter vehicle on soil, smooth path by radau: speeds, slip, forces, mobility number",
        [run[name][-1] for name in expected], list(expected.values()), rel=1e-6,
        case=CALLED[case], source=BY_HAND,
    )  # fmt: skip


# -- rest ------------------------------------------------------------------------------------
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.validation("soils")
def test_under_the_whole_load_it_stands_still(scheme: str, agrees: Agrees) -> None:
    """600 N m make 1575 N at the rim, and the soil resists with up to 2029 N."""
    assert resistance(0.0, WHOLE) == pytest.approx(2029.1, abs=0.05)
    loaded = numbers() | {"soil.normal_force.load": WHOLE}
    run = solved(vehicle(scheme), 20.0, torque=RAMP, parameters=loaded)
    moved = [run[name] for name in ("way.position", "way.speed", "axle.angle", "axle.rate")]
    agrees(
        "quarter vehicle on soil, whole load: motion over 20 s", moved, 0.0, abs=0.0,
        case=f"{scheme} traction",
        source="Peiret et al., eqs. (18) to (20): 1575 N against up to 2029 N",
    )  # fmt: skip
    assert run["soil.traction"][-1] == pytest.approx(600.0 / RADIUS)
    assert run["soil.drawbar_pull"][-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.validation("soils")
def test_it_starts_when_thrust_exceeds_the_resistance_at_rest(scheme: str, agrees: Agrees) -> None:
    starts = 10.0 * resistance(0.0, QUARTER) * RADIUS / 600.0
    run = solved(vehicle(scheme), 2.0, 1e-3, torque=RAMP)
    moving = run.time[np.flatnonzero(run["way.speed"])]
    agrees(
        "quarter vehicle on soil, torque that rises: time of the start", moving[0], starts,
        abs=2.1e-3, unit="s", case=f"{scheme} traction", source=BY_HAND,
    )  # fmt: skip
    assert not run["axle.rate"][run.time <= starts].any()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", [3.0, -3.0])
@pytest.mark.parametrize("scheme", ["set-valued", *ORDER_ONE])
def test_it_brakes_to_a_stop_on_a_slope_and_stays(scheme: str, first: float) -> None:
    """Uphill and downhill; the minute after the stop is one of rest."""
    slope, mass = 0.2, 250.0
    down, pressed = 9.81 * math.sin(slope), 9.81 * math.cos(slope)
    parked = numbers(mass, -down, -pressed, 0.0) | {"soil.normal_force.load": mass * pressed}
    rolling = {"way_speed": first, "axle_rate": first / RADIUS}
    run = solved(vehicle(scheme), 65.0, parameters=parked, brake=2000.0, **rolling)
    stands = run.time > 5.0
    assert not run["way.speed"][stands].any()
    assert not run["axle.rate"][stands].any()
    assert np.ptp(run["way.position"][stands]) == 0.0
    assert run["soil.drawbar_pull"][stands] == pytest.approx(mass * down, rel=1e-9)


# -- convergence and energy ------------------------------------------------------------------
def driven(t: float, state: np.ndarray) -> list[float]:
    v, rate = state
    slip = (RADIUS * rate - v) / (RADIUS * rate)
    force = thrust(slip, QUARTER)
    pulled = force - resistance(slip, QUARTER) - PULL * v
    return [pulled / 1000.0, (600.0 - RADIUS * force) / INERTIA]


@pytest.mark.parametrize("scheme", ORDER_ONE)
@pytest.mark.validation("numerics")
def test_they_converge_with_order_one(scheme: str, agrees: Agrees) -> None:
    first = {"way_speed": 1.0, "axle_rate": 3.0}
    exact = solve_ivp(driven, (0, 3), list(first.values()), "DOP853", rtol=1e-11, atol=1e-12).y
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        run = solved(vehicle(scheme), 3.0, step, torque=600.0, **first)
        errors.append([run["way.speed"][-1], run["axle.rate"][-1]] - exact[:, -1])
    orders = np.log2(np.abs(np.array(errors[:-1]) / errors[1:]))
    agrees(
        f"quarter vehicle on soil, {scheme} traction: order of convergence", orders, 1.0, abs=0.05,
        source="Peiret et al., order one, error against DOP853 of SciPy at 1e-11",
    )  # fmt: skip
    assert np.abs(errors[-1]).max() < 1e-3


@pytest.mark.parametrize("scheme", ORDER_ONE)
@pytest.mark.validation("numerics")
def test_they_converge_from_rest_too(scheme: str, agrees: Agrees) -> None:
    ends = []
    for step in (4e-3, 2e-3, 1e-3):
        run = solved(vehicle(scheme), 8.0, step, torque=RAMP)
        ends.append([run["way.speed"][-1], run["axle.rate"][-1]])
    changes = np.diff(ends, axis=0)
    agrees(
        f"quarter vehicle on soil, {scheme} traction, from rest: order of convergence",
        np.log2(np.abs(changes[0] / changes[1])), 1.0, abs=0.05, source="Peiret et al., order one",
    )  # fmt: skip


@pytest.mark.parametrize("scheme", ORDER_ONE)
def test_the_soil_takes_energy_only(scheme: str) -> None:
    """The wheel turns backwards at first."""
    free = numbers(pull=0.0)
    run = solved(vehicle(scheme), 5.0, parameters=free, way_speed=1.0, axle_rate=-4.0)
    assert (np.diff(run["energy.kinetic"]) <= 1e-12).all()
    assert run["energy.kinetic"][0] > 500.0
    assert run["energy.kinetic"][-1] == 0.0


# -- rolling and sinking ---------------------------------------------------------------------
@pytest.mark.parametrize("scheme", ORDER_ONE)
def test_a_wheel_that_rolls_freely_has_no_slip(scheme: str) -> None:
    """Its own inertia takes less than mu(0) F_n."""
    run = solved(vehicle(scheme), 1.0, way_speed=2.0, axle_rate=2.0 / RADIUS)
    assert np.abs(run["soil.slip"]).max() < 1e-12
    lost = (resistance(0.0, QUARTER) + PULL * run["way.speed"]) / (1000.0 + INERTIA / RADIUS**2)
    assert np.diff(run["way.speed"]) == pytest.approx(-1e-2 * lost[:-1], rel=1e-9)


def test_on_soil_that_gives_the_load_is_the_weight_and_nothing_in_the_air() -> None:
    system = vehicle("dissipative", sprung=True)
    dropped = {"lift_position": RADIUS + 0.02}
    run = solved(system, 60.0, torque=RAMP, parameters=numbers(250.0), **dropped)
    assert run["soil.normal_force"][0] == 0.0
    assert run["soil.normal_force"].min() >= 0.0
    assert run["soil.sinkage"][-1] == pytest.approx(QUARTER / 1e5, rel=1e-6)
    for name, value in steady(QUARTER, 600.0).items():
        assert run[name][-1] == pytest.approx(value, rel=1e-6), name


@pytest.mark.parametrize("scheme", ORDER_ONE)
def test_nothing_acts_in_the_air_and_it_comes_to_rest_on_the_ground(scheme: str) -> None:
    thrown = {"lift_position": RADIUS + 0.3, "way_speed": 2.0, "axle_rate": -20.0}
    run = solved(vehicle(scheme, sprung=True), 10.0, 5e-3, 0.0, numbers(250.0, pull=0.0), **thrown)
    flies = run.time < math.sqrt(2.0 * 0.3 / 9.81) - 0.01
    assert set(run["axle.rate"][flies]) == {-20.0}
    assert run["axle.rate"][-1] == run["way.speed"][-1] == 0.0
