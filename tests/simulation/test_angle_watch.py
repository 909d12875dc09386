"""Runs that come to where Euler angles are not defined, against the same motion in quaternions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.core.errors import SimulationError
from axletree.simulation.checks import euler_angles_of, with_cause
from axletree.simulation.recording import Failure
from axletree.simulation.simulate import StoppedRunError


def tumbler(orientation: str, speeds: str = "body") -> Any:
    """A free body that turns about its middle axis, without gravity."""
    model = at.Model("tumbler", gravity=(0.0, 0.0, 0.0))
    body = model.add(at.RigidBody("body", 1.0, (1.0, 2.0, 3.0)))
    model.add(at.Free("free", model.ground, body, orientation=orientation, speeds=speeds))
    return model.formulate()


def start(speeds: str, aside: float) -> dict[str, float]:
    """One radian per second about y, and a little about z."""
    if speeds == "body":
        return {"free.wy": 1.0, "free.wz": aside}
    return {"free.pitch_rate": 1.0, "free.yaw_rate": aside}


def rotations(run: Any) -> np.ndarray:
    return np.array([[run[f"body.rotation.{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)])


ASIDE = [0.0, 1e-12, 1e-6, 1e-4, 1e-3, 1e-2, 1e-1]


@pytest.mark.parametrize("speeds", ["body", "derivatives"])
def test_a_run_past_the_singular_place_is_right_or_stops(speeds: str) -> None:
    """Pitch comes to a quarter turn at pi / 2 s, the farther aside the more is wz."""
    angles, quaternion = tumbler("321", speeds), tumbler("quaternion")
    messages = {}
    for aside in ASIDE:
        exact = quaternion.simulate(6.0, step=1e-3, initial=start("body", aside))
        try:
            run = angles.simulate(6.0, step=1e-3, initial=start(speeds, aside))
        except StoppedRunError as error:
            messages[aside], run = str(error), error.trajectory
        gap = np.abs(rotations(run) - rotations(exact)[:, :, : len(run)])
        assert gap.max() < 1e-3
        assert run.complete or abs(np.cos(run["free.pitch"][-1])) < 0.01
    assert set(messages) >= {1e-6, 1e-4, 1e-3}
    assert not set(messages) & {0.0, 1e-2, 1e-1}
    for message in messages.values():
        assert "'free.yaw' turned by" in message
        assert "the angles yaw and roll turn about the same line" in message
        assert "'quaternion'" in message


@pytest.mark.parametrize("aside", [0.0, 1e-4, 1e-2])
def test_a_stepper_stops_where_a_run_does(aside: float) -> None:
    """Its steps look always, which takes the same instructions whether angles turn far or not."""
    system, initial = tumbler("321"), start("body", aside)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            end = system.simulate(2.0, step=1e-3, initial=initial, outputs=[]).time[-1]
        except StoppedRunError as error:
            end = error.trajectory.time[-1]
    with system.stepper(step=1e-3, initial=initial, outputs=[]) as s:
        if aside == 1e-4:
            with pytest.raises(SimulationError, match=r"free.pitch\): Euler angles lose"):
                s.advance("2 s")
        else:
            s.advance("2 s")
        assert s.time == pytest.approx(end, abs=1e-9)


def test_a_variable_step_passes_it() -> None:
    run = tumbler("321").simulate(6.0, method="rk45", initial=start("body", 1e-3))
    exact = tumbler("quaternion").simulate(
        6.0, step=1e-3, record_interval=0.012, initial=start("body", 1e-3)
    )
    assert np.abs(rotations(run) - rotations(exact)).max() < 1e-4


def test_python_stops_where_c_does(monkeypatch: pytest.MonkeyPatch) -> None:
    messages = []
    for compiler in ("", "none"):
        monkeypatch.setenv("AXLETREE_CC", compiler)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(StoppedRunError) as caught:
                tumbler("321").simulate(1.6, step=1e-3, initial=start("body", 1e-3), outputs=[])
        messages.append(str(caught.value))
        assert len(caught.value.trajectory) == 1571
    assert messages[0] == messages[1]


def test_angles_about_a_repeated_axis() -> None:
    """313: singular where nutation is 0, which a turn about x comes back to after a whole turn."""
    system = tumbler("313")
    initial = {"free.nutation": 0.5, "free.wx": -1.0, "free.wz": 1e-3}
    with pytest.raises(StoppedRunError, match="the angles precession and spin turn about") as found:
        system.simulate(3.0, step=1e-3, initial=initial)
    assert found.value.trajectory.time[-1] == pytest.approx(0.5, abs=0.01)


def test_another_failure_near_the_place_names_it() -> None:
    system = tumbler("321")
    turns = euler_angles_of(system)
    places = {q.name: k for k, q in enumerate(system.states)}
    states = np.zeros(len(system.states))
    failure = Failure("the solver stopped", "try another method")
    assert with_cause(failure, turns, states) is failure
    states[places["free.pitch"]] = -1.55
    blamed = with_cause(failure, turns, states)
    assert blamed.message == (
        "the solver stopped, near where free: at pitch = -1.5708 rad the angles yaw and roll "
        "turn about the same line"
    )
    assert "quaternion" in blamed.advice


def test_other_joints_are_not_watched() -> None:
    assert euler_angles_of(shipped_system("double-pendulum")) == ()
    assert euler_angles_of(tumbler("quaternion")) == ()
    assert len(euler_angles_of(shipped_system("car"))) == 1
