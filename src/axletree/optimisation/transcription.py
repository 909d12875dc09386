"""A problem on a mesh as numbers: one vector of unknowns, a cost, constraints, and derivatives.

All that is not linear is F, the rates and outputs of the system at points, or what it gains over
intervals. Cost and constraints are linear in the unknowns v and in F, whatever the rule:

    g = A v + sum_b B_b F_b(v) + g_0,    J = a v + sum_b c_b F_b(v) + v Q v / 2,

so that their derivatives are those of the system, compiled once, times matrices that depend on the
mesh alone (Betts 2010, section 4.6.4, has the separation). Unknowns and rows are scaled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.expr import symbol
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.optimisation.problem import (
    LENGTH,
    OptimalControlProblem,
    given_values,
)
from axletree.optimisation.rules import CollocationRule, ShootingRule
from axletree.optimisation.shooting import AT_END, INTERVAL_LENGTH, increments
from axletree.simulation.system_functions import SystemFunctions
from axletree.system.edit import with_smooth_forces
from axletree.system.system import Definition, System

if TYPE_CHECKING:
    from scipy.sparse import csr_array

TranscriptionRule = CollocationRule | ShootingRule
Index = NDArray[np.int64]
GIVEN: Final = -1  # in place of an unknown's index: a number that is known


@dataclass(frozen=True)
class ProblemFunctions:
    """What a problem needs of its system, compiled: kept from mesh to mesh."""

    points: SystemFunctions  # rates and outputs
    intervals: SystemFunctions | None  # of multiple shooting
    parameters: tuple[str, ...]  # that are chosen; the length of s is among them if it is free

    def with_values(self, values: Mapping[str, float | str]) -> ProblemFunctions:
        """The same with other values of parameters that are not chosen."""
        intervals = self.intervals
        return replace(
            self,
            points=self.points.with_parameters(values),
            intervals=None if intervals is None else intervals.with_parameters(values),
        )


def equations_of(problem: OptimalControlProblem, rule: TranscriptionRule) -> ProblemFunctions:
    """The functions of the system, and of its intervals if these are integrated."""
    system = with_smooth_forces(problem.system)
    if problem.is_length_free:
        system = _with_length(system, problem)
    chosen = tuple(problem.parameters) + ((LENGTH,) if problem.is_length_free else ())
    order = [q.name for q in system.parameters if q.name in chosen]
    listed = (problem.integral, problem.path, problem.beginning, problem.end, problem.final)
    outputs = list(dict.fromkeys([name for one in (*listed, problem.told) for name in one]))
    asked = ("f", "jacobian", "hessian", "adjoint")
    values = dict(problem.values)
    points = system.functions(*asked, outputs=outputs, by_parameters=order, parameters=values)
    intervals = None
    if isinstance(rule, ShootingRule):
        moved = increments(system, problem.integral, rule.steps)
        intervals = moved.functions(
            *asked, outputs=list(problem.integral), by_parameters=order, parameters=values
        )
    return ProblemFunctions(points, intervals, tuple(order))


def _with_length(system: System, problem: OptimalControlProblem) -> System:
    """Rates, and outputs that are integrated, by the share of the length that is covered."""
    length = Quantity(LENGTH, problem.along_unit, f"length of {problem.along}", Role.PARAMETER, 1.0)
    scale = symbol(LENGTH)
    outputs = tuple(
        Definition(d.quantity, scale * d.expression) if d.quantity.name in problem.integral else d
        for d in system.outputs
    )
    return replace(
        system,
        parameters=Quantities([*system.parameters, length]),
        derivatives=tuple(scale * rate for rate in system.derivatives),
        outputs=outputs,
        intermediates=(),
        source=None,
        projection=None,
        edits=(),
    )


@dataclass(frozen=True)
class EvaluationBlock:
    """Evaluations of the same functions at many points."""

    functions: SystemFunctions
    states: Index  # of unknowns, by point and state
    inputs: Index  # likewise, or ``GIVEN``
    given: FloatArray  # by point and input
    parameters: Index
    constraints: Any = field(repr=False)  # B: rows of g by entries of F, point by point
    cost: FloatArray = field(repr=False)  # c

    @property
    def count(self) -> int:
        return len(self.states)

    @property
    def columns(self) -> Index:
        """Of unknowns, by point and column of the functions."""
        spread = np.broadcast_to(self.parameters, (self.count, len(self.parameters)))
        return np.hstack([self.states, self.inputs, spread])

    def arguments(self, v: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """States and inputs by point, and parameters."""
        u = np.where(self.inputs == GIVEN, self.given, v[self.inputs])
        return v[self.states], u, v[self.parameters]

    @property
    def entries(self) -> tuple[Index, Index]:
        """Of the derivatives of F, point by point: the entry of F, and the unknown."""
        pattern = self.functions.jacobian_pattern
        rows, columns = np.array(pattern.rows, dtype=int), _columns(pattern.starts)
        first = np.arange(self.count)[:, None] * len(self.functions.rows)
        return (first + rows).ravel(), self.columns[:, columns].ravel()


def _columns(starts: Sequence[int]) -> Index:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))


@dataclass(frozen=True)
class ConstraintRow:
    """A constraint, as messages name it: what it is of, at which place."""

    kind: str  # "equation of", "path", ...
    name: str
    place: float


@dataclass(frozen=True)
class SparseMap:
    """Entries of a sparse matrix as a linear map of nonzeros of F's derivatives."""

    rows: Index
    columns: Index
    weights: Any
    constant: FloatArray

    def values(self, given: FloatArray) -> FloatArray:
        return np.asarray(self.weights @ given) + self.constant


