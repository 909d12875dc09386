"""The two stages of a linearly implicit step, all their operations chosen beforehand.

Of ROS2 with g = gamma h (``simulation.linearly_implicit``):

    (I - g A) k1 = f(t, x),  (I - g A) k2 = f(t + h, y) - 2 k1,  y = x + h k1

The second stage answers k1 + k2. A mechanism without constraints has the speeds p, the
coordinates q and internal states z, with M dp/dt = b and dq/dt = h(q, p). Of its Jacobian A has
what makes it stiff: B and S of its ``equations.stiff_loads``. With J the partials of their rates
v = J p, and Z = -(g B + g^2 S), elimination of the coordinates leaves

    (M + sum J^T Z J) k1_p = b(x) + sum J^T g S v(x)
    (M + sum J^T Z J) (k1 + k2)_p = b(y) - M(y) k1_p
        + sum J^T (g S (v(y) - 2 v(x)) - (g B + 3 g^2 S) J k1_p)

and k_q = h(q, p + g k_p), of k2 less 2 k1_q. M is not inverted: where the second stage should have
M(x) (dp/dt)(y), it has b(y) - (M(y) - M(x)) k1_p, which differs by terms of order h^2 and leaves
ROS2 its order 2 (docs/theory/integrators.md). What is not in A, as the law of a tyre, gyroscopic
terms and what changes M, is integrated as by an explicit method. Of any other system A is the whole
Jacobian.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from axletree.components.edges import Basis
from axletree.equations.equations import Equations
from axletree.equations.implicit_mass import ImplicitMass
from axletree.equations.inertia import inertial_loads
from axletree.equations.loads import LinkLoads, accumulate, link_loads
from axletree.equations.stiff_loads import FramePort, JointPort, resistances, stiff_loads
from axletree.expr import Expr, jacobian, substitute, symbol, symbols_of, topological_order
from axletree.expr.expression import ONE, ZERO
from axletree.expr.factorisation import least_fill_order, lu
from axletree.expr.traversal import dependent_nodes, replace_parts
from axletree.expr.vectors import NULL, Vector
from axletree.system.system import System

_GIVEN: Final = "right-hand side of row {}"
_KEPT: Final = "value {} of the first stage"


@dataclass(frozen=True)
class ImplicitStages:
    """What both stages compute.

    ``first`` begins with k1, in symbols of the states and of ``step``; ``second`` is k1 + k2, in
    those of the states y, of ``step``, and of all that the first has found, which is ``kept``.

    Example:
    >>> import axletree as at
    >>> from axletree.code.implicit_stages import ImplicitStages
    >>> stages = ImplicitStages.of(at.read_model("pendulum").formulate())
    >>> len(stages.second), len(stages.first) == len(stages.kept)
    (2, True)
    """

    step: Expr  # g
    first: tuple[Expr, ...]
    kept: tuple[Expr, ...]
    second: tuple[Expr, ...]

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


def _of_jacobian(system: System, g: Expr) -> ImplicitStages:
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
    kept = _Kept(system, g, factors.solve(system.derivatives))
    right = [f - 2.0 * k for f, k in zip(system.derivatives, kept.k1, strict=True)]
    k2 = kept.answers(factors.solve, right)
    return kept.stages([a + b for a, b in zip(k2, kept.k1, strict=True)])


def _of_mechanism(system: System, source: Equations, g: Expr) -> ImplicitStages:
    forms = _MechanismForms(source, g)
    n, m = len(source.speeds), len(source.coordinates)
    mass = ImplicitMass(forms.k, source.dynamics.inertias, forms.resistances, g)
    k1_p, motions = mass.solve(forms.efforts([ZERO] * n, forms.advanced))
    k1_q = forms.coordinate_rates(k1_p)
    kept = _Kept(system, g, [*k1_p, *k1_q, *system.derivatives[n + m :]])
    further = [
        [e - 2.0 * before for e, before in zip(own, kept.take(own), strict=True)]
        for own in forms.advanced
    ]
    corrections = [kept.take(one.correction(g, motions)) for one in forms.resistances]
    k1 = kept.k1
    right = forms.efforts(k1[:n], further, corrections)
    both_p = kept.answers(lambda given: mass.solve(given)[0], right)
    rates_q = forms.coordinate_rates([a - b for a, b in zip(both_p, k1[:n], strict=True)])
    others = [*rates_q, *system.derivatives[n + m :]]
    return kept.stages([*both_p, *(r - k for r, k in zip(others, k1[n:], strict=True))])


class _MechanismForms:
    """The loads and rates of a mechanism, in symbols of the states of either stage."""

    def __init__(self, source: Equations, g: Expr) -> None:
        self._source, self._g = source, g
        self.k = source.dynamics.kinematics
        self.stiff = list(stiff_loads(source))
        self.resistances = list(resistances(self.k, self.stiff))

    def efforts(
        self,
        accelerations: Sequence[Expr],
        further: Sequence[Sequence[Expr]],
        corrections: Sequence[Sequence[Expr]] = (),
    ) -> list[Expr]:
        """b - M a of accelerations a, with ``further`` efforts on the rates of the stiff loads,
        and ``corrections`` on those of the resistances."""
        k, source = self.k, self._source
        a = k.accelerations(accelerations, with_bias=True)
        loads = inertial_loads(k, source.dynamics.inertias, a, with_bias=True)
        loads.add(self._applied(further))
        for resistance, efforts in zip(self.resistances, corrections, strict=False):
            for link, load in resistance.loads(efforts):
                loads.moments[link] = loads.moments[link] + Vector(load[:3])
                loads.forces[link] = loads.forces[link] + Vector(load[3:])
        return list(accumulate(k, loads).efforts)

    def _applied(self, further: Sequence[Sequence[Expr]]) -> LinkLoads:
        """The loads of all components and further ones, summed up by frames before links."""
        k, joints = self.k, {c.edge.name: c for c in self.k.links.with_variables}
        loads = LinkLoads.none(k)
        summed: dict[tuple[str, str, Basis], tuple[Vector, Vector]] = {}

        def add(ends: tuple[str, str], force: Vector, moment: Vector, basis: Basis) -> None:
            before = summed.get((*ends, basis), (NULL, NULL))
            summed[(*ends, basis)] = before[0] + force, before[1] + moment

        for answer in self._source.answers:
            for load in answer.response.loads:
                add((load.tail.name, load.head.name), load.force, load.moment, load.basis)
            for one in answer.response.joint_loads:
                if one.joint in joints:  # a prescribed travel leaves nothing to drive
                    loads.add_effort(joints[one.joint].first_speed, one.effort)
        for stiff, efforts in zip(self.stiff, further, strict=True):
            for port, places in stiff.places:
                own = efforts[places.start : places.stop]
                if isinstance(port, FramePort):
                    add(port.ends, Vector(own[:3]), Vector(own[3:]), Basis.TAIL)
                elif isinstance(port, JointPort):
                    loads.add_effort(port.connection.first_speed, own[0])
        for (tail, head, basis), (force, moment) in summed.items():
            loads.add(link_loads(k, (tail, head), force, moment, basis))
        return loads

    @cached_property
    def advanced(self) -> list[list[Expr]]:
        """g S v of each stiff load: what the displacement of a step of g would add."""
        found = []
        for load in self.stiff:
            rates = [rate for port in load.ports for rate in port.rates(self.k)]
            found.append([self._g * e for e in load.stiffened(rates)])
        return found

    def coordinate_rates(self, k_p: Sequence[Expr]) -> list[Expr]:
        """h(q, p + g k_p), which is linear in the speeds."""
        speeds = [quantity.symbol for quantity in self._source.speeds]
        later = {p: p + self._g * rate for p, rate in zip(speeds, k_p, strict=True)}
        return substitute(self._source.coordinate_rates, later)
