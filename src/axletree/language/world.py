"""The world of a model: its base frame, resting or moving, gravity, and what is small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from axletree.language.errors import LanguageError
from axletree.language.frames import Frame
from axletree.language.moving_base import MovingBase
from axletree.language.small import Small
from axletree.language.variables import Scalar


class World:
    """Where everything of a model is described.

    Parameters
    ----------
    gravity: m/s^2, in the axes of the base.
    moving: the motion of the base, if it is not the ground (Lot and Massaro 2017, section 2.2).
    small: variables whose products are left out (section 2.3).
    linearise_last: derive everything exactly, and leave the products out of the equations of
        motion at the end; slower, and right for Lagrange's equations in small variables.

    Example:
    >>> from axletree.language import World, parameters
    >>> (g,) = parameters("g")  # m/s^2
    >>> world = World(gravity=(0, 0, g))
    >>> world.base, world.gravity
    (frame 'base', vector (0, 0, g) in 'base')
    """

    def __init__(
        self,
        gravity: Sequence[Scalar] = (0, 0, 0),
        moving: MovingBase | None = None,
        small: Small | None = None,
        linearise_last: bool = False,
    ) -> None:
        if not isinstance(gravity, Sequence | sympy.MatrixBase) or len(gravity) != 3:
            raise LanguageError(f"gravity has 3 components, in m/s^2; it is {gravity}")
        for given, kind in ((moving, MovingBase), (small, Small)):
            if given is not None and not isinstance(given, kind):
                raise LanguageError(f"a World takes a {kind.__name__}(...) there, not {given!r}")
        self.moving = moving or MovingBase()
        self.small = small or Small()
        self.linearise_last = linearise_last
        self.base = Frame(self, "base", sympy.eye(4))
        self.gravity = self.base.vector(*gravity)

    def arisen(self, value: Any) -> Any:
        """A matrix or an expression as it is kept while the model is built.

        Example:
        >>> import sympy
        >>> from axletree.language import Small, World, variable
        >>> roll = variable("roll")  # rad
        >>> cut, whole = (World(small=Small((roll,)), linearise_last=x) for x in (False, True))
        >>> cut.arisen(sympy.sin(roll)), whole.arisen(sympy.sin(roll))
        (roll(t), sin(roll(t)))
        """
        return value if self.linearise_last else self.final(value)

    def final(self, value: Any) -> Any:
        """A matrix or an expression as it is shown: to the first order in what is small.

        Example:
        >>> import sympy
        >>> from axletree.language import Small, World, variable
        >>> roll = variable("roll")  # rad
        >>> World(small=Small((roll,)), linearise_last=True).final(1 - sympy.cos(roll))
        0
        """
        if isinstance(value, sympy.MatrixBase):
            return value.applyfunc(self.small.first_order)
        return self.small.first_order(value)

    def placed(self, value: Any) -> Any:
        """A place or its rate, for energies: to the first order in small displacements.

        Example:
        >>> import sympy
        >>> from axletree.language import Small, World, rate, variable, written
        >>> roll = variable("roll")  # rad
        >>> world = World(small=Small((roll,)))
        >>> written(world.placed(rate(sympy.cos(roll)))), world.final(rate(sympy.cos(roll)))
        ("-roll*roll'", 0)
        """
        if self.linearise_last:
            return value
        if isinstance(value, sympy.MatrixBase):
            return value.applyfunc(self.small.first_order_in_places)
        return self.small.first_order_in_places(value)
