"""Trajectories as files of the catalogue's kinds, and the way back; as a data frame."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.registry import load, section
from axletree.simulation.trajectory import Trajectory
from axletree.simulation.trajectory_formats.contract import TrajectoryFormat


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


def trajectory_format(name: str) -> TrajectoryFormat:
    """A kind of file by its name in the catalogue; what it needs is there."""
    found: TrajectoryFormat = load("format", name, section("TRAJECTORY_FILES"))
    found.check()
    return found


def write(run: Trajectory, name: str, path: Path) -> Path:
    return trajectory_format(name).write(run, path)


def read(path: Path) -> Trajectory:
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
    try:
        return kind.read(path)
    except OSError as error:
        raise SimulationError(f"cannot read {path}: {error.strerror or error}") from None
    except AxletreeError:
        raise
    except Exception as error:  # what libraries make of damaged files has no common kind
        raise SimulationError(
            f"{path} holds no trajectory ({error}); expected a file written by a Trajectory"
        ) from None
