"""The start of a model in the variables of a tree: first values in any coordinates, solved for.

A model may give first values of coordinates and speeds that its tree does not have: those of a
body whose place follows from joints, of a joint that closes a loop, of a point. Each is a variable
of its own here, with equations that bind it to the variables of the tree, so that a search for a
configuration has all of them among its unknowns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from axletree.components.edges import Basis, Edge, MotionLaw, RotationLaw, TranslationLaw
from axletree.equations.equations import Equations
from axletree.equations.kinematics import Kinematics
from axletree.equations.links import LinkFrame, quantity_of
from axletree.equations.relative_motion import relative_motion
from axletree.expr import Expr, symbol, symbols_of
from axletree.expr.quantity import Quantity, Role
from axletree.expr.vectors import IDENTITY, NULL, Matrix
from axletree.model.model import MOTION_UNITS

_GROUND = LinkFrame(0, NULL, IDENTITY)


@dataclass(frozen=True)
class BoundVariable:
    """A coordinate or speed that is no variable of the tree; its default is its first value."""

    quantity: Quantity
    symbol: Expr  # of its own: the quantity's may stand for a state that counts turns


@dataclass(frozen=True, eq=False)
class OutsideTree:
    """Variables outside of the tree, and what vanishes where they fit those of the tree."""

    coordinates: tuple[BoundVariable, ...] = ()
    speeds: tuple[BoundVariable, ...] = ()
    positions: tuple[Expr, ...] = ()
    velocities: tuple[Expr, ...] = ()
    sources: tuple[str, ...] = ()  # of positions: the edge or the quantity that they bind
    rate_sources: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.coordinates or self.speeds)

    def joined(self, other: OutsideTree) -> OutsideTree:
        return OutsideTree(
            self.coordinates + other.coordinates,
            self.speeds + other.speeds,
            self.positions + other.positions,
            self.velocities + other.velocities,
            self.sources + other.sources,
            self.rate_sources + other.rate_sources,
        )


NOTHING_OUTSIDE = OutsideTree()


@dataclass(frozen=True, eq=False)
class Start:
    """Which variables a model gives first values of, and those among them outside of the tree."""

    given: frozenset[str] = frozenset()
    outside: OutsideTree = NOTHING_OUTSIDE


def start_in_tree(equations: Equations, values: Mapping[str, float]) -> tuple[Start, list[str]]:
    """The start by these first values, and the names that neither tree nor frames can take."""
    own = {q.name for q in (*equations.coordinates, *equations.speeds)}
    own |= _prescribed(equations)
    wanted = {name: value for name, value in values.items() if name not in own}
    outside = NOTHING_OUTSIDE
    for edge in equations.graph.edges:
        law = edge.law
        if isinstance(law, TranslationLaw | RotationLaw):
            names = {f"{edge.component}.{v.suffix}" for v in (*law.coordinates, *law.speeds)}
            if names & wanted.keys() and not names & own:
                outside = outside.joined(_of_edge(equations, edge, law, wanted))
    outside = outside.joined(_of_frames(equations, wanted))
    found = {v.quantity.name for v in (*outside.coordinates, *outside.speeds)}
    internal = {state.quantity.name for state in equations.internal}
    lost = [name for name in wanted if name not in found and name not in internal]
    return Start(frozenset(values), outside), lost


def start_with(equations: Equations, start: Start, values: Mapping[str, float]) -> OutsideTree:
    """Variables outside of the tree, of a start and of further first values."""
    bound = (v.quantity for v in (*start.outside.coordinates, *start.outside.speeds))
    known = {q.name: q.default for q in bound if q.name in start.given}
    internal = (state.quantity for state in equations.internal)
    states = {q.name for q in (*equations.coordinates, *equations.speeds, *internal)}
    further = {name: x for name, x in values.items() if name not in states | known.keys()}
    if not further:
        return start.outside
    return start_in_tree(equations, {**known, **further})[0].outside


def bound_quantities(equations: Equations, names: Collection[str]) -> list[Quantity]:
    """Of these, coordinates and speeds outside of the tree, which first values can be given of."""
    outside = start_in_tree(equations, dict.fromkeys(names, 0.0))[0].outside
    bound = (v.quantity for v in (*outside.coordinates, *outside.speeds))
    return [quantity for quantity in bound if quantity.name in names]


def _prescribed(equations: Equations) -> set[str]:
    """Variables of joints that a driver moves: its motion goes before their first values."""
    laws = [(e, e.law) for e in equations.graph.edges if isinstance(e.law, MotionLaw)]
    driven = {(e.domain, e.tail, e.head) for e, law in laws if law.given_rate is not None}
    return {
        f"{e.component}.{v.suffix}"
        for e, law in laws
        if (e.domain, e.tail, e.head) in driven
        for v in (*law.coordinates, *law.speeds)
    }


def _of_edge(
    equations: Equations,
    edge: Edge,
    law: TranslationLaw | RotationLaw,
    wanted: Mapping[str, float],
) -> OutsideTree:
    """The head of an edge stands and moves in its tail as the law of the edge says."""
    k = equations.dynamics.kinematics
    q, p = (
        tuple(_bound(quantity_of(edge.component, v, role), wanted) for v in variables)
        for variables, role in ((law.coordinates, Role.COORDINATE), (law.speeds, Role.SPEED))
    )
    here, moving = _lacking(k, edge, law, [v.symbol for v in q], [v.symbol for v in p])
    speeds = p if any(v.quantity.name in wanted for v in p) else ()
    velocities = tuple(moving) if speeds else ()
    placed = any(v.quantity.name in wanted for v in q)
    if placed or {v.symbol for v in q} & set(symbols_of(velocities)):
        sources = (edge.name,) * len(here), (edge.name,) * len(velocities)
        return OutsideTree(q, speeds, tuple(here), velocities, *sources)
    return OutsideTree((), speeds, (), velocities, (), (edge.name,) * len(velocities))


def _lacking(
    k: Kinematics,
    edge: Edge,
    law: TranslationLaw | RotationLaw,
    q: Sequence[Expr],
    p: Sequence[Expr],
) -> tuple[list[Expr], list[Expr]]:
    """What the law of an edge lacks of the motion of its head: position or orientation, and rate.

    Of an orientation all elements of the matrix: they vanish together at one place only.
    """
    motion = relative_motion(k, _whole(k, edge.tail), _whole(k, edge.head))
    R = motion.R_tail_head
    if isinstance(law, RotationLaw):
        turned = law.motion(q, p)
        here = [
            a - b for own, by_law in zip(R, turned.R_tail_head, strict=True)
            for a, b in zip(own, by_law, strict=True)
        ]  # fmt: skip
        return here, list(motion.angular_velocity_head - turned.angular_velocity)
    moved = law.motion(q, p, R, motion.angular_velocity_head)
    velocity = moved.velocity if moved.basis is Basis.TAIL else R @ moved.velocity
    return list(motion.displacement - moved.displacement), list(motion.velocity - velocity)


def _whole(k: Kinematics, frame: str) -> LinkFrame:
    """A frame on its link; of a link whose axes do not spin, turned by its spin."""
    place = k.links.places[frame]
    if not place.link:
        return place
    spin: Matrix = k.turning_of[place.link].spin
    if spin.is_identity:
        return place
    return replace(place, r_LF_L=spin @ place.r_LF_L, R_LF=spin.times(place.R_LF))


def _of_frames(equations: Equations, wanted: Mapping[str, float]) -> OutsideTree:
    """Positions and velocities of frames in the ground, in its axes: ``rod.end.position.z``."""
    k, found = equations.dynamics.kinematics, NOTHING_OUTSIDE
    for variable, frame, kind, axis in _named_frames(k, wanted):
        motion = relative_motion(k, _GROUND, _whole(k, frame))
        one, source = (variable,), (variable.quantity.name,)
        if kind == "position":
            lacking = motion.displacement[axis] - variable.symbol
            found = found.joined(OutsideTree(one, positions=(lacking,), sources=source))
        else:
            vector = motion.velocity if kind == "velocity" else motion.angular_velocity
            lacking = vector[axis] - variable.symbol
            found = found.joined(
                OutsideTree(speeds=one, velocities=(lacking,), rate_sources=source)
            )
    return found


def _named_frames(
    k: Kinematics, values: Mapping[str, float]
) -> Iterator[tuple[BoundVariable, str, str, int]]:
    for name in values:
        rest, _, axis = name.rpartition(".")
        frame, _, kind = rest.rpartition(".")
        if kind in MOTION_UNITS and axis in ("x", "y", "z") and frame in k.links.places:
            role = Role.COORDINATE if kind == "position" else Role.SPEED
            text = f"{axis} component of {frame}'s {kind.replace('_', ' ')}, ground axes"
            quantity = Quantity(name, MOTION_UNITS[kind], text, role)
            yield _bound(quantity, values), frame, kind, "xyz".index(axis)


def _bound(quantity: Quantity, wanted: Mapping[str, float]) -> BoundVariable:
    first = replace(quantity, default=wanted.get(quantity.name, quantity.default))
    return BoundVariable(first, symbol(f"start:{quantity.name}"))
