"""What acts on the bodies of an assembly, and what stays between two of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from axletree.language.bodies import Load
from axletree.language.constraints import Constraint

if TYPE_CHECKING:
    from axletree.language.assembly import Assembly


def applied_loads(assembly: Assembly, internal: bool) -> Iterator[Load]:
    """Weight and constraints apart; pairs inside only if asked."""
    for load in assembly.loads:
        yield from _sides(assembly, load, internal)


def reactions(assembly: Assembly, constraint: Constraint) -> Iterator[Load]:
    """What a constraint exerts on the bodies, unless it is between two of them."""
    for load in constraint.loads:
        yield from _sides(assembly, load, internal=False)


def _sides(assembly: Assembly, load: Load, internal: bool) -> Iterator[Load]:
    if is_internal(assembly, load) and not internal:
        return
    if load.on in assembly.bodies:
        yield load
    if load.reaction_on in assembly.bodies:
        yield load.reversed()


def is_internal(assembly: Assembly, load: Load) -> bool:
    """Whether a load and its reaction act on bodies inside."""
    return load.on in assembly.bodies and load.reaction_on in assembly.bodies


def holds(assembly: Assembly, constraint: Constraint) -> bool:
    """Whether it is between bodies inside, as far as its loads tell."""
    return all(is_internal(assembly, load) for load in constraint.loads)
