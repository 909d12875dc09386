"""The short Magic Formula: side force alone, in four numbers and a nominal load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.fields import parameter
from axletree.components.parts import Parameters
from axletree.expr import atan, maximum, sin
from axletree.wheel.contract import Contact, Forces, TyreLaw


@dataclass(frozen=True)
class ShortMagicFormula(TyreLaw):
    """Fy = -D sin(C atan(B alpha)) (1 + a (1 - Fz/Fz0)) Fz (Lot and Massaro 2017, eq. 31).

    The print has B and C in each other's place: with "stiffness factor" 12 and "shape
    factor" 1.6 the force would turn round at 0.17 rad. The published slip angle lambda is
    -alpha, and both pairs of axes then agree. The load at which the bracket would become
    negative, Fz0 (1 + 1/a), is far beyond use; from there on the force is zero.

    Example:
    >>> import axletree as at
    >>> law = at.ShortMagicFormula(10.0, 1.3, 1.0, 0.1, nominal_load=4000.0)
    >>> print(f"{law(at.Contact(4000.0, 0.0, 0.05)).Fy:.1f} N")  # -sin(1.3 atan(0.5)) * 4000
    -2267.6 N
    """

    summary: ClassVar[str] = "side force of four numbers, declining with load"
    # Lot and Massaro 2017, table 1, front tyre; the nominal load is not published
    example: ClassVar[dict[str, Any]] = {
        "stiffness_factor": 12.0,
        "shape_factor": 1.6,
        "peak_factor": 0.95,
        "load_dependency": 0.25,
        "nominal_load": 4000.0,
    }

    stiffness_factor: float = parameter("1/rad", "stiffness factor B", lower=0.0)
    shape_factor: float = parameter("1", "shape factor C", lower=0.0, upper=2.0)
    peak_factor: float = parameter("1", "peak of Fy over Fz at the nominal load, D", lower=0.0)
    load_dependency: float = parameter(
        "1", "loss of Fy over Fz per gain of Fz over Fz0, a", lower=0.0
    )
    nominal_load: float = parameter("N", "load Fz0", lower=0.0, above=True)

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        Fz = contact.normal_load
        shape = sin(p["shape_factor"] * atan(p["stiffness_factor"] * contact.slip_angle))
        bracket = 1.0 + p["load_dependency"] * (1.0 - Fz / p["nominal_load"])
        Fy = -p["peak_factor"] * shape * maximum(bracket, 0.0) * Fz
        return Forces(Fx=0.0, Fy=Fy, Mx=0.0, My=0.0, Mz=0.0)
