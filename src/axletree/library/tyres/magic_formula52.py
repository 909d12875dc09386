"""Magic Formula 5.2, also known as PAC2002 and Pacejka 2002."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.library.tyres.contract import Contact, Forces, Parameters, RelaxationLengths
from axletree.library.tyres.magic_formula.aligning import aligning_moment, aligning_parts
from axletree.library.tyres.magic_formula.axes import OperatingPoint
from axletree.library.tyres.magic_formula.coefficients import (
    Lateral,
    Longitudinal,
    Nominal,
    Scaling,
    neutral,
)
from axletree.library.tyres.magic_formula.coefficients_52 import CamberScaling, Relaxation
from axletree.library.tyres.magic_formula.coefficients_61 import (
    Camber,
    MoreMoments,
    Pressure,
    Structure,
)
from axletree.library.tyres.magic_formula.coefficients_of_moments import (
    Aligning,
    Overturning,
    Radii,
    RollingResistance,
)
from axletree.library.tyres.magic_formula.combined import (
    induced_side_force,
    weight_of_fx,
    weight_of_fy,
)
from axletree.library.tyres.magic_formula.examples import CAR_52
from axletree.library.tyres.magic_formula.lateral import (
    cornering_stiffness,
    pure_lateral,
    shifts_52,
)
from axletree.library.tyres.magic_formula.law import MagicFormula
from axletree.library.tyres.magic_formula.longitudinal import pure_longitudinal
from axletree.library.tyres.magic_formula.overturning import overturning_moment
from axletree.library.tyres.magic_formula.reductions import WITHOUT_TURN_SLIP
from axletree.library.tyres.magic_formula.relaxation import (
    lateral_length_52,
    longitudinal_length_52,
)
from axletree.library.tyres.magic_formula.rolling_resistance import rolling_resistance_moment
from axletree.library.tyres.magic_formula.shape import Coefficients


@dataclass(frozen=True, kw_only=True)
class MagicFormula52(
    MagicFormula,
    Nominal,
    Scaling,
    CamberScaling,
    Longitudinal,
    Lateral,
    Aligning,
    Overturning,
    RollingResistance,
    Relaxation,
    Radii,
):
    """Magic Formula 5.2 with combined slip, in the form of Adams PAC2002.

    By default slip angle and inclination enter as they are, as in Morency 2007; with
    ``SlipMeasure.TANGENT`` they enter as tangent and sine. There is neither turn slip nor
    inflation pressure in this version.

    Example:
    >>> import axletree as at
    >>> law = at.MagicFormula52(**at.MagicFormula52.example)
    >>> print(f"{law(at.Contact(law.FNOMIN, 0.0, 0.05)).Fy:.0f} N at {law.FNOMIN:.0f} N")
    -3481 N at 4850 N
    """

    summary: ClassVar[str] = "Magic Formula 5.2 (PAC2002) with combined slip"
    example: ClassVar[Mapping[str, Any]] = CAR_52
    absent: ClassVar[Mapping[str, float]] = neutral(Camber, MoreMoments, Pressure, Structure)

    def operating_point(self, contact: Contact, c: Coefficients) -> OperatingPoint:
        return super().operating_point(replace(contact, inflation_pressure=None), c)

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        c = self.coefficients(p)
        o, zeta = self.operating_point(contact, c), WITHOUT_TURN_SLIP
        longitudinal = pure_longitudinal(o, c, zeta)
        lateral = pure_lateral(o, c, zeta, cornering_stiffness(o, c, zeta), shifts_52(o, c))
        Fx = longitudinal.force * weight_of_fx(o, c)
        at_trail = lateral.force * weight_of_fy(o, c)
        Fy = at_trail + induced_side_force(o, c, zeta, lateral.friction)
        parts = aligning_parts(o, c, zeta, lateral, longitudinal.stiffness, Fy)
        return Forces(
            Fx=Fx,
            Fy=Fy,
            Mx=overturning_moment(o, c, Fy),
            My=rolling_resistance_moment(o, c, Fx),
            Mz=aligning_moment(parts, Fx, at_trail),
        )

    @property
    def has_relaxation_lengths(self) -> bool:
        return self.PTX1 != 0.0 and self.PTY1 != 0.0 and self.PTY2 != 0.0

    def relaxation_lengths(self, contact: Contact, p: Parameters) -> RelaxationLengths:
        c = self.coefficients(p)
        o = self.operating_point(contact, c)
        return RelaxationLengths(longitudinal_length_52(o, c), lateral_length_52(o, c))
