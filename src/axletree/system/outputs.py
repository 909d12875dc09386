"""Outputs of a mechanical model: motion of bodies, reactions, energy, momentum, power."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from axletree.core.expr import Expr
from axletree.core.expr.expression import ZERO
from axletree.core.quantity import Quantity, Role
from axletree.core.vectors import IDENTITY, NULL, Matrix, Vector
from axletree.formulation.closure import Constraint
from axletree.formulation.equations import Equations
from axletree.formulation.inertia import NO_INERTIA, kinetic_energy, momentum_of
from axletree.formulation.links import Connection, Place
from axletree.formulation.loads import BranchThrough
from axletree.formulation.relative import relative_motion
from axletree.formulation.travel import angle_about
from axletree.library.edge import Edge, MotionLaw, TranslationLaw
from axletree.system.form import Solution
from axletree.system.system import Definition

GROUND_PLACE = Place(0, NULL, IDENTITY)


def mechanical_outputs(
    equations: Equations, independent: Sequence[Constraint], solution: Solution
) -> list[Definition]:
    """Everything that can be asked of a model besides its states, by name."""
    found = list(_speed_rates(equations, solution))
    found += _component_outputs(equations)
    for constraint, reaction in zip(independent, solution.reactions, strict=True):
        quantity = constraint.reaction
        found.append(_definition(quantity.name, quantity.unit, quantity.description, reaction))
    found += _chord_reactions(independent, solution.reactions)
    found += _efforts(independent, solution.reactions)
    through = equations.dynamics.through(solution.speed_rates, independent, solution.reactions)
    found += _branch_reactions(equations, through)
    found += _chord_motion(equations)
    found += _body_motion(equations)
    if equations.has_bodies:
        found += _energies(equations)
    return found


def _definition(name: str, unit: str, description: str, expression: Expr) -> Definition:
    return Definition(Quantity(name, unit, description, Role.OUTPUT), expression)


def _vector(name: str, unit: str, description: str, vector: Vector) -> Iterator[Definition]:
    for axis, component in zip("xyz", vector, strict=True):
        yield _definition(f"{name}.{axis}", unit, f"{axis} component of {description}", component)


def _speed_rates(equations: Equations, solution: Solution) -> Iterator[Definition]:
    for quantity, rate in zip(equations.speeds, solution.speed_rates, strict=True):
        yield _definition(
            f"{quantity.name}_dot", f"{quantity.unit}/s", f"rate of {quantity.name}", rate
        )


def _component_outputs(equations: Equations) -> Iterator[Definition]:
    for answer in equations.answers:
        for value in (*answer.response.intermediates, *answer.response.outputs):
            name = f"{answer.component}.{value.suffix}"
            yield _definition(name, value.unit, value.description, value.expression)


# -- reactions --------------------------------------------------------------------------


def _branch_reactions(equations: Equations, through: BranchThrough) -> Iterator[Definition]:
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


def _chord_reactions(
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


def _efforts(independent: Sequence[Constraint], reactions: Sequence[Expr]) -> Iterator[Definition]:
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
                yield _definition(name, variable.unit, variable.description, value)


def _reaction(edge: Edge, on_head: Vector) -> Iterator[Definition]:
    word, unit = ("force", "N") if isinstance(edge.law, TranslationLaw) else ("moment", "N*m")
    name, text = f"{edge.component}.reaction.{word}", f"the {word} on the head, tail axes"
    yield from _vector(name, unit, text, on_head)


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
    return law.freedom is not None and not connection.speeds and len(law.reactions) == 1


def _driver_reactions(equations: Equations, edge: Edge, held: Vector) -> Iterator[Definition]:
    """The driver's share is along its axis; the rest is held by the joint beside it."""
    law = edge.law
    assert isinstance(law, MotionLaw)
    assert law.freedom is not None
    effort = law.freedom.dot(held)
    variable, along = law.reactions[0], law.freedom * effort
    name = f"{edge.component}.{variable.suffix}"
    yield from _reaction(edge, along)
    yield _definition(name, variable.unit, variable.description, effort)
    for other in equations.trees[edge.domain].chords:
        beside = (other.tail, other.head) == (edge.tail, edge.head)
        if beside and isinstance(other.law, MotionLaw) and other.law.freedom == law.freedom:
            yield from _reaction(other, held - along)


