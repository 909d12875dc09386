"""Compressed NumPy archives."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from axletree.core.files import replaced
from axletree.simulation.trajectory import Trajectory
from axletree.simulation.trajectory_formats.contract import (
    TrajectoryFormat,
    about,
    from_table,
    table,
)


def _write(run: Trajectory, path: Path) -> Path:
    with replaced(path) as stream:
        np.savez_compressed(stream, data=table(run), about=np.array(about(run)))
    return path


def _read(path: Path) -> Trajectory:
    with path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
        return from_table(archive["data"], str(archive["about"]))


FORMAT = TrajectoryFormat(
    "NPZ", ".npz", "A NumPy archive: the table, and what its columns are.", _write, _read
)
