"""How frames move with one coordinate, or with one speed of the base, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import sympy

from axletree.language.errors import LanguageError
from axletree.language.frames import Frame
from axletree.language.moving_base import MovingBase
from axletree.language.variables import TIME, is_rate, is_variable, rate

if TYPE_CHECKING:
    from axletree.language.assembly import Assembly


def partial_motion(frame: Frame, coordinate: sympy.Expr) -> sympy.Matrix:
    """The 4x4 slope of the frame's matrix, in the base: dP = slope . (coordinates) dq.

    For a speed of the base it is what that speed, being 1, adds to the frame's motion.
    """
    moving = frame.world.moving
    carried = _slope(moving, coordinate) * frame.T
    return carried if coordinate in moving.speeds else frame.T.diff(coordinate) + carried


def _slope(moving: MovingBase, coordinate: sympy.Expr) -> sympy.Matrix:
    """That of W by a speed of the base, or by the rate of a coordinate of its place."""
    by = coordinate if coordinate in moving.speeds else rate(coordinate)
    return moving.W.diff(by) if moving.W.has(by) else sympy.zeros(4)


def checked_coordinate(assembly: Assembly, coordinate: sympy.Expr) -> sympy.Expr:
    """A coordinate or a speed of the base; a rate of a coordinate stands for it."""
    found = coordinate.expr if is_rate(coordinate, 1) else coordinate
    speeds = ", ".join(map(str, assembly.world.moving.speeds)) or "none here"
    if not is_variable(found):
        raise LanguageError(
            f"{coordinate} is no coordinate; coordinates are variables, and speeds of the base "
            f"are {speeds}"
        )
    if not _moves(assembly, found):
        raise LanguageError(
            f"nothing of {assembly!r} moves with {found}: neither the frame of a body nor a "
            f"constraint depends on it, and speeds of the base are {speeds}"
        )
    return found


def checked_coordinates(
    assembly: Assembly, coordinates: Sequence[sympy.Expr]
) -> tuple[sympy.Expr, ...]:
    """Likewise, of several."""
    if not isinstance(coordinates, Iterable):
        raise LanguageError(
            f"coordinates of {assembly!r} are given as a list, [{coordinates}], even if there is "
            "one only"
        )
    return tuple(checked_coordinate(assembly, q) for q in coordinates)


def _moves(assembly: Assembly, q: sympy.Expr) -> bool:
    moving = assembly.world.moving
    return (
        q in moving.speeds
        or moving.W.has(sympy.Derivative(q, TIME))
        or any(body.frame.T.has(q) for body in assembly.bodies)
        or any(e.has(q) for constraint in assembly.constraints for e in constraint.exact)
    )
