"""Whether bodies, loads and constraints fit together in an assembly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import UnionType
from typing import TypeVar

from axletree.language.bodies import Body, Load
from axletree.language.constraints import Constraint
from axletree.language.errors import LanguageError

Members = tuple[tuple[Body, ...], tuple[Load, ...], tuple[Constraint, ...]]
Member = TypeVar("Member")


def fitting(
    name: str, bodies: Sequence[Body], loads: Sequence[Load], constraints: Sequence[Constraint]
) -> Members:
    """The three lists as they are kept, after a look at each of their members."""
    members = (
        _listed(name, "bodies", Body, bodies),
        _listed(name, "loads", Load, loads),
        _listed(name, "constraints", Constraint, constraints),
    )
    _refuse_strange_bodies(name, members[0])
    _refuse_other_worlds(name, members)
    return members


def _listed(
    name: str, key: str, kind: type | UnionType, given: Sequence[Member]
) -> tuple[Member, ...]:
    if not isinstance(given, Iterable):
        raise LanguageError(
            f"assembly {name!r} takes lists of bodies, loads and constraints, not {given!r}"
        )
    items = tuple(given)
    for item in items:
        if not isinstance(item, kind):
            raise LanguageError(f"{item!r} is not one of the {key} of {name!r}")
    return items


def _refuse_strange_bodies(name: str, bodies: Sequence[Body]) -> None:
    if not bodies:
        raise LanguageError(f"assembly {name!r} has no body that could move")
    if len(set(bodies)) < len(bodies):
        names = ", ".join(body.name for body in bodies)
        raise LanguageError(f"assembly {name!r} has a body twice: {names}")


def _refuse_other_worlds(name: str, members: Members) -> None:
    bodies, loads, constraints = members
    worlds = {body.frame.world for body in bodies}
    worlds |= {load.on.frame.world for load in loads}
    worlds |= {constraint.world for constraint in constraints}
    if len(worlds) > 1:
        raise LanguageError(
            f"what makes up assembly {name!r} is of different worlds: "
            f"{', '.join(item.name for item in (*bodies, *loads, *constraints))}"
        )
