"""Parameters of a tyre law from measurements, by least squares with exact derivatives.

The residual of each force is divided by its largest measured size, so that newtons and newton
metres weigh alike. The Jacobian is the derivative of the law's own expressions with respect to
its parameters, evaluated on all measured points at once. A parameter that physics puts between
others (``Relation``) is sought as the share of the way between them.
"""

from __future__ import annotations

import fnmatch
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from axletree.analysis.studies.tyre_characteristics import rolling_contact
from axletree.components.fields import FieldKind, Relation
from axletree.core.errors import ExpressionError, ModelError
from axletree.core.registry import unknown_name
from axletree.expr import Expr, as_expr, evaluate, jacobian, symbol
from axletree.wheel.contract import TyreLaw
from axletree.wheel.tyres.tyre_data import DATA_INPUTS, TyreData

MOST_EVALUATIONS = 300
_NEGLIGIBLE = 1e-7  # a singular value below this share of the largest counts as none
_NO_EFFECT = 1e-9  # share of the largest force, that a parameter makes as a whole
_FAR = 1e6  # residual of a step to where a law is not finite
_INSIDE = 1e-3  # share of the way between bounds, at which a parameter starts within them
_ON_BOUND = 1e-4  # share of that way, within which it has come to lie on one
_HARDLY = 0.5  # share of its size, as which the deviation of a parameter tells nothing of it
_UNEXPLAINED = 0.9  # share of the root mean square of a force, from which on an error is all of it
_SHARE = 0.1  # of the largest part in a direction, that makes a parameter a part of it

ReportIteration = Callable[[int, float], None]  # number of the iteration, root mean square so far


@dataclass(frozen=True)
class FittedParameter:
    """One parameter of the law before and after."""

    name: str
    unit: str
    start: float
    value: float
    deviation: float  # standard deviation; NaN where it is held or at a bound
    note: str = ""  # why it is not simply fitted
    held: bool = False  # kept at its start, because the data do not determine it


@dataclass(frozen=True)
class TyreFit:
    """A law with the parameters that fit the data best."""

    law: TyreLaw
    parameters: tuple[FittedParameter, ...]
    rms: Mapping[str, float]  # root mean square error of Fx [N], Fy [N], Mz [N m]
    peaks: Mapping[str, float]  # largest measured size of the same
    iterations: int
    converged: bool
    unexplained: tuple[str, ...] = ()  # of the same, whose errors are as large as they are


def fit_tyre(
    law: TyreLaw, data: TyreData, free: Sequence[str] = (), report: ReportIteration | None = None
) -> TyreFit:
    """Fit from the values of ``law``; ``free`` names parameters, with * and ? as wildcards.

    Bounds and relations between parameters are those that the law declares. A parameter that no
    measured force depends on keeps its value, and so does one whose effect the data do not tell
    from that of others; one that they hardly determine has a note that says so.
    Where what fits best explains none of the forces, as with signs of other axes, there is no fit.
    ``report`` is called in each iteration.
    """
    problem = fit_problem(law, data, free)
    if problem.size < len(problem.names):
        raise ModelError(
            f"{problem.size} measured values cannot determine {len(problem.names)} parameters; "
            "measure more points, or name fewer parameters"
        )
    if not any(problem.sizes.values()):
        raise ModelError(f"{', '.join(problem.forces)} are zero at all points: nothing to fit")
    problem = _with_effect(problem, law)
    x = np.array([law.numbers[name] for name in problem.names])
    steps = _Steps(report)
    found = steps.solve(problem, law, x)
    while (alike := _indistinct(problem, found)) and len(problem.names) > 1:
        kept = alike[-1]  # laws declare terms of higher order after those of lower
        x = np.delete(found.x, problem.names.index(kept))
        others = f" from {', '.join(alike[:-1])}" if alike[:-1] else ""
        problem = problem.without(kept, law.numbers[kept], f"these data do not tell it{others}")
        found = steps.solve(problem, law, x)
    unexplained = _unexplained(problem, found.x)
    fitted = _changed(law, dict(zip(problem.names, map(float, found.x), strict=True)))
    return TyreFit(
        law=fitted,
        parameters=_parameters(law, fitted, problem, found),
        rms=problem.rms(found.x),
        peaks=problem.peaks,
        iterations=steps.count,
        converged=bool(found.status > 0),
        unexplained=unexplained,
    )


def _unexplained(problem: FitProblem, x: np.ndarray) -> tuple[str, ...]:
    """Forces that the law is as far from as no force at all; an error if these are all."""
    errors = problem.rms(x)
    sizes = {name: size for name, size in problem.sizes.items() if size}
    found = tuple(name for name in sizes if errors[name] > _UNEXPLAINED * sizes[name])
    if len(found) == len(sizes):
        raise ModelError(
            f"what fits best explains nothing of {', '.join(found)}: errors are as large as what "
            "was measured; are signs those of the axes (ISO 8855, or --axes), are columns and "
            "units the right ones, and does the law start near the data?"
        )
    return found


