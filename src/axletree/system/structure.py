"""The structure of equations: what each is solved for, in which order, and whether they suffice.

Equations and unknowns are numbers in the matching and in the strongly connected components; an
equation is the set of unknowns that occur in it. Where there are too few equations, too many,
or the wrong ones, ``check_equation_count`` and ``check_matching`` say which, by their names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

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

    unknown_of: Mapping[int, int]  # by equation
    unmatched_equations: tuple[int, ...]
    unmatched_unknowns: tuple[int, ...]


def match(incidence: Incidence, unknowns: Iterable[int]) -> Matching:
    """As many pairs as possible, by augmenting paths."""
    equation_of: dict[int, int] = {}
    for equation in range(len(incidence)):
        path = _augmenting_path(incidence, equation, equation_of)
        for unknown, owner in path:
            equation_of[unknown] = owner
    unknown_of = {equation: unknown for unknown, equation in equation_of.items()}
    return Matching(
        unknown_of,
        tuple(e for e in range(len(incidence)) if e not in unknown_of),
        tuple(u for u in unknowns if u not in equation_of),
    )


def _augmenting_path(
    incidence: Incidence, start: int, equation_of: Mapping[int, int]
) -> list[tuple[int, int]]:
    """(unknown, its new equation) along a path to an unknown that is free; empty if none is."""
    came_from: dict[int, int] = {}  # unknown: the equation it was reached from
    matched_by: dict[int, int] = {}  # equation: its unknown as things are
    waiting = [start]
    for equation in waiting:
        for unknown in sorted(incidence[equation]):
            if unknown in came_from:
                continue
            came_from[unknown] = equation
            if unknown not in equation_of:
                return _path_to(unknown, came_from, matched_by)
            matched_by[equation_of[unknown]] = unknown
            waiting.append(equation_of[unknown])
    return []


def _path_to(
    unknown: int, came_from: Mapping[int, int], matched_by: Mapping[int, int]
) -> list[tuple[int, int]]:
    path = [(unknown, came_from[unknown])]
    while path[-1][1] in matched_by:
        unknown = matched_by[path[-1][1]]
        path.append((unknown, came_from[unknown]))
    return path


def underdetermined_part(incidence: Incidence, matching: Matching) -> tuple[set[int], set[int]]:
    """Equations and unknowns of the part with more unknowns than equations.

    These unknowns are determined only together with further equations (Dulmage and
    Mendelsohn 1958); all others follow from the equations that are there.
    """
    users: dict[int, list[int]] = {}
    for equation, unknowns in enumerate(incidence):
        for unknown in unknowns:
            users.setdefault(unknown, []).append(equation)
    equations: set[int] = set()
    open_unknowns = set(matching.unmatched_unknowns)
    waiting = list(matching.unmatched_unknowns)
    for unknown in waiting:
        for equation in users.get(unknown, ()):
            if equation in equations or equation not in matching.unknown_of:
                continue
            equations.add(equation)
            partner = matching.unknown_of[equation]
            if partner not in open_unknowns:
                open_unknowns.add(partner)
                waiting.append(partner)
    return equations, open_unknowns


def overdetermined_part(incidence: Incidence, matching: Matching) -> tuple[set[int], set[int]]:
    """Equations and unknowns of the part with more equations than unknowns."""
    owner = {unknown: equation for equation, unknown in matching.unknown_of.items()}
    equations = set(matching.unmatched_equations)
    unknowns: set[int] = set()
    waiting = list(matching.unmatched_equations)
    for equation in waiting:
        for unknown in incidence[equation]:
            unknowns.add(unknown)
            if unknown in owner and owner[unknown] not in equations:
                equations.add(owner[unknown])
                waiting.append(owner[unknown])
    return equations, unknowns


def blocks(incidence: Incidence, unknown_of: Mapping[int, int]) -> list[EquationBlock]:
    """Matched equations in blocks, each of which needs no unknown of a later one.

    Unknowns that are matched with none of these equations count as known.
    """
    owner = {unknown: equation for equation, unknown in unknown_of.items()}
    needs = {
        equation: sorted({owner[u] for u in incidence[equation] if u in owner} - {equation})
        for equation in sorted(unknown_of)
    }
    return [
        EquationBlock(tuple(sorted(group)), tuple(sorted(unknown_of[e] for e in group)))
        for group in _components(needs)
    ]


def _components(needs: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Strongly connected components, those that are needed first (Tarjan 1972)."""
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    stack: list[int] = []
    found: list[list[int]] = []
    placed: set[int] = set()
    for root in needs:
        if root in number:
            continue
        number[root] = lowest[root] = len(number)
        stack.append(root)
        path = [(root, iter(needs[root]))]
        while path:
            node, rest = path[-1]
            other = next(rest, None)
            if other is None:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == number[node]:
                    first = stack.index(node)
                    found.append(stack[first:])
                    placed.update(stack[first:])
                    del stack[first:]
            elif other not in number:
                number[other] = lowest[other] = len(number)
                stack.append(other)
                path.append((other, iter(needs[other])))
            elif other not in placed:
                lowest[node] = min(lowest[node], number[other])
    return found


_MOST_NAMED = 12


def check_equation_count(
    system: str,
    free: Sequence[NamedEquation],
    held: Sequence[NamedEquation],
    unknowns: Sequence[Unknown],
    incidence: Incidence,
    matching: Matching,
) -> None:
    """``free`` equations hold unknowns, ``held`` ones only variables that have rates."""
    if matching.unmatched_equations:
        raise FormulationError(_too_many(system, free, unknowns, incidence, matching))
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
    _, open_unknowns = underdetermined_part(incidence, matching)
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
    system: str,
    rest: Sequence[NamedEquation],
    unknowns: Sequence[Unknown],
    incidence: Incidence,
    matching: Matching,
) -> None:
    """Where the count is right, and yet some unknown has no equation of its own."""
    if not matching.unmatched_equations:
        return
    _, open_unknowns = underdetermined_part(incidence, matching)
    raise FormulationError(
        f"{_too_many(system, rest, unknowns, incidence, matching)}; at the same time nothing "
        f"determines {_listed(unknowns[u].name for u in sorted(open_unknowns))}"
    )


def _too_many(
    system: str,
    equations: Sequence[NamedEquation],
    unknowns: Sequence[Unknown],
    incidence: Incidence,
    matching: Matching,
) -> str:
    rows, columns = overdetermined_part(incidence, matching)
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
