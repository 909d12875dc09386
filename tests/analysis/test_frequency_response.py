"""Frequency responses, controllability and python-control objects, by closed forms and SciPy."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.by_hand import by_hand, single_track
from mechanisms.shipped_run import shipped_system
from scipy import signal

from axletree.analysis.linear.linearisation import Linearisation
from axletree.analysis.linear.tangent import LinearisationError
from axletree.core.errors import AxletreeError

FREQUENCIES = np.geomspace(0.01, 10.0, 50)


def swing() -> Linearisation:
    """x'' + 2 D w x' + w^2 x = w^2 u, with w = 6 rad/s and D = 0.2."""
    system = by_hand(
        "swing", {"x": "v", "v": "36*(u - x) - 2.4*v"}, inputs={"u": 0.0}, outputs={"twice": "2*x"}
    )
    return system.linearise(outputs=["x", "twice"])


def test_a_swing_in_closed_form() -> None:
    found = swing().frequency_response(FREQUENCIES)
    s = 2j * math.pi * FREQUENCIES
    expected = 36.0 / (s**2 + 2.4 * s + 36.0)
    assert found["x", "u"] == pytest.approx(expected, rel=1e-12)
    assert found["twice", "u"] == pytest.approx(2.0 * expected, rel=1e-12)
    assert found.gain("x", "u") == pytest.approx(np.abs(expected), rel=1e-12)
    phase = found.phase("x", "u")
    assert phase[0] == pytest.approx(0.0, abs=0.01)
    assert phase[-1] == pytest.approx(-math.pi, abs=0.1)


@pytest.mark.validation("numerics")
@pytest.mark.filterwarnings("ignore::scipy.signal.BadCoefficients")
def test_a_car_against_scipy(agrees: Agrees) -> None:
    car = single_track("80e3*alpha_f", "90e3*alpha_r")
    linear = car.linearise(outputs=["r", "lateral_acceleration", "Ff"])
    found = linear.frequency_response(FREQUENCIES)
    model = signal.StateSpace(linear.A, linear.B, linear.C, linear.D)
    angular = 2.0 * math.pi * FREQUENCIES
    for k, name in enumerate(linear.outputs):
        one = signal.StateSpace(model.A, model.B, model.C[[k]], model.D[[k]])
        _, expected = signal.freqresp(one, angular)
        agrees(
            "frequency response of a single-track car to its steering", found[name, "delta"],
            expected, rel=1e-9, source="SciPy, scipy.signal.freqresp", case=name,
        )  # fmt: skip
    gain = 20.0 / (2.7 + 1500.0 / 2.7 * (1.5 / 80e3 - 1.2 / 90e3) * 400.0)
    still = linear.frequency_response([0.0])
    agrees(
        "frequency response of a single-track car at 0 Hz: gain of the yaw rate",
        still.gain("r", "delta")[0], gain, rel=1e-12, unit="1/s",
        source="Closed form, understeer gradient",
    )  # fmt: skip


def test_questions_without_an_answer() -> None:
    linear = swing()
    with pytest.raises(LinearisationError, match="frequencies in Hz"):
        linear.frequency_response([-1.0])
    with pytest.raises(LinearisationError, match="0 outputs and 1 inputs"):
        linear.selected(outputs=[]).frequency_response([1.0])
    with pytest.raises(AxletreeError, match="unknown output 'y'"):
        linear.frequency_response([1.0])["y", "u"]
    with pytest.raises(AxletreeError, match="unknown input 'w'"):
        linear.selected(inputs=["w"])
    rigid = by_hand("mass", {"x": "v", "v": "u"}, inputs={"u": 0.0}).linearise(outputs=["x"])
    with pytest.raises(LinearisationError, match="at 0 Hz the response has no bounds"):
        rigid.frequency_response([0.0])


