"""Dynamic equations M dp/dt + C^T f = b, formed and solved for dp/dt (Morency 2007, eq. 2.35).

Where both trees are one, the rates of the speeds follow from the articulated-body recursion.
Freedoms are eliminated one at a time from the leaves to the root (Featherstone 2008, chapter 7,
here with accelerations of points and in link axes). For a freedom along a coordinate axis the
recursion uses two facts that no expression engine finds by itself: what is left of the inertia has
no part along it, and the load passed on along it is the effort that acts there. For any other pair
of trees the mass matrix is formed column by column, and factorised sparsely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from axletree.core.errors import FormulationError
from axletree.equations.constraints import Constraint
from axletree.equations.inertia import LinkInertia, inertial_loads
from axletree.equations.kinematics import Accelerations, Kinematics
from axletree.equations.loads import BranchThrough, LinkLoads, accumulate
from axletree.equations.relative_motion import MotionSeen, motion_of_child
from axletree.expr import Expr, ldl
from axletree.expr.expression import ONE, ZERO
from axletree.expr.vectors import NULL, NULL_MATRIX, Matrix, Vector, rotated_symmetric, skew


@dataclass(frozen=True)
class Dynamics:
    """The mechanical part: how links move, what they weigh, what acts on them."""

    kinematics: Kinematics
    inertias: tuple[LinkInertia, ...]
    applied: LinkLoads
    following: LinkLoads  # applied too, but known only with the reactions they depend on

    @cached_property
    def mass(self) -> _SparseMatrix:
        """Lower triangle of M."""
        return mass_matrix(self.kinematics, self.inertias)

    @cached_property
    def forcing(self) -> tuple[Expr, ...]:
        """b: all loads and the inertial loads at constant speeds, projected."""
        pairs = zip(self.forcing_before, self.following_efforts, strict=True)
        return tuple(a + b for a, b in pairs)

    @cached_property
    def forcing_before(self) -> tuple[Expr, ...]:
        """b without the loads that depend on reactions."""
        k = self.kinematics
        loads = inertial_loads(k, self.inertias, k.bias, with_bias=True)
        loads.add(self.applied)
        return accumulate(k, loads).efforts

    @cached_property
    def following_efforts(self) -> tuple[Expr, ...]:
        """The loads that depend on reactions, projected."""
        return accumulate(self.kinematics, self.following).efforts

    @cached_property
    def following_rates(self) -> list[Expr]:
        """What the loads that depend on reactions do to the speeds."""
        if all(e.is_zero for e in self.following.entries):
            return [ZERO] * len(self.following_efforts)
        return self._factors.solve(self.following)

    @cached_property
    def free_rates(self) -> list[Expr]:
        """M^-1 b: the rates of the speeds without reactions and what depends on them."""
        if isinstance(self._factors, FactorisedMass):
            return self._factors.solve_efforts(self.forcing_before)
        k = self.kinematics
        at_rest = Accelerations((NULL,) * k.links.count, (NULL,) * k.links.count)
        loads = inertial_loads(k, self.inertias, at_rest, with_bias=True)
        loads.add(self.applied)
        return self._factors.solve(loads, connection_bias(k))

    def reaction_rates(self, constraint: Constraint) -> list[Expr]:
        """A column of M^-1 C^T: what a unit reaction does to the speeds."""
        return self._factors.solve(constraint.loads)

    @cached_property
    def _factors(self) -> ArticulatedMass | FactorisedMass:
        if self.kinematics.links.is_one_tree:
            return ArticulatedMass(self.kinematics, self.inertias)
        return FactorisedMass(self.kinematics, self.inertias)

    def through(
        self,
        speed_rates: Sequence[Expr],
        constraints: Sequence[Constraint],
        reactions: Sequence[Expr],
    ) -> BranchThrough:
        """Through variables of all branches, once the rates and the reactions are known."""
        k = self.kinematics
        a = k.accelerations(speed_rates, with_bias=True)
        loads = inertial_loads(k, self.inertias, a, with_bias=True)
        loads.add(self.applied)
        loads.add(self.following)
        for constraint, reaction in zip(constraints, reactions, strict=True):
            if not reaction.is_zero:
                loads.add(constraint.loads.scaled(reaction))
        return accumulate(k, loads)


_SparseMatrix = dict[tuple[int, int], Expr]


def mass_matrix(k: Kinematics, inertias: Sequence[LinkInertia]) -> _SparseMatrix:
    """Lower triangle of M: column j is what the d'Alembert loads of a unit rate j resist."""
    size = len(k.links.speeds)
    matrix: _SparseMatrix = {}
    for j in range(size):
        unit = [ONE if i == j else ZERO for i in range(size)]
        a = k.accelerations(unit, with_bias=False)
        through = accumulate(k, inertial_loads(k, inertias, a, with_bias=False))
        for i in range(j, size):
            if not through.efforts[i].is_zero:
                matrix[i, j] = -through.efforts[i]
    return matrix


