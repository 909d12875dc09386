"""The models of a vehicle over one another, and what each of them came to."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.ladder import Ladder, Rung
from axletree.analysis.metrics.vehicle_signals import (
    FORWARD_SPEED,
    ROLL,
    SIDESLIP,
    STEERING,
    YAW_RATE,
    X,
    Y,
    lateral_acceleration,
)
from axletree.model.manoeuvres.findings import Column, Finding, unit_in_words, value_in_words
from axletree.report.text_table import TextTable
from axletree.simulation.panel_plot import draw_panels
from axletree.simulation.panels import Curve, Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST = 1e-6  # of a unit that is shown; less than that is rounding
CHANGES = 0.2  # of the first speed; less than that is what a turn takes


def plot_ladder(ladder: Ladder, title: str = "") -> Figure:
    """Steering, yaw rate, lateral acceleration, sideslip, roll and path, a curve for each model.

    Models in the plane have no curve of roll. Speed is shown where it changes, and nothing that is
    0 throughout.

    Example:
    >>> import axletree as at
    >>> from axletree.report.ladder_plot import plot_ladder
    >>> from axletree.vehicles.vehicle import Fidelity
    >>> found = at.drive_ladder("sedan", "step-steer", "20 m/s", [Fidelity.LINEAR])
    >>> [axes.get_ylabel() for axes in plot_ladder(found).axes]
    ['[deg]', '[deg/s]', '[m/s²]', '[deg]', 'y [m]']
    """
    speed = f"{3.6 * ladder.speed:.4g} km/h"
    panels = [
        _over_time(ladder, "Forward speed", "km/h", _changing_speed),
        _over_time(ladder, "Steering wheel", "deg", lambda rung: np.degrees(rung.run[STEERING])),
        _over_time(ladder, "Yaw rate", "deg/s", lambda rung: np.degrees(rung.run[YAW_RATE])),
        _over_time(ladder, "Lateral acceleration", "m/s^2",
                   lambda rung: lateral_acceleration(rung.run)),
        _over_time(ladder, "Sideslip angle", "deg", lambda rung: np.degrees(rung.run[SIDESLIP])),
        _over_time(ladder, "Roll angle", "deg", _roll),
        _path(ladder),
    ]  # fmt: skip
    shown = [panel for panel in panels if panel.greatest > LEAST]
    return draw_panels(shown, title or f"{ladder.model}: {ladder.manoeuvre} at {speed}")


def _changing_speed(rung: Rung) -> Column | None:
    speed = rung.run[FORWARD_SPEED]
    return 3.6 * speed if np.ptp(speed) > CHANGES * speed[0] else None


def _roll(rung: Rung) -> Column | None:
    return None if rung.fidelity.is_planar else np.degrees(rung.run[ROLL])


def _over_time(
    ladder: Ladder, title: str, unit: str, column: Callable[[Rung], Column | None]
) -> Panel:
    columns = [(rung, column(rung)) for rung in ladder.rungs]
    curves = [Curve(r.fidelity.value, r.run.time, y) for r, y in columns if y is not None]
    return Panel(title, "time [s]", f"[{unit}]", tuple(curves))


def _path(ladder: Ladder) -> Panel:
    curves = [Curve(rung.fidelity.value, rung.run[X], rung.run[Y]) for rung in ladder.rungs]
    return Panel("Path", "x [m]", "y [m]", tuple(curves), over_time=False)


def ladder_table(ladder: Ladder) -> TextTable:
    """What the models came to, side by side."""
    heads = ("finding:", *(rung.fidelity.value for rung in ladder.rungs), "unit:")
    rows = []
    for found in _known(ladder):
        values = [_value(rung, found.name) for rung in ladder.rungs]
        texts = [value_in_words(value, found.unit, 5) for value in values]
        rows.append((found.description, *texts, unit_in_words(found.unit)))
    title = f"{ladder.model}, {ladder.manoeuvre} at {ladder.speed:.5g} m/s"
    return TextTable(title, heads, tuple(rows))


def ladder_json(ladder: Ladder) -> str:
    """The same with all digits; what a run does not tell is null."""
    found: dict[str, Any] = {
        "model": ladder.model,
        "manoeuvre": ladder.manoeuvre,
        "speed": {"value": ladder.speed, "unit": "m/s"},
        "metrics": {
            one.name: {
                "unit": one.unit,
                "description": one.description,
                "values": {r.fidelity.value: _or_null(_value(r, one.name)) for r in ladder.rungs},
            }
            for one in _known(ladder)
        },
        "left_out": dict(ladder.left_out),
    }
    return json.dumps(found, indent=2, allow_nan=False) + "\n"


def _known(ladder: Ladder) -> list[Finding]:
    """The findings of all models, each once."""
    return list({f.name: f for rung in reversed(ladder.rungs) for f in rung.findings}.values())


def _value(rung: Rung, name: str) -> float:
    found = rung.finding(name)
    return math.nan if found is None else found.value


def _or_null(value: float) -> float | None:
    return value if math.isfinite(value) else None
