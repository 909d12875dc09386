"""Signals: inputs, numbers, expressions and tables, and the exact derivatives of motions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator

import axletree as at
from axletree.components.contract import Instant, Travel
from axletree.components.drivers import RotationDriver
from axletree.components.frames import Frame
from axletree.components.joints import Revolute
from axletree.components.loads import JointTorque
from axletree.components.motion_laws import DrivenAbout
from axletree.components.signals import TIME, Constant, Input, TimeFunction, TimeTable
from axletree.core.errors import ModelError
from axletree.expr import evaluate, sin, symbol
from axletree.expr.quantity import Role

HINGE = Revolute("hinge", Frame("a", ""), Frame("b", ""))
TIMES = [0.0, 0.5, 1.0, 2.0, 3.0]
VALUES = [0.0, 1.0, 0.5, 0.7, 2.0]


def torque(value: Any) -> JointTorque:
    return JointTorque("motor", HINGE, value)


def value_at(driver: JointTorque, time: float) -> float:
    (value,) = evaluate([driver.signal("torque")], {TIME: time})
    return float(value)


def course_at(value: Any, time: float) -> list[float]:
    """Angle, rate and acceleration that a rotation driver's edge prescribes."""
    law = RotationDriver("motor", HINGE, value).edges()[0].law
    assert isinstance(law, DrivenAbout)
    return evaluate([law.course.value, law.course.rate, law.course.acceleration], {TIME: time})


def test_a_signal_is_an_input_unless_told_otherwise() -> None:
    driver = JointTorque("motor", HINGE)
    assert driver.torque == Input()
    assert driver.signal("torque") == symbol("motor.torque")
    (quantity,) = driver.inputs()
    assert (quantity.name, quantity.unit, quantity.role) == ("motor.torque", "N*m", Role.INPUT)
    assert quantity.derivative_of == ""
    assert torque("input").torque == Input()
    assert torque(Input("2 kN*m")).inputs()[0].default == 2000.0


def test_an_open_motion_brings_its_derivatives_as_inputs() -> None:
    driver = RotationDriver("motor", HINGE)
    value, rate, acceleration = driver.inputs()
    assert [q.name for q in (value, rate, acceleration)] == [
        "motor.angle", "motor.angle_rate", "motor.angle_acceleration",
    ]  # fmt: skip
    assert [q.unit for q in (value, rate, acceleration)] == ["rad", "rad/s", "rad/s^2"]
    assert (rate.derivative_of, acceleration.derivative_of) == (value.name, rate.name)
    law = driver.edges()[0].law
    assert isinstance(law, DrivenAbout)
    assert [law.course.value, law.course.rate, law.course.acceleration] == [
        q.symbol for q in driver.inputs()
    ]


@pytest.mark.parametrize("value", [5, 5.0, "5", "5 N*m", "5000 mN*m", "2 + 3", Constant(5.0)])
def test_a_number_is_a_parameter(value: Any) -> None:
    driver = torque(value)
    assert driver.torque == Constant(5.0)
    assert driver.inputs() == ()
    (quantity,) = driver.parameters()
    assert (quantity.name, quantity.default) == ("motor.torque", 5.0)
    assert driver.signal("torque") == quantity.symbol


def test_a_constant_zero_leaves_the_equations() -> None:
    assert torque(0.0).signal("torque").is_zero
    assert torque(0.0).parameters() == ()


def test_a_constant_motion_has_no_rate() -> None:
    law = RotationDriver("motor", HINGE, "30 deg").edges()[0].law
    assert isinstance(law, DrivenAbout)
    assert law.course.value == symbol("motor.angle")
    assert law.course.rate.is_zero
    assert law.course.acceleration.is_zero


