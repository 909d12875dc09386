"""How frames move with one coordinate, or with one speed of the base, and nothing else."""

from __future__ import annotations

import sympy

from axletree.language.errors import LanguageError
from axletree.language.frames import Frame
from axletree.language.transformations import skew
from axletree.language.variables import is_rate, is_variable
from axletree.language.world import World


def partial_motion(frame: Frame, coordinate: sympy.Expr) -> sympy.Matrix:
    """The 4x4 slope of the frame's matrix, in the base: dP = slope . (coordinates) dq.

    For a speed of the base it is what that speed, being 1, adds to the frame's motion.
    """
    if coordinate in frame.world.moving.speeds:
        return _generator(frame.world, coordinate) * frame.T
    return frame.T.diff(coordinate)


def _generator(world: World, speed: sympy.Expr) -> sympy.Matrix:
    """The slope of W, eq. (8), by a speed."""
    moving, unit = world.moving, sympy.Matrix
    W = sympy.zeros(4)
    W[:3, 3] = unit([int(x == speed) for x in moving.velocity])
    W[:3, :3] = skew(unit([int(x == speed) for x in moving.angular_velocity]))
    return W


def checked_coordinate(world: World, coordinate: sympy.Expr) -> sympy.Expr:
    """A coordinate or a speed of the base; a rate of a coordinate stands for it."""
    found = coordinate.expr if is_rate(coordinate, 1) else coordinate
    if not is_variable(found):
        raise LanguageError(
            f"{coordinate} is no coordinate; coordinates are variables, and speeds of the base "
            f"are {', '.join(map(str, world.moving.speeds)) or 'none here'}"
        )
    return found