@dataclass(frozen=True)
class Transcription:
    """A problem on a mesh, with a rule."""

    problem: OptimalControlProblem
    rule: TranscriptionRule
    equations: ProblemFunctions
    nodes: FloatArray  # of s, or of its share of the length
    places: FloatArray  # of all points, nodes among them
    states: Index  # of unknowns, by point and state
    controls: Index  # by point and control
    parameters: Index
    blocks: tuple[EvaluationBlock, ...]
    linear: Any = field(repr=False)  # A
    constant: FloatArray = field(repr=False)  # g_0
    gradient: FloatArray = field(repr=False)  # a
    quadratic: Any = field(repr=False)  # Q
    lower: FloatArray = field(repr=False)
    upper: FloatArray = field(repr=False)
    row_lower: FloatArray = field(repr=False)
    row_upper: FloatArray = field(repr=False)
    scales: FloatArray = field(repr=False)  # of unknowns
    row_scales: FloatArray = field(repr=False)
    rows: tuple[ConstraintRow, ...] = field(repr=False)

    @property
    def unknowns(self) -> int:
        return len(self.lower)

    @cached_property
    def jacobian_map(self) -> SparseMap:
        """d g / d w by scaled rows and unknowns w, stored by columns."""
        from scipy.sparse import coo_array

        base = coo_array(self.linear)
        rows, columns = [base.coords[0]], [base.coords[1]]
        weights, sources, first = [], [], 0
        for block in self.blocks:
            entry, unknown = block.entries
            chosen = coo_array(block.constraints.tocsc()[:, entry])
            known = unknown[chosen.coords[1]] != GIVEN
            row, source, weight = (part[known] for part in (*chosen.coords, chosen.data))
            rows.append(row)
            columns.append(unknown[source])
            weights.append(weight)
            sources.append(source + first)
            first += len(entry)
        row, column = np.concatenate(rows), np.concatenate(columns)
        factor = self.scales[column] / self.row_scales[row]
        count = len(base.data)
        return _map(
            row, column, base.data * factor[:count],
            np.concatenate([*weights, []]) * factor[count:],
            np.concatenate([*sources, []]).astype(int), first,
        )  # fmt: skip

    @cached_property
    def gradient_map(self) -> csr_array:
        """d J / d w of what is not linear, of nonzeros of F's derivatives."""
        from scipy.sparse import coo_array

        parts, first = [], 0
        for block in self.blocks:
            entry, unknown = block.entries
            weight = block.cost[entry]
            used = np.flatnonzero((weight != 0.0) & (unknown != GIVEN))
            column = unknown[used]
            parts.append((column, used + first, weight[used] * self.scales[column]))
            first += len(entry)
        column, source, weight = (np.concatenate(one) for one in zip(*parts, strict=True))
        return coo_array((weight, (column, source)), shape=(self.unknowns, first)).tocsr()

    @cached_property
    def hessian_map(self) -> SparseMap:
        """The upper triangle of the Lagrangian's second derivatives, without the cost's own Q."""
        rows, columns, weights, sources, first = [], [], [], [], 0
        for block in self.blocks:
            pattern = block.functions.hessian_pattern
            lower = np.array(pattern.rows, dtype=int)
            of = block.columns
            one, other = of[:, lower].ravel(), of[:, _columns(pattern.starts)].ravel()
            twice = np.broadcast_to(lower != _columns(pattern.starts), (block.count, len(lower)))
            known = np.flatnonzero((one != GIVEN) & (other != GIVEN))
            one, other = one[known], other[known]
            factor = np.where((one == other) & twice.ravel()[known], 2.0, 1.0)
            rows.append(np.minimum(one, other))
            columns.append(np.maximum(one, other))
            weights.append(factor * self.scales[one] * self.scales[other])
            sources.append(known + first)
            first += block.count * len(lower)
        own = self.quadratic.tocoo()
        upper = own.coords[0] <= own.coords[1]
        row, column, value = own.coords[0][upper], own.coords[1][upper], own.data[upper]
        none = np.zeros(len(value))
        found = _map(
            np.concatenate([row, *rows]), np.concatenate([column, *columns]),
            none, np.concatenate(weights), np.concatenate(sources), first,
        )  # fmt: skip
        return found

    @cached_property
    def own_hessian(self) -> FloatArray:
        """Q in the entries of ``hessian_map``, by scaled unknowns."""
        found = self.hessian_map
        values = self.quadratic.tocsr()
        scaled = np.asarray(values[found.rows, found.columns]).ravel()
        return scaled * self.scales[found.rows] * self.scales[found.columns]

    def weights(self, multipliers: FloatArray, of_cost: float) -> list[FloatArray]:
        """Of entries of F in the Lagrangian, by block, point and row."""
        scaled = multipliers / self.row_scales
        return [
            np.asarray(block.constraints.T @ scaled + of_cost * block.cost).reshape(block.count, -1)
            for block in self.blocks
        ]


