"""A tyre at instants that are given by numbers, without a vehicle."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from axletree.components.contract import Instant, RelativeMotion, Response, Travel
from axletree.components.frames import Frame
from axletree.components.joints import Revolute
from axletree.expr import Expr, evaluate, symbol
from axletree.expr.vectors import Matrix, Vector
from axletree.wheel.normal_forces import LinearNormalForce
from axletree.wheel.tyre import Tyre

RADIUS, STIFFNESS = 0.32, 200e3


@dataclass(frozen=True)
class Wheel:
    """Where the carrier is in the road and how it moves, road axes; the rate of the axle."""

    velocity: Sequence[float] = (0.0, 0.0, 0.0)  # [m/s]
    rate: float = 0.0  # [rad/s]
    height: float = 0.3  # [m]
    turn: np.ndarray = field(default_factory=lambda: np.eye(3))
    angular_velocity: Sequence[float] = (0.0, 0.0, 0.0)  # [rad/s]
    states: Sequence[float] = (0.0, 0.0)


def tyre_with(**parts: Any) -> Tyre:
    axle = Revolute("axle", Frame("upright", ""), Frame("wheel", ""), axis="y")
    given = {"unloaded_radius": RADIUS, "normal_force": LinearNormalForce(stiffness=STIFFNESS)}
    return Tyre("tyre", axle, Frame("ground", ""), **{**given, **parts})


def told(tyre: Tyre, wheel: Wheel) -> dict[str, float]:
    """All that the tyre tells, and the rates of its states as rate1, rate2."""
    return {name: float(values[0]) for name, values in all_told(tyre, [wheel]).items()}


def all_told(tyre: Tyre, wheels: Sequence[Wheel]) -> dict[str, np.ndarray]:
    """The same at many instants."""
    named = _answers(tyre)
    columns = np.array([_numbers(wheel) for wheel in wheels]).T
    values: dict[Expr, Any] = dict(zip(_symbols(), columns, strict=True))
    values |= {q.symbol: q.default for q in tyre.parameters()}
    found = evaluate(list(named.values()), values)
    shape = (len(wheels),)
    return {n: np.broadcast_to(value, shape) for n, value in zip(named, found, strict=True)}


def _symbols() -> list[Expr]:
    names = [f"{word}{axis}" for word in ("v", "w", "vh", "wh") for axis in "xyz"]
    names += [f"R{i}{j}" for i in "xyz" for j in "xyz"]
    return [symbol(f"given.{name}") for name in (*names, "height", "rate", "q1", "q2")]


def _numbers(wheel: Wheel) -> list[float]:
    R, v, w = wheel.turn, np.array(wheel.velocity), np.array(wheel.angular_velocity)
    return [*v, *w, *(R.T @ v), *(R.T @ w), *R.ravel(), wheel.height, wheel.rate, *wheel.states]


def respond(tyre: Tyre) -> Response:
    """The tyre's answer to symbols."""
    s = _symbols()
    height, rate, *states = s[21:]
    v, w, v_head, w_head = (Vector(s[k : k + 3]) for k in (0, 3, 6, 9))
    R = Matrix(s[k : k + 3] for k in (12, 15, 18))
    motion = RelativeMotion(Vector((0.0, 0.0, height)), v, R, w, v_head, w_head)
    now = Instant([motion], [Travel(symbol("given.angle"), rate)], states[: len(tyre.states())])
    return tyre.respond(now)


@functools.cache
def _answers(tyre: Tyre) -> Mapping[str, Expr]:
    answer = respond(tyre)
    named = {c.suffix: c.expression for c in (*answer.intermediates, *answer.outputs)}
    named |= {f"rate{k}": rate for k, rate in enumerate(answer.rates, start=1)}
    named |= {f"force.{axis}": f for axis, f in zip("xyz", answer.loads[0].force, strict=True)}
    named |= {f"moment.{axis}": m for axis, m in zip("xyz", answer.loads[0].moment, strict=True)}
    return named | {"torque": answer.joint_loads[0].effort}
