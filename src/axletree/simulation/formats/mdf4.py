"""Measurement data files, ASAM MDF 4.1: one group of channels with one time."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from axletree.core.files import whole_file
from axletree.simulation.formats.contract import (
    TrajectoryFormat,
    trajectory_facts,
    trajectory_from_table,
)
from axletree.simulation.trajectory import Trajectory

VERSION = "4.10"
ATTACHMENT = "axletree.json"


def _write(run: Trajectory, path: Path) -> Path:
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
    with whole_file(path) as stream:
        stream.write(content.getvalue())
    return path


def _read(path: Path) -> Trajectory:
    from asammdf import MDF
    from asammdf.blocks.utils import MdfException

    content = io.BytesIO(path.read_bytes())  # a file that is none is not left open
    try:
        with MDF(content) as file:
            told = _attached_facts(file)
            signals = file.select([(c.name, 0, k) for k, c in _channels(file)], raw=True)
    except MdfException as error:
        raise ValueError(str(error)) from None
    columns = [signals[0].timestamps, *(signal.samples for signal in signals)]
    return trajectory_from_table(np.column_stack(columns).astype(float), told)


def _attached_facts(file: Any) -> str:
    if not file.attachments:
        raise ValueError(f"it has no attachment {ATTACHMENT}")
    content, *_ = file.extract_attachment(index=0)
    return bytes(content).decode()


def _channels(file: Any) -> list[tuple[int, Any]]:
    """All but the first, which is the time."""
    return list(enumerate(file.groups[0].channels))[1:]


MDF4 = TrajectoryFormat(
    "MDF4",
    ".mf4",
    "An ASAM MDF 4.1 file as measuring systems write them; by axletree[mdf].",
    _write,
    _read,
    package="asammdf",
    extra="mdf",
)
