"""The stages of a linearly implicit step, all their operations chosen beforehand.

With g = gamma h, two evaluations f(t, x) and f(t + a h, y), y = x + a h k1, and up to three stages:

    (I - g A) k1 = f(t, x)
    (I - g A) u2 = f(t + a h, y) + c21 k1           k2 = u2 - c21 k1
    (I - g A) u3 = f(t + a h, y) + c31 k1 + c32 k2  k3 = u3 - c31 k1 - c32 k2

Instead of these, w = k2 - k1 and e = k3 - k2 are solved for. A mechanism without constraints has
the speeds p, the coordinates q and internal states z, with M dp/dt = b and dq/dt = h(q, p). Of its
Jacobian A has what makes it stiff: B and S of its ``equations.stiff_loads``. With the rates v = J p
that these feel and Z = -(g B + g^2 S), elimination of the coordinates leaves

    (M + sum J^T Z J) k1_p = b(x) + sum J^T g S v(x)
    (M + sum J^T Z J) w_p = b(y) - M(y) k1_p + sum J^T (
        (1 + c21) g B J k1_p + g S (v(y) + c21 v(x)) + (1 + 2 c21) g^2 S J k1_p)
    (M + sum J^T Z J) e_p = sum J^T (g B + g^2 S) J r_p + sum J^T g S v_r

with r = (c31 - c21 + c32) k1 + c32 w and the rates v_r that go with r. M is not inverted: where the
second stage should have M(x) (dp/dt)(y), it has b(y) - (M(y) - M(x)) k1_p, which differs by terms
of order h^2 (docs/theory/integrators.md derives all this). What is not in A, as the law of a tyre,
gyroscopic terms and what changes M, is integrated as by an explicit method. Of any other system A
is the whole Jacobian.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from axletree.equations.equations import Equations
from axletree.equations.implicit_mass import ImplicitMass
from axletree.equations.inertia import inertial_loads
from axletree.equations.loads import LinkLoads, accumulate
from axletree.equations.spatial import SpatialVector
from axletree.equations.stiff_loads import resistances, stiff_loads
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
    """The coefficients of a step: x + h (k1 + (b2 + b3) w + b3 e)."""

    gamma: float
    ahead: float  # a, of the second evaluation
    c21: float
    b2: float
    third: tuple[float, float, float] | None = None  # c31, c32, b3


@dataclass(frozen=True)
class ImplicitStages:
    """What the routines of both evaluations compute.

    ``first`` begins with k1, in symbols of the states and of ``step``; ``second`` is the rest of
    the mean slope, (b2 + b3) w + b3 e, in those of the states y, of ``step``, and of all that the
    first has found, which is ``kept``.

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
    if tableau.third is None:
        return kept.stages([tableau.b2 * e for e in w])
    r = _third_right(tableau, kept.k1, w)
    d = kept.answers(factors.solve, r)
    return kept.stages(_mean(tableau, w, [a - b for a, b in zip(d, r, strict=True)]))


def _third_right(tableau: ImplicitTableau, k1: Sequence[Expr], w: Sequence[Expr]) -> list[Expr]:
    """r, in the order of k1 and w."""
    assert tableau.third is not None
    c31, c32, _ = tableau.third
    return [(c31 - tableau.c21 + c32) * a + c32 * b for a, b in zip(k1, w, strict=True)]


def _mean(tableau: ImplicitTableau, w: Sequence[Expr], e: Sequence[Expr]) -> list[Expr]:
    assert tableau.third is not None
    b3 = tableau.third[2]
    return [(tableau.b2 + b3) * a + b3 * b for a, b in zip(w, e, strict=True)]


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
    kept = _Kept(system, g, [*k1_p, *forms.coordinate_rates(k1_p), *z_rates])
    first = [(kept.take(one.rates), kept.take(one.felt(motions))) for one in felt]
    second = _SecondStages(tableau, forms, first, kept, mass)
    w_p, w_q = second.w()
    w = [*w_p, *w_q, *(f - k for f, k in zip(z_rates, kept.k1[n + len(w_q) :], strict=True))]
    if tableau.third is None:
        found = [tableau.b2 * e for e in w]
    else:
        e_p, e_q = second.e(w_p)
        found = _mean(tableau, w, [*e_p, *e_q, *([ZERO] * len(z_rates))])
    stages = kept.stages(found)
    changed = [*stages.first, *stages.second]
    for edit in system.edits:
        changed = list(edit(changed))
    count = len(stages.first)
    return replace(stages, first=tuple(changed[:count]), second=tuple(changed[count:]))