@pytest.mark.parametrize(
    "value", ["2*sin(3*t)", "2e0*sin(3*t)", "2*sin(3*time)", 2.0 * sin(3.0 * TIME)]
)
def test_an_expression_of_time(value: Any) -> None:
    driver = torque(value)
    assert isinstance(driver.torque, TimeFunction)
    assert value_at(driver, 0.7) == pytest.approx(2.0 * np.sin(2.1))
    assert driver.inputs() == driver.parameters() == ()
    assert course_at(value, 0.7) == pytest.approx(
        [2.0 * np.sin(2.1), 6.0 * np.cos(2.1), -18.0 * np.sin(2.1)]
    )


def test_a_function_of_time_is_an_output() -> None:
    now = Instant(travels=[Travel(symbol("angle"), symbol("rate"))])
    assert [c.suffix for c in torque("3*t").respond(now).outputs] == ["torque", "power"]
    assert [c.suffix for c in torque(3.0).respond(now).outputs] == ["power"]
    assert RotationDriver("motor", HINGE, "3*t").respond(Instant()).outputs[0].suffix == "angle"


@pytest.mark.parametrize("time", [0.2, 0.9, 1.7, 2.999])
def test_a_table_is_smooth_without_overshoot(time: float) -> None:
    driver = torque({"times": TIMES, "values": VALUES})
    assert value_at(driver, time) == pytest.approx(PchipInterpolator(TIMES, VALUES)(time))


@pytest.mark.parametrize("time", [0.2, 0.9, 1.7, 2.999])
def test_a_linear_table(time: float) -> None:
    driver = torque(TimeTable(TIMES, VALUES, "linear"))
    assert value_at(driver, time) == pytest.approx(np.interp(time, TIMES, VALUES))


def test_a_table_of_torques_holds_its_last_value() -> None:
    driver = torque({"times": TIMES, "values": VALUES})
    assert value_at(driver, -1.0) == 0.0
    assert value_at(driver, 10.0) == 2.0


@pytest.mark.parametrize("time", [0.2, 0.9, 1.7, 2.999])
def test_a_table_of_motions_is_a_spline(time: float) -> None:
    spline = CubicSpline(TIMES, VALUES)
    wanted = [float(spline(time, order)) for order in range(3)]
    assert course_at({"times": TIMES, "values": VALUES}, time) == pytest.approx(wanted)


def test_a_table_of_motions_keeps_its_rate_beyond_its_end() -> None:
    end, later = (course_at(TimeTable(TIMES, VALUES), time) for time in (3.0, 5.0))
    assert later[0] == pytest.approx(end[0] + 2.0 * end[1])
    assert later[1:] == [pytest.approx(end[1]), 0.0]


