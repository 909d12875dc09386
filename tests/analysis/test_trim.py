"""Steady motions of small systems by hand, and what is said where there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from agreement import Agrees
from vehicles.test_fidelity import system as vehicle_system

import axletree as at
from axletree.analysis.linear.jacobians import slopes_of
from axletree.analysis.steady import search as trim_search
from axletree.components.springs import AlongSlide, Pull
from axletree.core.errors import AxletreeError, TrimError
from axletree.expr import Expr, ExternalFunction, as_expr, call, symbol
from axletree.system.system import System

GRAVITY = 9.80665
WHEELS = [(axle, side) for axle in ("front", "rear") for side in ("left", "right")]


def test_a_vehicle_that_stands_at_its_start_is_set_rolling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From wheels that stand the search would end elsewhere; a long way round is not needed."""
    monkeypatch.setattr(trim_search, "relax", lambda *_: pytest.fail("it was let go"))
    found = vehicle_system("single-track").trim({"chassis.vx": 20.0}, find=["driver.throttle"])
    rolling = [20.0 / 0.3 for _ in range(4)]
    rates = [found.states[f"{axle}_{side}_axle.rate"] for axle, side in WHEELS]
    assert rates == pytest.approx(rolling, rel=0.05)
    assert found.inputs["driver.throttle"] == pytest.approx(0.0, abs=1e-9)  # nothing resists


def arm() -> System:
    """A rod of 2 kg and 1 m that a motor lifts; its angle is 0 where it hangs."""
    model = at.Model("arm")
    rod = model.add(at.RigidBody("rod", 2.0, (0.2, 0.2, 0.01)))
    pin = model.add(at.Revolute("pin", model.ground, rod.point(0, 0, 0.5), axis="y"))
    model.add(at.JointTorque("motor", pin))
    return model.formulate()


def sledge() -> System:
    """10 kg on a horizontal track with a linear and an open force."""
    model = at.Model("sledge")
    body = model.add(at.RigidBody("body", 10.0, (1.0, 1.0, 1.0)))
    track = model.add(at.Prismatic("track", model.ground, body, axis="x"))
    model.add(at.SlideSpringDamper("drag", track, stiffness=0.0, damping=4.0))
    model.add(at.JointForce("push", track))
    model.add(at.JointForce("pull", track))
    return model.formulate()


@pytest.mark.parametrize("start", [0.3, 2.0, 3.0])
def test_a_pendulum_hangs_and_does_not_stand_on_its_head(start: float) -> None:
    model = at.read_model("pendulum")
    model.start = {"pin.angle": start}
    assert model.formulate().trim().states["pin.angle"] == pytest.approx(0.0, abs=1e-9)


def test_the_torque_that_holds_an_arm() -> None:
    found = arm().trim({"pin.angle": "30 deg"}, find=["motor.torque"])
    assert found.states["pin.angle"] == pytest.approx(math.pi / 6)
    assert found.inputs["motor.torque"] == pytest.approx(2.0 * GRAVITY * 0.5 * 0.5, rel=1e-12)
    assert found.found == ("motor.torque",)
    assert found.residual < 1e-12


def test_the_angle_at_which_a_torque_holds_an_arm() -> None:
    found = arm().trim(inputs={"motor.torque": "4 N*m"})
    expected = math.asin(4.0 / (2.0 * GRAVITY * 0.5))
    assert found.states["pin.angle"] == pytest.approx(expected, rel=1e-12)


def test_no_angle_holds_against_too_much_torque() -> None:
    with pytest.raises(TrimError, match=r"arm: no steady motion was found at rest.*pin.rate chang"):
        arm().trim(inputs={"motor.torque": 20.0})


def test_a_sledge_coasts_by_its_drag_and_is_driven_against_it() -> None:
    coasting = sledge().trim({"track.speed": 5.0})
    assert coasting.decay == pytest.approx(-4.0 / 10.0, rel=1e-12)
    assert coasting.rates["track.speed"] == pytest.approx(-2.0, rel=1e-12)
    assert coasting.drifting == ("track.position",)
    driven = sledge().trim({"track.speed": 5.0}, find=["push.force"])
    assert driven.inputs["push.force"] == pytest.approx(20.0, rel=1e-12)
    assert driven.decay == 0.0
    shared = sledge().trim({"track.speed": 5.0}, find=[["push.force", "pull.force"]])
    assert shared.inputs["push.force"] == shared.inputs["pull.force"] == pytest.approx(10.0)
    fastest = sledge().trim({"track.speed": 5.0}, inputs={"pull.force": 50.0})
    assert fastest.rates["track.speed"] == pytest.approx((50.0 - 20.0) / 10.0)


