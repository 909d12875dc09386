"""Loads that are formulas of a motion, and how they change with it: springs, dampers, bushings.

A component that answers to the motion of its frames and joints alone exerts efforts e on their
rates r, six of a frame in a frame and one of a joint. With B = de/dr and S the derivatives by the
small displacements that go with r, a linearly implicit step takes them for

    e + g S r + (g B + g^2 S) dr/dt,  g = gamma h

so that -(g B + g^2 S) stands beside the mass. Frames that a component calls ``close`` are taken as
coinciding in B and S: these are then numbers that a step does not compute. What calls a function,
as the law of a tyre does, is not linearised.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import Component, Instant, RelativeMotion, Travel
from axletree.components.edges import MECHANICAL, Basis
from axletree.equations.articulated_bodies.recursion import freedoms_of, parent_step
from axletree.equations.articulated_bodies.spatial import SpatialVector, spatial_dot, spatial_sum
from axletree.equations.equations import Equations
from axletree.equations.kinematics import Kinematics
from axletree.equations.links import Connection, LinkFrame
from axletree.equations.relative_motion import relative_motion
from axletree.expr import Expr, directional_derivative, substitute, symbol, topological_order
from axletree.expr.expression import ONE, ZERO
from axletree.expr.vectors import IDENTITY, NULL, NULL_MATRIX, Matrix, Vector, skew

ExprRows = tuple[tuple[Expr, ...], ...]
LinkRows = Mapping[int, ExprRows]  # by links, whose motion is six numbers in their axes


class Port(ABC):
    """Where a component feels a motion: rates, which are linear in the motions of links."""

    size: ClassVar[int]  # how many rates

    @abstractmethod
    def rates(self, k: Kinematics) -> tuple[Expr, ...]: ...

    @abstractmethod
    def rows(self, k: Kinematics) -> LinkRows:
        """The rates from the motions of links."""


@dataclass(frozen=True)
class FramePort(Port):
    """The head of a pair of frames in the tail: velocity, angular velocity, tail components."""

    size: ClassVar[int] = 6

    ends: tuple[str, str]  # names of the frames
    tail: LinkFrame
    head: LinkFrame
    close: bool

    def rates(self, k: Kinematics) -> tuple[Expr, ...]:
        motion = relative_motion(k, self.tail, self.head)
        return (*motion.velocity, *motion.angular_velocity)

    def rows(self, k: Kinematics) -> LinkRows:
        tail, head = self.tail, self.head
        if self.close:
            pair = pair_rows(k, tail.link, head.link)
            return {link: matrix_product(self.from_pair, rows) for link, rows in pair.items()}
        moved = relative_motion(k, tail, head).displacement
        R_TL = tail.R_LF.T.times(k.rotation(tail.link, head.link))
        at_tail = _point_rows(k, tail.link, tail.R_LF.T, tail.r_LF_L + tail.R_LF @ moved)
        at_tail = tuple(tuple(-e for e in row) for row in at_tail)
        return {tail.link: at_tail, head.link: _point_rows(k, head.link, R_TL, head.r_LF_L)}

    @property
    def from_pair(self) -> ExprRows:
        """The rates, from how the head's link moves as seen from the tail's: turning and the
        velocity where the tail's origin is, in its axes."""
        R, r = self.tail.R_LF.T, self.tail.r_LF_L
        swept = NULL_MATRIX if r.is_zero else R.times(skew(-r))
        return (*((*swept[i], *R[i]) for i in range(3)), *((*R[i], *NULL) for i in range(3)))


@dataclass(frozen=True)
class JointPort(Port):
    """The one freedom of a joint."""

    size: ClassVar[int] = 1

    connection: Connection

    def rates(self, k: Kinematics) -> tuple[Expr, ...]:
        return (self.connection.speeds[0].symbol,)

    def rows(self, k: Kinematics) -> LinkRows:
        c = self.connection
        ((_, along),) = (f for f in freedoms_of(k, c.child) if f[0] == c.first_speed)
        # The motion of the child less that of the parent is ``along`` times the rate.
        row = tuple(e / spatial_dot(along, along) for e in along)
        passed = dict(parent_step(k, c.child).load_to_parents(row))
        return {c.child: (row,), c.parent: (tuple(-e for e in passed[c.parent]),)}


