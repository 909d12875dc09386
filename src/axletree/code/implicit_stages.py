"""The stages of a linearly implicit step, all their operations chosen beforehand.

With g = gamma h, T = (I - g A)^-1 g A, and n(t, y) = f(t, y) - A y, which is all of f that A does
not have, a step consists of vectors of three kinds, each from those before it:

    k1 = (I - g A)^-1 f(t, x)
    w  = (I - g A)^-1 (f(t + c h, y) - k1 + A r),  y = x + d
    e  = T r

where d and r are sums of vectors; with r = g k1 - d, w is (1 + T) (n(t + c h, y) - n(t, x)). A is
one and the same in all of a step, and so are its factors: those of the first stage.

A mechanism without constraints has the speeds p, the coordinates q and internal states z, with
M dp/dt = b and dq/dt = h(q, p), h linear in p: h_p is its slope. Of its Jacobian A has what makes
it stiff: B and S of its ``equations.stiff_loads``. These feel rates v = J p, and displacements that
change by them, which a vector has beside its states: its J p, and its rate of displacements, u.
Elimination of coordinates and displacements leaves, with Z = -(g B + g^2 S),

    (M + sum J^T Z J) k1_p = b(x) + sum J^T g S v(x),                u = v(x) + g J k1_p
    (M + sum J^T Z J) w_p = b(y) - M(y) k1_p + sum J^T (B J r_p + S (u_r + g s)),  u = s + g J w_p
    (M + sum J^T Z J) e_p = sum J^T (g B J r_p + g S (u_r + g J r_p)),   u = g J (r_p + e_p)

with s = J (d_p + r_p - g k1_p); w_q = h(y) - k1_q + h_p (r_p + g w_p), e_q = g h_p (r_p + e_p).
M, J and h_p are those of x where nothing else is said. M is not inverted: where w should have
M(x) (dp/dt)(y), it has b(y) - (M(y) - M(x)) k1_p, which differs by terms of order h^2
(docs/theory/integrators.md derives all this). What is not in A, as the law of a tyre, gyroscopic
terms and what changes M, is integrated as by an explicit method. Of any other system A is the whole
Jacobian.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from axletree.equations.articulated_bodies.implicit_mass import ImplicitMass
from axletree.equations.articulated_bodies.spatial import SpatialVector, spatial_sum
from axletree.equations.articulated_bodies.stiff_loads import resistances, stiff_loads
from axletree.equations.equations import Equations
from axletree.equations.inertia import inertial_loads
from axletree.equations.loads import accumulate
from axletree.expr import (
    Expr,
    directional_derivative,
    jacobian,
    substitute,
    symbol,
    symbols_of,
    topological_order,
)
from axletree.expr.expression import ONE, ZERO
from axletree.expr.factorisation import least_fill_order, lu
from axletree.expr.traversal import dependent_nodes, replace_parts
from axletree.system.system import System

_GIVEN: Final = "right-hand side of row {}"
_KEPT: Final = "value {} of the first stage"


@dataclass(frozen=True)
class ImplicitStages:
    """What the routines of a linearly implicit step compute.

    ``first`` begins with k1, in symbols of the states and of ``step``, which is g. All that it
    finds is ``kept`` for the other two. ``evaluated`` is w, in symbols of the states y; ``solved``
    is e. These are in symbols of ``given``, the vector r, and ``displaced``, the vector d.

    Example:
    >>> import axletree as at
    >>> from axletree.code.implicit_stages import ImplicitStages
    >>> stages = ImplicitStages.of(at.read_model("pendulum").formulate())
    >>> len(stages.solved), len(stages.evaluated), len(stages.first) == len(stages.kept)
    (2, 2, True)
    """

    step: Expr
    first: tuple[Expr, ...]
    kept: tuple[Expr, ...]
    given: tuple[Expr, ...]
    displaced: tuple[Expr, ...]
    evaluated: tuple[Expr, ...]
    solved: tuple[Expr, ...]

    @property
    def arguments(self) -> tuple[Expr, ...]:
        """What stands in the array that the routines are given, each as much of it as it needs."""
        return (self.step, *self.kept, *self.given, *self.displaced)

    @property
    def routines(self) -> tuple[tuple[Expr, ...], ...]:
        return self.first, self.evaluated, self.solved

    @classmethod
    def of(cls, system: System) -> ImplicitStages:
        """Reduced to the speeds where the system is a mechanism without constraints."""
        source, g = system.source, symbol("gamma h")
        if source is None or not source.states_are_free or not source.speeds:
            return _of_jacobian(system, g)
        if not source.dynamics.kinematics.links.is_one_tree:
            return _of_jacobian(system, g)
        return _of_mechanism(system, source, g)


class _Kept:
    """What later stages take from the first, by symbols that stand for it; and their r and d."""

    def __init__(self, system: System, step: Expr, k1: Sequence[Expr]) -> None:
        self._step = step
        self._same = {step, *(q.symbol for q in system.parameters)}  # in all stages
        self._found = list(k1)
        self._symbol_of: dict[Expr, Expr] = {}  # of what is not k1
        size = range(len(k1))
        self.k1 = [symbol(_KEPT.format(place)) for place in size]
        self.r = [symbol(f"entry {place} of r") for place in size]
        self.d = [symbol(f"entry {place} of d") for place in size]

    def _take(self, expressions: Sequence[Expr]) -> list[Expr]:
        """Symbols of the values that these have in the first stage; numbers stay."""
        for e in expressions:
            if not e.is_number and e not in self._symbol_of:
                self._symbol_of[e] = symbol(_KEPT.format(len(self._found)))
                self._found.append(e)
        return [self._symbol_of.get(e, e) for e in expressions]

    def answers(
        self, solve: Callable[[list[Expr]], list[Expr]], right: Sequence[Expr]
    ) -> list[Expr]:
        """Answers to a right-hand side of a later stage; what else they stand on is that of the
        first."""
        given = [symbol(_GIVEN.format(place)) for place in range(len(right))]
        answers = solve(given)
        nodes = topological_order(answers)
        moved = dependent_nodes(nodes, given)
        differs = dependent_nodes(nodes, set(symbols_of(answers)) - self._same - set(given))
        parts = [e.node for node in nodes if node in moved for e in node.operands]
        parts += [e.node for e in answers]
        factors = [Expr(1.0, n) for n in dict.fromkeys(parts) if n in differs and n not in moved]
        solved = replace_parts(answers, dict(zip(factors, self._take(factors), strict=True)))
        return substitute(solved, dict(zip(given, right, strict=True)))

    def stages(self, evaluated: Sequence[Expr], solved: Sequence[Expr]) -> ImplicitStages:
        kept = tuple(symbol(_KEPT.format(place)) for place in range(len(self._found)))
        first, r, d = tuple(self._found), tuple(self.r), tuple(self.d)
        return ImplicitStages(self._step, first, kept, r, d, tuple(evaluated), tuple(solved))


def _of_jacobian(system: System, g: Expr) -> ImplicitStages:
    """By the whole Jacobian, factorised in an order of least fill.

    A r is not computed: (I - g A)^-1 A r is ((I - g A)^-1 r - r) / g.
    """
    size = len(system.states)
    A = jacobian(system.derivatives, [q.symbol for q in system.states])
    matrix = {place: -g * entry for place, entry in A.items()}
    for k in range(size):
        matrix[k, k] = ONE + matrix.get((k, k), ZERO)
    rows: list[dict[int, Expr]] = [{} for _ in range(size)]
    for i, j in matrix:
        rows[i][j] = rows[j][i] = ONE  # the pattern of both triangles
    factors = lu(matrix, size, [(k, k) for k in least_fill_order(rows)])
    kept = _Kept(system, g, factors.solve(system.derivatives))
    over_g = [r / g for r in kept.r]
    every = zip(system.derivatives, kept.k1, over_g, strict=True)
    w = kept.answers(factors.solve, [f - k + r for f, k, r in every])
    e = kept.answers(factors.solve, kept.r)
    return kept.stages(
        [a - b for a, b in zip(w, over_g, strict=True)],
        [a - b for a, b in zip(e, kept.r, strict=True)],
    )


def _of_mechanism(system: System, source: Equations, g: Expr) -> ImplicitStages:
    stages = _MechanismStages(system, source, g).stages()
    changed = [e for routine in stages.routines for e in routine]
    for edit in system.edits:
        changed = list(edit(changed))
    rest = iter(changed)
    first, evaluated, solved = (tuple(next(rest) for _ in routine) for routine in stages.routines)
    return replace(stages, first=first, evaluated=evaluated, solved=solved)


@dataclass(frozen=True)
class _Parts:
    """Of a vector: speeds, coordinates, internal states; and of all that resistances feel, one
    after the other, the rates J p and the rates u of displacements."""

    p: list[Expr]
    q: list[Expr]
    z: list[Expr]
    felt: list[Expr]
    displaced: list[Expr]

    @property
    def entries(self) -> list[Expr]:
        return [*self.p, *self.q, *self.z, *self.felt, *self.displaced]


class _MechanismStages:
    """M, J, B, S and h_p are in symbols of the states, those of x; so is a right-hand side f(y)."""

    def __init__(self, system: System, source: Equations, g: Expr) -> None:
        self._system, self._source, self._g = system, source, g
        self._k = source.dynamics.kinematics
        self._speeds = [quantity.symbol for quantity in source.speeds]
        self._q_rates = list(source.coordinate_rates)
        self._z_rates = list(system.derivatives[len(self._speeds) + len(source.coordinates) :])
        self._resistances = list(resistances(self._k, list(stiff_loads(source))))
        self._rates = [rate for one in self._resistances for rate in one.rates]  # v
        inertias = source.dynamics.inertias
        self._mass = ImplicitMass(self._k, inertias, self._resistances, g)

    def stages(self) -> ImplicitStages:
        g = self._g
        advanced = [g * v for v in self._rates]
        k1_p, felt = self._solved(self._efforts(None), [ZERO] * len(advanced), advanced)
        later = {p: p + g * rate for p, rate in zip(self._speeds, k1_p, strict=True)}
        k1 = _Parts(
            k1_p,
            substitute(self._q_rates, later),
            self._z_rates,
            felt,
            [v + g * a for v, a in zip(self._rates, felt, strict=True)],
        )
        kept = _Kept(self._system, g, k1.entries)
        return kept.stages(self._evaluated(kept), self._linear(kept))

    def _evaluated(self, kept: _Kept) -> list[Expr]:
        """w, of r and d."""
        g, k1, r, d = self._g, *(self._parts_of(v) for v in (kept.k1, kept.r, kept.d))
        every = zip(d.felt, r.felt, k1.felt, strict=True)
        s = [d_a + r_a - g * k1_a for d_a, r_a, k1_a in every]
        stiffened = [u + g * s_i for u, s_i in zip(r.displaced, s, strict=True)]
        n, m = len(r.p), len(s)

        def solve(given: list[Expr]) -> list[Expr]:
            efforts, moving, loads = given[:n], given[n : 2 * n], given[2 * n :]
            w_p, felt = self._solved(efforts, loads[:m], loads[m:])
            advance = [rate + g * more for rate, more in zip(moving, w_p, strict=True)]
            return [*w_p, *felt, *self._coordinates(advance)]

        found = kept.answers(solve, [*self._efforts(k1.p), *r.p, *r.felt, *stiffened])
        w_p, felt, moved = found[:n], found[n : n + m], found[n + m :]
        return _Parts(
            w_p,
            [h - k + more for h, k, more in zip(self._q_rates, k1.q, moved, strict=True)],
            [f - k for f, k in zip(self._z_rates, k1.z, strict=True)],
            felt,
            [s_i + g * a for s_i, a in zip(s, felt, strict=True)],
        ).entries

    def _linear(self, kept: _Kept) -> list[Expr]:
        """e = T r."""
        g, r, n = self._g, self._parts_of(kept.r), len(self._speeds)

        def solve(given: list[Expr]) -> list[Expr]:
            moving, felt, displaced = given[:n], given[n : n + m], given[n + m :]
            stiffened = [g * (u + g * a) for u, a in zip(displaced, felt, strict=True)]
            none, damped = [ZERO] * n, [g * a for a in felt]
            e_p, felt_e = self._solved(none, damped, stiffened)
            advance = [g * (a + b) for a, b in zip(moving, e_p, strict=True)]
            return [*e_p, *felt_e, *self._coordinates(advance)]

        m = len(r.felt)
        found = kept.answers(solve, [*r.p, *r.felt, *r.displaced])
        e_p, felt, moved = found[:n], found[n : n + m], found[n + m :]
        displaced = [g * (r_a + a) for r_a, a in zip(r.felt, felt, strict=True)]
        return _Parts(e_p, moved, [ZERO] * len(r.z), felt, displaced).entries

    def _parts_of(self, entries: Sequence[Expr]) -> _Parts:
        rest, m = iter(entries), len(self._rates)
        sizes = len(self._speeds), len(self._q_rates), len(self._z_rates), m, m
        return _Parts(*([next(rest) for _ in range(size)] for size in sizes))

    def _efforts(self, accelerations: Sequence[Expr] | None) -> list[Expr]:
        """b - M a of accelerations a, or b."""
        k, dynamics = self._k, self._source.dynamics
        given = [ZERO] * len(self._speeds) if accelerations is None else accelerations
        loads = inertial_loads(
            k, dynamics.inertias, k.accelerations(given, with_bias=True), with_bias=True
        )
        loads.add(dynamics.applied)
        return list(accumulate(k, loads).efforts)

    def _solved(
        self, efforts: Sequence[Expr], damped: Sequence[Expr], stiffened: Sequence[Expr]
    ) -> tuple[list[Expr], list[Expr]]:
        """Of efforts and sum J^T (B damped + S stiffened): rates of the speeds, and their J p."""
        loads: dict[int, SpatialVector] = {}
        rest = zip(damped, stiffened, strict=True)
        for one in self._resistances:
            own = [next(rest) for _ in one.rates]
            for link, load in one.loads(one.efforts(*zip(*own, strict=True))):
                loads[link] = spatial_sum(loads[link], load) if link in loads else load
        rates, motions = self._mass.solve(efforts, loads)
        return rates, [a for one in self._resistances for a in one.felt(motions)]

    def _coordinates(self, rates: Sequence[Expr]) -> list[Expr]:
        """h_p times rates of the speeds."""
        return directional_derivative(self._q_rates, dict(zip(self._speeds, rates, strict=True)))
