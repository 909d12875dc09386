"""Parameters of a tyre law from measurements, by least squares with exact derivatives.

The residual of each force is divided by its largest measured size, so that newtons and
newton metres weigh alike. The Jacobian is the derivative of the law's own expressions with
respect to its parameters, evaluated on all measured points at once.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from axletree.analysis.tyre_fit_problem import FitProblem, fit_problem
from axletree.core.errors import ModelError
from axletree.library.fields import FieldKind
from axletree.library.part import part_fields
from axletree.library.tyres.contract import TyreLaw
from axletree.model.tyre_data import TyreData

MOST_EVALUATIONS = 300
NEGLIGIBLE = 1e-9  # a singular value below this share of the largest counts as none

Report = Callable[[int, float], None]  # number of the iteration, root mean square so far


@dataclass(frozen=True)
class FittedParameter:
    """One parameter of the law before and after."""

    name: str
    unit: str
    start: float
    value: float
    deviation: float  # standard deviation; NaN where there is a note
    note: str = ""  # why it is not simply fitted
    held: bool = False  # kept at its start, because no measured force depends on it


@dataclass(frozen=True)
class TyreFit:
    """A law with the parameters that fit the data best."""

    law: TyreLaw
    parameters: tuple[FittedParameter, ...]
    rms: Mapping[str, float]  # root mean square error of Fx [N], Fy [N], Mz [N m]
    peaks: Mapping[str, float]  # largest measured size of the same
    iterations: int
    converged: bool


def fit_tyre(
    law: TyreLaw, data: TyreData, free: Sequence[str] = (), report: Report | None = None
) -> TyreFit:
    """Fit from the values of ``law``; ``free`` names parameters, with * and ? as wildcards.

    Bounds are those that the law declares. A parameter that no measured force depends on
    keeps its value. ``report`` is told of each iteration.
    """
    from scipy.optimize import least_squares

    problem = fit_problem(law, data, free)
    start = np.array([law.numbers[name] for name in problem.names])
    if problem.size < start.size:
        raise ModelError(
            f"{problem.size} measured values cannot determine {start.size} parameters; "
            "measure more points, or name fewer parameters"
        )
    steps = _Steps(problem, report)
    found = least_squares(
        problem.residuals,
        start,
        jac=steps.jacobian,
        bounds=problem.bounds(law),
        x_scale="jac",
        max_nfev=MOST_EVALUATIONS,
    )
    fitted = _changed(law, dict(zip(problem.names, map(float, found.x), strict=True)))
    return TyreFit(
        law=fitted,
        parameters=_parameters(law, fitted, problem, found),
        rms=problem.rms(found.x),
        peaks=problem.peaks,
        iterations=steps.count,
        converged=bool(found.status > 0),
    )


def _changed(law: TyreLaw, values: Mapping[str, float]) -> TyreLaw:
    try:
        return dataclasses.replace(law, **values)  # type: ignore[type-var]
    except ModelError as error:
        raise ModelError(
            [
                f"what fits best is no possible law: {text}; name fewer parameters, or add "
                "measurements that determine these"
                for text in error.problems
            ]
        ) from None


class _Steps:
    """Counts iterations, of which each needs one Jacobian, and tells how they get on."""

    def __init__(self, problem: FitProblem, report: Report | None) -> None:
        self._problem = problem
        self._report = report
        self.count = 0

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        self.count += 1
        if self._report is not None:
            residuals = self._problem.residuals(x)
            self._report(self.count, float(np.sqrt(np.mean(residuals**2))))
        return self._problem.jacobian(x)


def _parameters(
    law: TyreLaw, fitted: TyreLaw, problem: FitProblem, found: Any
) -> tuple[FittedParameter, ...]:
    deviations, undetermined = _deviations(found)
    result = []
    kinds = dict(part_fields(law))
    for name in [*problem.names, *problem.held]:
        start, value = law.numbers[name], fitted.numbers[name]
        note, deviation = problem.held.get(name, ""), math.nan
        if name in problem.names:
            k = problem.names.index(name)
            if undetermined[k]:
                note = "not determined by these data"
            elif _is_at_bound(value, start, deviations[k], kinds[name]):
                note = "at its bound"
            else:
                deviation = float(deviations[k])
        held = name in problem.held
        unit = kinds[name].unit
        result.append(FittedParameter(name, unit, start, value, deviation, note, held))
    return tuple(result)


def _is_at_bound(value: float, start: float, deviation: float, kind: FieldKind) -> bool:
    """The method stays inside the bounds, however close it comes to them."""
    distance = min(value - kind.lower, kind.upper - value)
    return distance <= max(1e-2 * deviation, 1e-6 * abs(start))


def _deviations(found: Any) -> tuple[np.ndarray, np.ndarray]:
    """Standard deviations, and which parameters the data leave undetermined.

    From the singular values of the Jacobian with columns of unit length: a direction in
    which nothing changes leaves every parameter that has a share in it undetermined.
    """
    lengths = np.linalg.norm(found.jac, axis=0)
    lengths = np.where(lengths > 0.0, lengths, 1.0)
    _, sizes, directions = np.linalg.svd(found.jac / lengths, full_matrices=False)
    weak = sizes <= NEGLIGIBLE * max(sizes.max(), 1e-300)
    undetermined = np.abs(directions[weak]).max(axis=0, initial=0.0) > 0.1
    inverse = np.where(weak, 0.0, 1.0 / np.where(weak, 1.0, sizes))
    variances = ((directions * inverse[:, None]) ** 2).sum(axis=0)
    spare = max(found.jac.shape[0] - found.jac.shape[1], 1)
    noise = np.sqrt(2.0 * found.cost / spare)
    return noise * np.sqrt(variances) / lengths, undetermined