def _point_rows(k: Kinematics, link: int, R_FL: Matrix, r: Vector) -> ExprRows:
    """Velocity and angular velocity of the point r of a link, in the axes F."""
    swept = NULL_MATRIX if r.is_zero else R_FL.times(skew(-r))
    linear = R_FL.times(k.rotation(link, k.linear_axes[link]))
    upper = ((*swept[i], *linear[i]) for i in range(3))
    return (*upper, *((*R_FL[i], *NULL) for i in range(3)))


def pair_rows(k: Kinematics, tail: int, head: int) -> LinkRows:
    """How a link moves as seen from another: turning and the velocity where the other's origin
    is, in the other's axes."""
    origins = (LinkFrame(link, NULL, IDENTITY) for link in (tail, head))
    reach = relative_motion(k, *origins).displacement
    R_TH, R_TX = k.rotation(tail, head), k.rotation(tail, k.linear_axes[head])
    swept = NULL_MATRIX if reach.is_zero else skew(reach).times(R_TH)
    R_TY = k.rotation(tail, k.linear_axes[tail])
    turning = tuple((*-IDENTITY[i], *NULL) for i in range(3))
    return {
        tail: (*turning, *((*NULL, *-R_TY[i]) for i in range(3))),
        head: (
            *((*R_TH[i], *NULL) for i in range(3)),
            *((*swept[i], *R_TX[i]) for i in range(3)),
        ),
    }


@dataclass(frozen=True)
class StiffLoad:
    """What a component exerts on the rates of its ports, by its derivatives."""

    ports: tuple[Port, ...]
    by_rate: ExprRows  # B
    by_displacement: ExprRows  # S

    @property
    def places(self) -> list[tuple[Port, range]]:
        """Which of the rates are those of each port."""
        found, start = [], 0
        for port in self.ports:
            found.append((port, range(start, start + port.size)))
            start += port.size
        return found

    def rates(self, k: Kinematics) -> tuple[Expr, ...]:
        return tuple(rate for port in self.ports for rate in port.rates(k))


@dataclass(frozen=True)
class Resistance:
    """What one or several loads do to rates that are linear in the motions of links."""

    rates: tuple[Expr, ...]  # r = J p
    rows: LinkRows  # J, by the motions of links
    by_rate: ExprRows  # B
    by_displacement: ExprRows  # S

    def beside_mass(self, g: Expr) -> ExprRows:
        """Z = -(g B + g^2 S)."""
        pairs = zip(self.by_rate, self.by_displacement, strict=True)
        return tuple(
            tuple(-(g * b) - (g * g) * s for b, s in zip(*pair, strict=True)) for pair in pairs
        )

    def felt(self, motions: Sequence[SpatialVector]) -> tuple[Expr, ...]:
        """J u of the accelerations u of all links."""
        seen = [matrix_times(J, motions[link]) for link, J in self.rows.items() if link]
        return tuple(sum(entries, ZERO) for entries in zip(*seen, strict=True))

    def efforts(self, damped: Sequence[Expr], stiffened: Sequence[Expr]) -> tuple[Expr, ...]:
        """B times one, and S times the other."""
        B, S = matrix_times(self.by_rate, damped), matrix_times(self.by_displacement, stiffened)
        return spatial_sum(B, S)

    def loads(self, efforts: Sequence[Expr]) -> Iterator[tuple[int, SpatialVector]]:
        """J^T e: moment and force at the origin of each link."""
        for link, J in self.rows.items():
            if link:
                yield link, matrix_times(transposed(J), efforts)


def resistances(k: Kinematics, loads: Sequence[StiffLoad]) -> Iterator[Resistance]:
    """Of every load; those of close frames are summed up for each pair of links."""
    pairs: dict[tuple[int, int], tuple[ExprRows, ExprRows]] = {}
    for load in loads:
        port = load.ports[0]
        if len(load.ports) == 1 and isinstance(port, FramePort) and port.close:
            T, pair = port.from_pair, (port.tail.link, port.head.link)
            B, S = (_congruent(rows, T) for rows in (load.by_rate, load.by_displacement))
            if pair in pairs:
                B, S = matrix_sum(pairs[pair][0], B), matrix_sum(pairs[pair][1], S)
            pairs[pair] = B, S
        else:
            yield Resistance(load.rates(k), _joined(load, k), load.by_rate, load.by_displacement)
    for (tail, head), (B, S) in pairs.items():
        yield Resistance(_pair_rates(k, tail, head), pair_rows(k, tail, head), B, S)