def _with_effect(problem: FitProblem, law: TyreLaw) -> FitProblem:
    """Without parameters that no force at these points depends on, as those of Fx without slip."""
    x = np.array([law.numbers[name] for name in problem.names])
    slopes = problem.jacobian(x)
    if not slopes.any():
        raise ModelError(
            f"no force at these points depends on {', '.join(problem.names)}; measure others, or "
            "name other parameters"
        )
    effects = np.abs(slopes * x).max(axis=0)
    for name, value, effect in zip(problem.names, x.tolist(), effects.tolist(), strict=True):
        if value and effect < _NO_EFFECT and len(problem.names) > 1:
            problem = problem.without(name, value, "these data do not tell it")
    return problem


def _changed(law: TyreLaw, values: Mapping[str, float]) -> TyreLaw:
    try:
        return law.with_numbers(values)
    except ModelError as error:
        advice = "name fewer parameters, or add measurements that determine these"
        said = [f"what fits best is no possible law: {text}; {advice}" for text in error.problems]
        raise ModelError(said) from None


class _Steps:
    """Solves, counts iterations, of which each needs one Jacobian, and tells of them."""

    def __init__(self, report: ReportIteration | None) -> None:
        self._report = report
        self.count = 0

    def solve(self, problem: FitProblem, law: TyreLaw, x: np.ndarray) -> Any:
        from scipy.optimize import least_squares

        def counted(x: np.ndarray) -> np.ndarray:
            self.count += 1
            if self._report is not None:
                self._report(self.count, float(np.sqrt(np.mean(problem.residuals(x) ** 2))))
            return problem.jacobian(x)

        shares = Shares(law, problem.names)

        def residuals(y: np.ndarray) -> np.ndarray:
            try:
                return problem.residuals(shares.parameters(y))
            except ExpressionError:  # a step too far, of which a shorter part is tried
                return np.full(problem.size, _FAR)

        problem.residuals(x)  # says so where the law is not finite at the start
        with np.errstate(all="ignore"):  # a parameter near its bound has steps that overflow
            found = least_squares(
                residuals,
                shares.of(x),
                jac=lambda y: counted(shares.parameters(y)) @ shares.slopes(y),
                bounds=shares.bounds(problem.bounds(law)),
                x_scale="jac",
                max_nfev=MOST_EVALUATIONS,
            )
        found.at_bound = shares.at_bound(found.x)
        found.x = shares.parameters(found.x)
        found.jac = problem.jacobian(found.x)
        return found