class FactorisedMass:
    """M as L D L^T, leaf freedoms first, for any trees."""

    def __init__(self, k: Kinematics, inertias: Sequence[LinkInertia]) -> None:
        self._kinematics = k
        size = len(k.links.speeds)
        self._factors = ldl(mass_matrix(k, inertias), size, order=leaf_first(k))

    def solve(self, loads: LinkLoads) -> list[Expr]:
        """The rates of the speeds that loads cause, with no velocity terms of their own."""
        return self.solve_efforts(accumulate(self._kinematics, loads).efforts)

    def solve_efforts(self, efforts: Sequence[Expr]) -> list[Expr]:
        return self._factors.solve(list(efforts))


def leaf_first(k: Kinematics) -> list[int]:
    """Speeds from the leaves to the root: eliminating a leaf fills in nothing."""
    depth: dict[int, int] = {0: 0}
    order: list[tuple[int, int]] = []
    for c in k.links.rotations:
        depth[c.child] = depth[c.parent] + 1
    for c in k.links.with_variables:
        order += [(-depth.get(c.child, 0), index) for index in c.speed_indices]
    return [index for _, index in sorted(order)]


@dataclass(frozen=True)
class Freedom:
    """One eliminated speed of a link."""

    index: int  # among all speeds
    along: SpatialVector  # motion of the link per unit of the speed, link axes
    response: SpatialVector  # articulated inertia times ``along``
    inverse: Expr  # 1 / (along . response)


@dataclass(frozen=True)
class Elimination:
    """A link with its freedoms eliminated, as its parent sees it."""

    link: int
    parent: int
    R_PC: Matrix  # child axes to parent axes
    R_PX: Matrix  # the child's linear axes to parent axes
    R_PY: Matrix  # the parent's linear axes to parent axes
    reach: Vector  # from the parent's origin to the child's, parent axes
    freedoms: tuple[Freedom, ...]
    left: SpatialInertia  # what the eliminated freedoms leave of the inertia

    def at_parent(self) -> SpatialInertia:
        return shifted_to_parent(self.left, self.R_PC, self.R_PX, self.R_PY, self.reach)


