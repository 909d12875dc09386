"""A drive with its battery is the same in Python, in C and as an FMU."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import axletree as at
from axletree.components.electric_drives import Inverter, LossPolynomial, LumpedHeat, TractionMotor
from axletree.expr import evaluate

TORQUE = at.Curve((0.0, 300.0, 900.0), (300.0, 300.0, 100.0))


@cache
def stand() -> at.Model:
    """A motor on two flywheels, a battery, and a shifted gearbox beside them."""
    model = at.Model("stand", gravity=(0, 0, 0))
    wheels = [model.add(at.RigidBody(n, 10.0, (60,) * 3)) for n in ("left", "right", "shaft")]
    axles = [model.add(at.Revolute(f"{w.name}_axle", model.ground, w, axis="y")) for w in wheels]
    losses = LossPolynomial(copper=0.02, iron=1.0)
    inverter = Inverter(torque_per_current=0.6, voltage_drop=1.0)
    source = TractionMotor(TORQUE, losses, inverter, LumpedHeat(3e4, 60.0), regeneration=20.0)
    drive = {"final_drive": 8.0, "efficiency": 0.95, "battery": "pack", "braking": at.Input(0.0)}
    model.add(at.AxleDrive("drive", *axles[:2], source, **drive))
    model.add(at.ShiftedGearbox("box", axles[2], axles[0], ratios=[3.0, 2.0], capacity=80.0))
    voltage = at.Curve((0.0, 1.0), (300.0, 400.0))
    model.add(at.Battery("pack", voltage, 1800.0, 0.1, 9e4, drive=model["drive"], auxiliary=500.0))
    return model


STATES = {
    "at rest": {},
    "forward": {"left_axle.rate": 30.0, "right_axle.rate": 31.0, "box.engaged_1": 0.4},
    "in reverse": {"left_axle.rate": -9.0, "right_axle.rate": -9.0},
    "empty": {"pack.state_of_charge": 0.0, "left_axle.rate": 20.0, "pack.discharge_limit": 0.0},
    "beyond empty": {"pack.state_of_charge": -0.1},
    "full": {"pack.state_of_charge": 1.0, "left_axle.rate": 20.0, "drive.regeneration": 300.0},
    "too hot": {"drive.temperature": 460.0},
}


@pytest.mark.parametrize("name", STATES)
def test_rates_are_the_same_in_python_and_in_c_and_have_derivatives(name: str) -> None:
    system = stand().formulate()
    state = system.state(STATES[name])
    inputs = {"drive.throttle": 0.7, "drive.braking": 200.0, "box.gear": 1.0}
    compiled = system.rhs(state, inputs=inputs)
    values = {q.symbol: q.default for q in (*system.parameters, *system.inputs)}
    values |= {q.symbol: state[q.name] for q in system.states}
    values |= {system.inputs[word].symbol: value for word, value in inputs.items()}
    values[system.time.symbol] = 0.0
    interpreted = np.array(evaluate(list(system.derivatives), values), dtype=float)
    expected = [compiled[q.name] for q in system.states]
    assert interpreted == pytest.approx(expected, rel=1e-12, abs=1e-9)
    assert np.isfinite(system.linearise(state, inputs=inputs).A).all()


@pytest.mark.slow
def test_an_fmu_of_it_takes_the_same_power(tmp_path: Path) -> None:
    model = stand()
    file = at.write_fmu(model, tmp_path / "twin.fmu", outputs=["pack.power"],
                        platforms=["x86_64-linux"])  # fmt: skip
    given = {"drive.throttle": 0.6}
    alone = model.stepper(step="1 ms", outputs=[], inputs=given)
    with at.Fmu(file, reads={"drive.throttle": "drive.throttle"}) as twin:
        run = at.co_simulate(alone, [twin], duration="0.2 s", interval="10 ms")
    own = model.formulate().simulate("0.2 s", step="1 ms", inputs=given, record_interval="10 ms")
    assert own["pack.power"].max() > 4e3
    assert run["twin.pack.power"][1:] == pytest.approx(own["pack.power"][1:], rel=1e-9)
