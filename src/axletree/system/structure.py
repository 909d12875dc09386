"""The structure of equations: what each is solved for, in which order, and whether they suffice.

Equations and unknowns are numbers in the matching and in the strongly connected components; an
equation is the set of unknowns that occur in it. Where there are too few equations, too many,
or the wrong ones, ``check_equation_count`` and ``check_matching`` say which, by their names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

import numpy as np

from axletree.core.errors import FormulationError
from axletree.expr import Expr

# Equations solved block by block for unknowns in which each block is linear.


@dataclass(frozen=True)
class NamedEquation:
    """An expression that is to be zero."""

    name: str
    residual: Expr


@dataclass(frozen=True)
class Unknown:
    """What is solved for: a symbol, and what people call it."""

    name: str
    symbol: Expr


Incidence = Sequence[Collection[int]]  # of each equation, its unknowns


@dataclass(frozen=True)
class EquationBlock:
    """Equations that have to be solved at once for as many unknowns."""

    equations: tuple[int, ...]
    unknowns: tuple[int, ...]


@dataclass(frozen=True)
class Matching:
    """Each equation paired with an unknown of its own, as far as it goes."""

    incidence: Incidence
    unknown_of: Mapping[int, int]  # by equation
    unmatched_equations: tuple[int, ...]
    unmatched_unknowns: tuple[int, ...]


def match(incidence: Incidence, unknowns: Iterable[int]) -> Matching:
    """As many pairs as possible."""
    from scipy.sparse.csgraph import maximum_bipartite_matching

    columns = 1 + max((u for row in incidence for u in row), default=-1)
    found = maximum_bipartite_matching(_pattern(incidence, columns), "column") if columns else []
    unknown_of = {equation: int(unknown) for equation, unknown in enumerate(found) if unknown >= 0}
    taken = set(unknown_of.values())
    return Matching(
        incidence,
        unknown_of,
        tuple(e for e in range(len(incidence)) if e not in unknown_of),
        tuple(u for u in unknowns if u not in taken),
    )


def _pattern(rows: Incidence, columns: int) -> Any:
    """A sparse matrix with a 1 for each number of a row."""
    from scipy.sparse import csr_array

    # SciPy 1.13 reads no other indices than these.
    pairs = [(i, j) for i, row in enumerate(rows) for j in row]
    places = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    return csr_array((np.ones(len(places)), places.T), shape=(len(rows), columns))


def underdetermined_part(matching: Matching) -> tuple[set[int], set[int]]:
    """Equations and unknowns of the part with more unknowns than equations.

    These unknowns are determined only together with further equations (Dulmage and
    Mendelsohn 1958); all others follow from the equations that are there.
    """
    rows, matched = matching.incidence, matching.unknown_of.items()
    open_unknowns = set(matching.unmatched_unknowns)
    while True:
        inside = {e: u for e, u in matched if not open_unknowns.isdisjoint(rows[e])}
        if open_unknowns.issuperset(inside.values()):
            return set(inside), open_unknowns
        open_unknowns.update(inside.values())


def overdetermined_part(matching: Matching) -> tuple[set[int], set[int]]:
    """Equations and unknowns of the part with more equations than unknowns."""
    equations = set(matching.unmatched_equations)
    while True:
        unknowns = {unknown for equation in equations for unknown in matching.incidence[equation]}
        owners = {equation for equation, u in matching.unknown_of.items() if u in unknowns}
        if equations >= owners:
            return equations, unknowns
        equations |= owners


def blocks(incidence: Incidence, unknown_of: Mapping[int, int]) -> list[EquationBlock]:
    """Matched equations in blocks, each of which needs no unknown of a later one.

    Unknowns that are matched with none of these equations count as known. Blocks are the strongly
    connected components of what equations need of one another.
    """
    from scipy.sparse.csgraph import connected_components

    place = {unknown_of[equation]: k for k, equation in enumerate(sorted(unknown_of))}
    needs = [[place[u] for u in incidence[e] if u in place] for e in sorted(unknown_of)]
    if not needs:
        return []
    _, component = connected_components(_pattern(needs, len(needs)), connection="strong")
    members: dict[int, list[int]] = {}
    order = TopologicalSorter[int]()
    for k, equation in enumerate(sorted(unknown_of)):
        members.setdefault(component[k], []).append(equation)
        order.add(component[k], *{component[j] for j in needs[k]} - {component[k]})
    groups = (members[one] for one in order.static_order())
    return [
        EquationBlock(tuple(group), tuple(sorted(unknown_of[e] for e in group))) for group in groups
    ]


_MOST_NAMED = 12


def check_equation_count(
    system: str,
    free: Sequence[NamedEquation],
    held: Sequence[NamedEquation],
    unknowns: Sequence[Unknown],
    matching: Matching,
) -> None:
    """``free`` equations hold unknowns, ``held`` ones only variables that have rates."""
    if matching.unmatched_equations:
        raise FormulationError(_too_many(system, free, unknowns, matching))
    empty = [equation for equation in held if equation.residual.is_number]
    if empty:
        raise FormulationError(
            f"{system}: {_listed(e.name for e in empty)} says nothing of any variable: it reads "
            f"{float(empty[0].residual):g} = 0; leave it out, or give it the variables that it "
            "is meant to hold"
        )
    lacking = len(matching.unmatched_unknowns) - len(held)
    if lacking == 0:
        return
    _, open_unknowns = underdetermined_part(matching)
    names = _listed(unknowns[u].name for u in sorted(open_unknowns))
    total = f"{len(free) + len(held)} equations for {len(unknowns)} variables"
    if lacking > 0:
        raise FormulationError(
            f"{system}: {total}: {lacking} equation{'s are' if lacking > 1 else ' is'} missing, "
            f"and what is given leaves open {names}; add the equations of these, make "
            "variables that are given inputs or parameters, or switch off what is not there"
        )
    if not open_unknowns:
        raise FormulationError(
            f"{system}: {total}: {_listed(e.name for e in held)} {_holds(held)} "
            "variables whose rates all follow from the other equations already; add the force "
            "that sees to the constraint as an algebraic variable, or leave it out"
        )
    raise FormulationError(
        f"{system}: {total}: {-lacking} too many; {_listed(e.name for e in held)} {_holds(held)} "
        f"places or speeds, and only {len(matching.unmatched_unknowns)} of {names} "
        f"{'is' if len(matching.unmatched_unknowns) == 1 else 'are'} left open for that; leave out "
        "constraints that follow from others, or add the forces that see to them"
    )


def check_matching(
    system: str, rest: Sequence[NamedEquation], unknowns: Sequence[Unknown], matching: Matching
) -> None:
    """Where the count is right, and yet some unknown has no equation of its own."""
    if not matching.unmatched_equations:
        return
    _, open_unknowns = underdetermined_part(matching)
    raise FormulationError(
        f"{_too_many(system, rest, unknowns, matching)}; at the same time nothing "
        f"determines {_listed(unknowns[u].name for u in sorted(open_unknowns))}"
    )


def _too_many(
    system: str, equations: Sequence[NamedEquation], unknowns: Sequence[Unknown], matching: Matching
) -> str:
    rows, columns = overdetermined_part(matching)
    said = _listed(equations[e].name for e in sorted(rows))
    return (
        f"{system}: {len(rows)} equations ({said}) determine only {len(columns)} unknown"
        f"{'' if len(columns) == 1 else 's'} "
        f"({_listed(unknowns[u].name for u in sorted(columns))}); leave out "
        f"{len(rows) - len(columns)} of the equations, or add the variables that they lack"
    )


def _holds(held: Collection[NamedEquation]) -> str:
    return "holds" if len(held) == 1 else "hold"


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    if len(found) > _MOST_NAMED:
        return f"{', '.join(found[:_MOST_NAMED])} and {len(found) - _MOST_NAMED} more"
    return ", ".join(found)
