"""Orientation by a unit quaternion."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from axletree.core.expr import Expr
from axletree.core.vectors import IDENTITY, NULL, Matrix, Vector
from axletree.library.edge import RotationLaw, RotationMotion, Space, Variable
from axletree.library.motion.translation import XYZ, directions


@dataclass(frozen=True)
class QuaternionRotation(RotationLaw):
    """A unit quaternion (e0, e1, e2, e3) as coordinates, head-component speeds.

    The kinematics are those of Nikravesh 1988, chapter 6. The coordinates are normalised
    inside, and a term of their rate pulls the length back to one, with a time constant of
    half a second.
    """

    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()

    def terminal_equations(self) -> tuple[str, ...]:
        return ("theta = unit quaternion", "w = wx i + wy j + wz k of the head", "dw/dt = rates")

    def spaces(self) -> tuple[Space, Space]:
        quaternion = Space(("e0", "e1", "e2", "e3"), ())
        return quaternion, Space(directions(XYZ, "head"), ())

    def motion(self, q: Sequence[Expr], p: Sequence[Expr]) -> RotationMotion:
        e0, e1, e2, e3 = q
        two_over_length = 2.0 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
        a1, a2, a3 = e1 * two_over_length, e2 * two_over_length, e3 * two_over_length
        R_tail_head = Matrix(
            (
                (1.0 - (e2 * a2 + e3 * a3), e1 * a2 - e0 * a3, e1 * a3 + e0 * a2),
                (e1 * a2 + e0 * a3, 1.0 - (e1 * a1 + e3 * a3), e2 * a3 - e0 * a1),
                (e1 * a3 - e0 * a2, e2 * a3 + e0 * a1, 1.0 - (e1 * a1 + e2 * a2)),
            )
        )
        return RotationMotion(R_tail_head, Vector(p), tuple(IDENTITY), NULL)

    def rates(self, q: Sequence[Expr], p: Sequence[Expr], R_tail_head: Matrix) -> tuple[Expr, ...]:
        e0, e1, e2, e3 = q
        wx, wy, wz = (0.5 * w for w in p)
        excess = 1.0 - (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
        return (
            -e1 * wx - e2 * wy - e3 * wz + e0 * excess,
            e0 * wx - e3 * wy + e2 * wz + e1 * excess,
            e3 * wx + e0 * wy - e1 * wz + e2 * excess,
            -e2 * wx + e1 * wy + e0 * wz + e3 * excess,
        )

    def regular(self, q: Sequence[float]) -> tuple[float, ...]:
        length = math.hypot(*q)
        return tuple(e / length for e in q) if length else (1.0, 0.0, 0.0, 0.0)

    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        return ()
