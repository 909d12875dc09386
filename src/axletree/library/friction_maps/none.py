"""No friction map: the ground is alike everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.friction_maps.contract import FrictionMap, Parameters, Value


@dataclass(frozen=True)
class NoFrictionMap(FrictionMap):
    """The friction of the tyre's law everywhere.

    Example:
    >>> import axletree as at
    >>> at.NoFrictionMap().factor_at(5.0, 0.0, {})
    1.0
    """

    summary: ClassVar[str] = "the friction of the tyre's law everywhere"

    def factor_at(self, x: Value, y: Value, p: Parameters) -> Value:
        return 1.0