def _map(
    rows: Index, columns: Index, own: FloatArray, weights: FloatArray, sources: Index, size: int
) -> SparseMap:
    """Entries that stand at the same place are summed; the first ones are constants."""
    from scipy.sparse import coo_array

    height = int(rows.max(initial=0)) + 1
    keys, place = np.unique(columns.astype(np.int64) * height + rows, return_inverse=True)
    count = len(own)
    constant = np.bincount(place[:count], own, minlength=len(keys)).astype(float)
    matrix = coo_array((weights, (place[count:], sources)), shape=(len(keys), size)).tocsr()
    return SparseMap(keys % height, keys // height, matrix, constant)


class Maker:
    """Puts a transcription together: unknowns first, then rows."""

    def __init__(
        self,
        problem: OptimalControlProblem,
        rule: TranscriptionRule,
        equations: ProblemFunctions,
        nodes: FloatArray,
    ) -> None:
        self.problem, self.rule, self.equations, self.nodes = problem, rule, equations, nodes
        self.inner = rule.points if isinstance(rule, CollocationRule) else (1.0,)
        self.places = _places(nodes, self.inner)
        functions = equations.points
        self.state_bounds = [problem.bounds("states", name) for name in functions.states]
        self.control_names = tuple(problem.controls)
        self.control_bounds = [problem.bounds("controls", name) for name in self.control_names]
        self.rows: list[ConstraintRow] = []
        self.row_bounds: list[tuple[float, float, float]] = []  # lower, upper, scale
        self.linear: list[tuple[int, int, float]] = []
        self.nonlinear: list[tuple[int, int, float]] = []  # of points
        self.shot: list[tuple[int, int, float]] = []  # of intervals
        self._number_unknowns()

    def _number_unknowns(self) -> None:
        points, n, m = len(self.places), len(self.state_bounds), len(self.control_bounds)
        index = np.arange(points * (n + m)).reshape(points, n + m)
        for k, one in enumerate([*self.state_bounds, *self.control_bounds]):
            if one.periodic:
                index[-1, k] = index[0, k]
        kept, numbered = np.unique(index, return_inverse=True)
        numbered = numbered.reshape(index.shape)
        self.states, self.controls = numbered[:, :n], numbered[:, n:]
        names = self.equations.parameters
        self.parameters = len(kept) + np.arange(len(names))
        self.count = len(kept) + len(names)
        self.closed = bool(m) and all(one.periodic for one in self.control_bounds)

    def made(self, v: FloatArray) -> Transcription:
        """With scales, where bounds say none, from the magnitudes of a guess."""
        from scipy.sparse import coo_array

        problem = self.problem
        lower, upper, scales = self._ranges(v)
        self.scales = scales
        self._defects()
        self._continued_controls()
        self._path_rows(v)
        self._rate_rows()
        points, rows = len(self.places), len(self.equations.points.rows)
        cost, shot_cost = self._costs(points, rows)
        count = len(self.rows)
        blocks = [self._point_block(_matrix(self.nonlinear, (count, points * rows)), cost)]
        if self.equations.intervals is not None:
            size = (len(self.nodes) - 1) * len(self.equations.intervals.rows)
            blocks.append(self._shot_block(_matrix(self.shot, (count, size)), shot_cost))
        gradient = np.zeros(self.count)
        if problem.is_length_free:
            gradient[self._parameter(LENGTH)] = problem.length_weight
        bounds = np.array(self.row_bounds).reshape(count, 3)
        return Transcription(
            problem, self.rule, self.equations, self.nodes, self.places, self.states,
            self.controls, self.parameters, tuple(blocks),
            coo_array(_matrix(self.linear, (count, self.count))), np.zeros(count), gradient,
            self._quadratic(), lower, upper, bounds[:, 0], bounds[:, 1], scales, bounds[:, 2],
            tuple(self.rows),
        )  # fmt: skip

    def _parameter(self, name: str) -> int:
        return int(self.parameters[self.equations.parameters.index(name)])

    def _ranges(self, v: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        lower, upper = np.full(self.count, -np.inf), np.full(self.count, np.inf)
        scales = np.ones(self.count)
        tables = ((self.states, self.state_bounds), (self.controls, self.control_bounds))
        for index, bounds in tables:
            for k, one in enumerate(bounds):
                self._narrow(lower, upper, index[:, k], (one.lower, one.upper))
                for end, pair in ((0, one.initial), (-1, one.final)):
                    if pair is not None:
                        self._narrow(lower, upper, index[[end], k], pair)
                guessed = float(np.abs(v[index[:, k]]).max()) or 1.0
                scales[index[:, k]] = one.scale or guessed
        for k, name in zip(self.parameters.tolist(), self.equations.parameters, strict=True):
            of = self.problem.bounds("length" if name == LENGTH else "parameters", name)
            lower[k], upper[k] = of.lower, of.upper
            scales[k] = of.scale or abs(v[k]) or 1.0
        return lower, upper, scales

    @staticmethod
    def _narrow(
        lower: FloatArray, upper: FloatArray, index: Index, pair: tuple[float, float]
    ) -> None:
        lower[index] = np.maximum(lower[index], pair[0])
        upper[index] = np.minimum(upper[index], pair[1])

    def _row(self, kind: str, name: str, place: float, bounds: tuple[float, float, float]) -> int:
        self.rows.append(ConstraintRow(kind, name, place))
        self.row_bounds.append(bounds)
        return len(self.rows) - 1

    def _defects(self) -> None:
        """x_j - x_0 - h sum a_ji f_i = 0, of every state, point and interval."""
        names, stride = self.equations.points.states, len(self.inner)
        size = len(self.equations.points.rows)
        for i, h in enumerate(np.diff(self.nodes).tolist()):
            first = i * stride
            for j in range(stride):
                place = float(self.places[first + j + 1])
                for k, name in enumerate(names):
                    scale = self.scales[self.states[first, k]]
                    row = self._row("equation of", name, place, (0.0, 0.0, scale))
                    self.linear.append((row, self.states[first + j + 1, k], 1.0))
                    self.linear.append((row, self.states[first, k], -1.0))
                    if isinstance(self.rule, ShootingRule):
                        of = self.equations.intervals
                        assert of is not None
                        self.shot.append((row, i * len(of.rows) + k, -1.0))
                        continue
                    for point, a in enumerate(self.rule.matrix[j].tolist()):
                        if a:
                            self.nonlinear.append((row, (first + point) * size + k, -h * a))

    def _continued_controls(self) -> None:
        """The first controls, where no equation has them, by those of the first interval."""
        rule = self.rule
        if isinstance(rule, ShootingRule) or rule.at_beginning:
            return
        others = CollocationRule("", "", 0, tuple(rule.points), at_beginning=False)
        values = others.rate_values(np.array([0.0]))[0]  # of the polynomial without the beginning
        for k, (name, one) in enumerate(zip(self.control_names, self.control_bounds, strict=True)):
            if one.periodic or one.rate_weight:
                continue
            scale = self.scales[self.controls[0, k]]
            row = self._row("continued", name, float(self.places[0]), (0.0, 0.0, scale))
            self.linear.append((row, self.controls[0, k], -1.0))
            for point, value in enumerate(values.tolist()):
                if value:
                    self.linear.append((row, self.controls[point, k], value))

    def _path_rows(self, v: FloatArray) -> None:
        functions = self.equations.points
        size, points = len(functions.rows), len(self.places)
        asked = points - 1 if self.closed else points
        tables = (
            ("path", self.problem.path, range(asked)),
            ("beginning", self.problem.beginning, (0,)),
            ("end", self.problem.end, (points - 1,)),
        )
        found = self._at_points(v)
        for kind, listed, places in tables:
            for name in listed:
                of, column = self.problem.bounds(kind, name), functions.rows.index(name)
                known = found[:, column][np.isfinite(found[:, column])]
                scale = of.scale or float(np.abs(known).max(initial=0.0)) or 1.0
                for point in places:
                    where = float(self.places[point])
                    row = self._row(kind, name, where, (of.lower, of.upper, scale))
                    self.nonlinear.append((row, point * size + column, 1.0))

    def _at_points(self, v: FloatArray) -> FloatArray:
        """F at a guess, whose magnitudes scale what has no bounds."""
        block = self._point_block(None, np.zeros(0))
        return block.functions.f(*block.arguments(v))

    def _rate_rows(self) -> None:
        slopes = self.rule.slopes if isinstance(self.rule, CollocationRule) else None
        if slopes is None or len(slopes) == 2:
            slopes = np.array([[-1.0, 1.0]])
        for k, (name, one) in enumerate(zip(self.control_names, self.control_bounds, strict=True)):
            if one.rate is None:
                continue
            for i, h in enumerate(np.diff(self.nodes).tolist()):
                first = i * len(self.inner)
                for j, line in enumerate(slopes.tolist()):
                    bounds = (-one.rate * h, one.rate * h, one.rate * h)
                    if self.problem.is_length_free:
                        bounds = (-np.inf, 0.0, one.rate * h)
                    signs = (1.0, -1.0) if self.problem.is_length_free else (1.0,)
                    for sign in signs:
                        place = float(self.places[first + min(j, len(self.inner))])
                        row = self._row("rate of", name, place, bounds)
                        for point, value in enumerate(line):
                            self.linear.append((row, self.controls[first + point, k], sign * value))
                        if self.problem.is_length_free:
                            self.linear.append((row, self._parameter(LENGTH), -one.rate * h))

    def _costs(self, points: int, rows: int) -> tuple[FloatArray, FloatArray]:
        problem, functions = self.problem, self.equations.points
        cost, stride = np.zeros((points, rows)), len(self.inner)
        shot = np.zeros(0)
        for name, weight in problem.final.items():
            cost[-1, functions.rows.index(name)] += weight
        if isinstance(self.rule, ShootingRule):
            of = self.equations.intervals
            assert of is not None
            table = np.zeros((len(self.nodes) - 1, len(of.rows)))
            for name, weight in problem.integral.items():
                table[:, of.rows.index(name)] += weight
            return cost.ravel(), table.ravel()
        for name, weight in problem.integral.items():
            column = functions.rows.index(name)
            for i, h in enumerate(np.diff(self.nodes).tolist()):
                first = i * stride
                cost[first : first + stride + 1, column] += weight * h * self.rule.matrix[-1]
        return cost.ravel(), shot

    def _quadratic(self) -> Any:
        """Weights of squared rates of controls."""
        stride, found = len(self.inner), []
        if isinstance(self.rule, CollocationRule):
            squares = self.rule.slope_squares
        else:
            squares = np.array([[1.0, -1.0], [-1.0, 1.0]])
        for k, one in enumerate(self.control_bounds):
            if not one.rate_weight:
                continue
            for i, h in enumerate(np.diff(self.nodes).tolist()):
                index = self.controls[i * stride : (i + 1) * stride + 1, k]
                for a, line in zip(index.tolist(), squares.tolist(), strict=True):
                    for b, value in zip(index.tolist(), line, strict=True):
                        found.append((a, b, 2.0 * one.rate_weight * value / h))
        return _matrix(found, (self.count, self.count))

    def _point_block(self, constraints: Any, cost: FloatArray) -> EvaluationBlock:
        inputs, given = self._inputs(self.equations.points.inputs, range(len(self.places)))
        return EvaluationBlock(
            self.equations.points, self.states, inputs, given, self.parameters, constraints, cost
        )

    def _shot_block(self, constraints: Any, cost: FloatArray) -> EvaluationBlock:
        functions = self.equations.intervals
        assert functions is not None
        count = len(self.nodes) - 1
        plain = tuple(name for name in self.equations.points.inputs)
        first, known = self._inputs(plain, range(count))
        last, later = self._inputs(plain, range(1, count + 1))
        steps = np.diff(self.nodes)[:, None]
        order = [*plain, *(f"{name}{AT_END}" for name in plain), INTERVAL_LENGTH]
        inputs = np.hstack([first, last, np.full((count, 1), GIVEN)])
        given = np.hstack([known, later, steps])
        place = [order.index(name) for name in functions.inputs]
        return EvaluationBlock(
            functions, self.states[:count], inputs[:, place], given[:, place], self.parameters,
            constraints, cost,
        )  # fmt: skip

    def _inputs(self, names: Sequence[str], points: range) -> tuple[Index, FloatArray]:
        places = self.places[list(points)]
        index = np.full((len(places), len(names)), GIVEN)
        given = np.zeros(index.shape)
        for column, name in enumerate(names):
            if name in self.control_names:
                index[:, column] = self.controls[list(points), self.control_names.index(name)]
            elif name in self.problem.given:
                given[:, column] = given_values(self.problem.given[name], places)
            else:
                given[:, column] = self.problem.system.inputs[name].default
        return index, given


def _matrix(entries: list[tuple[int, int, float]], shape: tuple[int, int]) -> Any:
    from scipy.sparse import coo_array

    rows, columns, values = zip(*entries, strict=True) if entries else ((), (), ())
    made = coo_array((np.array(values, dtype=float), (rows, columns)), shape=shape)
    return made.tocsr()


def _places(nodes: FloatArray, inner: Sequence[float]) -> FloatArray:
    steps = np.diff(nodes)[:, None]
    return np.concatenate([nodes[:1], (nodes[:-1, None] + steps * np.array(inner)).ravel()])
