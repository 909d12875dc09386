"""States and outputs over many stretches of time at once, with exact derivatives.

A record is cut into stretches of equal length, each from a first state of its own (multiple
shooting; Bock 1983; van Domselaar and Hemker 1975). All stretches go side by side by the classical
Runge-Kutta method, and with them the variational equations

    S' = (df/dx) S + (0, df/dp),  S(0) = (1, 0),

of which each stage is the derivative of a stage of the state (Hairer, Norsett and Wanner 1993,
section I.14): so derivatives are those of the states as they are computed, whatever the step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.simulation.system_functions import SystemFunctions

# Of the classical method: times of the stages in half steps, and the shares of their rates.
_HALVES: Final = (0, 1, 1, 2)
_AHEAD: Final = (0.0, 0.5, 0.5, 1.0)
_SHARES: Final = (1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0)


@dataclass(frozen=True)
class StretchGrid:
    """Where stretches of a record begin, and how they are stepped."""

    samples: int  # of the record
    length: int  # samples of a stretch
    steps: int  # from a sample to the next
    interval: float  # [s] from a sample to the next

    @property
    def count(self) -> int:
        """Of stretches; the last one may be longer than what is left of the record."""
        return -(-self.samples // self.length)

    @property
    def step(self) -> float:
        """[s]"""
        return self.interval / self.steps


@dataclass(frozen=True)
class Stretches:
    """What was computed: first axes are stretches, then samples; z is (first state, parameters)."""

    outputs: FloatArray  # stretch, sample, channel
    slopes: FloatArray  # stretch, sample, channel, z
    ends: FloatArray  # stretch, state
    end_slopes: FloatArray  # stretch, state, z

    @property
    def finite(self) -> bool:
        return bool(np.isfinite(self.outputs).all() and np.isfinite(self.ends).all())


class Shooting:
    """A system's rates and outputs along stretches of a record."""

    def __init__(self, functions: SystemFunctions, channels: Sequence[str]) -> None:
        self._functions = functions
        self._n = len(functions.states)
        self._parameters = slice(self._n + len(functions.inputs), len(functions.columns))
        rows = {name: k for k, name in enumerate(functions.rows) if k >= self._n}
        # Channels that are states are read from these, others from the rows of outputs.
        self._states = [functions.states.index(c) if c in functions.states else -1
                        for c in channels]  # fmt: skip
        self._rows = [rows.get(c, -1) for c in channels]
        pattern = functions.jacobian_pattern
        self._at = np.array(pattern.rows, dtype=int), np.array(pattern.columns, dtype=int)

    def from_states(
        self, starts: FloatArray, inputs: FloatArray, p: FloatArray, grid: StretchGrid
    ) -> Stretches:
        """All stretches of a record from their first states.

        ``inputs`` are those of the record at every half step. z has the first state of a stretch
        and then the parameters among the columns of the functions.
        """
        count, n = starts.shape
        width = n + self._parameters.stop - self._parameters.start
        per_stretch = 2 * grid.steps * grid.length
        last = len(inputs) - 1
        x = starts.copy()
        S = np.zeros((count, n, width))
        S[:, np.arange(n), np.arange(n)] = 1.0
        outputs = np.empty((count, grid.length, len(self._rows)))
        slopes = np.empty((*outputs.shape, width))
        begins = per_stretch * np.arange(count)
        for sample in range(grid.length):
            half = begins + 2 * grid.steps * sample
            u = inputs[np.minimum(half, last)]
            outputs[:, sample], slopes[:, sample] = self._outputs(x, S, u, p)
            for step in range(grid.steps):
                nodes = half[:, None] + 2 * step + np.arange(3)
                x, S = self._stepped(x, S, inputs[np.minimum(nodes, last)], p, grid.step)
        return Stretches(outputs, slopes, x, S)

    def _stepped(
        self, x: FloatArray, S: FloatArray, u: FloatArray, p: FloatArray, h: float
    ) -> tuple[FloatArray, FloatArray]:
        """The classical Runge-Kutta step of states and of their derivatives."""
        rate, slope = np.zeros_like(x), np.zeros_like(S)
        total, total_slope = np.zeros_like(x), np.zeros_like(S)
        for half, ahead, share in zip(_HALVES, _AHEAD, _SHARES, strict=True):
            at, S_at, u_at = x + ahead * h * rate, S + ahead * h * slope, u[:, half]
            rate = self._functions.f(at, u_at, p)[:, : self._n]
            jacobian = self._jacobian(at, u_at, p)[:, : self._n]
            slope = jacobian[:, :, : self._n] @ S_at
            slope[:, :, self._n :] += jacobian[:, :, self._parameters]
            total += share * rate
            total_slope += share * slope
        return x + h * total, S + h * total_slope

    def _jacobian(self, x: FloatArray, u: FloatArray, p: FloatArray) -> FloatArray:
        found = np.zeros((len(x), len(self._functions.rows), len(self._functions.columns)))
        found[:, *self._at] = self._functions.jacobian_values(x, u, p)
        return found

    def _outputs(
        self, x: FloatArray, S: FloatArray, u: FloatArray, p: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        values = self._functions.f(x, u, p)
        jacobian = self._jacobian(x, u, p)
        by_z = jacobian[:, :, : self._n] @ S
        by_z[:, :, self._n :] += jacobian[:, :, self._parameters]
        columns = [x[:, k] if k >= 0 else values[:, row]
                   for k, row in zip(self._states, self._rows, strict=True)]  # fmt: skip
        slopes = [S[:, k] if k >= 0 else by_z[:, row]
                  for k, row in zip(self._states, self._rows, strict=True)]  # fmt: skip
        return np.stack(columns, axis=1), np.stack(slopes, axis=1)
