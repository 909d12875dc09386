"""The residuals of a fit and their exact derivatives, on all measured points at once."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from axletree.analysis.tyre_characteristics import rolling_contact
from axletree.core.errors import ExpressionError, ModelError
from axletree.core.expr import Expr, as_expr, evaluate, jacobian, symbol
from axletree.core.registry import unknown_name
from axletree.library.tyres.contract import TyreLaw
from axletree.model.tyre_data import INPUTS, TyreData

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

    def residuals(self, x: np.ndarray) -> np.ndarray:
        values = self._values(list(self.forces.values()), x)
        parts = [
            (value - self.measured[name])[self.rows[name]] / self.peaks[name]
            for name, value in zip(self.forces, values, strict=True)
        ]
        return np.concatenate(parts)

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        values = self._values(list(self.derivatives.values()), x)
        matrix = {name: np.zeros((len(x), rows.size)) for name, rows in self.rows.items()}
        channels = list(self.forces)
        for (i, j), value in zip(self.derivatives, values, strict=True):
            matrix[channels[i]][j] = value / self.peaks[channels[i]]
        return np.vstack([matrix[name].T[self.rows[name]] for name in channels])

    def rms(self, x: np.ndarray) -> dict[str, float]:
        values = self._values(list(self.forces.values()), x)
        errors = {
            name: (value - self.measured[name])[self.rows[name]]
            for name, value in zip(self.forces, values, strict=True)
        }
        return {name: float(np.sqrt(np.mean(error**2))) for name, error in errors.items()}

    def _values(self, expressions: list[Expr], x: np.ndarray) -> list[np.ndarray]:
        length = len(next(iter(self.measured.values())))
        known = {**self.known, **dict(zip(self.symbols, map(float, x), strict=True))}
        values = [np.broadcast_to(value, length) for value in evaluate(expressions, known)]
        if not all(np.isfinite(value).all() for value in values):
            at = ", ".join(f"{name} = {value:g}" for name, value in zip(self.names, x, strict=True))
            raise ExpressionError(f"the law or its slope is not finite at {at}; start elsewhere")
        return values


def fit_problem(law: TyreLaw, data: TyreData, free: Sequence[str]) -> FitProblem:
    wanted = fitted_names(law, free)
    inputs = {name: symbol(f"contact.{name}") for name in INPUTS}
    parameters = {name: symbol(f"law.{name}") for name in law.numbers}
    forces = law.forces(
        rolling_contact(*(inputs[name] for name in INPUTS)),
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
        known={inputs[name]: getattr(data, name) for name in INPUTS}
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
