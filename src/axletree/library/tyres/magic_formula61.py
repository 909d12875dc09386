"""Magic Formula 6.1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.library.fields import flag
from axletree.library.tyres.contract import (
    Contact,
    Forces,
    Parameters,
    RelaxationLengths,
    Value,
)
from axletree.library.tyres.magic_formula.aligning import aligning_moment, aligning_parts
from axletree.library.tyres.magic_formula.axes import OperatingPoint
from axletree.library.tyres.magic_formula.coefficients import (
    Lateral,
    Longitudinal,
    Nominal,
    Scaling,
    neutral,
)
from axletree.library.tyres.magic_formula.coefficients_52 import CamberScaling
from axletree.library.tyres.magic_formula.coefficients_61 import (
    Camber,
    MoreMoments,
    Pressure,
    Structure,
    TurnSlip,
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
from axletree.library.tyres.magic_formula.examples import CAR_61
from axletree.library.tyres.magic_formula.lateral import (
    cornering_stiffness,
    pure_lateral,
    shifts_61,
    upright,
)
from axletree.library.tyres.magic_formula.law import MagicFormula
from axletree.library.tyres.magic_formula.longitudinal import pure_longitudinal
from axletree.library.tyres.magic_formula.overturning import overturning_moment
from axletree.library.tyres.magic_formula.radius import load_61
from axletree.library.tyres.magic_formula.reductions import WITHOUT_TURN_SLIP, Reductions
from axletree.library.tyres.magic_formula.relaxation import (
    lateral_length_61,
    longitudinal_length_61,
)
from axletree.library.tyres.magic_formula.rolling_resistance import rolling_resistance_moment
from axletree.library.tyres.magic_formula.shape import Coefficients
from axletree.library.tyres.magic_formula.turn_slip import turn_slip_reductions


@dataclass(frozen=True, kw_only=True)
class MagicFormula61(
    MagicFormula,
    Nominal,
    Scaling,
    Longitudinal,
    Lateral,
    Aligning,
    Overturning,
    RollingResistance,
    Radii,
    Pressure,
    Camber,
    MoreMoments,
    Structure,
    TurnSlip,
):
    """Magic Formula 6.1: inflation pressure, large inclination and, if wanted, turn slip.

    Example:
    >>> import axletree as at
    >>> law = at.MagicFormula61(**at.MagicFormula61.example)
    >>> contact = at.Contact(4000.0, 0.0, 0.05, inflation_pressure=2.5e5)  # N, 1, rad, Pa
    >>> print(f"{law(contact).Fy:.0f} N")
    -2923 N
    """

    summary: ClassVar[str] = "Magic Formula 6.1 with pressure, inclination and turn slip"
    example: ClassVar[Mapping[str, Any]] = CAR_61
    absent: ClassVar[Mapping[str, float]] = neutral(CamberScaling)

    turn_slip: bool = flag("whether turn slip and its reduction factors count", default=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.INFLPRES == 0.0:
            object.__setattr__(self, "INFLPRES", self.NOMPRES)

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        c = self.coefficients(p)
        o = self.operating_point(contact, c)
        zeta = self._reductions(o, c)
        longitudinal = pure_longitudinal(o, c, zeta)
        stiffness = cornering_stiffness(o, c, zeta)
        lateral = pure_lateral(o, c, zeta, stiffness, shifts_61(o, c, zeta, stiffness))
        weight = weight_of_fy(o, c)
        Fx = longitudinal.force * weight_of_fx(o, c)
        Fy = lateral.force * weight + induced_side_force(o, c, zeta, lateral.friction)
        parts = aligning_parts(o, c, zeta, lateral, longitudinal.stiffness, Fy)
        return Forces(
            Fx=Fx,
            Fy=Fy,
            Mx=overturning_moment(o, c, Fy),
            My=rolling_resistance_moment(o, c, Fx),
            Mz=aligning_moment(parts, Fx, _force_at_trail(o, c, zeta) * weight),
        )

    @property
    def has_relaxation_lengths(self) -> bool:
        return True

    def relaxation_lengths(self, contact: Contact, p: Parameters) -> RelaxationLengths:
        c = self.coefficients(p)
        o = self.operating_point(contact, c)
        zeta = self._reductions(o, c)
        slip_stiffness = pure_longitudinal(o, c, zeta).stiffness
        return RelaxationLengths(
            longitudinal_length_61(o, c, slip_stiffness),
            lateral_length_61(o, c, cornering_stiffness(o, c, zeta)),
        )

    def load(self, contact: Contact, p: Parameters, loaded_radius: Value, f: Forces) -> Value:
        """The normal load that belongs to a loaded radius [N]; that of the contact is not used.

        Example:
        >>> import axletree as at
        >>> law, free = at.MagicFormula61(**at.MagicFormula61.example), at.Forces(0, 0, 0, 0, 0)
        >>> radius = law.UNLOADED_RADIUS - 0.02  # m
        >>> print(f"{law.load(at.Contact(0.0, 0.0, 0.0), law.numbers, radius, free):.0f} N")
        3628 N
        """
        c = self.coefficients(p)
        return load_61(self.operating_point(contact, c), c, loaded_radius, f.Fx, f.Fy)

    def _reductions(self, o: OperatingPoint, c: Coefficients) -> Reductions:
        return turn_slip_reductions(o, c) if self.turn_slip else WITHOUT_TURN_SLIP


def _force_at_trail(o: OperatingPoint, c: Coefficients, zeta: Reductions) -> Value:
    """The side force without inclination (4.E74); inclination acts by the residual moment.

    The book takes turn slip out of it as well; MF-Tyre does not, and neither is it done here.
    """
    plain = upright(o)
    stiffness = cornering_stiffness(plain, c, zeta)
    shifts = shifts_61(plain, c, zeta, stiffness)
    return pure_lateral(plain, c, zeta, stiffness, shifts).force
