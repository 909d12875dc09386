"""Rubber bushings that hinges turn in, where bushings are modelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.components.fields import Part, parameter, positive
from axletree.vehicles.linkages.linkage import Mount, Point


@dataclass(frozen=True, kw_only=True)
class HingeBushing(Part):
    """One at each end of a hinge, whose line is its axis. At design it is free of load.

    Example:
    >>> from axletree.vehicles.linkages.mounts import HingeBushing
    >>> bushing = HingeBushing(radial="12 kN/mm", axial="1.5 kN/mm", torsion="60 N*m/rad")
    >>> bushing.mount(((0.0, 0.4, 0.2), (-0.3, 0.4, 0.2))).stiffness  # N/m
    (12000000.0, 12000000.0, 1500000.0)
    """

    summary: ClassVar[str] = "a rubber bushing at each end of a hinge"

    radial: float = positive("N/m", "stiffness across its axis")
    axial: float = positive("N/m", "stiffness along its axis")
    torsion: float = parameter("N*m/rad", "stiffness about its axis", default=0.0, lower=0.0)
    conical: float = parameter("N*m/rad", "stiffness across, as it tilts", default=0.0, lower=0.0)
    damping_time: float = parameter("s", "damping over stiffness", default=5e-4, lower=0.0)

    def mount(self, ends: tuple[Point, Point]) -> Mount:
        """With the line between two points as its axis."""
        forces = self.radial, self.radial, self.axial
        moments = self.conical, self.conical, self.torsion
        x, y, z = np.subtract(ends[1], ends[0]).tolist()
        return Mount(forces, moments, self._damped(forces), self._damped(moments), (x, y, z))

    def _damped(self, stiffness: Point) -> Point:
        a, b, c = stiffness
        return (self.damping_time * a, self.damping_time * b, self.damping_time * c)


def hinge_mounts(
    bushings: HingeBushing | None, ends: tuple[Point, Point]
) -> tuple[Mount, Mount] | None:
    """Of both ends of a hinge; none of an ideal one."""
    if bushings is None:
        return None
    mount = bushings.mount(ends)
    return mount, mount
