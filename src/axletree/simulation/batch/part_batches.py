"""Batches of parts of the members as one, in the order of the members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from axletree.simulation.batch.batch_result import Batch


def join_batches(parts: Sequence[tuple[np.ndarray, Batch]], count: int) -> Batch:
    """Parts with the members that they are of; members of none of them were not run.

    Example:
    >>> import axletree as at
    >>> import numpy as np
    >>> from axletree.simulation.batch.part_batches import join_batches
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> parts = [
    ...     (rows, pendulum.batch("0.1 s", step="1 ms", parameters={"rod.mass": 1.0 + rows}))
    ...     for rows in (np.array([0, 2]), np.array([1]))
    ... ]
    >>> join_batches(parts, 3)["rod.mass"].tolist()  # kg
    [1.0, 2.0, 3.0]
    """
    _, first = parts[0]
    names = dict.fromkeys(name for _, part in parts for name in part.columns)
    columns = {name: np.full(count, np.nan) for name in names}
    for rows, part in parts:
        for name, column in part.columns.items():
            columns[name][rows] = column
    return replace(
        first,
        members=count,
        columns=columns,
        units={name: unit for _, part in parts for name, unit in part.units.items()},
        failures=dict(sorted(
            (int(rows[k]), why) for rows, part in parts for k, why in part.failures.items()
        )),
        runs=dict(sorted(
            (int(rows[k]), run) for rows, part in parts for k, run in part.runs.items()
        )),
        complete=all(part.complete for _, part in parts),
        elapsed=sum(part.elapsed for _, part in parts),
        work=sum(part.work for _, part in parts),
        steps=sum(part.steps for _, part in parts),
    )  # fmt: skip
