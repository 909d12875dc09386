"""What a run leaves behind: times, states, outputs, and why it stopped."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from axletree.code.program import Program
from axletree.core.errors import SimulationError
from axletree.core.quantity import Quantity
from axletree.simulation.failure import Failure
from axletree.simulation.step_report import Residual

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Recording:
    """Rows of a run; fewer than asked for where it was interrupted or failed."""

    time: NDArray[np.float64]
    states: Matrix
    outputs: Matrix
    output_quantities: tuple[Quantity, ...]
    interrupted: bool = False
    failure: Failure | None = None
    elapsed: float = 0.0  # s that the integration took, compilation not counted
    steps: int = 0  # that were taken; 0: not counted
    residual: Residual | None = None  # of steps that were solved for set-valued forces


class Rows:
    """Arrays that are filled row by row while a run goes on; it begins when they are made."""

    def __init__(self, count: int, program: Program) -> None:
        self._begin = time.perf_counter()
        self.quantities = program.outputs
        states, outputs = len(program.states), len(program.outputs)
        try:
            self.time = np.empty(count)
            self.states = np.empty((count, states))
            self.outputs = np.empty((count, outputs))
        except (MemoryError, ValueError):
            raise SimulationError(
                f"{count} records of {states} states and {outputs} outputs do not fit into "
                "memory; record less often (record_interval) or fewer outputs"
            ) from None

    def recording(
        self, count: int, *, interrupted: bool = False, failure: Failure | None = None
    ) -> Recording:
        """The first ``count`` rows."""
        return Recording(
            self.time[:count].copy(),
            self.states[:count].copy(),
            self.outputs[:count].copy(),
            self.quantities,
            interrupted,
            failure,
            time.perf_counter() - self._begin,
        )