def _pair_rates(k: Kinematics, tail: int, head: int) -> tuple[Expr, ...]:
    """The rates that ``pair_rows`` leads to."""
    origins = (LinkFrame(link, NULL, IDENTITY) for link in (tail, head))
    motion = relative_motion(k, *origins)
    turning = motion.angular_velocity
    return (*turning, *(motion.velocity + motion.displacement.cross(turning)))


def _joined(load: StiffLoad, k: Kinematics) -> LinkRows:
    """The rows of all ports, one below the other."""
    found: dict[int, list[tuple[Expr, ...]]] = {}
    count = sum(port.size for port in load.ports)
    for port, places in load.places:
        for link, rows in port.rows(k).items():
            own = found.setdefault(link, [(ZERO,) * 6] * count)
            for place, row in zip(places, rows, strict=True):
                own[place] = tuple(a + b for a, b in zip(own[place], row, strict=True))
    return {link: tuple(rows) for link, rows in found.items()}


def _congruent(rows: ExprRows, T: ExprRows) -> ExprRows:
    return symmetric_product(transposed(T), matrix_product(rows, T))


def stiff_loads(source: Equations) -> Iterator[StiffLoad]:
    """Of all components that answer to nothing but motions and travels."""
    k = source.dynamics.kinematics
    joints = {c.edge.name: c for c in k.links.with_variables if len(c.speeds) == 1}
    for component in source.components:
        if component.states() or component.feels_gravity:
            continue
        if any(edge.domain not in MECHANICAL for edge in component.edges()):
            continue
        if all(name in joints for name in component.measured_joints()):
            found = _Probe(component, k, joints).load()
            if found is not None:
                yield found


class _Probe:
    """A component asked with symbols for all that it feels."""

    def __init__(
        self, component: Component, k: Kinematics, joints: Mapping[str, Connection]
    ) -> None:
        self._k = k
        self._joints = component.measured_joints()
        self._ends = [(tail.name, head.name) for tail, head in component.measures()]
        places, close = k.links.places, component.frames_stay_close
        frames = [FramePort((a, b), places[a], places[b], close) for a, b in self._ends]
        self._ports = (*frames, *(JointPort(joints[name]) for name in self._joints))
        self._motions = [RelativeMotion.of_symbols(f"motion {n}") for n in range(len(frames))]
        travels = [f"travel {n}" for n in range(len(self._joints))]
        self._travels = [Travel(symbol(name), symbol(f"{name} rate")) for name in travels]
        self._efforts = self._asked(component)

    def _asked(self, component: Component) -> list[Expr]:
        """The efforts on the rates of all ports."""
        response = component.respond(Instant(self._motions, self._travels))
        efforts = [ZERO] * (6 * len(self._ends) + len(self._joints))
        for load in response.loads:
            ends = load.tail.name, load.head.name
            if ends not in self._ends or _calls([*load.force, *load.moment]):
                continue
            place = self._ends.index(ends)
            R = self._motions[place].R_tail_head if load.basis is Basis.HEAD else IDENTITY
            for n, effort in enumerate((*(R @ load.force), *(R @ load.moment)), start=6 * place):
                efforts[n] = efforts[n] + effort
        for joint_load in response.joint_loads:
            if joint_load.joint in self._joints and not _calls([joint_load.effort]):
                place = 6 * len(self._ends) + self._joints.index(joint_load.joint)
                efforts[place] = efforts[place] + joint_load.effort
        return efforts

    def load(self) -> StiffLoad | None:
        """None where nothing that the component exerts depends on its motion."""
        B = _slopes(self._efforts, [rates for _, rates in self._ways()])
        S = _slopes(self._efforts, [moved for moved, _ in self._ways()])
        if all(e.is_zero for row in (*B, *S) for e in row):
            return None
        values = self._actual()
        return StiffLoad(self._ports, _at(B, values), _at(S, values))

    def _ways(self) -> Iterator[tuple[dict[Expr, Expr], dict[Expr, Expr]]]:
        """What changes with each displacement, and with each rate."""
        for motion in self._motions:
            for n in range(6):
                yield _displaced(motion, n), _accelerated(motion, n)
        for travel in self._travels:
            yield {travel.travel: ONE}, {travel.rate: ONE}

    def _actual(self) -> dict[Expr, Expr]:
        found: dict[Expr, Expr] = {}
        for port, motion in zip(self._ports, self._motions, strict=False):
            assert isinstance(port, FramePort)
            actual = relative_motion(self._k, port.tail, port.head)
            found |= dict(zip(motion.entries, actual.entries, strict=True))
            if port.close:
                coinciding = [e for row in IDENTITY for e in row]
                turned = [e for row in motion.R_tail_head for e in row]
                found |= dict(zip(turned, coinciding, strict=True))
        for port, travel in zip(self._ports[len(self._motions) :], self._travels, strict=True):
            assert isinstance(port, JointPort)
            found[travel.rate] = port.connection.speeds[0].symbol
            found[travel.travel] = port.connection.coordinates[0].symbol
        return found


