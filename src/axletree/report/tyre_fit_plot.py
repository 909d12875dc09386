"""A fitted tyre law against its measurements: forces and what is left over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.tyre_characteristics import sweep
from axletree.analysis.tyre_fit import TyreFit
from axletree.core.plot_style import INK, in_style
from axletree.model.tyre_data import TyreData

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEWEST_POINTS = 5  # at one load, inclination and other slip, that are drawn as a curve
MOST_SWEEPS = 40  # with more conditions than this the law is drawn as points
_UNITS = {"Fx": ("kN", 1e-3), "Fy": ("kN", 1e-3), "Mz": ("N·m", 1.0)}
_SLIPS = {"Fx": "longitudinal_slip", "Fy": "slip_angle", "Mz": "slip_angle"}


@in_style
def plot_fit(fit: TyreFit, data: TyreData, title: str) -> Figure:
    """Above, measured points and the law at the same points; below, the differences."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    channels = list(data.forces)
    figure = Figure(figsize=(1.0 + 4.3 * len(channels), 7.2), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(2, len(channels), squeeze=False, sharex="col", height_ratios=(2.2, 1.0))
    forces = sweep(
        fit.law, data.normal_load, data.longitudinal_slip, data.slip_angle, data.inclination
    )
    shade = _shade(data.normal_load)
    for name, upper, lower in zip(channels, *grid, strict=True):
        _draw(name, upper, lower, data, getattr(forces, name), shade)
        upper.set_title(f"{name}: {_quality(fit, name)}")
    colours = figure.colorbar(shade, ax=grid[:, -1].tolist(), pad=0.02, aspect=40)
    colours.set_label("Fz of the measured points [kN]")
    figure.suptitle(title)
    return figure


def _shade(load: np.ndarray) -> Any:
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize

    # The light end of the map is hard to see on white.
    colours = ListedColormap(colormaps["viridis"](np.linspace(0.0, 0.88, 256)))
    low, high = float(load.min()) / 1e3, float(load.max()) / 1e3
    return ScalarMappable(Normalize(low, high if high > low else low + 1.0), colours)


def _draw(
    name: str, upper: Any, lower: Any, data: TyreData, fitted: np.ndarray, shade: Any
) -> None:
    unit, factor = _UNITS[name]
    slip, label = _slip(name, data)
    measured = data.forces[name]
    here = ~np.isnan(measured)
    colours = shade.to_rgba(data.normal_load[here] / 1e3)
    points = upper.scatter(slip[here], measured[here] * factor, s=9, c=colours, linewidths=0)
    lines = _law_lines(name, upper, data, slip, fitted * factor)
    lower.scatter(slip[here], (fitted - measured)[here] * factor, s=6, c=colours, linewidths=0)
    lower.axhline(0.0, color=INK, linewidth=0.8)
    upper.set_ylabel(f"{name} [{unit}]")
    lower.set_ylabel(f"law - measured [{unit}]")
    lower.set_xlabel(label)
    upper.legend([points, lines], ["measured", "law"])


def _slip(name: str, data: TyreData) -> tuple[np.ndarray, str]:
    """What a force is drawn against: its own slip, or the other where that does not vary."""
    angle = np.degrees(data.slip_angle), "slip angle \N{GREEK SMALL LETTER ALPHA} [deg]"
    along = data.longitudinal_slip, "longitudinal slip S [1]"
    own, other = (along, angle) if _SLIPS[name] == "longitudinal_slip" else (angle, along)
    return own if np.ptp(own[0]) > 0.0 else other


def _law_lines(name: str, axes: Any, data: TyreData, slip: np.ndarray, fitted: np.ndarray) -> Any:
    """The law as curves, one for each condition that was swept, or else as points."""
    across = data.slip_angle if _SLIPS[name] == "longitudinal_slip" else data.longitudinal_slip
    conditions = np.column_stack(
        (data.normal_load.round(-2), across.round(3), data.inclination.round(3))
    )
    _, members, counts = np.unique(conditions, axis=0, return_inverse=True, return_counts=True)
    members, sweeps = members.ravel(), np.flatnonzero(counts >= FEWEST_POINTS)
    if not 0 < len(sweeps) <= MOST_SWEEPS:
        return axes.scatter(slip, fitted, s=7, c=INK, marker="x", linewidths=0.5)
    for k in sweeps:
        chosen = np.flatnonzero(members == k)
        chosen = chosen[np.argsort(slip[chosen], kind="stable")]
        (line,) = axes.plot(slip[chosen], fitted[chosen], color=INK, linewidth=0.9)
    return line


def _quality(fit: TyreFit, name: str) -> str:
    unit = "N·m" if name == "Mz" else "N"
    share = 100.0 * fit.rms[name] / fit.peaks[name]
    return f"rms error {fit.rms[name]:.3g} {unit}, {share:.2g} % of the peak"
