"""Half the penetration, as an option of the vertical dynamics of Andres 2009."""

from __future__ import annotations

from typing import Any

from axletree.core.expr import Expr
from axletree.library.fields import flag


def halved_penetration() -> Any:
    """A field: in Andres 2009 eqs. (3.62) and (3.63) are solved together, and the contact point
    comes to lie halfway between the road and the tread that is not deformed."""
    return flag(
        "whether half the deflection counts, as the equations of Andres 2009 have it",
        default=False,
    )


def counted(halved: bool, deflection: Expr, rate: Expr) -> tuple[Expr, Expr]:
    """What counts of a deflection [m] and its rate [m/s]."""
    return (0.5 * deflection, 0.5 * rate) if halved else (deflection, rate)
