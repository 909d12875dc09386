"""The articulated-body recursion: rates of the speeds at a cost that grows with the links.

Freedoms are eliminated one at a time from the leaves to the root (Featherstone 2008, chapter 7,
here with accelerations of points and in link axes). For a freedom along a coordinate axis the
recursion uses two facts that no expression engine finds by itself: what is left of the inertia has
no part along it, and the load passed on along it is the effort that acts there.

What is eliminated at once is a unit: a link, or several that loops tie together (``aggregates``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from axletree.core.errors import FormulationError
from axletree.equations.articulated_bodies.spatial import (
    SpatialInertia,
    SpatialVector,
    shifted_to_parent,
    spatial_dot,
    spatial_inertia,
    spatial_sum,
)
from axletree.equations.inertia import LinkInertia
from axletree.equations.kinematics import Kinematics
from axletree.equations.loads import LinkLoads
from axletree.equations.relative_motion import MotionSeen, moved_child
from axletree.expr import Expr
from axletree.expr.expression import ZERO
from axletree.expr.vectors import NULL, Matrix, Vector

NO_MOTION: SpatialVector = (ZERO,) * 6


@dataclass
class LoadPassage:
    """What is known on the way in from the leaves, and then on the way out again."""

    loads: LinkLoads
    bias: Sequence[SpatialVector] | None  # of each link; None for loads alone
    carried: list[SpatialVector]  # by each link, its own axes
    motion: list[SpatialVector]
    surplus: dict[int, Expr] = field(default_factory=dict)  # along each eliminated speed
    rates: dict[int, Expr] = field(default_factory=dict)  # of the speeds

    def effort(self, speed: int) -> Expr:
        return self.loads.efforts.get(speed, ZERO)

    def bias_of(self, link: int) -> SpatialVector:
        return NO_MOTION if self.bias is None else self.bias[link]

    def carry(self, step: ParentStep, load: SpatialVector) -> None:
        """A load on from a link to its parent."""
        for link, passed in step.load_to_parents(load):
            self.carried[link] = spatial_sum(self.carried[link], passed)


class RecursionUnit(ABC):
    """Links whose freedoms are eliminated at once, as the link that they hang on sees them.

    1. ``links`` are they, and ``base`` is the link that they hang on.
    2. ``inertia_at_base`` is what the elimination leaves of their inertia there.
    3. ``take_in`` turns the loads on them into surpluses along their freedoms, and passes on the
       rest; everything beyond them has been taken in before.
    4. ``let_out`` finds the rates of their speeds from the motion of the base, and moves them.
    """

    base: int

    @abstractmethod
    def inertia_at_base(self) -> SpatialInertia: ...

    @abstractmethod
    def take_in(self, passage: LoadPassage) -> None: ...

    @abstractmethod
    def let_out(self, passage: LoadPassage) -> None: ...


class ArticulatedMass:
    """M in articulated form: factorised once, solved for any loads at linear cost."""

    def __init__(
        self,
        k: Kinematics,
        inertias: Sequence[LinkInertia],
        aggregates: Sequence[RecursionPlan] = (),
    ) -> None:
        self._k = k
        articulated = [
            spatial_inertia(body, k.rotation(link, k.linear_axes[link]))
            for link, body in enumerate(inertias)
        ]
        done = []
        for plan in _leaves_first(k, aggregates):
            unit = plan.eliminated(k, articulated)
            done.append(unit)
            if unit.base:
                articulated[unit.base] = articulated[unit.base] + unit.inertia_at_base()
        self._units = tuple(done)

    def solve(self, loads: LinkLoads, bias: Sequence[SpatialVector] | None = None) -> list[Expr]:
        """The rates of the speeds; ``bias`` is each link's acceleration that the connection
        to its parent adds when speeds are constant (none for loads alone)."""
        count = self._k.links.count
        carried: list[SpatialVector] = [
            tuple(-x for x in (*loads.moments[i], *loads.forces[i])) for i in range(count)
        ]
        passage = LoadPassage(loads, bias, carried, [NO_MOTION] * count)
        for unit in self._units:
            unit.take_in(passage)
        passage.motion[0] = passage.bias_of(0)
        for unit in reversed(self._units):
            unit.let_out(passage)
        return [passage.rates[index] for index in range(len(self._k.links.speeds))]


class RecursionPlan(ABC):
    """Which links are a unit, before anything is known of their inertia."""

    links: tuple[int, ...]  # from the base outwards

    @abstractmethod
    def eliminated(self, k: Kinematics, articulated: Sequence[SpatialInertia]) -> RecursionUnit:
        """``recursion`` are the inertias of all links with all that is beyond them."""


def _leaves_first(k: Kinematics, aggregates: Sequence[RecursionPlan]) -> Iterator[RecursionPlan]:
    """Every link once, alone or in its aggregate, when the last link of that has come."""
    plan_of = {link: plan for plan in aggregates for link in plan.links}
    for s in reversed(k.slidings):
        child = s.connection.child
        plan = plan_of.pop(child, None)
        if plan is None:
            yield SingleLink((child,))
        elif plan not in plan_of.values():
            yield plan


# One link from its parent.


@dataclass(frozen=True)
class ParentStep:
    """How a link lies in its parent; in an aggregate another link may turn it."""

    link: int
    parent: int
    R_PC: Matrix  # child axes to parent axes
    R_PX: Matrix  # the child's linear axes to parent axes
    R_PY: Matrix  # the parent's linear axes to parent axes
    reach: Vector  # from the parent's origin to the child's, parent axes
    turner: int  # the parent in the rotation tree
    R_TC: Matrix  # child axes to the turner's axes
    arm: Vector = NULL  # of the reach, less what turns with the child: to its origin, child axes

    @property
    def parents(self) -> tuple[int, int]:
        """In the translation and in the rotation tree."""
        return self.parent, self.turner

    def inertia_to_parent(self, inertia: SpatialInertia) -> SpatialInertia:
        return shifted_to_parent(inertia, self.R_PC, self.R_PX, self.R_PY, self.reach)

    def load_to_parents(self, load: SpatialVector) -> list[tuple[int, SpatialVector]]:
        """The force goes to the parent, with the moment that it has there; the moment to the
        turner."""
        turning = Vector(load[:3])
        if not self.arm.is_zero:
            turning = turning + self.arm.cross(self.R_PC.T @ (self.R_PX @ Vector(load[3:])))
        moment, force = self.R_TC @ turning, self.R_PX @ Vector(load[3:])
        swept, force_Y = self.reach.cross(force), self.R_PY.T @ force
        if self.turner == self.parent:
            return [(self.parent, (*(moment + swept), *force_Y))]
        return [(self.parent, (*swept, *force_Y)), (self.turner, (*moment, *NULL))]

    def motion_to_child(self, parent: SpatialVector, turner: SpatialVector) -> SpatialVector:
        """Of the child, where it does not move in the parent and does not turn in the turner."""
        angular, linear = Vector(parent[:3]), self.R_PY @ Vector(parent[3:])
        turned = self.R_TC.T @ Vector(turner[:3])
        moved = linear + angular.cross(self.reach)
        if not self.arm.is_zero:
            moved = moved + self.R_PC @ turned.cross(self.arm)
        return (*turned, *(self.R_PX.T @ moved))


def parent_step(k: Kinematics, link: int) -> ParentStep:
    s, turner = k.sliding_of[link], k.turning_of[link].connection.parent
    step = step_from(k, s.connection.parent, link)
    if turner == step.parent:
        return replace(step, reach=_reach(k, link))
    # Walked against its direction, the reach to the head is fixed in the child and turns with it.
    forward = s.connection.forward
    return replace(
        step,
        reach=s.reach if forward else s.connection.head.r_LF_L,
        turner=turner,
        R_TC=k.rotation(turner, link),
        arm=NULL if forward else -s.reach,
    )


def step_from(k: Kinematics, above: int, link: int) -> ParentStep:
    """How a link lies in one that it hangs on, with others between."""
    R_PC = k.rotation(above, link)
    return ParentStep(
        link=link,
        parent=above,
        R_PC=R_PC,
        R_PX=k.rotation(above, k.linear_axes[link]),
        R_PY=k.rotation(above, k.linear_axes[above]),
        reach=k.origin_in(above, link),
        turner=above,
        R_TC=R_PC,
    )


def _reach(k: Kinematics, link: int) -> Vector:
    """From the parent's origin to the point that its motion carries, parent axes."""
    s = k.sliding_of[link]
    if s.connection.forward:
        return s.reach
    return s.connection.head.r_LF_L - k.rotation(s.connection.parent, link) @ s.reach


