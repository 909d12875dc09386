"""The contract of friction maps: how slippery the ground is at a place.

A map is a part with one formula, ``factor_at(x, y, p)``, written once with the functions of
``core.expr``: it answers in kind to floats, arrays and expressions. The factor multiplies
the friction that a tyre has on dry ground; 1 changes nothing, 0 is ideally smooth ice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from axletree.library.part import Part

Value = Any  # float, numpy.ndarray or Expr
Parameters = Mapping[str, Value]


class FrictionMap(Part, ABC):
    """Friction over the ground."""

    @abstractmethod
    def factor_at(self, x: Value, y: Value, p: Parameters) -> Value:
        """The factor on friction [1], not negative, at x, y [m] in the axes of the road frame;
        ``p`` has the parameters by name.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> ice = at.SplitFriction(left=0.2, right=1.0, begin="30 m")
        >>> ice.factor_at(np.array([10.0, 50.0]), 1.0, ice.numbers).round(3).tolist()
        [1.0, 0.2]
        """
