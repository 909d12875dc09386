"""Assembly and steady states of a free car whose wheels hang on loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mechanisms.wishbone_car import CORNERS, wishbone_car

import axletree as at
from axletree.analysis.steady.newton import find_root
from axletree.core.errors import InitialValueError, SimulationError

WEIGHT = (1200.0 + 3.0 + 4 * 40.0) * 9.80665  # [N]


@pytest.fixture(scope="module")
def corner() -> Any:
    """One corner is enough for what loops do."""
    return wishbone_car(["fr"], orientation="quaternion", driven=True).formulate()


def test_assembly_does_not_move_what_no_constraint_touches(corner: Any) -> None:
    state = corner.state()
    assert [state[f"free.{name}"] for name in ("x", "y", "z", "e0", "e1", "e2", "e3")] == [
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0,
    ]  # fmt: skip
    assert state["fr_low.angle"] != 0.0


def test_a_search_from_elsewhere_does_not_move_it_either() -> None:
    """A rod of no extent has no direction: the search has to begin aside."""
    model = at.Model("towed")
    base = model.add(at.RigidBody("base", 1.0, (1, 1, 1)))
    bob = model.add(at.RigidBody("bob", 1.0, (1, 1, 1)))
    model.add(at.Free("free", model.ground, base, orientation="quaternion"))
    model.add(at.Rod("rod", base, bob, length=2.0))
    state = model.formulate(tree={"translation": ["free", "rod"]}).state({"free.z": 0.5})
    assert [state[f"free.{name}"] for name in ("x", "y", "z")] == [0.0, 0.0, 0.5]
    assert [state[f"free.e{k}"] for k in range(4)] == [1.0, 0.0, 0.0, 0.0]
    assert [state[f"rod.{axis}"] for axis in "xyz"] == pytest.approx([2.0, 0.0, 0.0], abs=1e-12)


def test_a_target_beyond_reach_names_the_nearest_and_the_loop(corner: Any) -> None:
    """The tie rod and the steering arm are in line; nothing jumps into another assembly."""
    near = corner.state(inputs={"steering.position": 0.12})
    assert max(abs(near[name]) for name in ("fr_low.angle", "fr_high.angle")) < 0.5
    with pytest.raises(InitialValueError) as caught:
        corner.state(inputs={"steering.position": 0.4})
    text = str(caught.value)
    assert text.startswith("no configuration with steering.position = 0.4 m follows from the")
    reached = float(text.partition("the nearest that was reached has steering.position = ")[2][:6])
    assert 0.12 < reached < 0.14
    assert "where the loop of steering, fr_low, fr_ball, fr_rod can go no further" in text


def test_driving_beyond_reach_is_told_as_that(corner: Any) -> None:
    inputs = {"steering.position": "0.4*t^2*(3 - 2*t)"}
    with pytest.raises(SimulationError, match="the constraint of fr_.* can no longer be satisfied"):
        corner.simulate(0.5, step=1e-3, inputs=inputs, outputs=(), method="rk4")


@pytest.mark.slow
@pytest.mark.parametrize("interval", [0.05, 0.5])
def test_arms_that_snap_into_another_assembly_are_told(interval: float) -> None:
    """Wheel travel is free, so that the rack drags the arms on where tie rod and arm are in line.

    The motion is the one that ideal joints have, with 5 GN in the tie rod. The embedded form, which
    is what the model would be solved in, stops there.
    """
    model = wishbone_car(["fr"], orientation="quaternion", driven=True)
    corner = model.formulate(form="projected")
    inputs = {"steering.position": "0.4*t"}
    settings = {"outputs": (), "record_interval": interval, "inputs": inputs}
    with pytest.warns(
        UserWarning, match=r"at t = 0\.32.* dead centre.*the loop of steering, fr_low"
    ):
        run = corner.simulate(0.5, method="rk45", **settings)
    assert run["fr_low.angle"][-1] < -1.0
    near = corner.simulate(0.29, method="rk45", **settings)
    assert near.note == ""


def test_what_equations_leave_open_stays_at_the_start() -> None:
    """The product is felt on the way and not where it ends: there the first unknown is open."""
    root = find_root(
        lambda y: np.array([y[2] - y[0] * y[1], y[1] - 1e-3, y[1] * (y[1] - 1e-3)]),
        lambda y: np.array([[-y[1], -y[0], 1.0], [0.0, 1.0, 0.0], [0.0, 2.0 * y[1] - 1e-3, 0.0]]),
        np.array([10.0, 0.5, 0.0]),
    )
    assert root.converged
    assert root.unknowns == pytest.approx([10.0, 1e-3, 1e-2])


def test_rounding_in_a_slope_does_not_set_an_unknown_going() -> None:
    root = find_root(
        lambda y: np.array([y[0] + 1e-16 * y[1] - 2.0, 3e-16 * y[1] + y[2] - 1.0]),
        lambda y: np.array([[1.0, 1e-16, 0.0], [0.0, 3e-16, 1.0]]),
        np.array([0.0, 5.0, 0.0]),
    )
    assert root.converged
    assert root.unknowns == pytest.approx([2.0, 5.0, 1.0])


@pytest.mark.slow
def test_the_car_rolls_at_the_speed_that_it_is_left_with() -> None:
    rolling = wishbone_car().formulate().trim(start={"free.vx": 10.0})
    assert rolling["free.vx"] == pytest.approx(10.0, rel=1e-6)
    assert abs(rolling["free.vy"]) < 1e-9
    assert rolling.residual < 1e-9
    sinkage = sum(-rolling[f"{name}_upright.position.z"] for name in CORNERS)
    assert 200e3 * sinkage == pytest.approx(WEIGHT, rel=1e-9)
