"""Hydraulics of a vehicle's brakes: circuits, what pressures they reach, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import ModelError

WHEELS = [f"{axle}_{side}" for axle in ("front", "rear") for side in ("left", "right")]


def compact(**changes: Any) -> Any:
    vehicle = {"brake_lines": {}, "fidelity": "two-track-static", **changes}
    return at.read_model("compact-car", {"vehicle": vehicle})


@pytest.mark.parametrize(
    ("layout", "pairs"),
    [
        ("diagonal", {"primary": {"front_left", "rear_right"},
                      "secondary": {"front_right", "rear_left"}}),
        ("axles", {"primary": {"front_left", "front_right"},
                   "secondary": {"rear_left", "rear_right"}}),
    ],
)  # fmt: skip
def test_circuits_join_the_wheels_of_the_layout(layout: str, pairs: dict[str, set[str]]) -> None:
    car = compact(brake_lines={"layout": layout})
    found = {
        circuit: {w for w in WHEELS if car[f"{w}_inlet"].inlet == f"{circuit}_line"}
        for circuit in pairs
    }
    assert found == pairs
    for circuit, wheels in pairs.items():
        for wheel in wheels:
            assert car[f"{wheel}_outlet"].outlet == f"{circuit}_low"


def test_callipers_reach_the_pressure_of_the_pedal_through_their_valves() -> None:
    """c dp/dt = k sqrt(p0 - p) where the slack is small; then the torque is that without lines."""
    lines = {"slack_volume": 1e-13, "inlet_area": 0.3e-6, "compliance": 2.5e-13}
    car = compact(brake_lines=lines, controls={"anti_lock": False})
    plain = compact(brake_lines=None, controls={"anti_lock": False})
    pedal, rest = {"driver.brake": 0.4}, {"step": "0.1 ms", "watch": False}
    run = car.formulate().simulate(0.3, inputs=pedal, **rest)
    asked = 0.4 * 100e5
    k = 0.611 * 0.3e-6 * math.sqrt(2.0 / 1050.0)
    root = np.maximum(math.sqrt(asked) - 0.5 * k / 2.5e-13 * run.time, 0.0)
    filling = root > 0.2 * math.sqrt(asked)
    p = run["front_left_calliper.pressure"]
    assert p[filling] == pytest.approx((asked - root**2)[filling], rel=1e-3, abs=1e3)
    assert p[-1] == pytest.approx(asked, rel=1e-6)
    filled = {q.name: float(run[q.name][-1]) for q in car.formulate().states}
    torque = car.formulate().outputs_at(filled, inputs=pedal)["front_left_brake.torque"]
    system = plain.formulate()
    wanted = system.outputs_at(system.state({}), inputs=pedal)["front_left_brake.torque"]
    assert torque == pytest.approx(wanted, rel=1e-6)


def test_a_released_wheel_empties_into_the_accumulator() -> None:
    """What leaves the calliper is in the accumulator, and the pump brings it back."""
    car = compact(controls={"anti_lock": False})
    system, settings = car.formulate(), {"step": "0.5 ms", "watch": False}
    held = {"driver.brake": 0.5, "front_left_inlet.opening": 0.0}
    start = {"front_left_calliper.pressure": 50e5}
    out = {"front_left_outlet.opening": "min(max(1000*t, 0), 1) - min(max(1000*(t - 0.02), 0), 1)"}
    run = system.simulate(0.1, inputs=held | out, initial=start, **settings)
    left = run["front_left_calliper.content"][0] - run["front_left_calliper.content"][-1]
    assert left > 1e-7
    assert run["primary_accumulator.content"][-1] == pytest.approx(left, rel=1e-6)
    pumped = system.simulate(
        0.5, inputs=held | out | {"primary_return.command": 1.0}, initial=start, **settings
    )
    assert pumped["primary_accumulator.pressure"][-1] < 0.05e5
    assert run["secondary_accumulator.pressure"].max() == 0.0


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("truck-4x2", {}, "given by torque; give torque_per_pressure"),
        ("compact-car", {"controls": {"brakes": True}}, "take the place of modulators"),
        ("compact-car", {"fidelity": "linear"}, "a linear model has none"),
        ("compact-car", {"axles": {"rear": {"brakes": {"pedal_pressure": 5e6}}}},
         "one master cylinder has one pressure"),
        ("compact-car", {"brake_lines": {"layout": "rows"}}, "'rows' is not one of axles, diag"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(name: str, changes: Any, message: str) -> None:
    vehicle = {"brake_lines": {}} | changes
    with pytest.raises(ModelError, match=message):
        at.read_model(name, {"vehicle": vehicle})
