"""A damped oscillating circuit and a DC motor, against their exact solutions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import Agrees

import axletree as at

R, L, C, V = 3.0, 0.02, 5e-4, 12.0


def series_circuit() -> Any:
    model = at.Model("rlc")
    model.add(at.VoltageSource("source", "a", "ground", voltage=V))
    model.add(at.Resistor("resistor", "a", "b", resistance=R))
    model.add(at.Inductor("coil", "b", "c", inductance=L))
    model.add(at.Capacitor("capacitor", "c", "ground", capacitance=C))
    return model.formulate()


@pytest.mark.parametrize("resistance", [3.0, 2.0 * np.sqrt(L / C), 40.0], ids="uco")
@pytest.mark.validation("mechanisms")
def test_step_response_of_a_series_circuit(resistance: float, agrees: Agrees) -> None:
    """Underdamped, critically damped and overdamped; Irwin, Circuit Analysis, section 7.3."""
    run = series_circuit().simulate(
        0.2, step=1e-5, parameters={"resistor.resistance": resistance}, record_interval=1e-4
    )
    t = run.time
    a, w2 = resistance / (2 * L), 1.0 / (L * C)
    if abs(a * a - w2) < 1e-9 * w2:
        charge = 1.0 - np.exp(-a * t) * (1.0 + a * t)
        current = V / L * t * np.exp(-a * t)
    else:
        w = np.sqrt(complex(w2 - a * a))
        charge = (1.0 - np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t))).real
        current = (V / L * np.exp(-a * t) * np.sin(w * t) / w).real
    agrees(
        "series circuit: voltage after a step", run["capacitor.voltage"], V * charge, abs=1e-8,
        unit="V", case=f"{resistance:.3g} ohm",
        source="Closed form, Irwin, Circuit Analysis, section 7.3",
    )  # fmt: skip
    assert np.abs(run["coil.current"] - current).max() < 1e-8


def test_a_circuit_has_no_quantities_of_motion() -> None:
    system = series_circuit()
    owners = {output.quantity.name.partition(".")[0] for output in system.outputs}
    assert owners == {"source", "resistor", "coil", "capacitor"}
    assert system.freedoms_in_words == "no mechanical freedom"


def test_free_circuit_loses_what_the_resistor_takes_up() -> None:
    run = series_circuit().simulate(
        0.05, step=1e-6, initial={"capacitor.voltage": 9.0}, record_interval=1e-5,
        parameters={"source.voltage": 0.0},
    )  # fmt: skip
    stored = C * run["capacitor.voltage"] ** 2 / 2 + L * run["coil.current"] ** 2 / 2
    lost = (stored[:-2] - stored[2:]) / 2e-5
    assert np.abs(lost - run["resistor.power"][1:-1]).max() < 1e-3 * lost.max()


K, RA, LA, J, B = 0.05, 0.8, 4e-3, 3e-4, 1e-4


def motor(inductance: float) -> Any:
    model = at.Model("motor", gravity=(0.0, 0.0, 0.0))
    rotor = model.add(at.RigidBody("rotor", 0.5, (J, J, J)))
    shaft = model.add(at.Revolute("shaft", model.ground, rotor, axis="z"))
    model.add(at.RotationalSpringDamper("bearing", shaft, damping=B))
    model.add(at.VoltageSource("battery", "plus", "ground", voltage=V))
    model.add(
        at.DCMachine(
            "machine", shaft, "plus", "ground", torque_constant=K, resistance=RA,
            inductance=inductance,
        )
    )  # fmt: skip
    return model.formulate()


@pytest.mark.validation("mechanisms")
def test_step_response_of_a_motor(agrees: Agrees) -> None:
    """J w' = K i - B w, L i' = V - R i - K w: two real poles and a steady state."""
    run = motor(LA).simulate(1.0, step=1e-5, record_interval=1e-3)
    poles = np.roots([1.0, RA / LA + B / J, (RA * B + K**2) / (LA * J)])
    p1, p2 = poles
    assert np.isreal(poles).all()
    steady = K * V / (RA * B + K**2)
    t = run.time
    rate = steady * (1.0 + (p2 * np.exp(p1 * t) - p1 * np.exp(p2 * t)) / (p1 - p2))
    slope = steady * p1 * p2 * (np.exp(p1 * t) - np.exp(p2 * t)) / (p1 - p2)
    agrees(
        "motor on a battery: speed over 1 s", run["shaft.rate"], rate, abs=1e-7, unit="rad/s",
        source="Closed form, two real poles",
    )  # fmt: skip
    agrees(
        "motor on a battery: current over 1 s", run["machine.current"], (J * slope + B * rate) / K,
        abs=1e-7, unit="A", source="Closed form, two real poles",
    )  # fmt: skip
    assert run["shaft.rate"][-1] == pytest.approx(steady, rel=1e-4)


def test_step_response_of_a_motor_without_inductance() -> None:
    """One pole: T = J R / (R B + K^2)."""
    run = motor(0.0).simulate(0.5, step=1e-4, record_interval=1e-3)
    steady, T = K * V / (RA * B + K**2), J * RA / (RA * B + K**2)
    rate = steady * (1.0 - np.exp(-run.time / T))
    assert np.abs(run["shaft.rate"] - rate).max() < 1e-7
    assert np.abs(run["machine.current"] - (V - K * rate) / RA).max() < 1e-7


def test_power_of_the_battery_goes_into_heat_and_rotation() -> None:
    run = motor(LA).simulate(0.2, step=1e-5, record_interval=1e-4)
    i, w = run["machine.current"], run["shaft.rate"]
    stored = J * w**2 / 2 + LA * i**2 / 2
    gained = (stored[2:] - stored[:-2]) / 2e-4
    balance = V * i - RA * i**2 - B * w**2
    assert np.abs(balance[1:-1] - gained).max() < 1e-3 * np.abs(balance).max()
    assert run["battery.power"] == pytest.approx(-V * i)
