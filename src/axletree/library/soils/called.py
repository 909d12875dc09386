"""The grip of a soil law as a call: wheels of one kind are calls of one function.

They are evaluated side by side, and what needs parameters alone is prepared once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from axletree.core.expr import Expr, as_expr, outline
from axletree.library.soils.contract import SoilLaw, Wheel
from axletree.library.soils.grip import Grip, grip_of
from axletree.library.tyres.calls import Placeholders, function_name


def called_grip(
    law: SoilLaw, wheel: Wheel, p: Mapping[str, Expr], *, sinkage: Expr | None, load: Expr | None
) -> Grip:
    """The grip at a sinkage [m], or under a load [N]."""
    own = Placeholders(f"{function_name(law)}_grip")
    values = {name: own.of(name, value) for name, value in p.items()}
    sizes = {name: own.of(f"wheel.{name}", getattr(wheel, name)) for name in ("radius", "width")}
    early = list(own.given)
    others = [item.name for item in dataclasses.fields(Wheel) if item.name not in sizes]
    moving = {name: own.of(f"wheel.{name}", getattr(wheel, name)) for name in others}
    inside = Wheel(**sizes, **moving)
    if sinkage is not None:
        found = law.grip_at_sinkage(own.of("sinkage", sinkage), inside, values)
    else:
        found = law.grip_under_load(own.of("load", load), inside, values)
    named = {name: as_expr(value) for name, value in found.flat().items()}
    return grip_of(outline(own.name, named, own.given, early))
