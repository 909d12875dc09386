"""What a kind of file for trajectories has to give."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from axletree.core.errors import SimulationError
from axletree.simulation.trajectory import Trajectory


class MissingPackageError(SimulationError):
    """A kind of file whose package is not installed."""


@dataclass(frozen=True)
class TrajectoryFormat:
    """A kind of file.

    1. ``write`` leaves the whole file or none, with every bit of the numbers and with their units.
    2. ``read`` gives back what was written. A file that holds something else, or a part of it, is
       an exception of any kind.
    3. Neither is called before ``check``.
    """

    name: str
    suffix: str  # of file names, with its dot
    summary: str
    write: Callable[[Trajectory, Path], Path]
    read: Callable[[Path], Trajectory]
    package: str = ""  # that it needs beside those of every installation
    extra: str = ""  # of Axletree, which installs it

    def check(self) -> None:
        """That the package is there."""
        if self.package and find_spec(self.package) is None:
            raise MissingPackageError(
                f"{self.name} files need the package {self.package}, which is not installed; "
                f"try: pip install 'axletree[{self.extra}]'"
            )


def table(run: Trajectory) -> np.ndarray:
    """Time and columns side by side."""
    return np.column_stack([run.time, *run.columns.values()])


def about(run: Trajectory) -> str:
    """What a trajectory is beside its numbers, as JSON."""
    return json.dumps(
        {
            "system": run.system,
            "time_name": run.time_name,
            "units": {name: run.units[name] for name in run.columns},
            "states": list(run.states),
            "method": run.method,
            "complete": run.complete,
            "note": run.note,
        }
    )


def from_table(data: np.ndarray, told: str) -> Trajectory:
    """The way back from ``table`` and ``about``."""
    found: dict[str, Any] = json.loads(told)
    names = list(found["units"])
    if data.ndim != 2 or data.shape[1] != len(names) + 1:
        raise ValueError(f"{len(names)} columns are named, the data have shape {data.shape}")
    return Trajectory(
        system=found["system"],
        time=np.ascontiguousarray(data[:, 0]),
        columns={name: np.ascontiguousarray(data[:, k]) for k, name in enumerate(names, start=1)},
        units=found["units"],
        states=tuple(found["states"]),
        method=found.get("method", ""),
        complete=found.get("complete", True),
        note=found.get("note", ""),
        time_name=found["time_name"],
    )