def _calls(expressions: Sequence[Expr]) -> bool:
    return any(node.operation == "call" for node in topological_order(expressions))


def _slopes(efforts: Sequence[Expr], ways: Sequence[Mapping[Expr, Expr]]) -> ExprRows:
    """The symmetric part of the derivatives: an effort for each row, a way for each column."""
    columns = [directional_derivative(efforts, rates) for rates in ways]
    size = range(len(efforts))
    return tuple(tuple(_mean(columns[j][i], columns[i][j]) for j in size) for i in size)


def _mean(a: Expr, b: Expr) -> Expr:
    return a if a == b else 0.5 * (a + b)


def _at(rows: ExprRows, values: Mapping[Expr, Expr]) -> ExprRows:
    return tuple(tuple(substitute(row, values)) for row in rows)


def _accelerated(motion: RelativeMotion, n: int) -> dict[Expr, Expr]:
    """What changes of a motion, per change of component n of its six rates."""
    v, w = _unit_pair(n)
    to_head = motion.R_tail_head.T
    moved = (
        (motion.velocity, v),
        (motion.angular_velocity, w),
        (motion.velocity_head, to_head @ v),
        (motion.angular_velocity_head, to_head @ w),
    )
    return {x: rate for vector, change in moved for x, rate in zip(vector, change, strict=True)}


def _displaced(motion: RelativeMotion, n: int) -> dict[Expr, Expr]:
    """Likewise per small displacement (n < 3) or turn of the head: dR = w x R."""
    d, w = _unit_pair(n)
    found = dict(zip(motion.displacement, d, strict=True))
    for column in zip(*motion.R_tail_head, strict=True):
        found |= dict(zip(column, w.cross(Vector(column)), strict=True))
    return found


def _unit_pair(n: int) -> tuple[Vector, Vector]:
    upper, lower = (Vector(ONE if n == at + axis else ZERO for axis in range(3)) for at in (0, 3))
    return upper, lower


# Matrices by rows, of any size.


def transposed(rows: Iterable[Sequence[Expr]]) -> ExprRows:
    return tuple(zip(*rows, strict=True))


def matrix_sum(a: ExprRows, b: ExprRows) -> ExprRows:
    return tuple(spatial_sum(x, y) for x, y in zip(a, b, strict=True))


def matrix_times(rows: ExprRows, vector: Sequence[Expr]) -> tuple[Expr, ...]:
    return tuple(spatial_dot(row, tuple(vector)) for row in rows)


def matrix_product(a: ExprRows, b: ExprRows) -> ExprRows:
    columns = transposed(b)
    return tuple(tuple(spatial_dot(row, column) for column in columns) for row in a)


def symmetric_product(a: ExprRows, b: ExprRows) -> ExprRows:
    """A product that is symmetric, from its lower triangle."""
    columns, size = transposed(b), range(len(a))
    rows = [[spatial_dot(row, columns[j]) for j in range(i + 1)] for i, row in enumerate(a)]
    return tuple(tuple(rows[max(i, j)][min(i, j)] for j in size) for i in size)
