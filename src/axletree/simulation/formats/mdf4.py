"""Measurement data files, ASAM MDF 4.1: one group of channels with one time."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from axletree.core.column_files import FileColumn, numbered_names
from axletree.simulation.formats.contract import (
    TrajectoryFormat,
    trajectory_facts,
    trajectory_from_table,
)
from axletree.simulation.formats.mdf4_process import WAS_READ, print_channels, print_records
from axletree.simulation.trajectory import Trajectory

VERSION = "4.10"
ATTACHMENT = "axletree.json"
_MAGIC: Final = b"MDF "


def _write(run: Trajectory, stream: IO[bytes]) -> None:
    from asammdf import MDF, Signal

    signals = [
        Signal(column, run.time, name=name, unit=run.units[name])
        for name, column in run.columns.items()
    ]
    content = io.BytesIO()
    with MDF(version=VERSION) as file:
        # A simulation has no date; that of its writing would make each file another.
        file.start_time = datetime.fromtimestamp(0, UTC)
        file.append(signals, comment=run.system, common_timebase=True)
        file.attach(trajectory_facts(run).encode(), file_name=ATTACHMENT, mime="application/json")
        file.save(content, compression=2)
    stream.write(content.getvalue())


def _read(path: Path) -> Trajectory:
    with np.load(_content(path, print_records.__name__), allow_pickle=False) as archive:
        return trajectory_from_table(archive["data"], str(archive["about"]))


def read_mdf_channels(
    path: Path, wanted: Sequence[str] | None
) -> tuple[list[FileColumn], list[str]]:
    """The channels of these names, each with its own time, and the names of all that are there.

    Without names they are all that hold numbers. Of channels that share a name the first is called
    name#1, the second name#2.
    """
    asked = wanted and [*wanted, *(re.sub(r"#\d+$", "", name) for name in wanted)]
    answer = _content(path, print_channels.__name__, asked)
    with np.load(answer, allow_pickle=False) as archive:
        about = json.loads(str(archive["about"]))
        names = numbered_names(about["known"])
        columns = [
            FileColumn(names[one["place"]], one["unit"], archive[f"values{k}"], archive[f"time{k}"])
            for k, one in enumerate(about["channels"])
        ]
    return columns, names


def _content(path: Path, reader: str, *further: Any) -> io.BytesIO:
    """By a process of its own: a damaged file can end the one that asammdf reads it in."""
    with path.open("rb") as stream:
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise ValueError("it does not begin as an MDF file does")
    task = json.dumps([sys.path, reader, str(path.absolute()), _SECONDS, *further])
    call = [sys.executable, "-P", "-c", _CHILD, task]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        call, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=False
    )
    if done.returncode:
        code = -done.returncode
        reason = signal.strsignal(code) if code > 0 else done.stderr.decode(errors="replace")
        raise ValueError(f"it is damaged: what reads it ended by {(reason or str(code)).strip()}")
    kind, content = done.stdout[:1], done.stdout[1:]
    if kind != WAS_READ:
        raise ValueError(content.decode(errors="replace"))
    return io.BytesIO(content)


_SECONDS = 20.0  # of processor, for a short file: links of damaged ones go round in circles
_CHILD: Final = (
    "import json, sys; sys.path[:], reader, *task = json.loads(sys.argv[1]); "
    f"import {print_records.__module__} as readers; getattr(readers, reader)(*task)"
)


MDF4 = TrajectoryFormat(
    "MDF4",
    ".mf4",
    "An ASAM MDF 4.1 file as measuring systems write them; by axletree[mdf].",
    _write,
    _read,
    package="asammdf",
    extra="mdf",
)
