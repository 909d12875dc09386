"""The reverse gear of drives: what drives backward is the mirror image of what drives forward."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.components.contract import Instant, Travel
from axletree.components.frames import Frame
from axletree.components.signals import TimeFunction
from axletree.core.errors import ModelError
from axletree.expr import evaluate, symbol

ENGINE = {
    "type": "engine", "cut_off": 620.0, "droop": 40.0,
    "full_load": {"x": [100.0, 300.0, 600.0], "y": [120.0, 180.0, 140.0], "kind": "linear"},
    "drag": {"x": [100.0, 600.0], "y": [15.0, 45.0], "kind": "linear"},
}  # fmt: skip
MOTOR = {
    "type": "electric-motor", "full_torque": 250.0, "full_power": 1e5, "cut_off": 1000.0,
    "regeneration": 60.0,
}  # fmt: skip

RATIO, FINAL = 3.4, 4.0
LEVER = TimeFunction(symbol("driver.reverse"))
TRACTION = {
    "type": "traction-motor", "peak_torque": [[0.0, 300.0], [400.0, 300.0], [900.0, 120.0]],
    "losses": {"type": "polynomial", "copper": 0.06, "iron": 0.8, "constant": 20.0},
    "regeneration": 45.0,
}  # fmt: skip


def wheel(name: str) -> at.Revolute:
    return at.Revolute(name, Frame("ground", ""), Frame(f"{name}_body", ""), axis="y")


def told(rate: float, inputs: dict[str, float], kind: Any = at.AxleDrive, **fields: Any) -> Any:
    """Outputs of a drive whose wheels turn at one rate [rad/s]."""
    wheels = (wheel("left"), wheel("right")) if kind is at.AxleDrive else (wheel("left"),)
    drive = kind("drive", *wheels, **fields)
    turning = Travel(symbol("angle"), symbol("rate"))
    states = [symbol(v.suffix) for v in drive.states()]
    outputs = drive.respond(Instant([], [turning] * len(wheels), states)).outputs
    values = {q.symbol: q.default for q in drive.parameters()}
    values |= {symbol("rate"): rate, symbol("drive.clutch"): 0.0}
    values |= {symbol(name): value for name, value in inputs.items()}
    found = evaluate([output.expression for output in outputs], values)
    return {output.suffix: float(value) for output, value in zip(outputs, found, strict=True)}


@pytest.mark.parametrize("throttle", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("rate", [-70.0, -30.0, -1.0, 0.0, 5.0])
@pytest.mark.parametrize("source", [ENGINE, MOTOR])
def test_in_reverse_a_drive_is_the_mirror_image_of_one_gear_forward(
    source: Any, rate: float, throttle: float
) -> None:
    """At the same rate backward: the same speed and power, torque of the other sign."""
    gears = {"gears": [4.0, 2.0], "shift_rate": 550.0, "final_drive": FINAL, "efficiency": 0.9}
    lever = {"reverse": RATIO, "backward": LEVER}
    back = told(
        rate, {"driver.reverse": 1.0, "drive.throttle": throttle}, source=source, **gears, **lever
    )
    forth = told(
        -rate, {"drive.throttle": throttle}, source=source, gears=[RATIO], final_drive=FINAL,
        efficiency=0.9,
    )  # fmt: skip
    assert back["gear"] == -RATIO
    assert back["speed"] == pytest.approx(forth["speed"])
    assert back["torque"] == pytest.approx(-forth["torque"], abs=1e-9)
    assert back["power"] == pytest.approx(forth["power"], abs=1e-9)
    if throttle and -50.0 < rate <= 0.0:  # below the cut-off
        assert back["torque"] < 0.0


def test_with_the_lever_forward_nothing_changes() -> None:
    gears = {"gears": [4.0, 2.0], "shift_rate": 550.0, "final_drive": FINAL, "source": ENGINE}
    lever = {"reverse": RATIO, "backward": LEVER}
    for rate in (-5.0, 0.0, 20.0, 60.0):
        inputs = {"drive.throttle": 0.6}
        found = told(rate, {"driver.reverse": 0.0, **inputs}, **gears, **lever)
        assert found.pop("backward") == 0.0
        assert found == told(rate, inputs, **gears)


@pytest.mark.parametrize("kind", [at.AxleDrive, at.WheelDrive])
def test_a_motor_takes_part_in_braking_backward_as_forward(kind: Any) -> None:
    """What it regenerates is against the turning; what a controller commands is forward."""
    fields = {
        "source": TRACTION, "final_drive": 9.0, "efficiency": 0.95,
        "braking": TimeFunction(symbol("driver.b")), "command": TimeFunction(symbol("driver.c")),
        "throttle": 0.0,
    }  # fmt: skip
    states = {"temperature": 300.0, "regeneration": 700.0, "driver.b": 0.0, "driver.c": 0.0}
    lever = {"reverse": 1.0, "backward": 1.0}
    back = told(-40.0, states, kind, **fields, **lever)
    forth = told(40.0, states, kind, **fields)
    key = "torque" if kind is at.AxleDrive else "wheel_torque"
    assert back[key] == pytest.approx(-forth[key])
    assert back[key] > 700.0
    for name in ("power", "mechanical_power", "electrical_power", "gear_losses", "motor_losses"):
        if name in forth:
            assert back[name] == pytest.approx(forth[name], abs=1e-9), name
    pushed = told(-40.0, {**states, "driver.c": 100.0}, kind, **fields, **lever)
    assert pushed[key] > back[key]


def test_a_lever_without_a_reverse_gear_is_refused() -> None:
    for kind, wheels in ((at.AxleDrive, "ab"), (at.WheelDrive, "a")):
        with pytest.raises(ModelError, match="backward needs reverse"):
            kind("drive", *(wheel(n) for n in wheels), source=MOTOR, backward=1.0)
    with pytest.raises(ModelError, match="reverse: -3 is not allowed"):
        at.AxleDrive("drive", wheel("a"), wheel("b"), source=MOTOR, reverse=-3.0)


def _flat(name: str, **changes: Any) -> at.Model:
    plane = {"fidelity": "single-track", **changes}
    return at.read_model(name, {"vehicle": plane, "run": {"outputs": []}})


@pytest.mark.parametrize("name", ["sedan", "electric-car", "automatic-sedan"])
def test_vehicles_drive_backward_and_stop(name: str) -> None:
    """By the lever, from rest to rest; the drive gives the kinetic energy, and loses none of it."""
    run = _flat(name).drive("reversing", outputs=["rear_drive.power", "rear_drive.torque"])
    found = {one.name: one.value for one in run.findings}
    assert found["reverse_speed"] > 4.0
    assert found["distance"] > 3.0
    assert 6.0 < found["stop_time"] < 11.0
    assert run["chassis.x"].max() < 1e-3
    assert run["chassis.x"][-1] == pytest.approx(-found["distance"], rel=1e-3)
    fast = int(np.argmin(run["chassis.vx"]))
    vehicle = at.read_model(name).described["vehicle"]
    given = float(np.trapezoid(run["rear_drive.power"][:fast], run.time[:fast]))
    kinetic = 0.5 * vehicle.mass * run["chassis.vx"][fast] ** 2
    assert 1.0 < given / kinetic < 1.35  # wheels, tyres that roll and air have the rest


def test_a_stepper_changes_the_direction_at_rest() -> None:
    car = _flat("electric-car")
    with car.stepper(step="1 ms", start={"speed": 0.0}) as s:
        s["driver.throttle"] = 0.2
        s.advance("2 s")
        ahead = s["chassis.vx"]
        s["driver.throttle"], s["driver.brake"] = 0.0, 0.6
        s.advance("4 s")
        assert abs(s["chassis.vx"]) < 0.02
        s["driver.reverse"], s["driver.throttle"], s["driver.brake"] = 1.0, 0.2, 0.0
        s.advance("2 s")
        assert ahead > 1.0
        assert s["chassis.vx"] == pytest.approx(-ahead, rel=0.05)


def test_drivers_who_follow_a_speed_drive_forward() -> None:
    """They have no lever, and none is asked of them."""
    followed = _flat("sedan", driver={"speed": 10.0}).formulate()
    assert "driver.reverse" not in [q.name for q in followed.inputs]
    assert "driver.reverse" in [q.name for q in _flat("sedan").formulate().inputs]
    linear = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}}).formulate()
    assert "driver.reverse" not in [q.name for q in linear.inputs]
