"""Links of revolution that spin about their own axis, whose angle leaves the equations.

The axes of such a link stay with its carrier (the geometric wheel of Morency 2007): its inertia
is the same in them. Nothing may hang on the spinning part that sees how far it has turned: no
further link, no closure, and no component, unless it answers the same however far that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from axletree.components.contract import (
    Component,
    Inertia,
    Instant,
    Load,
    RelativeMotion,
    Response,
    Travel,
)
from axletree.components.edges import MECHANICAL, Basis, Domain, MotionLaw
from axletree.components.frames import Frame
from axletree.core.errors import AxletreeError
from axletree.equations.constraints import closing_branches
from axletree.equations.links import Connection, LinkFrame, Links
from axletree.equations.tree import Tree
from axletree.expr import Expr, evaluate, symbol, symbols_of, topological_order
from axletree.expr.vectors import UNIT, Vector
from axletree.model.model import Model


def spinning_links(model: Model, links: Links, trees: Mapping[Domain, Tree]) -> frozenset[int]:
    """Links whose rotation matrix may be left out."""
    touched = _touched(links, trees)
    inertias: dict[int, list[Inertia]] = {}
    for component in model:
        for inertia in component.inertias():
            inertias.setdefault(links.places[inertia.frame.name].link, []).append(inertia)
    found = [
        c
        for c in links.rotations
        if c.child not in touched and _spins(c, links, inertias.get(c.child, []))
    ]
    return frozenset(c.child for c in found if not _is_seen(c, links, model))


def _touched(links: Links, trees: Mapping[Domain, Tree]) -> set[int]:
    """Links whose orientation connections or closures see."""
    seen = {c.parent for c in (*links.translations, *links.rotations)}
    for tree in trees.values():
        for edge in (*closing_branches(tree), *tree.chords):
            law = edge.law
            if not isinstance(law, MotionLaw) or not law.reactions or edge.is_arm:
                continue
            seen |= {links.places[edge.tail].link, links.places[edge.head].link}
    return seen


def _spins(c: Connection, links: Links, inertias: list[Inertia]) -> bool:
    axis = c.edge.law.freedom if isinstance(c.edge.law, MotionLaw) else None
    if axis is None or not c.forward:
        return False
    along = c.head.R_LF @ axis
    if not any(along in (unit, -unit) for unit in UNIT):
        return False
    origin = {t.child: t for t in links.translations}[c.child]
    if origin.parent != c.parent or not (origin.forward and origin.head.r_LF_L.is_zero):
        return False
    for inertia in inertias:
        place = links.places[inertia.frame.name]
        if inertia.axis_of_revolution is None:
            return False
        own = place.R_LF @ UNIT[inertia.axis_of_revolution]
        on_axis = (place.r_LF_L + place.R_LF @ inertia.centre).cross(along).is_zero
        if not (on_axis and own in (along, -along)):
            return False
    return bool(inertias)


# Whether a component sees how far a link has turned.
#
# It is asked twice, at numbers: as the link is, and turned about its axis. Loads in the axes of
# the link have to turn with it, and everything else has to be the same. So does all that its
# answers are chosen by, and all that is chosen from, wherever they have corners or call a function:
# numbers tell of one side of a corner, and a smooth function that is the same near by is the same
# all over.

_TRIES = 3
_CORNERED = ("abs", "sign", "min", "max", "lt", "le", "where", "table", "call")
_SAME = 1e-9  # of an answer
_ROUNDING = 1e-14  # of the largest answer


def _is_seen(c: Connection, links: Links, model: Model) -> bool:
    along = c.head.R_LF @ c.edge.law.freedom  # type: ignore[union-attr, operator]
    return any(_sees(component, c.child, along, links) for component in model)


def _sees(component: Component, link: int, along: Vector, links: Links) -> bool:
    ends = [links.places[frame.name] for pair in component.measures() for frame in pair]
    own = [place for place in ends if place.link == link]
    if not own:
        return False
    off_axis = any(not place.r_LF_L.cross(along).is_zero for place in own)
    scalar = any(edge.domain not in MECHANICAL for edge in component.edges())
    return off_axis or scalar or not _SpinProbe(component, link, along, links).is_indifferent()


@dataclass(frozen=True)
class _SpinProbe:
    """A component at symbols for all that it is told."""

    component: Component
    link: int
    along: Vector  # the axis, in the axes of the link
    links: Links

    def is_indifferent(self) -> bool:
        """Whether its answers, at arbitrary values, do not tell how far the link has turned."""
        try:
            response = self.component.respond(self._instant())
            if response.constraints or response.set_valued or response.accelerated:
                return False
            if any(self._is_off_axis(x) for load in response.loads for x in (load.tail, load.head)):
                return False
            return all(self._answers_alike(response, seed) for seed in range(_TRIES))
        except AxletreeError:  # it has no value at some of them
            return False

    def _instant(self) -> Instant:
        count = len(self.component.measures())
        travels = range(len(self.component.measured_joints()))
        felt = range(count) if self.component.feels_gravity else ()
        return Instant(
            motions=[RelativeMotion.of_symbols(f"spin.{k}") for k in range(count)],
            travels=[Travel(symbol(f"spin.{k}.s"), symbol(f"spin.{k}.r")) for k in travels],
            states=[symbol(f"{self.component.name}.{v.suffix}") for v in self.component.states()],
            gravity=[_vector(f"spin.{k}.gravity") for k in felt],
        )

    def _answers_alike(self, response: Response, seed: int) -> bool:
        """Before and after a turn."""
        random = np.random.default_rng(seed)
        angle = random.uniform(0.5, 2.5)
        others = [*response.rates, response.potential_energy]
        others += [x.expression for x in (*response.intermediates, *response.outputs)]
        others += [load.effort for load in response.joint_loads]
        efforts = [e for load in response.loads for e in (*load.force, *load.moment)]
        cornered = (n for n in topological_order([*others, *efforts]) if n.operation in _CORNERED)
        others += [operand for node in cornered for operand in node.operands]
        free = {e: random.uniform(0.5, 1.5) for e in symbols_of([*others, *efforts])}
        motions = [_numeric_motion(random) for _ in self.component.measures()]
        answers = []
        for turn in (0.0, angle):
            values = dict(free)
            for k, (motion, pair) in enumerate(zip(motions, self._places(), strict=True)):
                tail, head = (self._turn(place, turn) for place in pair)
                values |= motion.values(k, tail, head)
            same = np.array(evaluate(others, values), dtype=float)
            loads = np.array(evaluate(efforts, values), dtype=float).reshape(-1, 2, 3)
            for load, vectors in zip(response.loads, loads, strict=True):
                vectors[:] = vectors @ self._turn(self._given(load), turn).T
            # each scalar by itself, each force and each moment as a whole
            alone = np.column_stack([same, np.zeros((len(same), 2))])
            answers.append(np.concatenate([alone, loads.reshape(-1, 3)]))
        before, after = answers
        sizes = np.linalg.norm(before, axis=1)
        allowed = _SAME * sizes + _ROUNDING * sizes.max(initial=0.0)
        return bool((np.linalg.norm(after - before, axis=1) <= allowed).all())

    def _places(self) -> Iterator[tuple[LinkFrame, LinkFrame]]:
        for tail, head in self.component.measures():
            yield self._place(tail), self._place(head)

    def _place(self, frame: Frame) -> LinkFrame:
        return self.links.places[frame.name]

    def _is_off_axis(self, frame: Frame) -> bool:
        place = self._place(frame)
        return place.link == self.link and not place.r_LF_L.cross(self.along).is_zero

    def _given(self, load: Load) -> LinkFrame:
        """The place in whose components a load is."""
        return self._place(load.head if load.basis is Basis.HEAD else load.tail)

    def _turn(self, place: LinkFrame, angle: float) -> np.ndarray:
        """The rotation of a frame by an angle about the axis, in its own components."""
        if place.link != self.link:
            return np.eye(3)
        axis = np.array([float(e) for e in place.R_LF.T @ self.along])
        return _rotation(angle * axis)


def _rotation(vector: np.ndarray) -> np.ndarray:
    """About a vector by its length [rad] (Rodrigues' formula)."""
    angle = float(np.linalg.norm(vector))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = vector / angle
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K)


