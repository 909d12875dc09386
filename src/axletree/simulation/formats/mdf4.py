"""Measurement data files, ASAM MDF 4.1: one group of channels with one time."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import numpy as np

from axletree.simulation.formats.contract import (
    TrajectoryFormat,
    trajectory_facts,
    trajectory_from_table,
)
from axletree.simulation.trajectory import Trajectory

VERSION = "4.10"
ATTACHMENT = "axletree.json"


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
    from asammdf import MDF
    from asammdf.blocks.utils import MdfException

    content = io.BytesIO(path.read_bytes())  # a file that is none is not left open
    try:
        with MDF(content) as file:
            told = _attached_facts(file)
            _, *channels = enumerate(file.groups[0].channels)  # the first is the time
            signals = file.select([(c.name, 0, k) for k, c in channels], raw=True)
    except MdfException as error:
        raise ValueError(str(error)) from None
    columns = [signals[0].timestamps, *(signal.samples for signal in signals)]
    return trajectory_from_table(np.column_stack(columns).astype(float), told)


def _attached_facts(file: Any) -> str:
    if not file.attachments:
        raise ValueError(f"it has no attachment {ATTACHMENT}")
    content, *_ = file.extract_attachment(index=0)
    return bytes(content).decode()


MDF4 = TrajectoryFormat(
    "MDF4",
    ".mf4",
    "An ASAM MDF 4.1 file as measuring systems write them; by axletree[mdf].",
    _write,
    _read,
    package="asammdf",
    extra="mdf",
)
