"""Apache Parquet: columns as pandas, Polars, DuckDB and others read them."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import numpy as np

from axletree.simulation.formats.contract import (
    TrajectoryFormat,
    trajectory_facts,
    trajectory_from_table,
)
from axletree.simulation.trajectory import Trajectory

_ABOUT, _UNIT = b"axletree", b"unit"  # keys of the metadata of the table and of its columns


def _write(run: Trajectory, stream: IO[bytes]) -> None:
    import pyarrow
    from pyarrow import parquet

    columns = {run.time_name: run.time, **run.columns}
    units = {run.time_name: "s", **run.units}
    fields = [
        pyarrow.field(name, pyarrow.float64(), metadata={_UNIT: units[name].encode()})
        for name in columns
    ]
    schema = pyarrow.schema(fields, metadata={_ABOUT: trajectory_facts(run).encode()})
    content = pyarrow.table([pyarrow.array(values) for values in columns.values()], schema=schema)
    parquet.write_table(content, stream)


def _read(path: Path) -> Trajectory:
    from pyarrow import parquet

    with path.open("rb") as stream:
        content = parquet.read_table(stream)
    told = (content.schema.metadata or {}).get(_ABOUT)
    if told is None:
        raise ValueError("its metadata say nothing of a run")
    columns = [column.to_numpy() for column in content.columns]
    return trajectory_from_table(np.column_stack(columns), told.decode())


PARQUET = TrajectoryFormat(
    "Parquet",
    ".parquet",
    "Columns with units in their metadata, for tables of data; by axletree[parquet].",
    _write,
    _read,
    package="pyarrow",
    extra="parquet",
)
