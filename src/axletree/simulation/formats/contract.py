"""What a kind of file for trajectories has to give; files by name or ending, and the way back."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import numpy as np

from axletree.core.errors import AxletreeError, FullDiskError, SimulationError
from axletree.core.files import whole_file
from axletree.core.registry import load, section
from axletree.simulation.trajectory import Trajectory


class MissingPackageError(SimulationError):
    """A kind of file whose package is not installed."""


@dataclass(frozen=True)
class TrajectoryFormat:
    """A kind of file.

    1. ``write`` fills a new file, which takes its place when it is whole, with every bit of the
       numbers and with their units.
    2. ``read`` gives back what was written. A file that holds something else, or a part of it, is
       an exception of any kind.
    3. Neither is called before ``check``.
    """

    name: str
    suffix: str  # of file names, with its dot
    summary: str
    write: Callable[[Trajectory, IO[bytes]], object]
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


def trajectory_table(run: Trajectory) -> np.ndarray:
    """Time and columns side by side."""
    return np.column_stack([run.time, *run.columns.values()])


def trajectory_facts(run: Trajectory) -> str:
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
            "caveat": run.caveat,
        }
    )


def trajectory_from_table(data: np.ndarray, told: str) -> Trajectory:
    """The way back from ``trajectory_table`` and ``trajectory_facts``."""
    found: dict[str, Any] = json.loads(told)
    _check_facts(found)
    names = list(found["units"])
    if data.ndim != 2 or data.shape[1] != len(names) + 1:
        raise ValueError(f"{len(names)} columns are named, the data have shape {data.shape}")
    _check_numbers(data, [found["time_name"], *names])
    return Trajectory(
        system=found["system"],
        time=np.ascontiguousarray(data[:, 0]),
        columns={name: np.ascontiguousarray(data[:, k]) for k, name in enumerate(names, start=1)},
        units=found["units"],
        states=tuple(found["states"]),
        method=found.get("method", ""),
        complete=found.get("complete", True),
        note=found.get("note", ""),
        caveat=found.get("caveat", ""),
        time_name=found["time_name"],
    )


_KINDS: dict[str, type] = {
    "system": str, "time_name": str, "units": dict, "states": list,
    "method": str, "complete": bool, "note": str, "caveat": str,
}  # fmt: skip
_OPTIONAL = ("method", "complete", "note", "caveat")  # which older files do not have


def _check_facts(found: Any) -> None:
    if not isinstance(found, dict):
        raise ValueError("what it says of its columns is no table")
    for name, kind in _KINDS.items():
        if not isinstance(found.get(name, kind() if name in _OPTIONAL else None), kind):
            raise ValueError(f"{name!r} is no {kind.__name__} in what it says of its columns")
    units = found["units"]
    if not all(isinstance(unit, str) for unit in units.values()):
        raise ValueError("units are no texts")
    strange = [name for name in found["states"] if not isinstance(name, str) or name not in units]
    if strange:
        raise ValueError(f"there is no column of the state {strange[0]!r}")


def _check_numbers(data: np.ndarray, names: list[str]) -> None:
    """A run records finite numbers, and its time never goes back."""
    if data.dtype.kind not in "fiu":
        raise ValueError(f"its records are of the kind {data.dtype}, not numbers")
    bad = np.argwhere(~np.isfinite(data))
    if len(bad):
        row, column = bad[0]
        raise ValueError(f"{names[column]} is {data[row, column]} in record {row + 1}")
    back = np.flatnonzero(np.diff(data[:, 0]) < 0.0)
    if len(back):
        raise ValueError(f"{names[0]} goes back after record {back[0] + 1}")


def to_pandas(run: Trajectory) -> Any:
    try:
        import pandas
    except ImportError:
        raise SimulationError(
            "to_pandas needs the package pandas, which is not installed; "
            "install axletree[pandas], or use to_csv or to_npz"
        ) from None
    index = pandas.Index(run.time, name=f"{run.time_name} [s]")
    frame = pandas.DataFrame(dict(run.columns), index=index)
    frame.attrs["units"] = dict(run.units)
    return frame


def to_xarray(run: Trajectory) -> Any:
    try:
        import xarray
    except ImportError:
        raise SimulationError(
            "to_xarray needs the package xarray, which is not installed; "
            "install axletree[xarray], or use to_pandas or to_npz"
        ) from None
    time = xarray.Variable(run.time_name, run.time, {"units": "s"})
    columns = {
        name: xarray.Variable(run.time_name, column, {"units": run.units.get(name, "1")})
        for name, column in run.columns.items()
    }
    facts = {"system": run.system, "method": run.method, "note": run.note}
    return xarray.Dataset(columns, {run.time_name: time}, facts)


def trajectory_format(name: str) -> TrajectoryFormat:
    """A kind of file by its name in the catalogue; what it needs is there."""
    found: TrajectoryFormat = load("format", name, section("TRAJECTORY_FILES"))
    found.check()
    return found


def write_trajectory(run: Trajectory, name: str, path: Path) -> Path:
    kind = trajectory_format(name)
    try:
        with whole_file(path, run.time.nbytes * (1 + len(run.names))) as stream:
            kind.write(run, stream)
    except FullDiskError as error:
        raise FullDiskError(f"{error}; the records are still in memory") from None
    return path


def read_trajectory(path: Path) -> Trajectory:
    """By the ending of the file's name."""
    entries = section("TRAJECTORY_FILES")
    kinds: list[TrajectoryFormat] = [load("format", name, entries) for name in entries]
    kind = next((one for one in kinds if one.suffix == path.suffix.lower()), None)
    if kind is None:
        raise SimulationError(
            f"cannot read a trajectory from {path}; expected a name that ends in "
            f"{', '.join(one.suffix for one in kinds)}"
        )
    kind.check()
    if path.exists() and not path.is_file():
        raise SimulationError(f"cannot read {path}: it is no file; expected one of a Trajectory")
    try:
        with warnings.catch_warnings():  # the message says what matters of a damaged file
            warnings.simplefilter("ignore")
            return kind.read(path)
    except OSError as error:
        raise SimulationError(f"cannot read {path}: {error.strerror or error}") from None
    except AxletreeError:
        raise
    except Exception as error:  # what libraries make of damaged files has no common kind
        raise SimulationError(
            f"{path} holds no trajectory ({error}); expected a file written by a Trajectory"
        ) from None
