"""Too few equations, too many, or the wrong ones: which, by their names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from axletree.core.errors import FormulationError
from axletree.system.block_solve import NamedEquation, Unknown
from axletree.system.triangular import Incidence, Matching, asked_too_much, left_open

MOST_NAMED = 12


def refuse_miscount(
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
    _, open_unknowns = left_open(incidence, matching)
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


def refuse_unmatched(
    system: str,
    rest: Sequence[NamedEquation],
    unknowns: Sequence[Unknown],
    incidence: Incidence,
    matching: Matching,
) -> None:
    """Where the count is right, and yet some unknown has no equation of its own."""
    if not matching.unmatched_equations:
        return
    _, open_unknowns = left_open(incidence, matching)
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
    rows, columns = asked_too_much(incidence, matching)
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
    if len(found) > MOST_NAMED:
        return f"{', '.join(found[:MOST_NAMED])} and {len(found) - MOST_NAMED} more"
    return ", ".join(found)
