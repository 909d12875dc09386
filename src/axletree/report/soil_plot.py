"""A wheel in soil as a picture: stresses along its rim, and forces and sinkage against slip."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.core.errors import ModelError
from axletree.library.part import part_word
from axletree.library.soils.contract import Wheel, tractive_efficiency
from axletree.library.soils.stress_distribution import whole_contact
from axletree.library.soils.wong_reece import WongReece

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SLIPS = (-0.3, 0.0, 0.1, 0.3)  # whose stresses are shown
POINTS = 121  # of a curve over slip from -1 to 1
_MINUS = "\N{MINUS SIGN}"


def plot_soil(law: WongReece, wheel: Wheel, load: float, slips: Sequence[float] = SLIPS) -> Figure:
    """Four panels for a wheel [m, rad] under a load [N]; its own slip does not count.

    Normal and shear stress by angle at several slips, then forces and sinkage from locked to
    spinning.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if not 0.0 < load < np.inf or not slips:
        raise ModelError(f"a load of {load:g} N and {len(slips)} slips show nothing")
    figure = Figure(figsize=(11.0, 7.6), layout="constrained")
    FigureCanvasAgg(figure)
    (normal, shear), (forces, sinkage) = figure.subplots(2, 2)
    _draw_stresses(normal, shear, law, wheel, load, slips)
    _draw_forces(forces, sinkage, law, wheel, load)
    figure.suptitle(_heading(law, wheel, load), fontsize=12)
    return figure


def _draw_stresses(
    normal: Any, shear: Any, law: WongReece, wheel: Wheel, load: float, slips: Sequence[float]
) -> None:
    from matplotlib import colormaps

    soil = law.soil_met(law.numbers)
    for slip, colour in zip(
        slips, colormaps["viridis"](np.linspace(0.05, 0.85, len(slips))), strict=True
    ):
        moving = dataclasses.replace(wheel, slip=slip)
        found = whole_contact(law(load, moving).sinkage, moving, soil)
        label = f"i = {slip:g}".replace("-", _MINUS)
        angle = np.degrees(found.angle)
        normal.plot(angle, found.pressure / 1e3, color=colour, label=label)
        shear.plot(angle, found.forward / 1e3, color=colour, label=label)
    for axes, title, word in (
        (normal, "Normal stress", "\N{GREEK SMALL LETTER SIGMA} [kPa]"),
        (shear, "Shear stress along the rim", "\N{GREEK SMALL LETTER TAU} [kPa]"),
    ):
        _finish(
            axes, title, "angle ahead of the lowest point \N{GREEK SMALL LETTER THETA} [deg]", word
        )


def _draw_forces(forces: Any, sinkage: Any, law: WongReece, wheel: Wheel, load: float) -> None:
    slips = np.linspace(-1.0, 1.0, POINTS)
    moving = dataclasses.replace(wheel, slip=slips)
    found = law(load, moving)
    forces.plot(slips, found.gross_traction / 1e3, label="gross traction")
    forces.plot(slips, found.compaction_resistance / 1e3, label="compaction resistance")
    forces.plot(slips, found.drawbar_pull / 1e3, label="drawbar pull")
    forces.plot(slips, found.torque / wheel.radius / 1e3, "--", label="torque / radius")
    _finish(forces, "Forces", "slip i [1]", "force [kN]")
    sinkage.plot(slips, 1e3 * found.sinkage, color="tab:brown", label="sinkage (left)")
    _finish(sinkage, "Sinkage and efficiency", "slip i [1]", "sinkage z [mm]")
    sinkage.set_ylim(bottom=0.0)
    share = sinkage.twinx()
    efficiency = np.where(slips > 0.0, tractive_efficiency(found, moving), np.nan)
    share.plot(slips, 100.0 * efficiency, color="tab:green", label="tractive efficiency (right)")
    share.set_ylabel("tractive efficiency [%]", fontsize=9)
    share.set_ylim(0.0, 100.0)
    share.tick_params(labelsize=8)
    lines = [*sinkage.get_lines()[:1], *share.get_lines()]
    sinkage.legend(lines, [str(line.get_label()) for line in lines], fontsize=8, loc="upper center")


def _finish(axes: Any, title: str, horizontal: str, vertical: str) -> None:
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(horizontal, fontsize=9)
    axes.set_ylabel(vertical, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.axhline(0.0, color="0.6", linewidth=0.6, zorder=0)
    axes.grid(visible=True, alpha=0.3)
    axes.legend(fontsize=8)


def _heading(law: WongReece, wheel: Wheel, load: float) -> str:
    size = f"r = {1e3 * wheel.radius:.4g} mm, b = {1e3 * wheel.width:.4g} mm"
    return f"{part_word(law.soil, 'SOILS')}: {size}, load {load / 1e3:.4g} kN"
