"""Files of MATLAB, which GNU Octave reads, too."""

from __future__ import annotations

import json
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
    from scipy.io import savemat

    content = {
        "time": run.time.reshape(-1, 1),
        "data": trajectory_table(run)[:, 1:],
        "names": np.array(list(run.columns), dtype=object),
        "units": np.array([run.units[name] for name in run.columns], dtype=object),
        "about": trajectory_facts(run),
    }
    savemat(stream, {"run": content}, do_compression=True)


def _read(path: Path) -> Trajectory:
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    try:
        run = loadmat(path, simplify_cells=True)["run"]
    except MatReadError as error:
        raise ValueError(str(error)) from None
    time = np.asarray(run["time"], dtype=float).reshape(-1, 1)
    count = len(json.loads(run["about"])["units"])  # of a run without records data says nothing
    data = np.asarray(run["data"], dtype=float).reshape(len(time), count)
    return trajectory_from_table(np.hstack([time, data]), run["about"])


MAT = TrajectoryFormat(
    "MAT", ".mat", "A MATLAB file: struct run with time, data, names and units.", _write, _read
)