def test_matrices_by_name() -> None:
    linear = swing()
    assert linear.matrix_table("A") == {"x": {"x": 0.0, "v": 1.0}, "v": {"x": -36.0, "v": -2.4}}
    assert linear.matrix_table("B")["v"]["u"] == 36.0
    assert linear.matrix_table("C")["twice"] == {"x": 2.0, "v": 0.0}
    assert linear.matrix_table("D")["x"]["u"] == 0.0
    with pytest.raises(AxletreeError, match="unknown matrix 'E'"):
        linear.matrix_table("E")


def test_a_mode_that_no_input_reaches() -> None:
    """Two equal lags in parallel: their difference is out of reach (a textbook case)."""
    system = by_hand("pair", {"x": "u - x", "y": "u - y"}, inputs={"u": 0.0})
    found = system.linearise(outputs=["x", "y"]).reach()
    assert (found.controllable, found.observable, found.states) == (1, 2, 2)
    assert not found.is_controllable
    assert found.is_observable
    assert not any(mode.is_controllable for mode in found.modes)
    assert all(mode.is_observable for mode in found.modes)


def test_a_mode_that_no_output_shows() -> None:
    """Unequal lags: both are reached; the output shows the first one alone."""
    system = by_hand("pair", {"x": "u - x", "y": "u - 3*y"}, inputs={"u": 0.0})
    found = system.linearise(outputs=["x"]).reach()
    assert (found.controllable, found.observable) == (2, 1)
    seen = {round(m.eigenvalue.real): m.is_observable for m in found.modes}
    assert seen == {-1: True, -3: False}
    assert found.modes[0].states == ("x",)
    assert found.modes[0].best_input == "u"
    assert found.is_stabilisable


def test_an_unstable_mode_out_of_reach() -> None:
    system = by_hand("open", {"x": "2*x", "y": "u - 3*y"}, inputs={"u": 0.0})
    found = system.linearise(outputs=["y"]).reach()
    assert not found.is_stabilisable
    assert found.controllability_gramian is None
    with pytest.raises(LinearisationError, match="modes all die out"):
        found.hankel_values  # noqa: B018


def test_gramians_in_closed_form() -> None:
    """x' = -a x + b u, y = c x: b^2 / 2a, c^2 / 2a, and |b c| / 2a."""
    system = by_hand("lag", {"x": "5*u - 2*x"}, inputs={"u": 0.0}, outputs={"y": "3*x"})
    found = system.linearise(outputs=["y"]).reach()
    assert found.controllability_gramian == pytest.approx(np.array([[25.0 / 4.0]]))
    assert found.observability_gramian == pytest.approx(np.array([[9.0 / 4.0]]))
    assert found.hankel_values == pytest.approx([15.0 / 4.0])


def test_steer_torque_reaches_the_whipple_bicycle() -> None:
    """Lean and steer are controlled by the steering torque alone; the speed is not."""
    bicycle = shipped_system("whipple-bicycle")
    linear = bicycle.trim({"rear_frame.vx": 5.0}).linearise(outputs=["rear_frame.roll"])
    found = linear.selected(inputs=["steer_torque.torque"]).reach()
    assert (found.controllable, found.observable, found.states) == (4, 4, 5)


def test_an_object_of_python_control() -> None:
    control = pytest.importorskip("control")
    car = single_track("80e3*alpha_f", "90e3*alpha_r")
    linear = car.linearise(outputs=["r", "lateral_acceleration"])
    made = linear.to_control()
    assert isinstance(made, control.StateSpace)
    assert np.asarray(made.A) == pytest.approx(linear.A)
    assert made.state_labels == ["v", "r"]
    assert made.input_labels == ["delta"]
    assert made.output_labels == ["r", "lateral_acceleration"]
    own = linear.frequency_response([0.7])
    theirs = made(2j * math.pi * 0.7)
    assert theirs[0, 0] == pytest.approx(own["r", "delta"][0], rel=1e-12)
    assert np.linalg.matrix_rank(control.ctrb(made.A, made.B)) == linear.reach().controllable


def test_python_control_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(LinearisationError, match=r"pip install axletree\[control\]"):
        swing().to_control()