def freedoms_of(k: Kinematics, link: int) -> list[tuple[int, SpatialVector]]:
    """Speeds of the connections into a link: how the link moves per unit, link axes.

    Translations come first: their inertia is the mass, which is constant.
    """
    s, t = k.sliding_of[link], k.turning_of[link]
    R_CP = k.rotation(link, t.connection.parent)
    R_XP = k.rotation(k.linear_axes[link], s.connection.parent)
    found: list[tuple[int, SpatialVector]] = []
    for index, partial in zip(s.connection.speed_indices, s.partials, strict=True):
        along = R_XP @ partial if s.is_in_parent_axes else partial
        found.append((index, (*NULL, *(along if s.connection.forward else -along))))
    for index, partial in zip(t.connection.speed_indices, t.partials, strict=True):
        turn = partial if t.connection.forward else -(R_CP @ partial)
        # Walked against its direction, the reach to the head is fixed in the child and turns.
        swept = NULL if s.connection.forward else -turn.cross(s.reach)
        along_both: SpatialVector = (*turn, *swept)
        if t.connection.shares:  # one speed, which slides and turns
            (index, slid), *_ = found
            return [(index, spatial_sum(slid, along_both))]
        found.append((index, along_both))
    return found


def connection_bias(k: Kinematics) -> list[SpatialVector]:
    """What each connection adds to its child's acceleration at constant speeds, child axes.

    The ground's entry is its acceleration against gravity.
    """
    found: list[SpatialVector] = [(*NULL, *-k.gravity), *[NO_MOTION] * (k.links.count - 1)]
    for s in k.slidings:
        child, w = s.connection.child, k.angular_velocity
        turner = k.turning_of[child].connection.parent
        added = moved_child(k, child, MotionSeen(w=w[turner]), MotionSeen(w=w[s.connection.parent]))
        found[child] = (*added.angular, *added.linear)
    return found


