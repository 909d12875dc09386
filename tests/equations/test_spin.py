"""Bodies of revolution: their spin angle leaves the equations and nothing else changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.components.contract import BetweenFrames, Instant, Load, Response
from axletree.components.edges import Basis
from axletree.components.frames import Frame, frame
from axletree.expr import NULL, Vector, evaluate, symbol, symbols_of, where

STATE = {
    "float.x": 0.3, "float.roll": 0.2, "float.pitch": -0.4, "float.yaw": 1.1, "float.vx": 0.5,
    "float.vz": -0.2, "float.wx": 1.0, "float.wy": 0.3, "float.wz": -0.7, "axle.angle": 0.4,
    "axle.rate": 5.0,
}  # fmt: skip


def wheel_on_a_carrier(
    wheel: Any, place: Any, axis: Any = "y", carrier_turn: Any = (), extra: Any = None
) -> Any:
    model = at.Model("carrier")
    carrier = model.add(at.RigidBody("carrier", 2.0, (1.0, 1.1, 1.2, 0.1, 0.05, -0.1)))
    model.add(at.Free("float", model.ground, carrier, speeds="body"))
    model.add(wheel)
    hub = carrier.frame("hub", (0.1, 0.2, 0.3), carrier_turn) if carrier_turn else carrier
    axle = model.add(at.Revolute("axle", hub, place(wheel), axis))
    model.add(at.JointTorque("motor", axle, 2.0))
    model.add(at.RotationalSpringDamper("brake", axle, damping=0.3))
    if extra is not None:
        extra(model)
    return model


def disc(axis: str) -> Any:
    return at.BodyOfRevolution("wheel", 3.0, 0.5, 0.4, axis=axis)


def same_disc(axis: str) -> Any:
    inertia = [0.4, 0.4, 0.4]
    inertia["xyz".index(axis)] = 0.5
    return at.RigidBody("wheel", 3.0, tuple(inertia))


def evaluated(system: Any, expressions: Any) -> np.ndarray:
    values = {q.symbol: q.default for q in (*system.states, *system.parameters, *system.inputs)}
    values |= {symbol("time"): 0.0} | {symbol(name): value for name, value in STATE.items()}
    return np.array(evaluate(list(expressions), values), dtype=float)


def outputs(system: Any, prefix: str) -> np.ndarray:
    chosen = [d.expression for d in system.outputs if d.quantity.name.startswith(prefix)]
    assert chosen
    return evaluated(system, chosen)


CASES = {
    "at the centre": ("y", lambda wheel: wheel, "y", ()),
    "beside the centre": ("y", lambda wheel: wheel.point(0, 0.25, 0), "y", ()),
    "about z, the other way": ("z", lambda wheel: wheel.point(0, 0, -0.2), "-z", ()),
    "on a turned carrier": ("x", lambda wheel: wheel, "x", (("z", 0.3), ("y", 0.7))),
    "by a turned frame": ("y", lambda wheel: wheel.frame("hub", (0, 0, 0), [("z", 0.5)]),
                          (float(np.sin(0.5)), float(np.cos(0.5)), 0.0), ()),
    "by a quarter turn": ("y", lambda wheel: wheel.frame("hub", (0, 0.1, 0), [("x", np.pi / 2)]),
                          "-z", ()),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_it_moves_as_an_equal_rigid_body(case: str) -> None:
    axis, place, joint_axis, turn = CASES[case]
    models = [wheel_on_a_carrier(make(axis), place, joint_axis, turn) for make in (disc, same_disc)]
    first, second = (model.formulate() for model in models)
    np.testing.assert_allclose(
        evaluated(first, first.derivatives), evaluated(second, second.derivatives), atol=1e-12
    )
    for prefix in ("wheel.", "energy.", "momentum.", "axle.reaction."):
        np.testing.assert_allclose(outputs(first, prefix), outputs(second, prefix), atol=1e-12)


@pytest.mark.parametrize("case", [case for case in CASES if case != "by a turned frame"])
def test_its_angle_is_in_no_rate_of_a_speed(case: str) -> None:
    axis, place, joint_axis, turn = CASES[case]
    system = wheel_on_a_carrier(disc(axis), place, joint_axis, turn).formulate()
    count = len(system.source.speeds)
    angle = symbol("axle.angle")
    assert angle not in symbols_of(system.derivatives[:count])
    whole = wheel_on_a_carrier(same_disc(axis), place, joint_axis, turn).formulate()
    assert angle in symbols_of(whole.derivatives[:count])


def push_on_rim(model: Any) -> None:
    wheel = model["wheel"]
    model.add(at.SpringDamper("string", model.ground, wheel.point(0.3, 0, 0, "rim"), 40.0))


def small_body_on_rim(model: Any) -> None:
    valve = model.add(at.RigidBody("valve", 0.1, (0.01, 0.01, 0.01)))
    model.add(at.Weld("glue", model["wheel"].point(0.3, 0, 0, "rim"), valve))


@pytest.mark.parametrize("extra", [push_on_rim, small_body_on_rim])
def test_what_touches_the_wheel_off_its_axis_brings_the_angle_back(extra: Any) -> None:
    pair = [
        wheel_on_a_carrier(make("y"), lambda wheel: wheel, extra=extra).formulate()
        for make in (disc, same_disc)
    ]
    rates = [evaluated(system, system.derivatives) for system in pair]
    np.testing.assert_allclose(rates[0], rates[1], atol=1e-12)
    assert symbol("axle.angle") in symbols_of(pair[0].derivatives[: len(pair[0].source.speeds)])


def spring_to_the_hub(model: Any) -> None:
    model.add(at.SpringDamper("string", model.ground, model["wheel"], 40.0, damping=2.0))


def spring_from_the_hub(model: Any) -> None:
    hub = model["wheel"].point(0, 0.2, 0, "hub")
    model.add(at.SpringDamper("string", hub, model.ground, 40.0, damping=2.0))


def push(model: Any) -> None:
    model.add(at.ForceDriver("push", model.ground, model["wheel"], "z", 7.0))


def load_in_the_axes_of_the_ground(model: Any) -> None:
    wheel, tail = model["wheel"], Basis.TAIL
    model.add(at.LoadDriver("load", model.ground, wheel, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, basis=tail))


def mount(model: Any) -> None:
    given = {"stiffness": (40.0, 50.0, 60.0), "damping": (1.0, 2.0, 3.0)}
    turning = {"rotational_damping": (0.1, 0.2, 0.3)}
    model.add(at.Bushing("mount", model.ground, model["wheel"], **given, **turning))


def twisted_mount(model: Any) -> None:
    given = {"stiffness": (4e9, 5e9, 6e9), "rotational_stiffness": (0.1, 0.2, 0.3)}
    model.add(at.Bushing("mount", model.ground, model["wheel"], **given))


def _springy(name: str, tail: Any, head: Any, turning: Any, **more: Any) -> Any:
    return at.Bushing(name, tail, head, (40.0, 50.0, 60.0), turning, **more)


def mount_that_holds_the_axis(model: Any) -> None:
    """However its stiffness differs about the axes of the ground: they do not turn."""
    damping = {"damping": (1.0, 2.0, 3.0), "rotational_damping": (0.1, 0.2, 0.3)}
    model.add(_springy("mount", model.ground, model["wheel"], (20.0, 0.0, 30.0), **damping))


def coupled_mount(model: Any) -> None:
    coupling = ((1.0, 0.0, 2.0), (0.5, 0.0, 1.5), (0.2, 0.0, 0.1))
    hub = model["wheel"].point(0, 0.2, 0, "hub")
    turning = (20.0, 0.0, 30.0)
    model.add(_springy("mount", model.ground, hub, turning, coupling_stiffness=coupling))


def mount_in_axes_that_turn_with_it(model: Any) -> None:
    """Its forces are told in the axes of the tail, and stiffness about each of them may change."""
    wheel, ground = model["wheel"], model.ground
    model.add(at.Bushing("mount", wheel, ground, (40.0, 50.0, 40.0), (20.0, 0.0, 20.0)))


def torsion_spring(model: Any) -> None:
    model.add(_springy("mount", model.ground, model["wheel"], (0.0, 20.0, 0.0)))


def push_that_turns_with_it(model: Any) -> None:
    head = Basis.HEAD
    model.add(at.ForceDriver("push", model.ground, model["wheel"], "z", 7.0, basis=head))


INDIFFERENT = (
    spring_to_the_hub,
    spring_from_the_hub,
    push,
    load_in_the_axes_of_the_ground,
    mount,
    mount_that_holds_the_axis,
    coupled_mount,
)
SEEING = (
    twisted_mount,
    torsion_spring,
    mount_in_axes_that_turn_with_it,
    push_that_turns_with_it,
)


@pytest.mark.parametrize("extra", [*INDIFFERENT, *SEEING])
def test_its_angle_comes_back_only_with_what_sees_it(extra: Any) -> None:
    pair = [
        wheel_on_a_carrier(make("y"), lambda wheel: wheel, extra=extra).formulate()
        for make in (disc, same_disc)
    ]
    np.testing.assert_allclose(
        *(evaluated(system, system.derivatives) for system in pair), rtol=1e-11, atol=1e-12
    )
    for prefix in ("wheel.", "energy.", "momentum.", "axle.reaction."):
        np.testing.assert_allclose(*(outputs(x, prefix) for x in pair), rtol=1e-11, atol=1e-12)
    held = symbols_of(pair[0].derivatives[: len(pair[0].source.speeds)])
    assert (symbol("axle.angle") in held) == (extra not in INDIFFERENT)


@dataclass(frozen=True, eq=False)
class Notch(BetweenFrames):
    """A force up on the wheel while one of its radii points within two degrees of backwards."""

    road: Frame = frame("whose axes the force is in")
    wheel: Frame = frame("on which it acts")

    def respond(self, now: Instant) -> Response:
        points = now.motions[0].R_tail_head[0][0] < -0.9994
        push = Vector((0.0, 0.0, where(points, 1000.0, 0.0)))
        return Response(loads=(Load(self.road, self.wheel, push, NULL, Basis.TAIL),))


def test_what_acts_at_few_angles_keeps_the_angle() -> None:
    """At numbers taken anywhere it does nothing, whether the wheel is turned or not."""

    def notched(model: Any) -> None:
        model.add(Notch("notch", model.ground.main_frame, model["wheel"].main_frame))

    model = wheel_on_a_carrier(disc("y"), lambda wheel: wheel, extra=notched)
    assert symbol("axle.angle") in symbols_of(model.formulate().derivatives)
    free = wheel_on_a_carrier(disc("y"), lambda wheel: wheel)
    assert symbol("axle.angle") not in symbols_of(free.formulate().derivatives)