class Shares:
    """Parameters in relation to others as shares, from 0 to 1, of the way between these."""

    def __init__(self, law: TyreLaw, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._known = law.numbers
        self._place = {name: k for k, name in enumerate(names)}
        self._relations = [one for one in law.named_relations() if one.name in self._place]

    def parameters(self, y: np.ndarray) -> np.ndarray:
        return self._walked(y)[0]

    def slopes(self, y: np.ndarray) -> np.ndarray:
        """d parameters / d y."""
        return self._walked(y)[1]

    def of(self, x: np.ndarray) -> np.ndarray:
        """Inside of the bounds, where parameters start on them or beyond."""
        y, slopes = x.copy(), np.eye(len(x))
        for one in self._relations:
            low, high = (limit[0] for limit in self._limits(one, x, slopes))
            share = (x[self._place[one.name]] - low) / (high - low) if high > low else 0.5
            y[self._place[one.name]] = min(max(share, _INSIDE), 1.0 - _INSIDE)
        return y

    def bounds(self, own: tuple[list[float], list[float]]) -> tuple[list[float], list[float]]:
        lower, upper = (list(values) for values in own)
        for one in self._relations:
            k = self._place[one.name]
            lower[k], upper[k] = 0.0, 1.0
        return lower, upper

    def at_bound(self, y: np.ndarray) -> dict[str, str]:
        """By name what bounds a parameter, of those that are kept from going on."""
        _, slopes = self._walked(y)
        found = {}
        for one in self._relations:
            share = y[self._place[one.name]]
            if min(share, 1.0 - share) < _ON_BOUND:
                terms = one.above if share < 0.5 else self._lowest(one, self.parameters(y), slopes)
                found[one.name] = f"at its bound, by {', '.join(terms) or 'zero'}"
        return found

    def _walked(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        x, slopes = y.copy(), np.eye(len(y))
        for one in self._relations:  # what a relation depends on comes before it
            k = self._place[one.name]
            (low, of_low), (high, of_high) = self._limits(one, x, slopes)
            x[k] = low + y[k] * (high - low)
            slopes[k] = of_low + y[k] * (of_high - of_low)
            slopes[k, k] += high - low
        return x, slopes

    def _limits(
        self, one: Relation, x: np.ndarray, slopes: np.ndarray
    ) -> tuple[tuple[float, np.ndarray], tuple[float, np.ndarray]]:
        """The lower and the upper one, each with its slopes."""
        lowest = self._lowest(one, x, slopes)
        return self._sum(one.above, x, slopes), self._sum(lowest, x, slopes)

    def _lowest(self, one: Relation, x: np.ndarray, slopes: np.ndarray) -> Mapping[str, float]:
        return min(one.below, key=lambda terms: self._sum(terms, x, slopes)[0])

    def _sum(
        self, terms: Mapping[str, float], x: np.ndarray, slopes: np.ndarray
    ) -> tuple[float, np.ndarray]:
        value, slope = 0.0, np.zeros(len(x))
        for name, factor in terms.items():
            if name in self._place:
                value += factor * x[self._place[name]]
                slope += factor * slopes[self._place[name]]
            else:
                value += factor * self._known[name]
        return value, slope


def _indistinct(problem: FitProblem, found: Any) -> list[str]:
    """Parameters that can change together without a change of any measured force."""
    _, sizes, directions, _ = _directions(found)
    if sizes[-1] > _NEGLIGIBLE * sizes[0]:
        return []
    shares = np.abs(directions[-1]) > _SHARE * np.abs(directions[-1]).max()
    return [name for name, has_share in zip(problem.names, shares, strict=True) if has_share]


def _parameters(
    law: TyreLaw, fitted: TyreLaw, problem: FitProblem, found: Any
) -> tuple[FittedParameter, ...]:
    deviations = dict(zip(problem.names, _deviations(found), strict=True))
    kinds = {name: kind for name, kind, _ in law.named_parameters()}
    result = []
    for name in [*problem.names, *problem.held]:
        start, value = law.numbers[name], fitted.numbers[name]
        note, deviation = problem.held.get(name, ""), deviations.get(name, math.nan)
        if not note and name in found.at_bound:
            note, deviation = found.at_bound[name], math.nan
        elif not note and _is_at_bound(value, start, deviation, kinds[name]):
            note, deviation = "at its bound", math.nan
        elif not note and deviation > _HARDLY * max(abs(value), abs(start)) > 0.0:
            note = "hardly determined by these data"
        unit, held = kinds[name].unit, name in problem.held
        result.append(FittedParameter(name, unit, start, value, float(deviation), note, held))
    return tuple(result)


def _is_at_bound(value: float, start: float, deviation: float, kind: FieldKind) -> bool:
    """The method stays inside the bounds, however close it comes to them."""
    distance = min(value - kind.lower, kind.upper - value)
    return distance <= max(1e-2 * deviation, 1e-6 * abs(start))


def _deviations(found: Any) -> np.ndarray:
    """Standard deviations of the parameters, from the scatter of the residuals."""
    _, sizes, directions, lengths = _directions(found)
    with np.errstate(divide="ignore"):
        variances = ((directions / sizes[:, None]) ** 2).sum(axis=0)
    spare = max(found.jac.shape[0] - found.jac.shape[1], 1)
    return np.asarray(np.sqrt(2.0 * found.cost / spare * variances) / lengths)


def _directions(found: Any) -> Any:
    """Singular values of the Jacobian with columns of unit length, and these lengths."""
    lengths = np.linalg.norm(found.jac, axis=0)
    lengths = np.where(lengths > 0.0, lengths, 1.0)
    return *np.linalg.svd(found.jac / lengths, full_matrices=False), lengths


# A Magic Formula's coefficients (PCY1, QDZ10, RBX1, SSZ1); its scaling factors, nominal
# values and ranges are what the coefficients refer to, and are not fitted unless asked for.
_COEFFICIENT = re.compile(r"[PQRS][A-Z]{2,3}[0-9]+")
_REFERENCES = ("nominal_load",)


@dataclass(frozen=True)
class FitProblem:
    """Residuals and their derivatives as functions of the free parameters."""

    names: tuple[str, ...]
    held: Mapping[str, str]  # parameters that were asked for but are not fitted, and why
    symbols: tuple[Expr, ...]  # of the names
    forces: Mapping[str, Expr]  # by channel
    known: Mapping[Expr, Any]  # measured inputs
    measured: Mapping[str, np.ndarray]
    rows: Mapping[str, np.ndarray]  # where each channel is measured

    @cached_property
    def peaks(self) -> dict[str, float]:
        sizes = {name: np.abs(self.measured[name][rows]).max() for name, rows in self.rows.items()}
        return {name: float(size) or 1.0 for name, size in sizes.items()}

    @cached_property
    def sizes(self) -> dict[str, float]:
        """Root mean squares of what was measured."""
        values = {name: self.measured[name][rows] for name, rows in self.rows.items()}
        return {name: float(np.sqrt(np.mean(value**2))) for name, value in values.items()}

    @property
    def size(self) -> int:
        return int(sum(rows.sum() for rows in self.rows.values()))

    @cached_property
    def derivatives(self) -> dict[tuple[int, int], Expr]:
        return jacobian(list(self.forces.values()), self.symbols)

    def bounds(self, law: TyreLaw) -> tuple[list[float], list[float]]:
        kinds = {name: kind for name, kind, _ in law.named_parameters()}
        return [kinds[n].lower for n in self.names], [kinds[n].upper for n in self.names]

    def without(self, name: str, value: float, why: str) -> FitProblem:
        """The problem in which a parameter keeps a value."""
        k = self.names.index(name)
        return replace(
            self,
            names=self.names[:k] + self.names[k + 1 :],
            held={**self.held, name: why},
            symbols=self.symbols[:k] + self.symbols[k + 1 :],
            known={**self.known, self.symbols[k]: value},
        )

    def _errors(self, x: np.ndarray) -> dict[str, np.ndarray]:
        """By channel, where it is measured."""
        values = self._values(list(self.forces.values()), x)
        return {
            name: (value - self.measured[name])[self.rows[name]]
            for name, value in zip(self.forces, values, strict=True)
        }

    def residuals(self, x: np.ndarray) -> np.ndarray:
        errors = self._errors(x)
        return np.concatenate([error / self.peaks[name] for name, error in errors.items()])

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        values = self._values(list(self.derivatives.values()), x)
        matrix = {name: np.zeros((len(x), rows.size)) for name, rows in self.rows.items()}
        channels = list(self.forces)
        for (i, j), value in zip(self.derivatives, values, strict=True):
            matrix[channels[i]][j] = value / self.peaks[channels[i]]
        return np.vstack([matrix[name].T[self.rows[name]] for name in channels])

    def rms(self, x: np.ndarray) -> dict[str, float]:
        errors = self._errors(x)
        return {name: float(np.sqrt(np.mean(error**2))) for name, error in errors.items()}

    def _values(self, expressions: list[Expr], x: np.ndarray) -> list[np.ndarray]:
        length = len(next(iter(self.measured.values())))
        known = {**self.known, **dict(zip(self.symbols, map(float, x), strict=True))}
        with np.errstate(all="ignore"):  # what is not finite is refused by name
            values = [np.broadcast_to(value, length) for value in evaluate(expressions, known)]
        if not all(np.isfinite(value).all() for value in values):
            at = ", ".join(f"{name} = {value:g}" for name, value in zip(self.names, x, strict=True))
            raise ExpressionError(f"the law or its slope is not finite at {at}; start elsewhere")
        return values


def fit_problem(law: TyreLaw, data: TyreData, free: Sequence[str]) -> FitProblem:
    wanted = fitted_names(law, free)
    inputs = {name: symbol(f"contact.{name}") for name in DATA_INPUTS}
    parameters = {name: symbol(f"law.{name}") for name in law.numbers}
    forces = law.forces(
        rolling_contact(*(inputs[name] for name in DATA_INPUTS)),
        {name: parameters[name] if name in wanted else law.numbers[name] for name in parameters},
    )
    channels = {name: as_expr(getattr(forces, name)) for name in data.forces}
    used = jacobian(list(channels.values()), [parameters[name] for name in wanted])
    moving = {j for _, j in used}
    names = tuple(name for j, name in enumerate(wanted) if j in moving)
    if not names:
        raise ModelError(
            f"no parameter of {type(law).__name__} that was asked for has an effect on "
            f"{', '.join(data.forces)}"
        )
    held = {name: f"no effect on {', '.join(data.forces)}" for name in wanted if name not in names}
    return FitProblem(
        names=names,
        held=held,
        symbols=tuple(parameters[name] for name in names),
        forces=channels,
        known={inputs[name]: getattr(data, name) for name in DATA_INPUTS}
        | {parameters[name]: law.numbers[name] for name in held},
        measured=data.forces,
        rows={name: ~np.isnan(values) for name, values in data.forces.items()},
    )


def fitted_names(law: TyreLaw, free: Sequence[str] = ()) -> list[str]:
    """The parameters that ``free`` names; without it, all that do not define a reference."""
    names = list(law.numbers)
    if not free:
        formula = [name for name in names if _COEFFICIENT.fullmatch(name)]
        return formula or [name for name in names if name.rpartition(".")[2] not in _REFERENCES]
    for pattern in free:
        if not fnmatch.filter(names, pattern):
            raise unknown_name("parameter", pattern, names, type(law).__name__)
    return [name for name in names if any(fnmatch.fnmatchcase(name, p) for p in free)]
