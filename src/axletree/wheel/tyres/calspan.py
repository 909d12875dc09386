"""Calspan's law, as the IAVSD benchmark vehicle Iltis uses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.contract import RangeLimit
from axletree.components.fields import Parameters, parameter, positive
from axletree.expr import absolute, as_expr, maximum, minimum
from axletree.wheel.contract import Contact, Forces, TyreLaw, example_fields
from axletree.wheel.slip import heading
from axletree.wheel.tyres.fiala import demand, saturated


@dataclass(frozen=True)
class Calspan(TyreLaw):
    """Side force and aligning moment (Frik, Leister and Schwartz 1993; Samin and Fisette 2003).

    The published equivalent slip angle joins slip angle and inclination, each with its
    stiffness:

        C_alpha = A0 + A1 Fz - A1/A2 Fz^2,   C_gamma = A3 Fz - A3/A4 Fz^2,
        mu = (B1 Fz + B2 v + B3 + B4 Fz^2) SN,
        Fy = -mu Fz g((C_alpha alpha + C_gamma gamma) / (mu Fz)),
        Mz = (AF1 Fz + AF2 |Fy|) Fy - AF3 Fz gamma

    with the cubic g of ``cubic_saturation`` and the forward speed v. Above the load
    AOmega A2 the stiffnesses stay what they are there. mu is taken as not negative. In reverse Mz
    has the other sign. The
    benchmark has no longitudinal slip; Fx, Mx and My are zero. Its B2 and AF3 are zero,
    too: no published number tells whether speed and inclination act as written here.

    Example:
    >>> import axletree as at
    >>> law = at.Calspan(**at.Calspan.example)
    >>> print(f"{law(at.Contact(4000.0, 0.0, 0.05)).Fy:.0f} N")
    -1793 N
    """

    summary: ClassVar[str] = "side force and aligning moment of the Iltis benchmark"
    example: ClassVar[Mapping[str, Any]] = example_fields("calspan")

    A0: float = parameter("N/rad", "cornering stiffness at no load", lower=0.0)
    A1: float = parameter("1/rad", "slope of the cornering stiffness at no load", lower=0.0)
    A2: float = positive("N", "load at which the cornering stiffness is A0 again")
    A3: float = parameter("1/rad", "slope of the camber stiffness at no load", lower=0.0)
    A4: float = positive("N", "load at which the camber stiffness is 0")
    AOmega: float = parameter(
        "1", "part of A2 above which the stiffnesses are held", lower=0.0, upper=1.0
    )
    B1: float = parameter("1/N", "change of the friction coefficient with load")
    B2: float = parameter("s/m", "change of the friction coefficient with speed")
    B3: float = parameter("1", "friction coefficient at no load and no speed", lower=0.0)
    B4: float = parameter("1/N^2", "change of the friction coefficient with load squared")
    SN: float = parameter("1", "friction of the road over that of the test", lower=0.0)
    AF1: float = parameter("m/N", "lever of Mz on Fy per load", upper=0.0)
    AF2: float = parameter("m/N", "lever of Mz on Fy per side force")
    AF3: float = parameter("m", "moment per load and inclination")

    def limits(self, contact: Contact, p: Parameters) -> tuple[RangeLimit, ...]:
        text = (
            "its load is above AOmega times A2, up to which its stiffnesses were measured; beyond "
            "they are held, and its friction goes on by a parabola: take a law for such loads"
        )
        return (RangeLimit(as_expr(contact.normal_load - p["AOmega"] * p["A2"]), text),)

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        Fz, gamma = contact.normal_load, contact.inclination
        load = minimum(Fz, p["AOmega"] * p["A2"])
        cornering = p["A0"] + p["A1"] * load * (1.0 - load / p["A2"])
        camber = p["A3"] * load * (1.0 - load / p["A4"])
        mu = p["B1"] * Fz + p["B2"] * absolute(contact.forward_speed) + p["B3"] + p["B4"] * Fz * Fz
        limit = maximum(mu, 0.0) * p["SN"] * Fz
        Fy = -limit * saturated(demand(cornering * contact.slip_angle + camber * gamma, limit))
        lever = p["AF1"] * Fz + p["AF2"] * absolute(Fy)
        Mz = heading(contact) * (lever * Fy - p["AF3"] * Fz * gamma)
        return Forces(Fx=0.0, Fy=Fy, Mx=0.0, My=0.0, Mz=Mz)
