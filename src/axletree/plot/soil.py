"""A wheel in soil as a picture: stresses along its rim, and forces and sinkage against slip."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.components.parts import part_word
from axletree.core.errors import ModelError
from axletree.plot.axes import label_axes, legend_above, new_figure
from axletree.plot.style import BLUE, COLOURS, GREY, colour, dash, in_style
from axletree.wheel.soils.contract import WheelInSoil, tractive_efficiency
from axletree.wheel.soils.rim_stresses import whole_contact
from axletree.wheel.soils.wong_reece import WongReece

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SLIPS = (-0.3, 0.0, 0.1, 0.3)  # whose stresses are shown
_POINTS = 121  # of a curve over slip from -1 to 1
_MINUS = "\N{MINUS SIGN}"


@in_style
def plot_soil(
    law: WongReece, wheel: WheelInSoil, load: float, slips: Sequence[float] = _SLIPS
) -> Figure:
    """Four panels for a wheel [m, rad] under a load [N]; its own slip does not count.

    Normal and shear stress by angle at several slips, then forces and sinkage from locked to
    spinning.
    """
    if not 0.0 < load < np.inf or not slips:
        raise ModelError(f"a load of {load:g} N and {len(slips)} slips show nothing")
    figure, (normal, shear, forces, sinkage) = new_figure(2, 2, _heading(law, wheel, load))
    _draw_stresses(normal, shear, law, wheel, load, slips)
    _draw_forces(forces, sinkage, law, wheel, load)
    return figure


def _draw_stresses(
    normal: Any, shear: Any, law: WongReece, wheel: WheelInSoil, load: float, slips: Sequence[float]
) -> None:
    from matplotlib import colormaps

    soil = law.soil_met(law.numbers)
    tints = colormaps["viridis"](np.linspace(0.05, 0.85, len(slips)))
    for k, (slip, tint) in enumerate(zip(slips, tints, strict=True)):
        moving = dataclasses.replace(wheel, slip=slip)
        found = whole_contact(law(load, moving).sinkage, moving, soil)
        label = f"i = {slip:g}".replace("-", _MINUS)
        angle = np.degrees(found.angle)
        normal.plot(angle, found.pressure / 1e3, color=tint, linestyle=dash(k), label=label)
        shear.plot(angle, found.forward / 1e3, color=tint, linestyle=dash(k), label=label)
    for axes, title, word in (
        (normal, "Normal stress", "\N{GREEK SMALL LETTER SIGMA} [kPa]"),
        (shear, "Shear stress along the rim", "\N{GREEK SMALL LETTER TAU} [kPa]"),
    ):
        _finish(
            axes, title, "angle ahead of the lowest point \N{GREEK SMALL LETTER THETA} [deg]", word
        )


def _draw_forces(
    forces: Any, sinkage: Any, law: WongReece, wheel: WheelInSoil, load: float
) -> None:
    slips = np.linspace(-1.0, 1.0, _POINTS)
    moving = dataclasses.replace(wheel, slip=slips)
    found = law(load, moving)
    curves = {
        "gross traction": found.gross_traction,
        "compaction resistance": found.compaction_resistance,
        "drawbar pull": found.drawbar_pull,
        "torque / radius": found.torque / wheel.radius,
    }
    for k, (name, force) in enumerate(curves.items()):
        forces.plot(slips, force / 1e3, color=colour(k), linestyle=dash(k), label=name)
    _finish(forces, "Forces", "slip i [1]", "force [kN]")
    sinkage.plot(slips, 1e3 * found.sinkage, color=BLUE, label="sinkage (left)")
    _finish(sinkage, "Sinkage and efficiency", "slip i [1]", "sinkage z [mm]")
    sinkage.set_ylim(bottom=0.0)
    share = sinkage.twinx()
    efficiency = np.where(slips > 0.0, tractive_efficiency(found, moving), np.nan)
    share.plot(
        slips,
        100.0 * efficiency,
        color=COLOURS[2],
        linestyle=dash(1),
        label="tractive efficiency (right)",
    )
    share.set_ylabel("tractive efficiency [%]")
    share.set_ylim(0.0, 100.0)
    share.grid(visible=False)  # of two grids none can be read
    legend_above(sinkage, twin=share)


def _finish(axes: Any, title: str, horizontal: str, vertical: str) -> None:
    label_axes(axes, title, horizontal, vertical)
    axes.axhline(0.0, color=GREY, linewidth=0.8, zorder=1)
    legend_above(axes)


def _heading(law: WongReece, wheel: WheelInSoil, load: float) -> str:
    size = f"r = {1e3 * wheel.radius:.4g} mm, b = {1e3 * wheel.width:.4g} mm"
    return f"{part_word(law.soil, 'SOILS')}: {size}, load {load / 1e3:.4g} kN"
