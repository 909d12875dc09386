"""A Kalman filter as a C project: for a controller that has to know what no sensor measures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from axletree.analysis.identification.kalman_filters import (
    NORMAL_KURTOSIS,
    SMALLEST_PIVOT,
    SPREAD,
    FilterKind,
    KalmanFilter,
)
from axletree.code.identifiers import comment_text
from axletree.code.lowering import derivative_extras
from axletree.code.program import Program
from axletree.core.arguments import check_arguments
from axletree.export.c_project import model_files
from axletree.export.folder import fill, write_files
from axletree.simulation.stepper.step_program import step_program


def write_kalman_filter(watch: KalmanFilter, folder: str | Path) -> Path:
    """Write ``filter.c``, ``filter.h``, the model in C, a layout, an example and a Makefile.

    ``filter.h`` has a struct with all memory of a filter, and functions that reset it, move it on
    and take in what is measured: without allocation, at the same cost whatever the values are. It
    begins as ``watch`` is now. ``layout.json`` says where estimates, inputs and channels stand.
    Returns the folder. Files of these names are replaced, others left alone.

    Example:
    >>> import axletree as at
    >>> swing = at.read_model("pendulum").formulate()
    >>> watch = at.KalmanFilter(swing, {"pin.angle": "1 deg"}, deviations={"pin.rate": 0.5})
    >>> folder = at.write_kalman_filter(watch, "filter")
    >>> sorted(file.name for file in folder.iterdir())[:4]
    ['Makefile', 'filter.c', 'filter.h', 'layout.json']
    """
    check_arguments(write_kalman_filter, locals())
    extended = watch.kind is FilterKind.EXTENDED
    names = [name for name in watch.channels if name not in watch.names]
    extras = derivative_extras(["jacobian"], watch.wandering) if extended else []
    prepared = step_program(
        watch.system, outputs=names, extras=extras,
        by_parameters=watch.wandering if extended else (),
    )  # fmt: skip
    model = model_files(prepared)
    values = {**_words(watch), **_numbers(watch, prepared.program), "extended": extended}
    layout = json.loads(model["layout.json"])
    layout["filter"] = {"kind": watch.kind.value, "estimates": watch.names} | {
        "channels": watch.channels, "step": watch.step,
    }  # fmt: skip
    texts = {
        **model,
        "layout.json": json.dumps(layout, indent=1) + "\n",
        "filter.h": fill("filter.h.jinja", **values),
        "filter.c": fill("filter.c.jinja", **values),
        "main.c": fill("filter_main.c.jinja", **values),
        "Makefile": fill("filter.mk"),
    }
    return write_files(folder, texts, "the filter")


def _words(watch: KalmanFilter) -> dict[str, Any]:
    units = {q.name: q.unit for q in (*watch.system.states, *watch.system.parameters)}
    units |= {one.quantity.name: one.quantity.unit for one in watch.system.outputs}
    estimates, channels = (
        [comment_text(f"{name} [{units[name]}]") for name in names]
        for names in (watch.names, watch.channels)
    )
    columns = [label.replace(",", ";") for label in estimates]
    return {
        "name": comment_text(watch.system.name),
        "kind": watch.kind.value,
        "article": "an" if watch.kind.value[0] in "aeio" else "a",
        "names": estimates,
        "channels": channels,
        "labels": [*(f",{one}" for one in columns), *(f",deviation of {one}" for one in columns)],
    }


def _numbers(watch: KalmanFilter, program: Program) -> dict[str, Any]:
    states, outputs, parameters = (
        [q.name for q in quantities]
        for quantities in (program.states, program.outputs, program.parameters)
    )
    n = len(watch.names)
    spread = SPREAD**2 * n  # n + lambda
    return {
        "wandering": [parameters.index(name) for name in watch.wandering],
        "own": [states.index(n) if n in states else -1 for n in watch.channels],
        "rows": [outputs.index(n) if n in outputs else -1 for n in watch.channels],
        "mean": [repr(v) for v in watch.mean.tolist()],
        "covariance": [[repr(v) for v in row] for row in watch.covariance.tolist()],
        "inputs": [repr(v) for v in watch.inputs.tolist()],
        "noise": [repr(v) for v in watch.noise.tolist()],
        "density": [repr(v) for v in watch.density.tolist()],
        "step": repr(watch.step),
        "spread": repr(spread),
        "weight": repr(0.5 / spread),
        "weight_at_mean": repr(2.0 - n / spread - SPREAD**2 + NORMAL_KURTOSIS),
        "smallest_pivot": repr(SMALLEST_PIVOT),
    }