def test_quantities_in_tables_have_units() -> None:
    table = torque({"times": ["0 ms", "500 ms"], "values": ["1 kN*m", 3]}).torque
    assert isinstance(table, TimeTable)
    assert table.times == (0.0, 0.5)
    assert table.values == (1000.0, 3.0)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("sin(2*x)", r"motor\.torque: unknown name 'x' at column 7 of 'sin\(2\*x\)'"),
        ("sin(2*t", r"expected '\)', found the end at column 8"),
        ("2 *", "expected a value, found the end at column 4"),
        ("5 N", r"'5 N' is a force \(N\), but a torque or an energy \(N\*m\) is expected"),
        (None, "None is no quantity.*a signal is an input, a number, an expression of t"),
        (float("nan"), "nan is not a finite number"),
        (symbol("angle") * 2, "depends on angle; a signal may depend on time, in Python the"),
        ({"times": [0, 1]}, "missing key 'values'; a table over time has times, values"),
        ({"times": [0, 1], "values": [0, 1], "Kind": 1}, "unknown key 'Kind'"),
        ({"times": [0, 1], "values": [0, 1], "kind": "cubic"},
         "kind 'cubic' is not one of linear, smooth, spline"),
        ({"times": [0, 2, 1], "values": [0, 1, 2]}, r"x\[1\] = 2 is followed by x\[2\] = 1"),
        ({"times": [0, 1], "values": [0, 1, 2]}, "as many x as y"),
        ({"times": [0], "values": [0]}, "at least 2 points"),
        ({"times": [0, 1], "values": [0, "1 m"]}, "values: '1 m' is a length"),
        ({"times": "0, 1", "values": [0, 1]}, r"expected a list of times \[s\], got '0, 1'"),
    ],
)  # fmt: skip
def test_what_is_no_signal_is_refused(value: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        torque(value)


@pytest.mark.parametrize("kind", ["linear", "smooth"])
def test_a_motion_needs_a_continuous_acceleration(kind: str) -> None:
    with pytest.raises(ModelError, match=r"motor\.angle: .*jumps in its acceleration.*spline"):
        RotationDriver("motor", HINGE, {"times": TIMES, "values": VALUES, "kind": kind})


# -- inputs of other components -----------------------------------------------------------------
def steered() -> at.Model:
    """Two hinges that follow a steering wheel, and a motor that follows a pedal."""
    model = at.Model("steered", gravity=(0.0, 0.0, 0.0))
    model.add(at.DriverControls("driver"))
    for name, course in (("left", "driver.steering/16"), ("right", "driver.steering^2")):
        body = model.add(at.RigidBody(f"{name}_body", 1.0, (1.0, 1.0, 1.0)))
        hinge = model.add(at.Revolute(f"{name}_hinge", model.ground, body, axis="z"))
        model.add(at.RotationDriver(name, hinge, angle=course))
    wheel = model.add(at.RigidBody("wheel", 1.0, (1.0, 2.0, 1.0)))
    axle = model.add(at.Revolute("axle", model.ground, wheel, axis="y"))
    model.add(at.JointTorque("motor", axle, torque="6*driver.throttle + t"))
    return model


def test_signals_follow_inputs_of_other_components_with_all_their_derivatives() -> None:
    """What a driver of z takes is the inertia times the second derivative, by hand."""
    inputs = {"driver.steering": "sin(2*t)", "driver.throttle": 0.5}
    run = steered().formulate().simulate(1.0, step=1e-3, method="rk4", inputs=inputs)
    t = run.time
    assert run["left.torque"] == pytest.approx(-4.0 * np.sin(2.0 * t) / 16.0, abs=1e-12)
    assert run["right.torque"] == pytest.approx(8.0 * np.cos(4.0 * t), abs=1e-11)
    assert run["axle.rate"][-1] == pytest.approx((3.0 + 0.5) / 2.0, rel=1e-12)
    assert run["motor.torque"][-1] == pytest.approx(4.0)


def test_what_is_followed_must_be_an_input() -> None:
    model = steered()
    axle = model["axle"]
    with pytest.raises(
        ModelError, match="late follows driver.brakes: .*did you mean 'driver.brake"
    ):
        model.add(at.JointTorque("late", axle, torque="driver.brakes"))
    with pytest.raises(ModelError, match="late follows axle.rate"):
        model.add(at.JointTorque("late", axle, torque="-2*axle.rate"))
    with pytest.raises(
        ModelError, match="driver.brake, which has no rate; a prescribed motion can"
    ):
        model.add(at.RotationDriver("late", axle, angle="driver.brake"))


def cart_with(driver: str) -> at.System:
    model = at.Model("cart")
    cart = model.add(at.RigidBody("cart", 10.0))
    model.add(at.Prismatic("way", model.ground, cart, axis="x"))
    by_speed = driver == "speed-driver"
    model.add(
        at.SpeedDriver("driver", model.ground, cart) if by_speed else at.DriverControls("driver")
    )
    return model.formulate()


@pytest.mark.parametrize("driver", ["driver-controls", "speed-driver"])
def test_a_steering_wheel_beyond_any_lock_is_told(driver: str) -> None:
    """As by degrees for radians: the tangent of a road wheel's angle comes round again."""
    system = cart_with(driver)
    for angle in (18.0, -18.0):
        assert not system.simulate(0.1, step=0.01, inputs={"driver.steering": angle}).note
    for angle in (90.0, -90.0):
        with pytest.warns(
            UserWarning, match="from t = 0 s on driver: the steering wheel is turned"
        ):
            system.simulate(0.1, step=0.01, inputs={"driver.steering": angle})
