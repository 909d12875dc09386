"""The contract of what carries a wheel on soft ground: the normal force over sinkage."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from axletree.library.part import Part
from axletree.library.soils.contract import Wheel
from axletree.library.soils.forces import SoilForces
from axletree.library.soils.soil import Parameters, Value


@dataclass(frozen=True)
class Sunk:
    """A wheel in the soil."""

    sinkage: Value  # z [m], of its lowest point, negative in the air
    wheel: Wheel
    carried: Value = 0.0  # F_n [N] of the law at this sinkage; 0 of laws that know none
    plastic: Value = 0.0  # [N], what of it is not given back to a wheel that rises
    touch: Value = 0.0  # [N/m], its stiffness to a wheel from the air


def sunk(sinkage: Value, wheel: Wheel, forces: SoilForces) -> Sunk:
    """With what a law has at the sinkage [m]."""
    return Sunk(sinkage, wheel, forces.normal_force, forces.plastic_force, forces.touch_stiffness)


@dataclass(frozen=True)
class Bearing:
    """How soil carries: F_n = force + damping dz/dt, and never a pull."""

    force: Value  # [N], at this sinkage; 0 in the air
    stiffness: Value  # k_n [N/m], by which it grows with the sinkage
    damping: Value  # c_n [N s/m]
    plastic: Value = 0.0  # [N], part of the force that a wheel which rises does not get back


class SoilSupport(Part, ABC):
    """A normal force over sinkage."""

    is_given: ClassVar[bool] = False  # whether the force is the same at any height
    is_of_law: ClassVar[bool] = False  # whether it is the law's own at this sinkage

    @abstractmethod
    def bearing(self, at: Sunk, p: Parameters) -> Bearing:
        """From the sinkage and parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.library.soils.contract import Wheel
        >>> from axletree.library.soils.support import Sunk
        >>> ground = at.YieldingGround(stiffness="200 kN/m")
        >>> places = (Sunk(depth, Wheel(0.4, 0.25)) for depth in (0.01, -0.01))  # m, in the air
        >>> [float(ground.bearing(place, ground.numbers).force) for place in places]  # N
        [2000.0, 0.0]
        """