class _SecondStages:
    """What follows from the second evaluation, with rates and accelerations felt in the first."""

    def __init__(
        self,
        tableau: ImplicitTableau,
        forms: _MechanismForms,
        first: Sequence[tuple[list[Expr], list[Expr]]],
        kept: _Kept,
        mass: ImplicitMass,
    ) -> None:
        self._tableau, self._forms, self._first = tableau, forms, first
        self._kept, self._mass = kept, mass
        count = len(forms.speeds)
        self._k1_p, self._k1_q = kept.k1[:count], kept.k1[count:]

    def w(self) -> tuple[list[Expr], list[Expr]]:
        """Of the speeds and of the coordinates."""
        c21, g, forms = self._tableau.c21, self._forms.g, self._forms
        corrections = []
        for one, (v, a) in zip(forms.resistances, self._first, strict=True):
            damped = [(1.0 + c21) * (g * a_i) for a_i in a]
            moved = [
                g * (v_y + c21 * v_x + (1.0 + 2.0 * c21) * (g * a_i))
                for v_y, v_x, a_i in zip(one.rates, v, a, strict=True)
            ]
            corrections.append(one.efforts(damped, moved))
        w_p = self._solved(forms.efforts(self._k1_p, corrections))
        u2 = [w + (1.0 + c21) * k for w, k in zip(w_p, self._k1_p, strict=True)]
        rates = forms.coordinate_rates(u2)
        return w_p, [r - k for r, k in zip(rates, self._k1_q, strict=False)]

    def e(self, w_p: Sequence[Expr]) -> tuple[list[Expr], list[Expr]]:
        """Likewise; ``w_p`` are those of the speeds."""
        assert self._tableau.third is not None
        c31, c32, _ = self._tableau.third
        c21, g, forms = self._tableau.c21, self._forms.g, self._forms
        c1 = c31 - c21 + c32
        motions = forms.motions(w_p)
        corrections = []
        for one, (v, a) in zip(forms.resistances, self._first, strict=True):
            damped, moved = [], []
            both = zip(one.rates, v, a, one.felt(motions), strict=True)
            for v_y, v_x, a_1, a_w in both:
                r = c1 * a_1 + c32 * a_w
                later = c1 * (v_x + g * a_1) + c32 * (v_y - v_x + g * (a_w + c21 * a_1))
                damped.append(g * r)
                moved.append(g * (g * r + later))
            corrections.append(one.efforts(damped, moved))
        e_p = self._solved(forms.projected(corrections))
        d_p = [
            r + e for r, e in zip(_third_right(self._tableau, self._k1_p, w_p), e_p, strict=True)
        ]
        moving, at_rest = forms.coordinate_rates(d_p), forms.coordinate_rates([ZERO] * len(d_p))
        return e_p, [a - b for a, b in zip(moving, at_rest, strict=True)]

    def _solved(self, right: Sequence[Expr]) -> list[Expr]:
        return self._kept.answers(lambda given: self._mass.solve(given)[0], right)


class _MechanismForms:
    """The loads and rates of a mechanism, in symbols of the states of either evaluation."""

    def __init__(self, source: Equations, g: Expr) -> None:
        self._source, self.g = source, g
        self.k = source.dynamics.kinematics
        self.speeds = [quantity.symbol for quantity in source.speeds]
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

    def motions(self, speed_rates: Sequence[Expr]) -> list[SpatialVector]:
        """The accelerations of all links with these rates of the speeds, from rest."""
        a = self.k.accelerations(speed_rates, with_bias=False)
        return [(*w, *v) for w, v in zip(a.angular, a.linear, strict=True)]

    def coordinate_rates(self, k_p: Sequence[Expr]) -> list[Expr]:
        """h(q, p + g k_p), which is linear in the speeds."""
        later = {p: p + self.g * rate for p, rate in zip(self.speeds, k_p, strict=True)}
        return substitute(self._source.coordinate_rates, later)


def _row3() -> ImplicitTableau:
    """Three stages of order 3 and two evaluations, L-stable (docs/theory/integrators.md)."""
    # The root of gamma^3 - 3 gamma^2 + 3 gamma / 2 = 1/6 for which it is A-stable.
    third_angle = (2.0 * math.pi - math.acos(-math.sqrt(8.0) / 3.0)) / 3.0
    gamma = 1.0 - math.sqrt(2.0) * math.cos(third_angle)
    ahead, b2, b3 = 2.0 / 3.0, 0.25, 0.5
    gamma32 = 0.25 * (1.0 - 3.0 * gamma) / b3
    gamma21 = (1.0 / 6.0 - gamma + gamma**2) / (b3 * gamma32) - ahead
    gamma31 = -(gamma + b2 * gamma21) / b3 - gamma32
    third = (gamma31 / gamma, gamma32 / gamma, b3)
    return ImplicitTableau(gamma, ahead, gamma21 / gamma, b2, third)


ROS2_TABLEAU: Final = ImplicitTableau(1.0 - math.sqrt(0.5), ahead=1.0, c21=-2.0, b2=0.5)
ROW3_TABLEAU: Final = _row3()
