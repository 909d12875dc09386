"""What the versions of the Magic Formula have in common: where their coefficients come from."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from types import SimpleNamespace
from typing import Any, ClassVar, Self

from axletree.core.errors import ModelError
from axletree.library.fields import choice, kind_of
from axletree.library.tyres.axis_system import AxisSystem
from axletree.library.tyres.contract import Contact, Parameters, TyreLaw, Value
from axletree.library.tyres.magic_formula.axes import (
    Beyond,
    OperatingPoint,
    SlipMeasure,
    operating_point,
)
from axletree.library.tyres.magic_formula.file_keys import ELSEWHERE, OF_PRESSURE, SPELLINGS
from axletree.library.tyres.magic_formula.parity import converted, makes_a_side
from axletree.library.tyres.magic_formula.radius import effective_radius
from axletree.library.tyres.magic_formula.shape import Coefficients
from axletree.library.tyres.side import Side


@dataclass(frozen=True, kw_only=True)
class MagicFormula(TyreLaw):
    """A version of the Magic Formula; every coefficient has its name of property files."""

    absent: ClassVar[Mapping[str, float]] = {}  # of other versions, at values without effect

    slip_measure: SlipMeasure = choice(
        SlipMeasure, "how slip angle and inclination enter", default=SlipMeasure.ANGLE
    )
    beyond: Beyond = choice(
        Beyond, "what happens outside the range of measurements", default=Beyond.EXTRAPOLATED
    )
    side: Side = choice(Side, "side of a vehicle that the tyre is for", default=Side.EITHER)

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
        cls,
        coefficients: Mapping[str, Any],
        *,
        axes: AxisSystem = AxisSystem.ISO,
        **choices: Any,
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
        given = {SPELLINGS.get(key, key): value for key, value in coefficients.items()}
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
            raise ModelError(problems + _refused(used, known))
        return cls(**converted(used, axes.signs), **choices)

    @classmethod
    def _without_effect(cls, key: str, value: Any) -> bool:
        """Whether a key that this version does not have may be passed over."""
        return key in ELSEWHERE or key in OF_PRESSURE or (key in cls.absent and value == 0.0)

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
            name: 0.0 for name in self.coefficient_names() if makes_a_side(name)
        }
        return dataclasses.replace(self, side=Side.EITHER, **alike)

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
        return effective_radius(self.operating_point(contact, c), c)


def _refused(given: Mapping[str, Any], known: Mapping[str, dataclasses.Field[Any]]) -> list[str]:
    problems = []
    for key, value in given.items():
        kind = kind_of(known[key])
        try:
            if kind is not None:
                kind.check(value)
        except ModelError as error:
            problems += [f"{key}: {text}" for text in error.problems]
    return problems


def _unknown(key: str, law: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"{key} is no coefficient of {law}{hint}"
