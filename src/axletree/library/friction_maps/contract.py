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
    """Friction over the ground.

    Example:
    >>> from dataclasses import dataclass
    >>> import axletree as at
    >>> from axletree.core.expr import where
    >>> from axletree.library.fields import parameter
    >>> from axletree.library.friction_maps.contract import FrictionMap
    >>> @dataclass(frozen=True)
    ... class Thawing(FrictionMap):
    ...     line: float = parameter("m", "x from which on the ground is dry")
    ...
    ...     def factor_at(self, x, y, p):
    ...         return where(x < p["line"], 0.3, 1.0)
    >>> road = at.Flat(friction_map=Thawing("20 m"))
    >>> [road.friction(x, 0.0, road.numbers) for x in (15.0, 25.0)]
    [0.3, 1.0]
    """

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