# A link alone.


@dataclass(frozen=True)
class SingleLink(RecursionPlan):
    """A link whose freedoms are eliminated one after another."""

    links: tuple[int, ...]

    def eliminated(self, k: Kinematics, articulated: Sequence[SpatialInertia]) -> RecursionUnit:
        (link,) = self.links
        inertia, freedoms = articulated[link], []
        for index, along in freedoms_of(k, link):
            response = inertia.times(along)
            pivot = spatial_dot(along, response)
            if pivot.is_zero:
                raise FormulationError(no_inertia_along(k, index))
            freedoms.append(Freedom(index, along, response, 1.0 / pivot))
            inertia = _without(inertia, freedoms[-1])
        return LinkUnit(parent_step(k, link), tuple(freedoms), inertia)


def no_inertia_along(k: Kinematics, speed: int) -> str:
    return (
        f"nothing has inertia along {k.links.speeds[speed].name}: its rate is not determined; give "
        "the bodies it moves mass or inertia, or weld it"
    )


@dataclass(frozen=True)
class Freedom:
    """One eliminated speed of a link."""

    index: int  # among all speeds
    along: SpatialVector  # motion of the link per unit of the speed, link axes
    response: SpatialVector  # articulated inertia times ``along``
    inverse: Expr  # 1 / (along . response)


class LinkUnit(RecursionUnit):
    """A link with its freedoms eliminated."""

    def __init__(
        self, step: ParentStep, freedoms: tuple[Freedom, ...], left: SpatialInertia
    ) -> None:
        """``left`` is what the eliminated freedoms leave of the inertia."""
        self.base = step.parent
        self._step, self._freedoms, self._left = step, freedoms, left

    def inertia_at_base(self) -> SpatialInertia:
        return self._step.inertia_to_parent(self._left)

    def take_in(self, passage: LoadPassage) -> None:
        link = self._step.link
        load = passage.carried[link]
        for f in self._freedoms:
            effort = passage.effort(f.index)
            passage.surplus[f.index] = effort - spatial_dot(f.along, load)
            load = _after(f, load, effort, passage.surplus[f.index])
        if self.base:
            if passage.bias is not None:
                load = spatial_sum(load, self._left.times(passage.bias[link]))
            passage.carry(self._step, load)

    def let_out(self, passage: LoadPassage) -> None:
        link = self._step.link
        a = passage.motion[self.base]
        a = self._step.motion_to_child(a, a)
        if passage.bias is not None:
            a = spatial_sum(a, passage.bias[link])
        for f in reversed(self._freedoms):
            passage.rates[f.index], a = _released(f, passage.surplus[f.index], a)
        passage.motion[link] = a


def coordinate_axis(along: SpatialVector) -> int | None:
    """The index of a freedom along one coordinate axis (with either sign), or None."""
    nonzero = [i for i, x in enumerate(along) if not x.is_zero]
    if len(nonzero) == 1 and along[nonzero[0]].is_number:
        return nonzero[0]
    return None


def _without(inertia: SpatialInertia, f: Freedom) -> SpatialInertia:
    """I - U U^T / D; along a coordinate axis exactly nothing is left."""
    axis = coordinate_axis(f.along)
    scaled = tuple(u * f.inverse for u in f.response)
    rows = [list(row) for row in inertia.rows]
    for i in range(6):
        for j in range(i + 1):
            gone = axis in (i, j)
            value = ZERO if gone else rows[i][j] - f.response[i] * scaled[j]
            rows[i][j] = rows[j][i] = value
    return SpatialInertia(tuple(tuple(row) for row in rows))


def _after(f: Freedom, load: SpatialVector, effort: Expr, surplus: Expr) -> SpatialVector:
    """p + U u / D; along a coordinate axis it is the effort itself."""
    axis = coordinate_axis(f.along)
    share = surplus * f.inverse
    passed = [p + u * share for p, u in zip(load, f.response, strict=True)]
    if axis is not None:
        passed[axis] = effort / f.along[axis]
    return tuple(passed)


def _released(f: Freedom, surplus: Expr, a: SpatialVector) -> tuple[Expr, SpatialVector]:
    """(u - U . a) / D, and the motion with it; along a coordinate axis D a / D cancels."""
    axis = coordinate_axis(f.along)
    if axis is None:
        rate = (surplus - spatial_dot(f.response, a)) * f.inverse
        return rate, spatial_sum(a, tuple(s * rate for s in f.along))
    others = tuple(ZERO if i == axis else u for i, u in enumerate(f.response))
    total = (surplus - spatial_dot(others, a)) * f.inverse
    rate = total - a[axis] / f.along[axis]
    moved = tuple(total * f.along[axis] if i == axis else x for i, x in enumerate(a))
    return rate, moved
