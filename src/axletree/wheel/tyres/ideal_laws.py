"""Ideal laws: rolling without slip, and forces in proportion to slip, without a limit.

Without slip the contact point rests on the road, whatever force that takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.fields import Parameters, flag, parameter
from axletree.core.errors import ModelError
from axletree.expr import where
from axletree.wheel.contract import Contact, Forces, TyreLaw, example_fields
from axletree.wheel.slip import heading


@dataclass(frozen=True)
class NoSlip(TyreLaw):
    """An ideal wheel: both velocities of the contact point are held at zero.

    There is no force over slip, for there is no slip: Fx and Fy are the reactions of two
    constraints on velocities, which no constraint on positions stands behind. Nothing
    limits them.

    Example:
    >>> import axletree as at
    >>> at.NoSlip().holds  # the contact point, in place of forces over slip
    True
    """

    summary: ClassVar[str] = "no slip: the velocity of the contact point is constrained to zero"
    holds: ClassVar[bool] = True

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        raise ModelError(
            "no-slip has no forces over slip: they are reactions, which only a model with the "
            "wheel in it has; take another law to plot, compare or fit"
        )


@dataclass(frozen=True)
class LinearTyre(TyreLaw):
    """Stiffnesses of slip, slip angle and inclination (Pacejka 2012, chapter 1).

    Fx = C_S S,  Fy = -C_alpha alpha - C_gamma gamma,  Mz = t C_alpha alpha, and in reverse, where
    the trail lies ahead, the opposite. Nothing saturates: the law is for small slip. In the air it
    gives nothing. With ``load_proportional`` the stiffnesses hold at the nominal load and grow with
    the load.

    Example:
    >>> import axletree as at
    >>> law = at.LinearTyre(slip_stiffness=9e4, cornering_stiffness=7e4)  # N, N/rad
    >>> law(at.Contact(normal_load=4000.0, longitudinal_slip=0.0, slip_angle=0.02)).Fy  # N
    -1400.0
    """

    summary: ClassVar[str] = "forces in proportion to slip, without a limit"
    example: ClassVar[Mapping[str, Any]] = example_fields("linear")

    slip_stiffness: float = parameter("N", "slope of Fx against S, C_S", lower=0.0)
    cornering_stiffness: float = parameter(
        "N/rad", "slope of -Fy against alpha, C_alpha", lower=0.0
    )
    camber_stiffness: float = parameter(
        "N/rad", "slope of -Fy against gamma, C_gamma", default=0.0, lower=0.0
    )
    pneumatic_trail: float = parameter(
        "m", "distance of the force of the slip angle behind the contact point, t", default=0.0
    )
    load_proportional: bool = flag("whether the stiffnesses grow with the load", default=False)
    nominal_load: float = parameter(
        "N", "load at which proportional stiffnesses hold", default=0.0, lower=0.0
    )

    def problems(self) -> list[str]:
        if self.load_proportional and self.nominal_load == 0.0:
            return ["nominal_load must be given where load_proportional is true"]
        return []

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        Fz = contact.normal_load
        share = Fz / p["nominal_load"] if self.load_proportional else where(Fz > 0.0, 1.0, 0.0)
        of_angle = p["cornering_stiffness"] * contact.slip_angle
        of_camber = p["camber_stiffness"] * contact.inclination
        return Forces(
            Fx=share * p["slip_stiffness"] * contact.longitudinal_slip,
            Fy=-share * (of_angle + of_camber),
            Mx=0.0,
            My=0.0,
            Mz=share * p["pneumatic_trail"] * heading(contact) * of_angle,
        )
