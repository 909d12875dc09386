"""A block on a slope that sticks, slides and stops, against motions that are known by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees
from scipy.integrate import solve_ivp

import axletree as at
from axletree.system.system import System

GRAVITY, MASS, SLOPE = 9.81, 3.0, 0.3
TILTED = (GRAVITY * math.sin(SLOPE), 0.0, -GRAVITY * math.cos(SLOPE))  # in the axes of the slope
OUTPUTS = ["contact.normal_force", "contact.friction_force", "contact.side_force"]


def block(
    friction: float,
    gravity: tuple[float, float, float] = TILTED,
    form: str = "set-valued",
) -> System:
    model = at.Model("block", gravity=gravity)
    body = model.add(at.RigidBody("body", MASS, (0.1, 0.1, 0.1)))
    model.add(at.PointContact("contact", body, model.ground, friction=friction))
    return model.formulate(form=form)


def slide(system: System, duration: float, step: float = 1e-3, **first: float) -> at.Trajectory:
    initial = {f"body.{name}": value for name, value in first.items()}
    return system.simulate(
        duration, step=step, method="complementarity", initial=initial, outputs=OUTPUTS, watch=False
    )


@pytest.mark.validation("soils")
def test_below_the_threshold_it_stays_exactly_where_it_is(agrees: Agrees) -> None:
    run = slide(block(math.tan(SLOPE) * (1.0 + 1e-9)), 60.0)
    assert not run["body.x"].any()
    agrees(
        "block on a slope, friction 1e-9 above the threshold: speed over 60 s", run["body.vx"], 0.0,
        abs=0.0, unit="m/s", source="Closed form, Coulomb's law",
    )  # fmt: skip
    assert not run["body.vz"].any()
    assert run["contact.friction_force"] == pytest.approx(-MASS * TILTED[0], rel=1e-12)
    assert run["contact.normal_force"] == pytest.approx(-MASS * TILTED[2], rel=1e-12)


@pytest.mark.validation("soils")
def test_above_the_threshold_it_slides_at_once(agrees: Agrees) -> None:
    lacking = 1e-9
    run = slide(block(math.tan(SLOPE) * (1.0 - lacking)), 2.0)
    agrees(
        "block on a slope, friction 1e-9 below the threshold: speed over 2 s", run["body.vx"][1:],
        lacking * TILTED[0] * run.time[1:], rel=1e-6, unit="m/s",
        source="Closed form, Coulomb's law",
    )  # fmt: skip


def test_the_threshold_is_the_same_in_all_directions() -> None:
    """Coulomb's circle, not a box along the axes."""
    for angle in (0.4, 0.25 * math.pi, 2.0):
        down = (TILTED[0] * math.cos(angle), TILTED[0] * math.sin(angle), TILTED[2])
        held = slide(block(math.tan(SLOPE) * (1.0 + 1e-6), down), 0.1)
        moved = slide(block(math.tan(SLOPE) * (1.0 - 1e-6), down), 0.1)
        assert not held["body.vx"].any()
        assert not held["body.vy"].any()
        assert moved["body.vx"][-1] * down[0] > 0.0
        assert moved["body.vy"][-1] * down[1] > 0.0


@pytest.mark.parametrize("step", [1e-2, 1e-3])
@pytest.mark.validation("soils")
def test_it_slides_up_stops_and_stays(step: float, agrees: Agrees) -> None:
    """Uphill at 1 m/s with a coefficient of friction that holds it where it stops."""
    friction = 0.5
    deceleration = GRAVITY * (math.sin(SLOPE) + friction * math.cos(SLOPE))
    run = slide(block(friction), 1.0, step, vx=-1.0)
    stopped = run.time >= 1.0 / deceleration + step
    assert not run["body.vx"][stopped].any()
    sliding = run.time < 1.0 / deceleration - step
    assert run["body.vx"][sliding] == pytest.approx(-1.0 + deceleration * run.time[sliding])
    agrees(
        f"block that slides uphill and stops, steps of {1e3 * step:g} ms: way", run["body.x"][-1],
        -0.5 / deceleration, abs=0.51 * step, unit="m", source="Closed form, Coulomb's law",
    )  # fmt: skip
    rubbed = friction * MASS * -TILTED[2]
    assert run["contact.friction_force"][sliding][1:] == pytest.approx(-rubbed)


def across_the_slope(t: float, state: np.ndarray, friction: float) -> list[float]:
    speed = math.hypot(state[2], state[3])
    resisted = friction * -TILTED[2] / speed
    return [state[2], state[3], TILTED[0] - resisted * state[2], -resisted * state[3]]


@pytest.mark.validation("numerics")
def test_a_path_across_the_slope_is_that_of_coulombs_law_to_first_order(agrees: Agrees) -> None:
    """It bends downhill, which it would not if friction held it across its path."""
    friction, duration = 0.2, 0.8
    first = [0.0, 0.0, 1.0, 0.7]
    exact = solve_ivp(
        across_the_slope, (0.0, duration), first, "DOP853", rtol=1e-11, atol=1e-12, args=(friction,)
    ).y[:, -1]
    system, errors = block(friction), []
    for step in (4e-3, 2e-3, 1e-3):
        run = slide(system, duration, step, vx=1.0, vy=0.7)
        found = [run[f"body.{name}"][-1] for name in ("x", "y", "vx", "vy")]
        errors.append(np.linalg.norm(found - exact))
    assert errors[-1] < 3e-3
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    agrees(
        "block across a slope: order of convergence", orders, [1.0, 1.0], abs=0.05,
        source="Theory of the method, error against DOP853 of SciPy at 1e-11",
    )  # fmt: skip


def test_the_smooth_law_tends_to_the_same_motion() -> None:
    """The softer it is near rest the further it creeps, in proportion to its slow speed."""
    friction, duration = 0.5, 1.0
    held = slide(block(friction), duration, 2e-5, vx=1.0, vy=0.7)
    ends = np.array([held["body.x"][-1], held["body.y"][-1]])
    apart = []
    for slow in (4e-3, 2e-3, 1e-3):
        run = block(friction, form="projected").simulate(
            duration,
            method="radau",
            step=0.05,
            initial={"body.vx": 1.0, "body.vy": 0.7, "body.z": MASS * TILTED[2] / 1e6},
            parameters={"contact.slow_speed": slow},
            outputs=OUTPUTS,
            relative_tolerance=1e-9,
            absolute_tolerance=1e-11,
        )
        apart.append(np.linalg.norm([run["body.x"][-1], run["body.y"][-1]] - ends))
    ratios = np.array(apart[:-1]) / apart[1:]
    assert apart[-1] < 1e-3
    assert ratios == pytest.approx([2.0, 2.0], abs=0.25)


def test_friction_takes_energy_only() -> None:
    first = {"body.vx": -2.0, "body.vy": 1.0}
    run = block(0.3).simulate(2.0, step=5e-3, method="complementarity", initial=first, watch=False)
    assert (np.diff(run["energy.total"]) <= 1e-12).all()
    assert run["contact.power"].max() <= 1e-12