def _vector(name: str) -> Vector:
    return Vector(symbol(f"{name}.{axis}") for axis in "xyz")


@dataclass(frozen=True)
class _NumericMotion:
    """Of a head in a tail, in tail components."""

    d: np.ndarray
    v: np.ndarray
    w: np.ndarray
    R: np.ndarray
    gravity: np.ndarray

    def values(self, k: int, tail: np.ndarray, head: np.ndarray) -> dict[Expr, float]:
        """Of the symbols of a motion, with tail and head turned in themselves."""
        R = tail.T @ self.R @ head
        vectors = {
            "d": tail.T @ self.d,
            "v": tail.T @ self.v,
            "w": tail.T @ self.w,
            "v_head": head.T @ self.R.T @ self.v,
            "w_head": head.T @ self.R.T @ self.w,
            "gravity": head.T @ self.gravity,
            **{f"R{row}": R[row] for row in range(3)},
        }
        return {
            e: float(x)
            for name, vector in vectors.items()
            for e, x in zip(_vector(f"spin.{k}.{name}"), vector, strict=True)
        }


def _numeric_motion(random: np.random.Generator) -> _NumericMotion:
    d, v, w, turn, gravity = random.normal(size=(5, 3))
    return _NumericMotion(d, v, w, _rotation(turn), gravity)
