"""Compressed NumPy archives."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np

from axletree.simulation.formats.contract import (
    TrajectoryFormat,
    trajectory_facts,
    trajectory_from_table,
    trajectory_table,
)
from axletree.simulation.trajectory import Trajectory


def _write(run: Trajectory, stream: IO[bytes]) -> None:
    np.savez_compressed(stream, data=trajectory_table(run), about=np.array(trajectory_facts(run)))


def _read(path: Path) -> Trajectory:
    with path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
        return trajectory_from_table(archive["data"], str(archive["about"]))


NPZ = TrajectoryFormat(
    "NPZ", ".npz", "A NumPy archive: the table, and what its columns are.", _write, _read
)
