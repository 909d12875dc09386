"""Outputs of a mechanical model: motion of bodies, reactions, energy, momentum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from axletree.components.edges import MotionLaw, TranslationLaw
from axletree.equations.constraints import Constraint
from axletree.equations.equations import Equations
from axletree.equations.inertia import NO_INERTIA, kinetic_energy, momentum_of
from axletree.equations.links import LinkFrame
from axletree.equations.relative_motion import relative_motion
from axletree.equations.travels import angle_about
from axletree.expr import directional_derivative, substitute, symbols_of
from axletree.expr.expression import ZERO
from axletree.expr.vectors import IDENTITY, NULL
from axletree.system.forms.contract import Solution
from axletree.system.reactions import branch_reactions, chord_reactions, efforts, reaction_residuals
from axletree.system.system import Definition, component_output, output, vector_outputs

GROUND_FRAME = LinkFrame(0, NULL, IDENTITY)


def mechanical_outputs(
    equations: Equations, independent: Sequence[Constraint], solution: Solution
) -> list[Definition]:
    """Everything that can be asked of a model besides its states, by name."""
    found = [
        output(f"{quantity.name}_dot", f"{quantity.unit}/s", f"rate of {quantity.name}", rate)
        for quantity, rate in zip(equations.speeds, solution.speed_rates, strict=True)
    ]
    found += _component_outputs(equations)
    found += _acceleration_outputs(equations, solution)
    for constraint, reaction in zip(independent, solution.reactions, strict=True):
        quantity = constraint.reaction
        found.append(output(quantity.name, quantity.unit, quantity.description, reaction))
    found += reaction_residuals(independent, solution)
    found += chord_reactions(independent, solution.reactions)
    found += efforts(independent, solution.reactions)
    through = equations.dynamics.through(solution.speed_rates, independent, solution.reactions)
    found += branch_reactions(equations, through)
    found += _chord_motion(equations)
    found += _body_motion(equations)
    if equations.has_bodies:
        found += _energies(equations)
    return found


def _component_outputs(equations: Equations) -> Iterator[Definition]:
    for answer in equations.answers:
        for value in (*answer.response.intermediates, *answer.response.outputs):
            yield component_output(answer.component, value, value.expression)


def substitute_accelerations(equations: Equations, solution: Solution) -> Solution:
    """The solution whose internal rates have accelerations in the place of their symbols."""
    known = {d.quantity.symbol: d.expression for d in _acceleration_outputs(equations, solution)}
    seen = known.keys() & set(symbols_of(solution.internal_rates))
    if not seen:
        return solution
    rates = substitute(solution.internal_rates, {name: known[name] for name in seen})
    return replace(solution, internal_rates=tuple(rates))


def _acceleration_outputs(equations: Equations, solution: Solution) -> Iterator[Definition]:
    """Outputs of components that need accelerations, from the rates that are solved for."""
    needed = [(a.component, value) for a in equations.answers for value in a.response.accelerated]
    rates = dict(equations.signal_rates)
    states = (*equations.speeds, *equations.coordinates, *(s.quantity for s in equations.internal))
    found = (*solution.speed_rates, *equations.coordinate_rates, *solution.internal_rates)
    rates |= {quantity.symbol: rate for quantity, rate in zip(states, found, strict=True)}
    for component, value in needed:
        changes = directional_derivative([velocity for _, velocity in value.terms], rates)
        pairs = zip(value.terms, changes, strict=True)
        total = sum((weight * change for (weight, _), change in pairs), ZERO)
        yield component_output(component, value, total)


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
        yield component_output(edge.component, law.coordinates[0], travel)
        yield component_output(edge.component, law.speeds[0], rate)


def _body_motion(equations: Equations) -> Iterator[Definition]:
    k = equations.dynamics.kinematics
    for name, place in k.links.places.items():
        if "." in name or not place.link:
            continue
        motion = relative_motion(k, GROUND_FRAME, place)
        for suffix, unit, text, vector in (
            ("position", "m", " position, ground axes", motion.displacement),
            ("velocity", "m/s", " velocity, ground axes", motion.velocity),
            ("angular_velocity", "rad/s", ", ground axes", motion.angular_velocity),
        ):
            yield from vector_outputs(f"{name}.{suffix}", unit, f"{name}'s{text}", vector)
        spin = k.turning_of[place.link].spin
        R = motion.R_tail_head
        if not spin.is_identity:
            R = k.rotation(0, place.link).times(spin).times(place.R_LF)
        for i, j in product(range(3), repeat=2):
            text = f"row {i + 1}, column {j + 1} of the rotation matrix to ground axes"
            yield output(f"{name}.rotation.{i + 1}{j + 1}", "1", text, R[i][j])


def _energies(equations: Equations) -> Iterator[Definition]:
    dynamics = equations.dynamics
    k, inertias = dynamics.kinematics, dynamics.inertias
    kinetic = kinetic_energy(k, inertias)
    of_gravity = ZERO
    linear, angular = NULL, NULL
    for link, body in enumerate(inertias):
        if body is NO_INERTIA:
            continue
        place = LinkFrame(link, NULL, IDENTITY)
        motion = relative_motion(k, GROUND_FRAME, place)
        centre = motion.displacement * body.mass + motion.R_tail_head @ body.moment
        of_gravity = of_gravity - k.gravity.dot(centre)
        P, L = momentum_of(k, inertias, link)
        P_ground = motion.R_tail_head @ P
        linear = linear + P_ground
        angular = angular + motion.R_tail_head @ L + motion.displacement.cross(P_ground)
    potential = of_gravity
    for answer in equations.answers:
        potential = potential + answer.response.potential_energy
    yield output("energy.kinetic", "J", "kinetic energy of the model", kinetic)
    yield output("energy.gravity", "J", "energy in the field of gravity", of_gravity)
    yield output("energy.potential", "J", "energy of gravity and of springs", potential)
    yield output("energy.total", "J", "kinetic and potential energy", kinetic + potential)
    yield from vector_outputs("momentum.linear", "kg*m/s", "linear momentum, ground axes", linear)
    about = "angular momentum about the ground's origin, ground axes"
    yield from vector_outputs("momentum.angular", "kg*m^2/s", about, angular)