def test_what_is_left_open_is_named() -> None:
    with pytest.raises(TrimError, match=r"leave open push.force and pull.force with track.speed"):
        sledge().trim({"track.speed": 5.0}, find=["push.force", "pull.force"])


def test_a_group_of_no_inputs_is_refused() -> None:
    with pytest.raises(TrimError, match="empty list"):
        sledge().trim({"track.speed": 5.0}, find=[[]])


def test_what_contradicts_is_named() -> None:
    """Nothing that is free bears on the speed of the second sledge."""
    model = at.Model("two")
    for k in (1, 2):
        body = model.add(at.RigidBody(f"body{k}", 10.0, (1.0, 1.0, 1.0)))
        track = model.add(at.Prismatic(f"track{k}", model.ground, body, axis="x"))
        model.add(at.SlideSpringDamper(f"drag{k}", track, stiffness=0.0, damping=4.0 * k))
        model.add(at.JointForce(f"push{k}", track))
    system = model.formulate()
    with pytest.raises(TrimError, match=r"nothing that is free.*track2.speed changes by -4 m/s\^2"):
        system.trim(
            {"track1.speed": 5.0, "track2.speed": 5.0}, find=[["push1.force"], ["push1.force"]]
        )
    # Coasting at two drags, no proportion is common to both.
    with pytest.raises(TrimError, match=r"track1.speed = 5 m/s, track2.speed = 5 m/s"):
        system.trim({"track1.speed": 5.0, "track2.speed": 5.0})
    found = system.trim({"track1.speed": 5.0, "track2.speed": 5.0}, find=["push2.force"])
    assert found.decay == pytest.approx(-0.4)
    assert found.inputs["push2.force"] == pytest.approx(20.0)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"given": {"pin.angel": 0.1}}, "did you mean 'pin.angle'"),
        ({"given": {"pin.angle": "3 kg"}}, "pin.angle"),
        ({"find": ["motor.torqe"]}, "did you mean 'motor.torque'"),
        ({"find": ["motor.torque"], "inputs": {"motor.torque": 1.0}}, "choose one"),
        ({"inputs": {"motor.torque": "sin(t)"}}, "an input is a number"),
    ],
)
def test_mistakes_are_explained(settings: dict[str, object], says: str) -> None:
    with pytest.raises(AxletreeError, match=says):
        arm().trim(**settings)  # type: ignore[arg-type]


def test_a_linkage_hangs_where_its_centre_of_mass_is_lowest() -> None:
    """Constraints are met, and moving along them either way lifts the mass."""
    model = at.read_model("four-bar")
    model.start = dict(model.formulate().trim().states)
    system = model.formulate()

    def energy(given: dict[str, float]) -> float:
        run = system.simulate(
            1e-3, step=1e-3, initial=system.state(given), outputs=["energy.potential"]
        )
        return float(run["energy.potential"][0])

    lowest, angle = energy({}), model.start["a.angle"]
    assert system.state() == pytest.approx(model.start, abs=1e-10)
    for change in (-0.02, 0.02):
        assert 1e-4 < energy({"a.angle": angle + change}) - lowest < 1e-1


def test_a_circuit_at_rest() -> None:
    """Constant voltage: the capacitor takes all of it, and no current flows."""
    model = at.Model("circuit")
    model.add(at.ElectricalGround("earth", "low"))
    model.add(at.VoltageSource("source", "high", "low"))
    model.add(at.Resistor("resistor", "high", "middle", resistance=5.0))
    model.add(at.Inductor("inductor", "middle", "end", inductance=0.1))
    model.add(at.Capacitor("capacitor", "end", "low", capacitance=1e-3))
    found = model.formulate().trim(inputs={"source.voltage": 12.0})
    assert abs(found.states["capacitor.voltage"]) == pytest.approx(12.0)
    assert found.states["inductor.current"] == pytest.approx(0.0, abs=1e-12)


def test_a_function_without_a_derivative_is_differenced() -> None:
    x, y = symbol("x"), symbol("y")
    opaque = ExternalFunction("cube", ("a",), ("b",), lambda a: (a**3,), "")
    found = slopes_of([call(opaque, x)[0] * y, y], [x, y])({x: 2.0, y: 3.0})
    assert found == pytest.approx(np.array([[36.0, 8.0], [0.0, 1.0]]), rel=1e-8)


