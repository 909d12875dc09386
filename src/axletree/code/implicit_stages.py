"""The stages of a linearly implicit step, all their operations chosen beforehand.

With g = gamma h, two evaluations f(t, x) and f(t + a h, y), y = x + a h k1, and two or more stages:

    (I - g A) k1 = f(t, x)
    (I - g A) u2 = f(t + a h, y) + c21 k1,  k2 = u2 - c21 k1,  w = k2 - k1
    (I - g A) e_i = g A r_i,  r_i of k1, w and the e before it

A mechanism without constraints has the speeds p, the coordinates q and internal states z, with
M dp/dt = b and dq/dt = h(q, p). Of its Jacobian A has what makes it stiff: B and S of its
``equations.stiff_loads``. With the rates v = J p that these feel and Z = -(g B + g^2 S),
elimination of the coordinates leaves

    (M + sum J^T Z J) k1_p = b(x) + sum J^T g S v(x)
    (M + sum J^T Z J) w_p = b(y) - M(y) k1_p + sum J^T (
        (1 + c21) g (B J k1_p + S v(x)) + (a/gamma + 1 + 2 c21) g^2 S J k1_p)
    (M + sum J^T Z J) e_p = sum J^T (g B + g^2 S) J r_p + sum J^T g S v_r

where v_r are the rates that go with r. M is not inverted: where the second stage should have
M(x) (dp/dt)(y), it has b(y) - (M(y) - M(x)) k1_p, which differs by terms of order h^2
(docs/theory/integrators.md derives all this). Rates v that go with a stage are all of one J, that
of x: with J(y) p in the second one S, which is stiff, would multiply what J changes by. What is not
in A, as the law of a tyre, gyroscopic terms and what changes M, is integrated as by an explicit
method. Of any other system A is the whole Jacobian.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from axletree.equations.articulated_bodies.implicit_mass import ImplicitMass
from axletree.equations.articulated_bodies.stiff_loads import resistances, stiff_loads
from axletree.equations.equations import Equations
from axletree.equations.inertia import inertial_loads
from axletree.equations.loads import LinkLoads, accumulate
from axletree.expr import Expr, jacobian, substitute, symbol, symbols_of, topological_order
from axletree.expr.expression import ONE, ZERO
from axletree.expr.factorisation import least_fill_order, lu
from axletree.expr.traversal import dependent_nodes, replace_parts
from axletree.expr.vectors import Vector
from axletree.system.system import System

_GIVEN: Final = "right-hand side of row {}"
_KEPT: Final = "value {} of the first stage"


@dataclass(frozen=True)
class ImplicitTableau:
    """The coefficients of a step, x + h (k1 + shares . (w, e3, ...)).

    Example:
    >>> from axletree.code.implicit_stages import ROS2_TABLEAU, ROW3_TABLEAU
    >>> [len(one.later) for one in (ROS2_TABLEAU, ROW3_TABLEAU)]  # beyond k1 and w
    [0, 3]
    """

    gamma: float
    ahead: float  # a, of the second evaluation
    c21: float
    shares: tuple[float, ...]  # of w and of each e in the mean slope
    later: tuple[tuple[float, ...], ...] = ()  # of each e: r by k1, w, and each e before it


@dataclass(frozen=True)
class ImplicitStages:
    """What the routines of both evaluations compute.

    ``first`` begins with k1, in symbols of the states and of ``step``; ``second`` is the rest of
    the mean slope, in those of the states y, of ``step``, and of all that the first has found,
    which is ``kept``.

    Example:
    >>> import axletree as at
    >>> from axletree.code.implicit_stages import ROS2_TABLEAU, ImplicitStages
    >>> stages = ImplicitStages.of(at.read_model("pendulum").formulate(), ROS2_TABLEAU)
    >>> len(stages.second), len(stages.first) == len(stages.kept)
    (2, True)
    """

    step: Expr  # g
    first: tuple[Expr, ...]
    kept: tuple[Expr, ...]
    second: tuple[Expr, ...]

    @classmethod
    def of(cls, system: System, tableau: ImplicitTableau) -> ImplicitStages:
        """Reduced to the speeds where the system is a mechanism without constraints."""
        source, g = system.source, symbol("gamma h")
        if source is None or not source.states_are_free or not source.speeds:
            return _of_jacobian(system, tableau, g)
        if not source.dynamics.kinematics.links.is_one_tree:
            return _of_jacobian(system, tableau, g)
        return _of_mechanism(system, source, tableau, g)


class _Kept:
    """What the second stage takes from the first, by symbols that stand for it."""

    def __init__(self, system: System, step: Expr, k1: Sequence[Expr]) -> None:
        self._step = step
        self._same = {step, *(q.symbol for q in system.parameters)}  # in both stages
        self._found = list(k1)
        self._symbol_of: dict[Expr, Expr] = {}  # of what is not k1
        self.k1 = [symbol(_KEPT.format(place)) for place in range(len(k1))]

    def take(self, expressions: Sequence[Expr]) -> list[Expr]:
        """Symbols of the values that these have in the first stage; numbers stay."""
        for e in expressions:
            if not e.is_number and e not in self._symbol_of:
                self._symbol_of[e] = symbol(_KEPT.format(len(self._found)))
                self._found.append(e)
        return [self._symbol_of.get(e, e) for e in expressions]

    def answers(
        self, solve: Callable[[list[Expr]], list[Expr]], right: Sequence[Expr]
    ) -> list[Expr]:
        """Answers to a right-hand side of the second stage, by the factors of the first."""
        given = [symbol(_GIVEN.format(place)) for place in range(len(right))]
        answers = solve(given)
        nodes = topological_order(answers)
        moved = dependent_nodes(nodes, given)
        differs = dependent_nodes(nodes, set(symbols_of(answers)) - self._same - set(given))
        parts = [e.node for node in nodes if node in moved for e in node.operands]
        parts += [e.node for e in answers]
        factors = [Expr(1.0, n) for n in dict.fromkeys(parts) if n in differs and n not in moved]
        solved = replace_parts(answers, dict(zip(factors, self.take(factors), strict=True)))
        return substitute(solved, dict(zip(given, right, strict=True)))

    def stages(self, second: Sequence[Expr]) -> ImplicitStages:
        kept = tuple(symbol(_KEPT.format(place)) for place in range(len(self._found)))
        return ImplicitStages(self._step, tuple(self._found), kept, tuple(second))


def _of_jacobian(system: System, tableau: ImplicitTableau, g: Expr) -> ImplicitStages:
    """By the whole Jacobian, factorised in an order of least fill."""
    size = len(system.states)
    A = jacobian(system.derivatives, [q.symbol for q in system.states])
    matrix = {place: -g * entry for place, entry in A.items()}
    for k in range(size):
        matrix[k, k] = ONE + matrix.get((k, k), ZERO)
    rows: list[dict[int, Expr]] = [{} for _ in range(size)]
    for i, j in matrix:
        rows[i][j] = rows[j][i] = ONE  # the pattern of both triangles
    factors = lu(matrix, size, [(k, k) for k in least_fill_order(rows)])
    kept, c21 = _Kept(system, g, factors.solve(system.derivatives)), tableau.c21
    right = [f + c21 * k for f, k in zip(system.derivatives, kept.k1, strict=True)]
    u2 = kept.answers(factors.solve, right)
    w = [u - (1.0 + c21) * k for u, k in zip(u2, kept.k1, strict=True)]
    known = [kept.k1, w]
    for shares in tableau.later:
        r = _combined(shares, known)
        d = kept.answers(factors.solve, r)
        known.append([a - b for a, b in zip(d, r, strict=True)])
    return kept.stages(_combined(tableau.shares, known[1:]))


def _combined(shares: Sequence[float], vectors: Sequence[Sequence[Expr]]) -> list[Expr]:
    """Their sum, each times its share."""
    return [
        sum((share * e for share, e in zip(shares, entries, strict=True)), ZERO)
        for entries in zip(*vectors, strict=True)
    ]


def _of_mechanism(
    system: System, source: Equations, tableau: ImplicitTableau, g: Expr
) -> ImplicitStages:
    forms = _MechanismForms(source, g)
    n = len(source.speeds)
    felt = forms.resistances
    mass = ImplicitMass(forms.k, source.dynamics.inertias, felt, g)
    advanced = [one.efforts([ZERO] * len(one.rates), [g * v for v in one.rates]) for one in felt]
    k1_p, motions = mass.solve(forms.efforts([ZERO] * n, advanced))
    z_rates = system.derivatives[n + len(source.coordinates) :]
    k1_q, z_rates = forms.coordinate_rates(k1_p), system.derivatives[n + len(source.coordinates) :]
    kept = _Kept(system, g, [*k1_p, *k1_q, *z_rates])
    first = [(kept.take(one.rates), kept.take(one.felt(motions))) for one in felt]
    changes = _Stages(tableau, forms, kept, mass, first).changes()
    later = [f - k for f, k in zip(z_rates, kept.k1[n + len(k1_q) :], strict=True)]
    found = [
        *_combined(tableau.shares, [change.speeds for change in changes]),
        *_combined(tableau.shares, [change.coordinates for change in changes]),
        *_combined(tableau.shares[:1], [later]),
    ]
    stages = kept.stages(found)
    changed = [*stages.first, *stages.second]
    for edit in system.edits:
        changed = list(edit(changed))
    count = len(stages.first)
    return replace(stages, first=tuple(changed[:count]), second=tuple(changed[count:]))


@dataclass(frozen=True)
class _Change:
    """k1, or what a later stage adds to the one before it, of the speeds and of the coordinates.

    With each resistance's rates: their acceleration a = J p, and the rates v of the displacements:
    of k1 they are v(x) + g a, of w they are g (a + (way + c21) a_1) with y = x + way g k1.
    """

    speeds: list[Expr]
    coordinates: list[Expr]
    felt: list[tuple[list[Expr], list[Expr]]]  # a, v


class _Stages:
    """All stages of a mechanism, beginning with that of the first evaluation."""

    def __init__(
        self,
        tableau: ImplicitTableau,
        forms: _MechanismForms,
        kept: _Kept,
        mass: ImplicitMass,
        first: Sequence[tuple[list[Expr], list[Expr]]],
    ) -> None:
        """``first``: the rates v(x) of each resistance, and their accelerations of k1."""
        self._tableau, self._forms = tableau, forms
        self._kept, self._mass, self._first = kept, mass, first
        n, g = len(forms.speeds), forms.g
        q = kept.k1[n : n + forms.coordinate_count]
        felt = [(a, [v_i + g * a_i for v_i, a_i in zip(v, a, strict=True)]) for v, a in first]
        self._changes = [_Change(kept.k1[:n], q, felt)]

    def changes(self) -> list[_Change]:
        """w, and e of every later stage."""
        self._changes.append(self._second())
        for shares in self._tableau.later:
            self._changes.append(self._later(shares))
        return self._changes[1:]

    def _second(self) -> _Change:
        c21, g, forms, k1 = self._tableau.c21, self._forms.g, self._forms, self._changes[0]
        way = self._tableau.ahead / self._tableau.gamma  # y is x + way g k1
        corrections = []
        for one, (v, a) in zip(forms.resistances, self._first, strict=True):
            damped = [(1.0 + c21) * (g * a_i) for a_i in a]
            moved = [
                g * ((1.0 + c21) * v_i + (way + 1.0 + 2.0 * c21) * (g * a_i))
                for v_i, a_i in zip(v, a, strict=True)
            ]
            corrections.append(one.efforts(damped, moved))
        w, felt = self._solved(forms.efforts(k1.speeds, corrections))
        u2 = _combined([1.0, 1.0 + c21], [w, k1.speeds])
        rates = forms.coordinate_rates(u2)
        pairs = []
        for (_, a), a_w in zip(self._first, felt, strict=True):
            both = zip(a, a_w, strict=True)
            pairs.append((a_w, [g * (w_i + (way + c21) * a_i) for a_i, w_i in both]))
        return _Change(w, [r - k for r, k in zip(rates, k1.coordinates, strict=True)], pairs)

    def _later(self, shares: Sequence[float]) -> _Change:
        """e, from r that has these shares of what is before."""
        g, forms, before = self._forms.g, self._forms, self._changes
        corrections, accelerations = [], []
        for k, one in enumerate(forms.resistances):
            r_a = _combined(shares, [change.felt[k][0] for change in before])
            r_v = _combined(shares, [change.felt[k][1] for change in before])
            moved = [g * (g * a + v) for a, v in zip(r_a, r_v, strict=True)]
            corrections.append(one.efforts([g * a for a in r_a], moved))
            accelerations.append(r_a)
        e, felt = self._solved(forms.projected(corrections))
        r = _combined(shares, [change.speeds for change in before])
        moving = forms.coordinate_rates(_combined([1.0, 1.0], [r, e]))
        at_rest = forms.coordinate_rates([ZERO] * len(r))
        pairs = []
        for r_a, a in zip(accelerations, felt, strict=True):
            pairs.append((a, [g * (r_i + a_i) for r_i, a_i in zip(r_a, a, strict=True)]))
        return _Change(e, [a - b for a, b in zip(moving, at_rest, strict=True)], pairs)

    def _solved(self, right: Sequence[Expr]) -> tuple[list[Expr], list[list[Expr]]]:
        """The rates of the speeds, and what resistances feel of them."""
        resistances_, n = self._forms.resistances, len(self._forms.speeds)

        def solve(given: list[Expr]) -> list[Expr]:
            rates, motions = self._mass.solve(given)
            return [*rates, *(a for one in resistances_ for a in one.felt(motions))]

        found = self._kept.answers(solve, right)
        rest = iter(found[n:])
        return found[:n], [[next(rest) for _ in one.rates] for one in resistances_]


class _MechanismForms:
    """The loads and rates of a mechanism, in symbols of the states of either evaluation."""

    def __init__(self, source: Equations, g: Expr) -> None:
        self._source, self.g = source, g
        self.k = source.dynamics.kinematics
        self.speeds = [quantity.symbol for quantity in source.speeds]
        self.coordinate_count = len(source.coordinates)
        self.resistances = list(resistances(self.k, list(stiff_loads(source))))

    def efforts(
        self, accelerations: Sequence[Expr], corrections: Sequence[Sequence[Expr]]
    ) -> list[Expr]:
        """b - M a of accelerations a, with ``corrections``, efforts on the resistances' rates."""
        k, dynamics = self.k, self._source.dynamics
        a = k.accelerations(accelerations, with_bias=True)
        loads = inertial_loads(k, dynamics.inertias, a, with_bias=True)
        loads.add(dynamics.applied)
        loads.add(self._on_links(corrections))
        return list(accumulate(k, loads).efforts)

    def projected(self, corrections: Sequence[Sequence[Expr]]) -> list[Expr]:
        return list(accumulate(self.k, self._on_links(corrections)).efforts)

    def _on_links(self, corrections: Sequence[Sequence[Expr]]) -> LinkLoads:
        loads = LinkLoads.none(self.k)
        for resistance, efforts in zip(self.resistances, corrections, strict=True):
            for link, load in resistance.loads(efforts):
                loads.moments[link] = loads.moments[link] + Vector(load[:3])
                loads.forces[link] = loads.forces[link] + Vector(load[3:])
        return loads

    def coordinate_rates(self, k_p: Sequence[Expr]) -> list[Expr]:
        """h(q, p + g k_p), which is linear in the speeds."""
        later = {p: p + self.g * rate for p, rate in zip(self.speeds, k_p, strict=True)}
        return substitute(self._source.coordinate_rates, later)


# Of order 2 and L-stable with any A (Verwer, Spee, Blom and Hundsdorfer 1999).
ROS2_TABLEAU: Final = ImplicitTableau(1.0 - math.sqrt(0.5), 1.0, -2.0, (0.5,))


def _row3() -> ImplicitTableau:
    """Of order 3 and L-stable; docs/theory/integrators.md derives the coefficients."""
    g, a = 0.225, 2.0 / 3.0  # the least gamma for which it is L-stable is 0.22365
    p1, p2 = 0.5 / g - 1.0, 1.0 - 1.0 / g + 1.0 / (6.0 * g**2)
    p3 = 2.0 - 0.5 / g + p2 - g
    q0, q1, q2, q3 = (g / a * p for p in (1.0 + p1, p1 + p2, p2 + p3, p3))
    later = (p3, q3), (p2, q2, 1.0), (p1, q1, 0.0, 1.0)
    return ImplicitTableau(g, a, -a / g, (q0, 0.0, 0.0, 1.0), later)


ROW3_TABLEAU: Final = _row3()
