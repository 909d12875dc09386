"""The 14-DOF car on its tyres (Morency 2007, section 5.3 and appendix A.1).

The numbers of the manoeuvres are those of an independent model with the same data
(``oracles/thesis_vehicles.py``); figures 5.7 and 5.9 show the same to the eye.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from random import Random

import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.components.fields import Parameters
from axletree.expr import (
    ExternalFunction,
    OperationCount,
    call,
    directional_derivative,
    evaluate,
    symbols_of,
)
from axletree.expr.quantity import Role
from axletree.system.system import System
from axletree.wheel.contract import Contact, Forces, TyreLaw
from axletree.wheel.tyre import Tyre

CORNERS = ("front_left", "front_right", "rear_left", "rear_right")


@pytest.fixture(scope="module")
def car() -> System:
    return shipped_system("car")


@pytest.mark.validation("graphs")
def test_it_has_36_states(car: System, agrees: Agrees) -> None:
    """14 speeds, 14 coordinates and two slips per tyre, and no constraint (section 5.3.1)."""
    agrees(
        "car on four tyres: degrees of freedom and states",
        [car.degrees_of_freedom, len(car.states)], [14, 36], abs=0,
        source="Morency 2007, section 5.3.1",
    )  # fmt: skip
    assert [q.name for q in car.states if q.role is Role.STATE][:2] == [
        "front_left_tyre.q1",
        "front_left_tyre.q2",
    ]
    assert car.constraints == ()


def law_as_a_call() -> TyreLaw:
    """A law that the equations do not look into: one call per tyre."""
    inputs = ("Fz", "S", "alpha", "gamma", "V", "Omega")
    function = ExternalFunction(
        "law", inputs, ("Fx", "Fy", "Mx", "My", "Mz"), lambda *_: (0.0,) * 5,
        "static void law(const double *input, double *output)\n"
        "{ int i; for (i = 0; i < 5; i++) output[i] = 0.0 * input[i]; }\n", None,
    )  # fmt: skip

    @dataclass(frozen=True)
    class Opaque(TyreLaw):
        def forces(self, contact: Contact, p: Parameters) -> Forces:
            c = contact
            known = (c.normal_load, c.longitudinal_slip, c.slip_angle, c.inclination)
            return Forces(*call(function, *known, c.forward_speed, c.spin_rate))

    return Opaque()


def test_operations_of_the_main_code() -> None:
    """Everything but the law itself, slip lag included; the bounds are what the design asks."""
    described, opaque = at.read_model("car"), at.Model("car")
    law = law_as_a_call()
    for part in described:
        opaque.add(replace(part, law=law) if isinstance(part, Tyre) else part)
    count = opaque.formulate().operations.total
    calls = 4
    assert count.additions <= 400
    assert count.multiplications <= 520
    assert count.divisions <= 25
    assert count.functions - calls <= 48
    assert count == OperationCount(393, 519, 22, 44 + calls)


def test_no_spin_angle_enters_the_equations(car: System) -> None:
    names = {symbol.name for symbol in symbols_of(car.derivatives)}
    assert not [name for name in names if name.endswith("axle.angle")]


def test_energy_changes_by_what_tyres_brakes_and_steering_do(car: System) -> None:
    """At random states, dampers switched off; the springs' energy is part of the total."""
    outputs = {d.quantity.name: d.expression for d in car.outputs}
    rates = dict(zip((q.symbol for q in car.states), car.derivatives, strict=True))
    inputs = {q.name: q.symbol for q in car.inputs}
    rates |= {inputs[q.derivative_of]: q.symbol for q in car.inputs if q.derivative_of}
    gain = directional_derivative([outputs["energy.total"]], rates)[0]
    work = [outputs[f"{c}_{part}.power"] for c in CORNERS for part in ("tyre", "brake")]
    turning = inputs["steer.angle_rate"]
    work += [outputs["steer.torque"] * turning, outputs["front_right_steer.torque"] * turning]
    random = Random(5)
    for _ in range(5):
        values = {q.symbol: q.default for q in car.parameters}
        values |= {q.symbol: 0.0 for q in car.parameters if q.name.endswith("_spring.damping")}
        values |= {q.symbol: q.default + random.uniform(-0.1, 0.1) for q in car.states}
        values |= {q.symbol: random.uniform(-0.1, 0.1) for q in car.inputs}
        found, *powers = (float(v) for v in evaluate([gain, *work], values))
        assert found == pytest.approx(sum(powers), rel=1e-9)


