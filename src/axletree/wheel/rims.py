"""The rim: mass that a tyre adds to the wheel it is mounted on (Andres 2009, section 3.4)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.exchange import Inertia
from axletree.components.fields import parameter
from axletree.components.frames import Frame
from axletree.components.parts import Part
from axletree.expr.vectors import NULL, Matrix


class Rim(Part, ABC):
    """What the wheel weighs beside its body."""

    @abstractmethod
    def inertias(self, wheel: Frame, axis: int, p: Any) -> tuple[Inertia, ...]:
        """Fixed to the wheel's frame, whose coordinate axis of this number is its axis.

        Example:
        >>> import axletree as at
        >>> wheel, rim = at.RigidBody("wheel", 10.0, (0.3, 0.5, 0.3)), at.SpokedRim(mass="7 kg")
        >>> (found,) = rim.inertias(wheel.main_frame, 1, rim.numbers)  # its axis is y
        >>> found.mass, [float(found.tensor[k][k]) for k in range(3)]  # kg, kg m^2
        (7.0, [0.15, 0.25, 0.15])
        """


@dataclass(frozen=True)
class NoRim(Rim):
    """The body that the axle carries has all the mass.

    Example:
    >>> import axletree as at
    >>> at.NoRim().inertias(None, 1, {})
    ()
    """

    summary: ClassVar[str] = "none: the wheel's body has all the mass"

    def inertias(self, wheel: Frame, axis: int, p: Any) -> tuple[Inertia, ...]:
        return ()


@dataclass(frozen=True)
class SpokedRim(Rim):
    """A body of revolution at the wheel's centre, whose spin angle does not count.

    Mass and axial inertia are the defaults of Andres 2009; the transverse inertia there, a fifth
    of the axial one, is one that no body has.

    Example:
    >>> import axletree as at
    >>> rim = at.SpokedRim(mass="7 kg")
    >>> rim.mass, rim.axial_inertia  # kg, kg m^2
    (7.0, 0.25)
    """

    summary: ClassVar[str] = "a rim of revolution: mass and inertias beside those of the body"

    mass: float = parameter("kg", "mass", default=6.0, lower=0.0, above=True)
    axial_inertia: float = parameter("kg*m^2", "inertia about the axle", default=0.25, lower=0.0)
    transverse_inertia: float = parameter(
        "kg*m^2", "inertia about any line normal to the axle", default=0.15, lower=0.0
    )

    def problems(self) -> list[str]:
        if self.axial_inertia <= 2.0 * self.transverse_inertia:
            return []
        return [
            f"axial_inertia {self.axial_inertia:g} exceeds twice transverse_inertia "
            f"{self.transverse_inertia:g}; no body has such inertia (triangle inequality)"
        ]

    def inertias(self, wheel: Frame, axis: int, p: Any) -> tuple[Inertia, ...]:
        about = [p["axial_inertia"] if k == axis else p["transverse_inertia"] for k in range(3)]
        tensor = Matrix([about[i] if i == j else 0.0 for j in range(3)] for i in range(3))
        return (Inertia(wheel, p["mass"], NULL, tensor, axis),)
