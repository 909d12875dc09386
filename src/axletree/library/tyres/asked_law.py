"""A law as a tyre asks it: with its parameters' symbols, and in a mirror where sides differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from axletree.core.expr import Expr, as_expr
from axletree.core.expr.expression import ONE
from axletree.library.tyres.axis_system import Signs, with_signs
from axletree.library.tyres.calls import called_forces, called_lengths
from axletree.library.tyres.contract import Contact, Forces, TyreLaw
from axletree.library.tyres.similarity import BySimilarity
from axletree.library.tyres.slip import Rolling


@dataclass(frozen=True)
class AskedLaw:
    """What the law does not ask for costs nothing."""

    law: TyreLaw
    signs: Signs
    parameters: Mapping[str, Expr]
    pressure: Expr | None  # [Pa]

    def forces(self, contact: Contact) -> Forces:
        """The law's answer, in the tyre's own axes."""
        known = with_signs(replace(contact, inflation_pressure=self.pressure), self.signs)
        usual = self.law.knows_friction or as_expr(contact.friction) == ONE
        law = self.law if usual else BySimilarity(self.law)
        return with_signs(called_forces(law, known, self.parameters), self.signs)

    def with_lengths(self, rolling: Rolling) -> Rolling:
        """With the law's relaxation lengths."""
        contact = Contact(
            normal_load=rolling.normal_load,
            longitudinal_slip=0.0,
            slip_angle=0.0,
            inclination=rolling.inclination,
            forward_speed=rolling.rolling_speed_P,
            inflation_pressure=self.pressure,
        )
        known = with_signs(contact, self.signs)
        found = called_lengths(self.law, known, self.parameters)
        return replace(
            rolling, longitudinal_length=found.longitudinal, lateral_length=found.lateral
        )
