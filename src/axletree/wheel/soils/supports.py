"""What carries a wheel on soft ground: normal forces over sinkage."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import (
    Parameters,
    Part,
    field_of,
    parameter,
    part,
    positive,
    structure,
    within,
)
from axletree.expr import Value, maximum, symbol, where
from axletree.wheel.soils.contract import SoilForces, SoilLaw, WheelInSoil
from axletree.wheel.soils.rim_stresses import LEAST_DEPTH


@dataclass(frozen=True)
class SunkWheel:
    """A wheel in the soil."""

    sinkage: Value  # z [m], of its lowest point, negative in the air
    wheel: WheelInSoil
    carried: Value = 0.0  # F_n [N] of the law at this sinkage; 0 of laws that know none
    plastic: Value = 0.0  # [N], what of it is not given back to a wheel that rises
    touch: Value = 0.0  # [N/m], its stiffness to a wheel from the air


def sunk_wheel(sinkage: Value, wheel: WheelInSoil, forces: SoilForces) -> SunkWheel:
    """With what a law has at the sinkage [m]."""
    return SunkWheel(
        sinkage, wheel, forces.normal_force, forces.plastic_force, forces.touch_stiffness
    )


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
    def bearing(self, at: SunkWheel, p: Parameters) -> Bearing:
        """From the sinkage and parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.soils.contract import WheelInSoil
        >>> from axletree.wheel.soils.supports import SunkWheel
        >>> ground = at.YieldingGround(stiffness="200 kN/m")
        >>> places = (SunkWheel(depth, WheelInSoil(0.4, 0.25)) for depth in (0.01, -0.01))  # m
        >>> [float(ground.bearing(place, ground.numbers).force) for place in places]  # N
        [2000.0, 0.0]
        """


# Normal forces by the stresses under a rigid wheel, of the law itself or of a soil beside it.
#
# Peiret et al., eqs. (21, 22): k_n is the force over the sinkage and c_n is eta_n k_n.

DAMPING_TIME = 0.02


class StressSupport(SoilSupport, ABC):
    """What both have in common."""

    def _of_force(self, at: SunkWheel, p: Parameters) -> Bearing:
        carried = maximum(at.carried, 0.0)
        secant = carried / maximum(at.sinkage, LEAST_DEPTH * at.wheel.radius)  # (22)
        stiffness = where(at.sinkage > 0.0, secant, at.touch)
        plastic = maximum(at.plastic, 0.0)
        return Bearing(carried, stiffness, p["damping_time"] * secant, plastic)


@dataclass(frozen=True)
class OwnSupport(StressSupport):
    """The normal force of the wheel's law at the sinkage, slip and drift that it has.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> from axletree.wheel.soils.supports import sunk_wheel
    >>> wheel, sand, own = WheelInSoil(0.4, 0.25), at.WongReece("dry-sand-lll"), at.OwnSupport()
    >>> place = sunk_wheel(0.05, wheel, sand.at_sinkage(0.05, wheel, sand.numbers))
    >>> print(f"{own.bearing(place, own.numbers).force:.0f} N at 5 cm")
    1242 N at 5 cm
    """

    summary: ClassVar[str] = "the law's own force at the sinkage, damped"
    is_of_law: ClassVar[bool] = True

    damping_time: float = parameter(
        "s", "damping over stiffness, eta_n", default=DAMPING_TIME, lower=0.0
    )

    def bearing(self, at: SunkWheel, p: Parameters) -> Bearing:
        return self._of_force(at, p)


@dataclass(frozen=True)
class SoilUnderneath(StressSupport):
    """The normal force of another law, for a wheel whose own knows no sinkage.

    Thrust and resistance go by the cone index, and the height by Wong and Reece's stresses.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> from axletree.wheel.soils.supports import SunkWheel
    >>> below = at.SoilUnderneath(law=at.WongReece("dry-sand-lll"))
    >>> bearing = below.bearing(SunkWheel(0.05, WheelInSoil(0.4, 0.25)), below.numbers)
    >>> print(f"{bearing.force:.0f} N at 5 cm")
    1242 N at 5 cm
    """

    summary: ClassVar[str] = "the force of another law, which knows a sinkage, damped"

    law: SoilLaw = part("SOIL_LAWS", "the law that carries")
    damping_time: float = field_of(OwnSupport, "damping_time")

    def problems(self) -> list[str]:
        if self.law.knows_sinkage:
            return []
        return [f"law: {type(self.law).__name__} knows no sinkage; take one such as wong-reece"]

    def bearing(self, at: SunkWheel, p: Parameters) -> Bearing:
        forces = self.law.at_sinkage(at.sinkage, at.wheel, within(p, "law"))
        return self._of_force(sunk_wheel(at.sinkage, at.wheel, forces), p)


@dataclass(frozen=True)
class YieldingGround(SoilSupport):
    """F_n = k_n z + c_n dz/dt (Peiret et al., eq. 21) where the wheel has sunk in; never a pull.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> from axletree.wheel.soils.supports import SunkWheel
    >>> ground = at.YieldingGround(stiffness="100 kN/m")
    >>> float(ground.bearing(SunkWheel(0.02, WheelInSoil(0.4, 0.25)), ground.numbers).force)  # N
    2000.0
    """

    summary: ClassVar[str] = "a spring and a damper that push where the wheel has sunk in"

    stiffness: float = positive("N/m", "k_n")
    damping: float = parameter("N*s/m", "c_n", default=0.0, lower=0.0)

    def bearing(self, at: SunkWheel, p: Parameters) -> Bearing:
        return Bearing(p["stiffness"] * maximum(at.sinkage, 0.0), p["stiffness"], p["damping"])


@dataclass(frozen=True)
class GivenLoad(SoilSupport):
    """The soil carries this load at any height of the wheel.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> from axletree.wheel.soils.supports import SunkWheel
    >>> given = at.GivenLoad(load="4 kN")
    >>> given.bearing(SunkWheel(0.02, WheelInSoil(0.4, 0.25)), given.numbers).force  # N
    4000.0
    """

    summary: ClassVar[str] = "a load that is given, whatever the height"
    is_given: ClassVar[bool] = True

    load: float = positive("N", "normal force F_n")

    def bearing(self, at: SunkWheel, p: Parameters) -> Bearing:
        return Bearing(p["load"], 0.0, 0.0)


@dataclass(frozen=True)
class FollowedSoilLoad(SoilSupport):
    """The soil carries a load that another component finds, at any height of the wheel.

    Example:
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> from axletree.wheel.soils.supports import FollowedSoilLoad, SunkWheel
    >>> given = FollowedSoilLoad("wheel_loads.front_left")
    >>> given.bearing(SunkWheel(0.02, WheelInSoil(0.4, 0.25)), {}).force
    max(wheel_loads.front_left, 0)
    """

    summary: ClassVar[str] = "a load that another component finds, whatever the height"
    is_given: ClassVar[bool] = True

    source: str = structure("quantity", "state of another component that is the load [N]", str)

    def bearing(self, at: SunkWheel, p: Parameters) -> Bearing:
        return Bearing(maximum(symbol(self.source), 0.0), 0.0, 0.0)