class ArticulatedMass:
    """M in articulated form: factorised once, solved for any loads at linear cost."""

    def __init__(self, k: Kinematics, inertias: Sequence[LinkInertia]) -> None:
        self._k = k
        articulated = [
            spatial_inertia(body, k.rotation(link, k.linear_axes[link]))
            for link, body in enumerate(inertias)
        ]
        done = []
        for s in reversed(k.slidings):
            child = s.connection.child
            elimination = self._eliminate(child, articulated[child])
            done.append(elimination)
            if elimination.parent:
                parent = elimination.parent
                articulated[parent] = articulated[parent] + elimination.at_parent()
        self._eliminations = tuple(done)  # leaves first

    def _eliminate(self, link: int, inertia: SpatialInertia) -> Elimination:
        k = self._k
        c = k.sliding_of[link].connection
        freedoms = []
        for index, along in _freedoms(k, link):
            response = inertia.times(along)
            pivot = spatial_dot(along, response)
            if pivot.is_zero:
                name = k.links.speeds[index].name
                raise FormulationError(
                    f"nothing has inertia along {name}: its rate is not determined; give the "
                    f"bodies it moves mass or inertia, or weld it"
                )
            freedoms.append(Freedom(index, along, response, 1.0 / pivot))
            inertia = _without(inertia, freedoms[-1])
        return Elimination(
            link=link,
            parent=c.parent,
            R_PC=k.rotation(c.parent, link),
            R_PX=k.rotation(c.parent, k.linear_axes[link]),
            R_PY=k.rotation(c.parent, k.linear_axes[c.parent]),
            reach=_reach(k, link),
            freedoms=tuple(freedoms),
            left=inertia,
        )

    def solve(self, loads: LinkLoads, bias: Sequence[SpatialVector] | None = None) -> list[Expr]:
        """The rates of the speeds; ``bias`` is each link's acceleration that the connection
        to its parent adds when speeds are constant (none for loads alone)."""
        count = self._k.links.count
        carried: list[SpatialVector] = [
            tuple(-x for x in (*loads.moments[i], *loads.forces[i])) for i in range(count)
        ]
        surplus: dict[int, Expr] = {}
        for e in self._eliminations:
            load = carried[e.link]
            for f in e.freedoms:
                effort = loads.efforts.get(f.index, ZERO)
                surplus[f.index] = effort - spatial_dot(f.along, load)
                load = _after(f, load, effort, surplus[f.index])
            if e.parent:
                if bias is not None:
                    load = spatial_sum(load, e.left.times(bias[e.link]))
                carried[e.parent] = spatial_sum(carried[e.parent], _load_to_parent(e, load))
        return self._forward(surplus, bias)

    def _forward(
        self, surplus: dict[int, Expr], bias: Sequence[SpatialVector] | None
    ) -> list[Expr]:
        rates = [ZERO] * len(self._k.links.speeds)
        zero: SpatialVector = (ZERO,) * 6
        motion: list[SpatialVector] = [zero] * self._k.links.count
        if bias is not None:
            motion[0] = bias[0]
        for e in reversed(self._eliminations):
            a = _motion_to_child(e, motion[e.parent])
            if bias is not None:
                a = spatial_sum(a, bias[e.link])
            for f in reversed(e.freedoms):
                rates[f.index], a = _released(f, surplus[f.index], a)
            motion[e.link] = a
        return rates


def _coordinate_axis(along: SpatialVector) -> int | None:
    """The index of a freedom along one coordinate axis (with either sign), or None."""
    nonzero = [i for i, x in enumerate(along) if not x.is_zero]
    if len(nonzero) == 1 and along[nonzero[0]].is_number:
        return nonzero[0]
    return None


def _without(inertia: SpatialInertia, f: Freedom) -> SpatialInertia:
    """I - U U^T / D; along a coordinate axis exactly nothing is left."""
    axis = _coordinate_axis(f.along)
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
    axis = _coordinate_axis(f.along)
    share = surplus * f.inverse
    passed = [p + u * share for p, u in zip(load, f.response, strict=True)]
    if axis is not None:
        passed[axis] = effort / f.along[axis]
    return tuple(passed)


def _released(f: Freedom, surplus: Expr, a: SpatialVector) -> tuple[Expr, SpatialVector]:
    """(u - U . a) / D, and the motion with it; along a coordinate axis D a / D cancels."""
    axis = _coordinate_axis(f.along)
    if axis is None:
        rate = (surplus - spatial_dot(f.response, a)) * f.inverse
        return rate, spatial_sum(a, tuple(s * rate for s in f.along))
    others = tuple(ZERO if i == axis else u for i, u in enumerate(f.response))
    total = (surplus - spatial_dot(others, a)) * f.inverse
    rate = total - a[axis] / f.along[axis]
    moved = tuple(total * f.along[axis] if i == axis else x for i, x in enumerate(a))
    return rate, moved


def connection_bias(k: Kinematics) -> list[SpatialVector]:
    """What each connection adds to its child's acceleration at constant speeds, child axes.

    The ground's entry is its acceleration against gravity.
    """
    none: SpatialVector = (ZERO,) * 6
    found: list[SpatialVector] = [(*NULL, *-k.gravity), *[none] * (k.links.count - 1)]
    for s in k.slidings:
        parent, child = s.connection.parent, s.connection.child
        added = motion_of_child(k, child, MotionSeen(w=k.angular_velocity[parent]))
        found[child] = (*added.angular, *added.linear)
    return found


