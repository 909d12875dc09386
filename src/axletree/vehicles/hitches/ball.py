"""A ball, as that of cars and caravans."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.frame import Frame
from axletree.model.model import Model
from axletree.vehicles.hitches.contract import Hitch, X, Y, Z


@dataclass(frozen=True)
class BallHitch(Hitch):
    """The trailer yaws, pitches and rolls on it.

    Example:
    >>> from axletree.vehicles.hitches.ball import BallHitch
    >>> ball = BallHitch(position="-3.6 m", height="40 cm", coupling="4 m", yaw_damping=1000.0)
    >>> ball.position, ball.coupling, ball.couples_roll  # m behind one centre of mass, m ahead
    (-3.6, 4.0, False)
    """

    summary: ClassVar[str] = "a ball: yaw, pitch and roll are free"
    usual_share: ClassVar[tuple[float, float]] = (0.02, 0.16)

    def add(self, model: Model, name: str, tail: Frame, head: Frame) -> None:
        turns = ((name, Z), (f"{name}_pitch", Y), (f"{name}_roll", X))
        self._add_turns(model, tail, head, turns)
        self._add_resistance(model, name)
