"""The Magic Formula: versions 5.2 (also known as PAC2002 and Pacejka 2002), 6.1 and 6.2.

``MagicFormula`` is what they have in common: where their coefficients come from. The short Magic
Formula is side force alone, in four numbers and a nominal load.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from axletree.components.contract import RangeLimit
from axletree.components.fields import Parameters, chosen, flag, kind_of, parameter, positive
from axletree.core.errors import ModelError, gathered
from axletree.expr import absolute, as_expr, atan, maximum, minimum, sin, tan
from axletree.expr.functions import Value
from axletree.wheel.axis_systems import AxisSystem, TyreSide
from axletree.wheel.contract import Contact, Forces, RelaxationLengths, TyreLaw, example_fields
from axletree.wheel.tyres import magic_formula_coefficients as table
from axletree.wheel.tyres import magic_formula_forces as formula
from axletree.wheel.tyres.magic_formula_forces import PureLateral
from axletree.wheel.tyres.magic_formula_shape import (
    WITHOUT_TURN_SLIP,
    BeyondRange,
    Coefficients,
    OperatingPoint,
    Reductions,
    SlipMeasure,
    operating_point,
)

# Of slip and the tangent of the slip angle. Up to 1, as of a locked wheel at 45 deg, the force of
# Morency's tyre is within 11 deg of the sliding, up to 4 within 15 deg, and beyond within 76 deg.
LARGEST_PRODUCT = 4.0
_LASTS = 0.05  # s; a wheel that is about to stop passes through all slips


@dataclass(frozen=True, kw_only=True)
class MagicFormula(TyreLaw):
    """A version of the Magic Formula; every coefficient has its name of property files."""

    absent: ClassVar[Mapping[str, float]] = {}  # of other versions, at values without effect

    slip_measure: SlipMeasure = chosen(SlipMeasure.ANGLE, "how slip angle and inclination enter")
    beyond: BeyondRange = chosen(
        BeyondRange.EXTRAPOLATED, "what happens outside the range of measurements"
    )
    side: TyreSide = chosen(TyreSide.EITHER, "side of a vehicle that the tyre is for")

    if TYPE_CHECKING:  # coefficients are fields by the names of the table

        def __getattr__(self, coefficient: str) -> float: ...

    @classmethod
    def coefficient_names(cls) -> tuple[str, ...]:
        """The keys that ``from_coefficients`` understands.

        Example:
        >>> import axletree as at
        >>> at.MagicFormula52.coefficient_names()[:3]
        ('VERTICAL_STIFFNESS', 'BREFF', 'DREFF')
        """
        return tuple(f.name for f in dataclasses.fields(cls) if f.name.isupper())

    @classmethod
    def from_coefficients(
        cls, coefficients: Mapping[str, Any], *, axes: AxisSystem = AxisSystem.ISO, **choices: Any
    ) -> Self:
        """A tyre from upper-case keys and numbers in SI units, as a property file has them.

        Coefficients for other axes than those of ISO 8855 are converted to them. What a
        file says about inertia, carcass or contact patch is passed over. Every key that is
        not known, that is missing or whose value is not allowed is reported, all in one
        error.

        Example:
        >>> import axletree as at
        >>> keys = {**at.MagicFormula61.example, "FNOMIN": 4500.0, "BELT_MASS": 7.0}  # N, kg
        >>> at.MagicFormula61.from_coefficients(keys).FNOMIN  # N
        4500.0
        """
        given = {table.SPELLINGS.get(key, key): value for key, value in coefficients.items()}
        known = {f.name: f for f in dataclasses.fields(cls) if f.name.isupper()}
        problems = []
        for key, value in given.items():
            if key not in known and not cls._without_effect(key, value):
                problems.append(_unknown(key, cls.__name__, known))
        for name, field in known.items():
            kind = kind_of(field)
            if name not in given and field.default is MISSING and kind is not None:
                problems.append(f"{name} is missing: {kind.description} [{kind.unit}]")
        used = {key: value for key, value in given.items() if key in known}
        if problems:
            for key, value in used.items():
                with gathered(problems, f"{key}: "):
                    known[key].metadata["kind"].check(value)
            raise ModelError(problems)
        return cls(**table.converted(used, axes.signs), **choices)

    @classmethod
    def _without_effect(cls, key: str, value: Any) -> bool:
        """Whether a key that this version does not have may be passed over.

        What other versions have may stand there with the value at which it does nothing, and what
        they have for turn slip with any: where there is no turn slip it does nothing.
        """
        if key in table.keys_elsewhere() or key in table.neutral(("turn slip",)):
            return True
        return key in cls.absent and value in (0.0, cls.absent[key])

    def limits(self, contact: Contact, p: Parameters) -> tuple[RangeLimit, ...]:
        """Where slips or loads are beyond what its curves are made for."""
        if self.beyond is not BeyondRange.EXTRAPOLATED:  # both stay within what was measured
            return ()
        return self._limit_of_slips(contact), self._limit_of_load(contact, p)

    def _limit_of_load(self, contact: Contact, p: Parameters) -> RangeLimit:
        """Friction is a line over the load, which becomes zero and then negative."""
        change = contact.normal_load / (p["FNOMIN"] * p["LFZO"]) - 1.0
        # a + b df below half of a, whatever the sign of a.
        losses = (-p[f"PD{k}1"] * (0.5 * p[f"PD{k}1"] + p[f"PD{k}2"] * change) for k in "XY")
        text = (
            "its load is so large that by PDX2 or PDY2 its friction is below half of that at the "
            "nominal load; further up it vanishes: take beyond: held with FZMAX, the greatest load "
            "of its measurements, or a law for such loads"
        )
        return RangeLimit(as_expr(maximum(*losses)), text)

    def _limit_of_slips(self, contact: Contact) -> RangeLimit:
        """Sliding both ways faster than it rolls: each force has a weight by the other slip, and
        their direction is no longer that of the sliding."""
        product = absolute(contact.longitudinal_slip) * absolute(tan(contact.slip_angle))
        text = (
            f"its slip times the tangent of its slip angle is above {LARGEST_PRODUCT:g}, where the "
            "forces of the Magic Formula are tens of degrees off the sliding; take "
            "slip: {type: carcass, ...}, which does not go there, or a law such as tmeasy"
        )
        excess = minimum(product - LARGEST_PRODUCT, contact.normal_load)
        return RangeLimit(as_expr(excess), text, lasts=_LASTS)

    def problems(self) -> list[str]:
        given = self.numbers["PKY1"]
        if given <= 0.0:
            return []
        return [
            f"PKY1: {given:g} would drive a drifting tyre on: in ISO axes it is negative. "
            "Coefficients in adapted SAE axes are read with axes: adapted-sae"
        ]

    def symmetric(self) -> Self:
        """The tyre without conicity and ply steer: alike on both sides of a vehicle.

        Example:
        >>> import axletree as at
        >>> law = at.MagicFormula61(**at.MagicFormula61.example)
        >>> straight = at.Contact(4000.0, 0.0, 0.0, forward_speed=20.0)  # N, 1, rad, m/s
        >>> [round(float(tyre(straight).Fy), 1) for tyre in (law, law.symmetric())]  # N
        [-34.7, 0.0]
        """
        alike: dict[str, Any] = {
            name: 0.0 for name in self.coefficient_names() if table.makes_a_side(name)
        }
        return dataclasses.replace(self, side=TyreSide.EITHER, **alike)

    def coefficients(self, p: Parameters) -> Coefficients:
        """The coefficients as attributes; what this version does not have has no effect.

        Example:
        >>> import axletree as at
        >>> law = at.MagicFormula52(**at.MagicFormula52.example)
        >>> c = law.coefficients({**law.numbers, "LMUY": 0.8})
        >>> c.LMUY, c.PPX1  # 1: the scale of friction across, and one of pressure
        (0.8, 0.0)
        """
        return SimpleNamespace(**{**self.absent, **p})

    def operating_point(self, contact: Contact, c: Coefficients) -> OperatingPoint:
        """Where the formula is evaluated, from the contact's state and ``coefficients``.

        Example:
        >>> import axletree as at
        >>> law = at.MagicFormula61(**{**at.MagicFormula61.example, "FNOMIN": 4000.0})  # N
        >>> c, contact = law.coefficients(law.numbers), at.Contact(5000.0, 0.0, 0.02)  # N, 1, rad
        >>> point = law.operating_point(contact, c)
        >>> point.load_change, point.slip_angle  # 1: a quarter more than the nominal load; rad
        (0.25, 0.02)
        """
        return operating_point(contact, c, self.slip_measure, self.beyond)

    def effective_radius(self, contact: Contact, p: Parameters) -> Value:
        """The radius of the rigid wheel that rolls as far per turn [m].

        Example:
        >>> import axletree as at
        >>> law = at.MagicFormula61(**at.MagicFormula61.example)
        >>> rolls = at.Contact(4000.0, 0.0, 0.0, forward_speed=20.0, spin_rate=60.0)
        >>> print(f"{law.effective_radius(rolls, law.numbers):.4f} m of {law.UNLOADED_RADIUS} m")
        0.3335 m of 0.344 m
        """
        c = self.coefficients(p)
        return formula.effective_radius(self.operating_point(contact, c), c)


def _combined(
    o: OperatingPoint, c: Coefficients, zeta: Reductions, lateral: PureLateral, at_trail: Value
) -> Forces:
    """Forces and moments with combined slip; ``at_trail`` is the side force of the trail [N]."""
    longitudinal, weight = formula.pure_longitudinal(o, c, zeta), formula.weight_of_fy(o, c)
    Fx = longitudinal.force * formula.weight_of_fx(o, c)
    Fy = lateral.force * weight + formula.induced_side_force(o, c, zeta, lateral.friction)
    parts = formula.aligning_parts(o, c, zeta, lateral, longitudinal.stiffness, Fy)
    return Forces(
        Fx=Fx,
        Fy=Fy,
        Mx=formula.overturning_moment(o, c, Fy),
        My=formula.rolling_resistance_moment(o, c, Fx),
        Mz=formula.aligning_moment(parts, Fx, at_trail * weight),
    )


def _unknown(key: str, law: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"{key} is no coefficient of {law}{hint}"


@table.coefficient_fields(table.GROUPS_52)
class Coefficients52:
    """Those of version 5.2."""


@dataclass(frozen=True, kw_only=True)
class MagicFormula52(MagicFormula, Coefficients52):
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
    example: ClassVar[Mapping[str, Any]] = table.example_tyre(table.GROUPS_52, "car")
    absent: ClassVar[Mapping[str, float]] = table.neutral(table.ABSENT_52)

    def operating_point(self, contact: Contact, c: Coefficients) -> OperatingPoint:
        return super().operating_point(replace(contact, inflation_pressure=None), c)

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        c = self.coefficients(p)
        o, zeta = self.operating_point(contact, c), WITHOUT_TURN_SLIP
        stiffness = formula.cornering_stiffness(o, c, zeta)
        lateral = formula.pure_lateral(o, c, zeta, stiffness, formula.shifts_52(o, c))
        return _combined(o, c, zeta, lateral, lateral.force)

    @property
    def has_relaxation_lengths(self) -> bool:
        return all(self.numbers[name] for name in ("PTX1", "PTY1", "PTY2"))

    def relaxation_lengths(self, contact: Contact, p: Parameters) -> RelaxationLengths:
        c = self.coefficients(p)
        o = self.operating_point(contact, c)
        return RelaxationLengths(
            formula.longitudinal_length_52(o, c), formula.lateral_length_52(o, c)
        )


@table.coefficient_fields(table.GROUPS_61)
class Coefficients61:
    """Those of version 6.1."""


@dataclass(frozen=True, kw_only=True)
class MagicFormula61(MagicFormula, Coefficients61):
    """Magic Formula 6.1: inflation pressure, large inclination and, if wanted, turn slip.

    Example:
    >>> import axletree as at
    >>> law = at.MagicFormula61(**at.MagicFormula61.example)
    >>> contact = at.Contact(4000.0, 0.0, 0.05, inflation_pressure=2.5e5)  # N, 1, rad, Pa
    >>> print(f"{law(contact).Fy:.0f} N")
    -2923 N
    """

    summary: ClassVar[str] = "Magic Formula 6.1 with pressure, inclination and turn slip"
    example: ClassVar[Mapping[str, Any]] = table.example_tyre(table.GROUPS_61, "car", "car_6")
    absent: ClassVar[Mapping[str, float]] = table.neutral(table.ABSENT_61)

    turn_slip: bool = flag("whether turn slip and its reduction factors count", default=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.numbers["INFLPRES"] == 0.0:
            object.__setattr__(self, "INFLPRES", self.numbers["NOMPRES"])

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        c = self.coefficients(p)
        o = self.operating_point(contact, c)
        zeta = self._reductions(o, c)
        # The side force without inclination (4.E74), which acts by the residual moment. The book
        # takes turn slip out of it as well; MF-Tyre does not, and neither is it done here.
        at_trail = _lateral_61(formula.upright(o), c, zeta).force
        return _combined(o, c, zeta, _lateral_61(o, c, zeta), at_trail)

    @property
    def has_relaxation_lengths(self) -> bool:
        return True

    def relaxation_lengths(self, contact: Contact, p: Parameters) -> RelaxationLengths:
        c = self.coefficients(p)
        o = self.operating_point(contact, c)
        zeta = self._reductions(o, c)
        slip_stiffness = formula.pure_longitudinal(o, c, zeta).stiffness
        return RelaxationLengths(
            formula.longitudinal_length_61(o, c, slip_stiffness),
            formula.lateral_length_61(o, c, formula.cornering_stiffness(o, c, zeta)),
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
        return formula.load_61(self.operating_point(contact, c), c, loaded_radius, f.Fx, f.Fy)

    def _reductions(self, o: OperatingPoint, c: Coefficients) -> Reductions:
        return formula.turn_slip_reductions(o, c) if self.turn_slip else WITHOUT_TURN_SLIP


def _lateral_61(o: OperatingPoint, c: Coefficients, zeta: Reductions) -> PureLateral:
    stiffness = formula.cornering_stiffness(o, c, zeta)
    shifts = formula.shifts_61(o, c, zeta, stiffness)
    return formula.pure_lateral(o, c, zeta, stiffness, shifts)


@table.coefficient_fields(("load 6.2",))
class LoadCoefficients62:
    """Those by which version 6.2 has load over deflection."""


@dataclass(frozen=True, kw_only=True)
class MagicFormula62(MagicFormula61, LoadCoefficients62):
    """Magic Formula 6.2: slip forces as in 6.1, load over deflection with inclination.

    Example:
    >>> import axletree as at
    >>> law = at.MagicFormula62(**at.MagicFormula62.example)
    >>> print(f"{law(at.Contact(4000.0, 0.0, 0.05)).Fy:.0f} N")
    -2946 N
    """

    summary: ClassVar[str] = "Magic Formula 6.2 with pressure, inclination and turn slip"
    example: ClassVar[Mapping[str, Any]] = table.example_tyre(table.GROUPS_62, "car", "car_6")

    def load(self, contact: Contact, p: Parameters, loaded_radius: Value, f: Forces) -> Value:
        """The normal load that belongs to a loaded radius [N]; that of the contact is not used."""
        c = self.coefficients(p)
        return formula.load_62(self.operating_point(contact, c), c, loaded_radius, f.Fx, f.Fy)


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
    example: ClassVar[Mapping[str, Any]] = example_fields("short-magic-formula")

    stiffness_factor: float = parameter("1/rad", "stiffness factor B", lower=0.0)
    shape_factor: float = parameter("1", "shape factor C", lower=0.0, upper=2.0)
    peak_factor: float = parameter("1", "peak of Fy over Fz at the nominal load, D", lower=0.0)
    load_dependency: float = parameter(
        "1", "loss of Fy over Fz per gain of Fz over Fz0, a", lower=0.0
    )
    nominal_load: float = positive("N", "load Fz0")

    def limits(self, contact: Contact, p: Parameters) -> tuple[RangeLimit, ...]:
        text = (
            "its load is so large that its friction is below half of that at the nominal load; "
            "further up it vanishes: take a law for such loads"
        )
        loss = p["load_dependency"] * (contact.normal_load / p["nominal_load"] - 1.0)
        return (RangeLimit(as_expr(loss - 0.5), text),)

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        Fz = contact.normal_load
        shape = sin(p["shape_factor"] * atan(p["stiffness_factor"] * contact.slip_angle))
        bracket = 1.0 + p["load_dependency"] * (1.0 - Fz / p["nominal_load"])
        Fy = -p["peak_factor"] * shape * maximum(bracket, 0.0) * Fz
        return Forces(Fx=0.0, Fy=Fy, Mx=0.0, My=0.0, Mz=0.0)