@dataclass(frozen=True, eq=False)
class Drag(AlongSlide):
    """3 v |v|, in a function that the equations do not look into."""

    def pull(self, position: Expr, rate: Expr) -> Pull:
        drag = ExternalFunction(
            "drag", ("v",), ("F",), lambda v: (3.0 * v * abs(v),),
            "static void drag(const double *v, double *F) { F[0] = 3.0 * v[0] * fabs(v[0]); }\n",
        )  # fmt: skip
        return Pull(call(drag, rate)[0], as_expr(0.0))


def test_a_model_with_such_a_function_is_trimmed() -> None:
    model = at.Model("sledge")
    body = model.add(at.RigidBody("body", 10.0, (1.0, 1.0, 1.0)))
    track = model.add(at.Prismatic("track", model.ground, body, axis="x"))
    model.add(Drag("drag", track))
    model.add(at.JointForce("push", track))
    found = model.formulate().trim({"track.speed": 2.0}, find=["push.force"])
    assert found.inputs["push.force"] == pytest.approx(12.0, rel=1e-9)


def bicycle(crown_radius: float | None = None) -> System:
    """The benchmark bicycle; its rear tyre round, if it has a radius [m]."""
    described, model = at.read_model("whipple-bicycle"), at.Model("bicycle")
    model.gravity = described.gravity
    for part in described:
        if part.name == "rear_tyre" and crown_radius is not None:
            part = replace(part, contact=at.Toroid(crown_radius=crown_radius))
        model.add(part)
    model.start = described.start
    return model.formulate()


def test_a_bicycle_on_a_round_tyre_runs_upright() -> None:
    """From a start that leans over: conditions whose slopes vanish upright do not hold it up."""
    found = bicycle(crown_radius=0.015).trim({"rear_frame.vx": 5.0})
    for name in ("rear_frame.roll", "rear_frame.wx", "rear_frame.wz", "steer.angle"):
        assert found.states[name] == pytest.approx(0.0, abs=1e-12)
    assert found.states["rear_axle.rate"] == pytest.approx(5.0 / 0.3, rel=1e-12)
    assert found.states["front_axle.rate"] == pytest.approx(5.0 / 0.35, rel=1e-12)
    assert found.residual < 1e-12


@pytest.mark.validation("vehicles")
@pytest.mark.parametrize("speed", [5.0, 10.0])
def test_the_torque_on_the_handlebar_in_a_wide_turn(speed: float, agrees: Agrees) -> None:
    """Meijaard et al. 2007, section 5: (g K0 + v^2 K2) (roll, steer) = (0, torque)."""
    K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
    K2 = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])
    K = 9.81 * K0 + speed**2 * K2
    turning = 1e-3  # rad/s
    steer = turning * 1.02 / (speed * math.cos(math.radians(18.0)))
    roll = -K[0, 1] * steer / K[0, 0]
    found = bicycle().trim(
        {"rear_frame.vx": speed, "rear_frame.wz": turning}, find=["steer_torque.torque"]
    )
    agrees(
        "Whipple bicycle in a wide turn: steering and roll angle",
        [found.states["steer.angle"], abs(found.states["rear_frame.roll"])], [steer, roll],
        rel=1e-4, unit="rad", source="Meijaard et al. 2007, section 5", case=f"{speed:g} m/s",
    )  # fmt: skip
    agrees(
        "Whipple bicycle in a wide turn: torque on the handlebar",
        found.inputs["steer_torque.torque"], K[1, 0] * roll + K[1, 1] * steer, rel=1e-3,
        unit="N m", source="Meijaard et al. 2007, section 5", case=f"{speed:g} m/s",
    )  # fmt: skip


def test_a_bicycle_leans_down_in_a_narrow_turn_and_goes_on_so() -> None:
    """Its wheels do not give: its height follows from how it leans, and stays."""
    system = bicycle()
    found = system.trim({"rear_frame.vx": 5.0, "rear_frame.wz": 0.8}, find=["steer_torque.torque"])
    assert found.states["rear_frame.z"] != 0.0
    assert "rear_frame.z" in found.drifting
    run = system.simulate(1.0, step=1e-3, initial=found.states, inputs=found.inputs)
    for name in ("rear_frame.z", "rear_frame.roll", "steer.angle", "rear_frame.wz"):
        assert run[name] == pytest.approx(found.states[name], abs=1e-8)
    # A circle: speed over rate of turning about the vertical.
    path = np.hypot(np.diff(run["rear_frame.x"]), np.diff(run["rear_frame.y"])).sum()
    assert path / abs(run["rear_frame.yaw"][-1] - run["rear_frame.yaw"][0]) == pytest.approx(
        math.hypot(found.states["rear_frame.vx"], found.states["rear_frame.vy"])
        / abs(found.rates["rear_frame.yaw"]),
        rel=1e-4,
    )