def _freedoms(k: Kinematics, link: int) -> list[tuple[int, SpatialVector]]:
    """Speeds of the connections into a link: how the link moves per unit, link axes.

    Translations come first: their inertia is the mass, which is constant.
    """
    s, t = k.sliding_of[link], k.turning_of[link]
    R_CP = k.rotation(link, s.connection.parent)
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


def _reach(k: Kinematics, link: int) -> Vector:
    """From the parent's origin to the point that its motion carries, parent axes."""
    s = k.sliding_of[link]
    if s.connection.forward:
        return s.reach
    return s.connection.head.r_LF_L - k.rotation(s.connection.parent, link) @ s.reach


def _motion_to_child(e: Elimination, a: SpatialVector) -> SpatialVector:
    angular, linear = Vector(a[:3]), e.R_PY @ Vector(a[3:])
    return (*(e.R_PC.T @ angular), *(e.R_PX.T @ (linear + angular.cross(e.reach))))


def _load_to_parent(e: Elimination, load: SpatialVector) -> SpatialVector:
    moment, force = e.R_PC @ Vector(load[:3]), e.R_PX @ Vector(load[3:])
    return (*(moment + e.reach.cross(force)), *(e.R_PY.T @ force))


# Spatial inertia: six by six, moments and angular accelerations before forces and linear ones.

SpatialVector = tuple[Expr, ...]  # moment or angular part first, then force or linear part


@dataclass(frozen=True)
class SpatialInertia:
    """A symmetric six by six matrix: moment and force from angular and linear acceleration."""

    rows: tuple[SpatialVector, ...]

    def times(self, motion: SpatialVector) -> SpatialVector:
        return tuple(spatial_dot(row, motion) for row in self.rows)

    def __add__(self, other: SpatialInertia) -> SpatialInertia:
        pairs = zip(self.rows, other.rows, strict=True)
        return SpatialInertia(tuple(spatial_sum(a, b) for a, b in pairs))

    def block(self, i: int, j: int) -> Matrix:
        return Matrix(row[3 * j : 3 * j + 3] for row in self.rows[3 * i : 3 * i + 3])


def spatial_inertia(body: LinkInertia, R_CX: Matrix) -> SpatialInertia:
    """Moments in the link's own axes, forces in its linear axes; R_CX leads from these to those."""
    coupling = NULL_MATRIX if body.moment.is_zero else skew(body.moment).times(R_CX)
    mass = Matrix([body.mass if i == j else ZERO for j in range(3)] for i in range(3))
    return _from_blocks(body.tensor, coupling, mass)


def _from_blocks(A: Matrix, B: Matrix, M: Matrix) -> SpatialInertia:
    """[[A, B], [B^T, M]]."""
    top = tuple((*A[i], *B[i]) for i in range(3))
    return SpatialInertia((*top, *((*B.T[i], *M[i]) for i in range(3))))


def spatial_dot(a: SpatialVector, b: SpatialVector) -> Expr:
    return sum((x * y for x, y in zip(a, b, strict=True)), ZERO)


def spatial_sum(a: SpatialVector, b: SpatialVector) -> SpatialVector:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def shifted_to_parent(
    inertia: SpatialInertia, R_PC: Matrix, R_PX: Matrix, R_PY: Matrix, reach: Vector
) -> SpatialInertia:
    """A child's inertia at its parent's origin, X^T I X, in the parent's axes.

    R_PC and R_PX lead from the child's own and linear axes to the parent's own, R_PY from
    the parent's linear axes to its own; ``reach`` goes from origin to origin, parent axes.
    """
    A = rotated_symmetric(R_PC, inertia.block(0, 0))
    M = rotated_symmetric(R_PX, inertia.block(1, 1))
    B = inertia.block(0, 1)
    if not B.is_zero:
        B = R_PC.times(B).times(R_PX.T)
    if not reach.is_zero:
        r = skew(reach)
        moved = B + r.times(M)
        # A + r B^T + (r B^T)^T + r M r^T = A + r B^T + moved r^T, and it is symmetric.
        added = r.times(B.T) + moved.times(r.T)
        rows = [[A[i][j] + added[max(i, j)][min(i, j)] for j in range(3)] for i in range(3)]
        A, B = Matrix(rows), moved
    if R_PY.is_identity:
        return _from_blocks(A, B, M)
    return _from_blocks(A, B.times(R_PY), rotated_symmetric(R_PY.T, M))
