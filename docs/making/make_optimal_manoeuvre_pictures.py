"""Draws the picture of the page on optimal manoeuvres, from what the Python of the page finds."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from axletree.plot.figure_files import write_figure
from axletree.plot.style import GREY, in_style, label_axes, new_figure

PAGE = Path(__file__).parent.parent / "how-to" / "optimal-manoeuvres.md"
NAME = "optimal-manoeuvres.png"
_PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def make_pictures(folder: Path) -> list[Path]:
    """The picture, written into the folder."""
    return [write_figure(draw(found()), folder / NAME)]


def found() -> dict[str, Any]:
    """The names of the page, after its Python."""
    names: dict[str, Any] = {"__name__": "page"}
    with contextlib.redirect_stdout(io.StringIO()):
        for text in _PYTHON.findall(PAGE.read_text(encoding="utf-8")):
            exec(compile(text, PAGE.name, "exec", dont_inherit=True), names)
    return names


@in_style
def draw(names: dict[str, Any]) -> Figure:
    """Six panels, one for each manoeuvre."""
    figure, panels = new_figure(3, 2, "Six optimal manoeuvres")
    for panel, one in zip(
        panels, (_lane_change, _stop, _drift, _parking, _bump, _evasion), strict=True
    ):
        one(panel, names)
    return figure


def _lane_change(panel: Axes, names: dict[str, Any]) -> None:
    found, x = names["changed"], np.linspace(0.0, 125.0, 1001)
    for edge in (names["upper"](x), names["lower"](x)):
        panel.plot(x, edge, color=GREY)
    panel.plot(found.places, found["y"])
    title = f"Double lane change: {found['v', 'km/h'][-1]:.0f} km/h"
    label_axes(panel, title, "x [m]", "y [m]")


def _stop(panel: Axes, names: dict[str, Any]) -> None:
    found = names["split"]
    for wheel in names["WHEELS"]:
        panel.plot(found["x"], 1e-3 * found[wheel], label=wheel.replace("_", " "))
    panel.legend()
    title = f"Stop on split friction: {found['x'][-1]:.1f} m"
    label_axes(panel, title, "x [m]", "brake force [kN]")


def _drift(panel: Axes, names: dict[str, Any]) -> None:
    found = names["drifted"]
    panel.plot(found.places, found["sideslip", "deg"], label="sideslip")
    panel.plot(found.places, found["delta", "deg"], label="steering")
    panel.plot(found.places, found["r", "deg/s"], label="yaw rate [deg/s]")
    panel.legend()
    label_axes(panel, f"Into a drift: {found.length:.2f} s", "time [s]", "angle [deg]")


def _parking(panel: Axes, names: dict[str, Any]) -> None:
    found = names["bay"]
    x, y, psi, hitch = (found[name] for name in ("x", "y", "psi", "hitch"))
    drawbar, overhang = names["drawbar"], names["overhang"]
    joint_x, joint_y = x + drawbar * np.cos(psi - hitch), y + drawbar * np.sin(psi - hitch)
    rear_x, rear_y = joint_x + overhang * np.cos(psi), joint_y + overhang * np.sin(psi)
    wheelbase = names["wheelbase"]
    for k in range(0, len(x), 30):
        nose = rear_x[k] + wheelbase * np.cos(psi[k]), rear_y[k] + wheelbase * np.sin(psi[k])
        panel.plot(
            [x[k], joint_x[k], nose[0]], [y[k], joint_y[k], nose[1]], color=GREY, linewidth=0.7
        )
    panel.plot(x, y, label="trailer's axle")
    panel.plot(rear_x, rear_y, linestyle="--", label="car's rear axle")
    panel.set_aspect("equal", adjustable="datalim")
    panel.legend()
    label_axes(panel, f"Parking with a trailer: {found.length:.1f} s", "x [m]", "y [m]")


def _bump(panel: Axes, names: dict[str, Any]) -> None:
    found = names["smooth"]
    panel.plot(found.places, found["v", "km/h"], label="speed [km/h]")
    panel.plot(found.places, 100.0 * names["bump"](found.places), label="road [cm]")
    panel.plot(found.places, 100.0 * found["zs"], label="body [cm]")
    panel.legend()
    label_axes(panel, "Over a bump in 8 s", "distance [m]", "speed [km/h], height [cm]")


def _evasion(panel: Axes, names: dict[str, Any]) -> None:
    found = names["evaded"]
    wanted = np.degrees(names["wanted_yaw_rate"](found.places))
    panel.plot(found.places, wanted, color=GREY, label="wanted")
    panel.plot(found.places, found["r", "deg/s"], label="yaw rate")
    brakes = sum(found[wheel] for wheel in names["WHEELS"])
    panel.plot(found.places, 1e-3 * brakes, linestyle="--", label="brakes [kN]")
    panel.legend()
    label_axes(panel, "Sine with dwell, with ESC", "time [s]", "yaw rate [deg/s], force [kN]")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
