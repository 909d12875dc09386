"""Outputs of what holds a mechanism together and drives it: reactions, efforts, their power."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from axletree.core.expr import Expr
from axletree.core.vectors import NULL, Vector
from axletree.formulation.closure import Constraint
from axletree.formulation.equations import Equations
from axletree.formulation.links import Connection
from axletree.formulation.loads import BranchThrough
from axletree.library.edge import Edge, MotionLaw, TranslationLaw
from axletree.system.system import Definition, output, vector_outputs


def branch_reactions(equations: Equations, through: BranchThrough) -> Iterator[Definition]:
    """What each branch holds: the opposite of the loads beyond it, freedoms left out."""
    k = equations.dynamics.kinematics
    turns = {t.connection.edge: t for t in k.turnings}
    slides = {s.connection.edge: s for s in k.slidings}
    for connection in (*k.links.translations, *k.links.rotations):
        edge, child = connection.edge, connection.child
        tail = connection.tail
        if isinstance(edge.law, TranslationLaw):
            in_tail = k.rotation(tail.link, k.linear_axes[child]) @ through.forces[child]
            partials = slides[edge].partials
        else:
            in_tail = k.rotation(tail.link, child) @ through.moments[child]
            partials = turns[edge].partials
        held = tail.R_LF.T @ (-in_tail if connection.forward else in_tail)
        if len(partials) == 3:
            continue
        if _is_driver(connection):
            yield from _driver_reactions(equations, edge, held)
        else:
            yield from _reaction(edge, _without_freedom(connection, held))


def chord_reactions(
    independent: Sequence[Constraint], reactions: Sequence[Expr]
) -> Iterator[Definition]:
    """The reactions of each chord added up to a vector, under the names that branches use."""
    totals: dict[Edge, Vector] = {}
    for constraint, reaction in zip(independent, reactions, strict=True):
        if constraint.edge is not None:
            added = constraint.direction * reaction
            totals[constraint.edge] = totals.get(constraint.edge, NULL) + added
    for edge, total in totals.items():
        yield from _reaction(edge, total)


def efforts(independent: Sequence[Constraint], reactions: Sequence[Expr]) -> Iterator[Definition]:
    """What laws tell of their reactions, where none of them is redundant."""
    known: dict[Edge, dict[str, Expr]] = {}
    for constraint, reaction in zip(independent, reactions, strict=True):
        if constraint.edge is not None:
            suffix = constraint.reaction.name.removeprefix(f"{constraint.edge.component}.")
            known.setdefault(constraint.edge, {})[suffix] = reaction
    for edge, by_suffix in known.items():
        law = edge.law
        assert isinstance(law, MotionLaw)
        if len(by_suffix) == len(law.reactions):
            for variable, value in law.efforts(by_suffix):
                name = f"{edge.component}.{variable.suffix}"
                yield output(name, variable.unit, variable.description, value)
            if law.given_rate is not None:
                yield _power(edge, law.given_rate * next(iter(by_suffix.values())))


def _power(driver: Edge, power: Expr) -> Definition:
    return output(f"{driver.component}.power", "W", "power of the driver", power)


def _reaction(edge: Edge, on_head: Vector) -> Iterator[Definition]:
    word, unit = ("force", "N") if isinstance(edge.law, TranslationLaw) else ("moment", "N*m")
    name, text = f"{edge.component}.reaction.{word}", f"the {word} on the head, tail axes"
    yield from vector_outputs(name, unit, text, on_head)


def _without_freedom(connection: Connection, held: Vector) -> Vector:
    """A joint holds nothing along its single freedom; what acts there are other components."""
    law = connection.edge.law
    axis = law.freedom if isinstance(law, MotionLaw) else None
    if axis is None or not connection.speeds:
        return held
    return held - axis * axis.dot(held)


def _is_driver(connection: Connection) -> bool:
    law = connection.edge.law
    assert isinstance(law, MotionLaw)
    return law.given_rate is not None


def _driver_reactions(equations: Equations, edge: Edge, held: Vector) -> Iterator[Definition]:
    """The driver's share is along its axis; the rest is held by the joint beside it."""
    law = edge.law
    assert isinstance(law, MotionLaw)
    assert law.freedom is not None
    assert law.given_rate is not None
    effort = law.freedom.dot(held)
    variable, along = law.reactions[0], law.freedom * effort
    name = f"{edge.component}.{variable.suffix}"
    yield from _reaction(edge, along)
    yield output(name, variable.unit, variable.description, effort)
    yield _power(edge, effort * law.given_rate)
    for other in equations.trees[edge.domain].chords:
        beside = (other.tail, other.head) == (edge.tail, edge.head)
        if beside and isinstance(other.law, MotionLaw) and other.law.freedom == law.freedom:
            yield from _reaction(other, held - along)
