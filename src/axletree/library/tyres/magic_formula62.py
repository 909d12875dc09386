"""Magic Formula 6.2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.library.tyres.contract import Contact, Forces, Parameters, Value
from axletree.library.tyres.magic_formula.coefficients_61 import Load62
from axletree.library.tyres.magic_formula.examples import CAR_62
from axletree.library.tyres.magic_formula.radius import load_62
from axletree.library.tyres.magic_formula61 import MagicFormula61


@dataclass(frozen=True, kw_only=True)
class MagicFormula62(MagicFormula61, Load62):
    """Magic Formula 6.2: slip forces as in 6.1, load over deflection with inclination.

    Example:
    >>> import axletree as at
    >>> law = at.MagicFormula62(**at.MagicFormula62.example)
    >>> print(f"{law(at.Contact(4000.0, 0.0, 0.05)).Fy:.0f} N")
    -2946 N
    """

    summary: ClassVar[str] = "Magic Formula 6.2 with pressure, inclination and turn slip"
    example: ClassVar[Mapping[str, Any]] = CAR_62

    def load(self, contact: Contact, p: Parameters, loaded_radius: Value, f: Forces) -> Value:
        """The normal load that belongs to a loaded radius [N]; that of the contact is not used."""
        c = self.coefficients(p)
        return load_62(self.operating_point(contact, c), c, loaded_radius, f.Fx, f.Fy)
