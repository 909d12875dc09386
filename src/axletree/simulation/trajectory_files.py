"""Trajectories as files: CSV, NPZ and MAT, and the way back."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from axletree.core.errors import SimulationError
from axletree.core.files import replaced
from axletree.simulation.trajectory import Trajectory

ROWS_AT_ONCE = 1000  # of a table as text, so that a long run is not in memory twice


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


def write_csv(run: Trajectory, path: Path) -> Path:
    header = [f"{run.time_name} [s]", *(f"{name} [{run.units[name]}]" for name in run.columns)]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(header)
    table = _table(run)
    with replaced(path) as stream:
        stream.write(text.getvalue().encode())
        for first in range(0, len(table), ROWS_AT_ONCE):
            stream.write(_csv_lines(table[first : first + ROWS_AT_ONCE]).encode())
    return path


def _csv_lines(rows: np.ndarray) -> str:
    """Numbers need no quotes. To write them takes most of the time, and many columns are alike:
    a reaction here is one there, so each is written once."""
    written: dict[bytes, list[str]] = {}
    columns = []
    for column in rows.T:
        key = column.tobytes()
        if key not in written:
            # repr is the shortest text that reads back as the same number.
            written[key] = [repr(value) for value in column.tolist()]
        columns.append(written[key])
    return "".join(f"{','.join(row)}\n" for row in zip(*columns, strict=True))


def write_npz(run: Trajectory, path: Path) -> Path:
    with replaced(path) as stream:
        np.savez_compressed(stream, data=_table(run), about=np.array(json.dumps(_about(run))))
    return path


def write_mat(run: Trajectory, path: Path) -> Path:
    from scipy.io import savemat

    content = {
        "time": run.time.reshape(-1, 1),
        "data": _table(run)[:, 1:],
        "names": np.array(list(run.columns), dtype=object),
        "units": np.array([run.units[name] for name in run.columns], dtype=object),
        "about": json.dumps(_about(run)),
    }
    with replaced(path) as stream:
        savemat(stream, {"run": content}, do_compression=True)
    return path


def read(path: Path) -> Trajectory:
    readers = {".csv": _read_csv, ".npz": _read_npz, ".mat": _read_mat}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise SimulationError(
            f"cannot read a trajectory from {path}; expected a name that ends in "
            f"{', '.join(readers)}"
        )
    try:
        return reader(path)
    except OSError as error:
        raise SimulationError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, IndexError, NotImplementedError) as error:
        raise SimulationError(
            f"{path} holds no trajectory ({error}); expected a file written by a Trajectory"
        ) from None


def _read_csv(path: Path) -> Trajectory:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream)
        labels = [re.fullmatch(r"(.+) \[(.*)\]", label) for label in next(rows, [])]
        if not labels or None in labels:
            raise ValueError("its first line is no header of names with units in brackets")
        names = [(match[1], match[2]) for match in labels if match is not None]
        data = np.array([[float(v) for v in row] for row in rows]).reshape(-1, len(names))
    # A table of text does not say which of its columns are states.
    about: dict[str, Any] = {
        "system": path.stem,
        "time_name": names[0][0],
        "units": dict(names[1:]),
        "states": [],
    }
    return _from_table(data, about)


def _read_npz(path: Path) -> Trajectory:
    with np.load(path, allow_pickle=False) as archive:
        return _from_table(archive["data"], json.loads(str(archive["about"])))


def _read_mat(path: Path) -> Trajectory:
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    try:
        run = loadmat(path, simplify_cells=True)["run"]
    except MatReadError as error:
        raise ValueError(str(error)) from None
    about = json.loads(run["about"])
    time = np.asarray(run["time"], dtype=float).reshape(-1, 1)
    data = np.asarray(run["data"], dtype=float).reshape(len(time), len(about["units"]))
    return _from_table(np.hstack([time, data]), about)


def _table(run: Trajectory) -> np.ndarray:
    return np.column_stack([run.time, *run.columns.values()])


def _about(run: Trajectory) -> dict[str, Any]:
    return {
        "system": run.system,
        "time_name": run.time_name,
        "units": {name: run.units[name] for name in run.columns},
        "states": list(run.states),
        "method": run.method,
        "complete": run.complete,
        "note": run.note,
    }


def _from_table(data: np.ndarray, about: dict[str, Any]) -> Trajectory:
    names = list(about["units"])
    if data.ndim != 2 or data.shape[1] != len(names) + 1:
        raise ValueError(f"{len(names)} columns are named, the data have shape {data.shape}")
    return Trajectory(
        system=about["system"],
        time=np.ascontiguousarray(data[:, 0]),
        columns={name: np.ascontiguousarray(data[:, k]) for k, name in enumerate(names, start=1)},
        units=about["units"],
        states=tuple(about["states"]),
        method=about.get("method", ""),
        complete=about.get("complete", True),
        note=about.get("note", ""),
        time_name=about["time_name"],
    )