def _chord_motion(equations: Equations) -> Iterator[Definition]:
    """Angle or position of joints with one freedom that are in the cotree, and its rate."""
    k = equations.dynamics.kinematics
    chords = (edge for tree in equations.trees.values() for edge in tree.chords)
    for edge in chords:
        law = edge.law
        if not (isinstance(law, MotionLaw) and law.freedom is not None and law.coordinates):
            continue
        motion = relative_motion(k, k.links.places[edge.tail], k.links.places[edge.head])
        if isinstance(law, TranslationLaw):
            travel, rate = law.freedom.dot(motion.displacement), law.freedom.dot(motion.velocity)
        else:
            travel = angle_about(law.freedom, motion.R_tail_head)
            rate = law.freedom.dot(motion.angular_velocity)
        for variable, value in zip(
            (law.coordinates[0], law.speeds[0]), (travel, rate), strict=True
        ):
            name = f"{edge.component}.{variable.suffix}"
            yield _definition(name, variable.unit, variable.description, value)


# -- motion, energy, momentum -----------------------------------------------------------


def _body_motion(equations: Equations) -> Iterator[Definition]:
    k = equations.dynamics.kinematics
    for name, place in k.links.places.items():
        if "." in name or not place.link:
            continue
        motion = relative_motion(k, GROUND_PLACE, place)
        yield from _vector(
            f"{name}.position", "m", f"{name}'s position, ground axes", motion.displacement
        )
        yield from _vector(
            f"{name}.velocity", "m/s", f"{name}'s velocity, ground axes", motion.velocity
        )
        turning = motion.angular_velocity
        yield from _vector(f"{name}.angular_velocity", "rad/s", f"{name}'s, ground axes", turning)
        spin = k.turning_of[place.link].spin
        R = motion.R_tail_head
        if not spin.is_identity:
            R = k.rotation(0, place.link).times(spin).times(place.R_LF)
        yield from _rotation(name, R)


def _rotation(name: str, R: Matrix) -> Iterator[Definition]:
    for i in range(3):
        for j in range(3):
            text = f"row {i + 1}, column {j + 1} of the rotation matrix to ground axes"
            yield _definition(f"{name}.rotation.{i + 1}{j + 1}", "1", text, R[i][j])


def _energies(equations: Equations) -> Iterator[Definition]:
    dynamics = equations.dynamics
    k, inertias = dynamics.kinematics, dynamics.inertias
    kinetic = kinetic_energy(k, inertias)
    potential = ZERO
    linear, angular = NULL, NULL
    for link, body in enumerate(inertias):
        if body is NO_INERTIA:
            continue
        place = Place(link, NULL, IDENTITY)
        motion = relative_motion(k, GROUND_PLACE, place)
        centre = motion.displacement * body.mass + motion.R_tail_head @ body.moment
        potential = potential - k.gravity.dot(centre)
        P, L = momentum_of(k, inertias, link)
        P_ground = motion.R_tail_head @ P
        linear = linear + P_ground
        angular = angular + motion.R_tail_head @ L + motion.displacement.cross(P_ground)
    for answer in equations.answers:
        potential = potential + answer.response.potential_energy
    yield _definition("energy.kinetic", "J", "kinetic energy of the model", kinetic)
    yield _definition("energy.potential", "J", "energy of gravity and of springs", potential)
    yield _definition("energy.total", "J", "kinetic and potential energy", kinetic + potential)
    yield from _vector("momentum.linear", "kg*m/s", "linear momentum, ground axes", linear)
    about = "angular momentum about the ground's origin, ground axes"
    yield from _vector("momentum.angular", "kg*m^2/s", about, angular)
