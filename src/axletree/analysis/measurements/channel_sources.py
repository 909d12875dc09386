"""Columns of measured files: tables of text, MDF, MATLAB, Parquet and NumPy archives."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from axletree.core.column_files import (
    TEXT_SUFFIXES,
    FileColumn,
    read_column_text,
    read_matlab_columns,
)
from axletree.core.errors import AxletreeError
from axletree.simulation.formats.contract import trajectory_format
from axletree.simulation.formats.mdf4 import read_mdf_channels
from axletree.simulation.trajectory import Trajectory

TIME_NAMES: Final = ("time", "t", "timestamp", "timestamps", "zeit", "et")  # in any case


class MeasurementError(AxletreeError):
    """A measurement that cannot be read, or does not hold what is asked of it."""


def read_file_columns(
    path: Path, wanted: Sequence[str] | None
) -> tuple[tuple[FileColumn, ...], tuple[str, ...]]:
    """The columns of a file, and the names of all that it has, for those that are not there.

    Only of MDF files, which may hold thousands, are the columns those that are wanted alone, and
    all that hold numbers where none are named.
    """
    if not path.is_file():
        reason = "it is no file" if path.exists() else "there is no such file"
        raise MeasurementError(f"cannot read {path}: {reason}")
    suffix = path.suffix.lower()
    if suffix in MDF_SUFFIXES or _is_mdf(path):
        return _from_mdf(path, wanted)
    if suffix not in _READERS:
        raise MeasurementError(
            f"cannot read a measurement from {path}; expected a name that ends in "
            f"{', '.join(MEASUREMENT_SUFFIXES)}"
        )
    columns = _guarded(path, _READERS[suffix])
    return columns, tuple(one.name for one in columns)


MDF_SUFFIXES: Final = (".mf4", ".mdf")


def _is_mdf(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(8) == b"MDF     "


def _from_mdf(
    path: Path, wanted: Sequence[str] | None
) -> tuple[tuple[FileColumn, ...], tuple[str, ...]]:
    trajectory_format("mdf4")  # that its package is there
    try:
        columns, known = read_mdf_channels(path, wanted)
    except (ValueError, OSError) as error:
        raise MeasurementError(f"cannot read {path}: {error}") from None
    return tuple(columns), tuple(known)


def _guarded(
    path: Path, reader: Callable[[Path], tuple[FileColumn, ...]]
) -> tuple[FileColumn, ...]:
    try:
        with warnings.catch_warnings():  # the message says what matters of a damaged file
            warnings.simplefilter("ignore")
            return reader(path)
    except AxletreeError:
        raise
    except Exception as error:  # what libraries make of damaged files has no common kind
        raise MeasurementError(f"cannot read {path}: {error}") from None


def _from_parquet(path: Path) -> tuple[FileColumn, ...]:
    trajectory_format("parquet")
    from pyarrow import parquet

    with path.open("rb") as stream:
        content = parquet.read_table(stream)
    found = []
    for field, column in zip(content.schema, content.columns, strict=True):
        told = field.metadata or {}
        unit = next((told[key].decode() for key in (b"unit", b"units") if key in told), "")
        values = column.to_numpy()
        if values.dtype.kind in "mM":  # durations; dates, as seconds from the first
            begin = values[:1] if values.dtype.kind == "M" else np.timedelta64(0, "s")
            values, unit = (values - begin) / np.timedelta64(1, "s"), "s"
        try:
            found.append(FileColumn(field.name, unit, np.asarray(values, dtype=float)))
        except (TypeError, ValueError):  # texts
            continue
    return tuple(found)


def _from_npz(path: Path) -> tuple[FileColumn, ...]:
    with path.open("rb") as stream, np.load(stream, allow_pickle=False) as archive:
        if set(archive.files) != {"data", "about"}:
            return tuple(
                FileColumn(name, "", np.asarray(archive[name], dtype=float))
                for name in archive.files
                if archive[name].dtype.kind in "fiu" and archive[name].ndim == 1
            )
    run = Trajectory.read(path)
    own = FileColumn(run.time_name, "s", run.time)
    return (own, *(FileColumn(name, run.units[name], run[name]) for name in run.names))


_READERS: Final[dict[str, Callable[[Path], tuple[FileColumn, ...]]]] = {
    **dict.fromkeys(TEXT_SUFFIXES, read_column_text),
    ".mat": read_matlab_columns,
    ".parquet": _from_parquet,
    ".npz": _from_npz,
}
MEASUREMENT_SUFFIXES: Final = (*_READERS, *MDF_SUFFIXES)