@pytest.mark.validation("vehicles")
def test_a_standing_car_stands(car: System, agrees: Agrees) -> None:
    """At rest the tyres carry the weight, and nothing slides off."""
    at_rest = {q.name: 0.0 for q in car.states if q.role in (Role.SPEED, Role.STATE)}
    run = car.simulate(20.0, step=1e-3, initial=at_rest, outputs=[f"{c}_tyre.Fz" for c in CORNERS])
    weight = 9.80665 * (2077 + 4 * 38)
    agrees(
        "standing car: sum of the wheel loads", sum(run[f"{c}_tyre.Fz"][-1] for c in CORNERS),
        weight, rel=1e-4, unit="N", source="Closed form, weight",
    )  # fmt: skip
    assert abs(run["chassis.vx"][-1]) < 1e-3
    assert abs(run["chassis.y"][-1]) < 1e-9


@pytest.mark.validation("vehicles")
def test_the_sine_steer_is_a_wide_lane_change(car: System, agrees: Agrees) -> None:
    """1 degree over 10 s at 20 m/s: to the left and straight again (figure 5.7)."""
    run = car.simulate(
        10.0, step=1e-3, record_interval=0.01, outputs=["front_left_tyre.Fy"],
        inputs={"steer.angle": at.read_model("car").run.inputs["steer.angle"]},
    )  # fmt: skip
    place = [run["chassis.x"][-1], run["chassis.y"][-1]]
    agrees(
        "car, 1 degree of sine steer at 20 m/s: place after 10 s", place,
        [189.915927, 31.0544834], rel=1e-6, unit="m",
        source="Morency 2007, figure 5.7, by an independent model",
    )  # fmt: skip
    agrees(
        "car, 1 degree of sine steer at 20 m/s: greatest yaw rate", max(abs(run["chassis.wz"])),
        0.101273628, rel=1e-6, unit="rad/s",
        source="Morency 2007, figure 5.7, by an independent model",
    )  # fmt: skip
    agrees(
        "car, 1 degree of sine steer at 20 m/s: greatest roll angle",
        math.degrees(max(abs(run["chassis.roll"]))), 3.43490148, rel=1e-6, unit="deg",
        source="Morency 2007, figure 5.7, by an independent model",
    )  # fmt: skip
    first, second = run["front_left_tyre.Fy"][:500], run["front_left_tyre.Fy"][500:]
    assert max(abs(second)) > max(abs(first))  # the outer tyre carries more


@pytest.mark.validation("vehicles")
def test_braking_slows_the_car_and_lowers_its_nose(car: System, agrees: Agrees) -> None:
    """1000 N m on each wheel from 2.5 s to 4.5 s (figure 5.9).

    Four tyres of one side carry conicity and ply steer: the car drifts slowly to the left.
    """
    times, torque = [0.0, 2.0, 2.5, 4.5, 5.0, 10.0], [0.0, 0.0, -1000.0, -1000.0, 0.0, 0.0]
    run = car.simulate(
        10.0, step=1e-3, record_interval=0.01, outputs=[],
        inputs={f"{corner}_brake.torque": (times, torque) for corner in CORNERS},
    )  # fmt: skip
    speed = run["chassis.vx"][run.time <= 5.0][-1]
    agrees(
        "car braked with 1000 N m on each wheel: speed at 5 s", speed, 6.49578532, rel=1e-6,
        unit="m/s",
        source="Morency 2007, figure 5.9, by an independent model",
    )  # fmt: skip
    agrees(
        "car braked with 1000 N m on each wheel: greatest pitch angle",
        math.degrees(max(run["chassis.pitch"])), 2.46296618, rel=1e-6, unit="deg",
        source="Morency 2007, figure 5.9, by an independent model",
    )  # fmt: skip
    agrees(
        "car braked with 1000 N m on each wheel: drift to the left after 10 s",
        run["chassis.y"][-1], 0.645717241, rel=1e-6, unit="m",
        source="Morency 2007, figure 5.9, by an independent model",
    )  # fmt: skip
    assert math.degrees(max(abs(run["chassis.roll"]))) == pytest.approx(0.440968338, rel=1e-6)
