"""Figures of tyres and of wheels in soil.

Tyres: laws against slip, a fit against its measurements, and carpet plots of benches. A wheel in
soil: stresses along its rim, and forces and sinkage against slip.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.identification.axles import AxleCharacteristic
from axletree.analysis.studies.tyre_characteristics import slip_sweep
from axletree.analysis.studies.tyre_fit import TyreFit
from axletree.components.fields import part_word
from axletree.core.errors import ModelError
from axletree.plot.model_plots import ShownRun
from axletree.plot.panels import Panel, PanelCurve, greatest_magnitude
from axletree.plot.style import (
    BLUE,
    COLOURS,
    GREY,
    INK,
    PAPER,
    SMALL,
    blank_figure,
    colour,
    dash,
    in_style,
    label_axes,
    legend_above,
    new_figure,
    panels_across,
    plotted_unit,
    shades,
)
from axletree.runs.bench_contract import Carpet, nominal_load
from axletree.wheel.contract import Contact, TyreLaw
from axletree.wheel.soils.contract import WheelInSoil, tractive_efficiency
from axletree.wheel.soils.rim_stresses import whole_contact
from axletree.wheel.soils.wong_reece import WongReece
from axletree.wheel.tyres.tyre_data import TyreData

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHOWN_SLIPS = (-0.3, 0.0, 0.1, 0.3)  # whose stresses are shown
_SLIP_POINTS = 121  # of a curve over slip from -1 to 1
_MINUS, _SIGNS = "\N{MINUS SIGN}", "\N{PLUS-MINUS SIGN}"
_ALPHA, _GAMMA = "\N{GREEK SMALL LETTER ALPHA}", "\N{GREEK SMALL LETTER GAMMA}"


@in_style
def plot_soil(
    law: WongReece, wheel: WheelInSoil, load: float, slips: Sequence[float] = _SHOWN_SLIPS
) -> Figure:
    """Four panels for a wheel [m, rad] under a load [N]; its own slip does not count.

    Normal and shear stress by angle at several slips, then forces and sinkage from locked to
    spinning.
    """
    if not 0.0 < load < np.inf or not slips:
        raise ModelError(f"a load of {load:g} N and {len(slips)} slips show nothing")
    figure, (normal, shear, forces, sinkage) = new_figure(2, 2, _soil_heading(law, wheel, load))
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
    ahead = "angle ahead of the lowest point \N{GREEK SMALL LETTER THETA} [deg]"
    _finish(normal, "Normal stress", ahead, "\N{GREEK SMALL LETTER SIGMA} [kPa]")
    _finish(shear, "Shear stress along the rim", ahead, "\N{GREEK SMALL LETTER TAU} [kPa]")


def _draw_forces(
    forces: Any, sinkage: Any, law: WongReece, wheel: WheelInSoil, load: float
) -> None:
    slips = np.linspace(-1.0, 1.0, _SLIP_POINTS)
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
    label = "tractive efficiency (right)"
    share.plot(slips, 100.0 * efficiency, color=COLOURS[2], linestyle=dash(1), label=label)
    share.set_ylabel("tractive efficiency [%]")
    share.set_ylim(0.0, 100.0)
    share.grid(visible=False)  # of two grids none can be read
    legend_above(sinkage, twin=share)


def _finish(axes: Any, title: str, horizontal: str, vertical: str) -> None:
    label_axes(axes, title, horizontal, vertical)
    axes.axhline(0.0, color=GREY, linewidth=0.8, zorder=1)
    legend_above(axes)


def _soil_heading(law: WongReece, wheel: WheelInSoil, load: float) -> str:
    size = f"r = {1e3 * wheel.radius:.4g} mm, b = {1e3 * wheel.width:.4g} mm"
    return f"{part_word(law.soil, 'SOILS')}: {size}, load {load / 1e3:.4g} kN"


# Tyre laws as pictures: forces and moment against slip, their envelope, and camber.
#
# Colours tell loads and angles apart, line styles the laws where several are compared.

LINE_WORDS = {"-": "solid", "--": "dashed", ":": "dotted", "-.": "dash-dotted"}
STYLES = tuple(LINE_WORDS)  # of the first law, the second, ...
WITHOUT_CAMBER = ";   no influence of camber"
_POINTS = 401  # of a curve; odd, so that no slip is one of them


@dataclass(frozen=True)
class TyreRange:
    """What is shown: SI units and radians."""

    loads: tuple[float, ...] = (2000.0, 4000.0, 6000.0)  # [N]
    nominal_load: float = 4000.0  # [N], of the panels for one load
    largest_slip: float = 0.5  # [1]
    largest_angle: float = float(np.radians(20.0))
    angles: tuple[float, ...] = tuple(float(x) for x in np.radians((0.0, 2.0, 5.0, 10.0)))
    inclinations: tuple[float, ...] = tuple(float(x) for x in np.radians((-5.0, 0.0, 5.0)))

    def __post_init__(self) -> None:
        for load in (*self.loads, self.nominal_load):
            if not 0.0 < load < np.inf:
                raise ModelError(f"a load of {load:g} N shows nothing")
        if not self.loads:
            raise ModelError("no load given")

    @staticmethod
    def of(law: TyreLaw) -> TyreRange:
        """Half, all and one and a half of the load that the law is for, or of 4 kN."""
        load = nominal_load(law) or 4000.0
        return TyreRange(loads=(0.5 * load, load, 1.5 * load), nominal_load=load)


TyreCurve = Callable[[TyreLaw, float], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class _Panel:
    title: str
    horizontal: str
    vertical: str
    values: Sequence[float]  # one curve for each
    label: Callable[[float], str]
    curve: TyreCurve
    colours: str  # a colour map
    forces_only: bool = False  # both axes show forces, to one scale
    of_camber: bool = False


@in_style
def plot_tyre(laws: Mapping[str, TyreLaw], shown: TyreRange | None = None) -> Figure:
    """Panels of Fx, Fy and Mz for several loads, and of the envelope and camber at one load.

    Where camber changes nothing, this is said and not drawn.
    """
    if not 1 <= len(laws) <= len(STYLES):
        raise ModelError(f"{len(laws)} tyres were given; expected 1 to {len(STYLES)}")
    shown = shown or TyreRange.of(next(iter(laws.values())))
    _warn_of_loads(laws, shown.loads)
    panels = _panels(shown)
    drawn = [panel for panel in panels if not panel.of_camber or _camber_matters(panel, laws)]
    without = "" if len(drawn) == len(panels) else WITHOUT_CAMBER
    heading = _tyre_heading(list(laws)) + without
    figure, axes = panels_across(len(drawn), -(-len(drawn) // 2), heading)
    for own, panel in zip(axes, drawn, strict=True):
        _draw_law(own, panel, laws)
    return figure


def _warn_of_loads(laws: Mapping[str, TyreLaw], loads: Sequence[float]) -> None:
    """Where a law leaves its range at one of them."""
    for name, law in laws.items():
        for load in loads:
            contact = Contact(normal_load=load, longitudinal_slip=0.0, slip_angle=0.0)
            for limit in law.limits(contact, law.numbers):
                if float(limit.excess) > 0.0:
                    warnings.warn(f"{name} at {_kilo(load)}: {limit.sentence}", stacklevel=4)


def _camber_matters(panel: _Panel, laws: Mapping[str, TyreLaw]) -> bool:
    """Whether the curves of some law differ."""
    return not all(_all_alike([panel.curve(law, v) for v in panel.values]) for law in laws.values())


def _panels(shown: TyreRange) -> tuple[_Panel, ...]:
    S = np.linspace(-shown.largest_slip, shown.largest_slip, _POINTS)
    alpha = np.linspace(-shown.largest_angle, shown.largest_angle, _POINTS)
    full = np.linspace(-1.0, 1.0, 2 * _POINTS - 1)  # from lock to heavy driving
    Fz = shown.nominal_load
    at = f"Fz = {_kilo(Fz)}"
    slip, angle = "longitudinal slip S [1]", f"slip angle {_ALPHA} [deg]"
    by_load = (shown.loads, lambda load: f"Fz = {_kilo(load)}")
    by_angle = (shown.angles, lambda x: f"{_ALPHA} = {_SIGNS if x else ''}{_degrees(x)}")
    by_camber = (shown.inclinations, lambda x: f"{_GAMMA} = {_degrees(x)}")

    def envelope(law: TyreLaw, a: float) -> tuple[np.ndarray, np.ndarray]:
        # Slip angles of both signs as one curve, with a gap between them.
        angles = np.concatenate((np.full_like(full, a), np.full_like(full, -a)))
        forces = slip_sweep(law, Fz, np.concatenate((full, full)), angles)
        Fx, Fy = (np.insert(f / 1e3, full.size, np.nan) for f in (forces.Fx, forces.Fy))
        return Fx, Fy

    return (
        _Panel("Longitudinal force", slip, "Fx [kN]", *by_load,
               lambda law, load: (S, slip_sweep(law, load, longitudinal_slip=S).Fx / 1e3),
               "viridis"),
        _Panel("Lateral force", angle, "Fy [kN]", *by_load,
               lambda law, load: (np.degrees(alpha), slip_sweep(law, load, 0.0, alpha).Fy / 1e3),
               "viridis"),
        _Panel("Aligning moment", angle, "Mz [N*m]", *by_load,
               lambda law, load: (np.degrees(alpha), slip_sweep(law, load, 0.0, alpha).Mz),
               "viridis"),
        _Panel(f"Combined slip, {at}", "Fx [kN]", "Fy [kN]", *by_angle,
               envelope, "plasma", forces_only=True),
        _Panel(f"Camber, {at}", angle, "Fy [kN]", *by_camber,
               lambda law, g: (np.degrees(alpha), slip_sweep(law, Fz, 0.0, alpha, g).Fy / 1e3),
               "viridis", of_camber=True),
        _Panel(f"Camber, {at}", angle, "Mz [N*m]", *by_camber,
               lambda law, g: (np.degrees(alpha), slip_sweep(law, Fz, 0.0, alpha, g).Mz), "viridis",
               of_camber=True),
    )  # fmt: skip


def _draw_law(axes: Any, panel: _Panel, laws: Mapping[str, TyreLaw]) -> None:
    from matplotlib import colormaps

    colours = colormaps[panel.colours](np.linspace(0.05, 0.85, len(panel.values)))
    alike: list[str] = []
    for law, style in zip(laws.values(), STYLES, strict=False):
        curves = [panel.curve(law, value) for value in panel.values]
        for (horizontal, vertical), value, shade in zip(curves, panel.values, colours, strict=True):
            label = panel.label(value) if style == STYLES[0] else None
            axes.plot(horizontal, vertical, style, color=shade, linewidth=1.5, label=label)
        if _all_alike(curves):
            # Curves that cover one another look like curves that are missing.
            alike.append("all alike" if len(laws) == 1 else f"{LINE_WORDS[style]}: all alike")
    axes.axhline(0.0, color=GREY, linewidth=0.6, zorder=0)
    axes.axvline(0.0, color=GREY, linewidth=0.6, zorder=0)
    label_axes(axes, panel.title, panel.horizontal, panel.vertical)
    legend_above(axes, title="\n".join(alike))
    if panel.forces_only:
        axes.set_aspect("equal", adjustable="datalim")


def _all_alike(curves: Sequence[tuple[np.ndarray, np.ndarray]]) -> bool:
    rest = curves[1:]
    return bool(rest) and all(np.array_equal(c, curves[0], equal_nan=True) for c in rest)


def _tyre_heading(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    words = zip(names, LINE_WORDS.values(), strict=False)
    return ",   ".join(f"{name} ({line})" for name, line in words)


def _kilo(force: float) -> str:
    return f"{force / 1e3:.3g} kN"


def _degrees(angle: float) -> str:
    return f"{np.degrees(angle):.3g}\N{DEGREE SIGN}".replace("-", "\N{MINUS SIGN}")


# A fitted tyre law against its measurements: forces and what is left over.

FEWEST_POINTS = 5  # at one load, inclination and other slip, that are drawn as a curve
MOST_SWEEPS = 40  # with more conditions than this the law is drawn as points
_UNITS = {"Fx": ("kN", 1e-3), "Fy": ("kN", 1e-3), "Mz": ("N·m", 1.0)}
_SLIPS = {"Fx": "longitudinal_slip", "Fy": "slip_angle", "Mz": "slip_angle"}


@in_style
def plot_fit(fit: TyreFit, data: TyreData, title: str) -> Figure:
    """Above, measured points and the law at the same points; below, the differences."""
    channels = list(data.forces)
    figure = blank_figure(1.0 + 4.3 * len(channels), 7.2, "constrained")
    grid = figure.subplots(2, len(channels), squeeze=False, sharex="col", height_ratios=(2.2, 1.0))
    forces = slip_sweep(
        fit.law, data.normal_load, data.longitudinal_slip, data.slip_angle, data.inclination
    )
    shade = shades(data.normal_load / 1e3)
    for name, upper, lower in zip(channels, *grid, strict=True):
        _draw_fit(name, upper, lower, data, getattr(forces, name), shade)
        upper.set_title(f"{name}: {_quality(fit, name)}")
    words = "Fz of the measured points [kN]"
    figure.colorbar(shade, ax=grid[:, -1].tolist(), pad=0.02, aspect=40, label=words)
    figure.suptitle(title)
    return figure


@in_style
def plot_axle_characteristics(axles: Sequence[AxleCharacteristic], title: str) -> Figure:
    """Side forces over the load at rest, against slip angles, of axles of a measured drive."""
    figure, (plot,) = new_figure(1, 1, title)
    label_axes(plot, "", "slip angle [deg]", "side force over load at rest [1]")
    for k, axle in enumerate(axles):
        slip = np.degrees(axle.slip_angle)
        plot.plot(slip, axle.lateral_force / axle.load, ".", color=colour(k), markersize=2.5)
        stiffness, deviation, offset = axle.cornering_stiffness
        most = 1.1 * axle.peak_utilisation * axle.load / stiffness  # rad, where the line leaves
        ends = np.clip(
            np.array([slip.min(), slip.max()]), *np.degrees([offset - most, offset + most])
        )
        line = -stiffness * (np.radians(ends) - offset) / axle.load
        words = f"{axle.name}: {stiffness / 1e3:.1f} ± {deviation / 1e3:.2g} kN/rad"
        plot.plot(ends, line, color=INK, linewidth=0.8, linestyle=dash(k), label=words)
    legend_above(plot)
    return figure


def fit_panels(fit: TyreFit, data: TyreData) -> list[Panel]:
    """For each force measured points with the law at the same points, and the differences."""
    forces = slip_sweep(
        fit.law, data.normal_load, data.longitudinal_slip, data.slip_angle, data.inclination
    )
    panels = []
    for name, measured in data.forces.items():
        unit, factor = _UNITS[name]
        slip, label = _slip(name, data)
        here = ~np.isnan(measured)
        x, y, fitted = slip[here], factor * measured[here], factor * getattr(forces, name)[here]
        both = (PanelCurve("measured", x, y, is_points=True),
                PanelCurve("law", x, fitted, is_points=True))  # fmt: skip
        apart = PanelCurve("", x, fitted - y, is_points=True)
        panels.append(Panel(name, label, f"[{unit}]", both, over_time=False))
        title = f"{name}: law less measured"
        panels.append(Panel(title, label, f"[{unit}]", (apart,), over_time=False))
    return panels


def _draw_fit(
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
    angle = np.degrees(data.slip_angle), f"slip angle {_ALPHA} [deg]"
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


# Carpet plots: a quantity over two variables, each line of which is shifted beside the last.
#
# Curves of one level run over x; the curves of the next level are moved to the right, and points
# of equal x are joined, so that a value between levels can be read off.

_NODES = 10  # at most, values of x whose points are joined
SHIFT = 0.25  # from level to level, of the width of a curve
WORD = 0.07, 0.05  # of the width and height of the axes, that a name takes
_CLEAR = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.6}  # of lines behind words


@in_style
def draw_carpet(carpet: Carpet, runs: Mapping[str, ShownRun], title: str = "") -> Figure:
    """One carpet; ``runs`` are those that the levels name. Angles are in degrees."""
    figure = blank_figure(9.0, 5.2, "constrained")
    axes = figure.subplots()
    levels = sorted(carpet.levels, key=lambda name: carpet.levels[name])
    x_unit, xs = _plotted(carpet.x, [runs[name] for name in levels])
    y_unit, ys = _plotted(carpet.y, [runs[name] for name in levels])
    shift = SHIFT * max(float(np.ptp(x)) for x in xs)
    nodes = _nodes(xs)
    corners = np.full((len(levels), len(nodes)), np.nan)
    curves = []
    for k, (one, other) in enumerate(zip(xs, ys, strict=True)):
        order = np.argsort(one, kind="stable")
        x, y = one[order], other[order]
        axes.plot(x + k * shift, y, color=BLUE, linewidth=1.4)
        corners[k] = np.interp(nodes, x, y)
        curves.append(np.stack([x + k * shift, y], axis=1))
    _join(axes, nodes, corners, shift)
    axes.margins(x=0.08)
    _name_levels(axes, levels, curves)
    label_axes(
        axes,
        f"{title}: {carpet.y} as a carpet" if title else carpet.y,
        f"{carpet.x} [{x_unit}], shifted for each {carpet.quantity}",
        f"{carpet.y} [{y_unit}]",
    )
    axes.set_xticks([])
    axes.grid(visible=False, axis="x")
    return figure


def carpet_panel(carpet: Carpet, runs: Mapping[str, ShownRun]) -> Panel:
    """Its curves over x, one for each level, not moved apart."""
    levels = sorted(carpet.levels, key=lambda name: carpet.levels[name])
    x_unit, xs = _plotted(carpet.x, [runs[name] for name in levels])
    y_unit, ys = _plotted(carpet.y, [runs[name] for name in levels])
    curves = []
    for name, x, y in zip(levels, xs, ys, strict=True):
        order = np.argsort(x, kind="stable")
        curves.append(PanelCurve(name, x[order], y[order]))
    title = f"{carpet.y} by {carpet.quantity}"
    return Panel(title, f"{carpet.x} [{x_unit}]", f"{carpet.y} [{y_unit}]", tuple(curves),
                 over_time=False)  # fmt: skip


def _plotted(name: str, runs: Sequence[ShownRun]) -> tuple[str, list[np.ndarray]]:
    """The unit of an axis and what it shows of each run."""
    courses = [run.columns[name] for run in runs]
    unit, factor = plotted_unit(runs[0].units[name], greatest_magnitude(courses))
    return unit, [factor * course for course in courses]


def _name_levels(axes: Any, levels: Sequence[str], curves: Sequence[np.ndarray]) -> None:
    """At those ends of curves, all left or all right, where fewer points of others are near."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    size = np.array([WORD[0] * (right - left), WORD[1] * (high - low)])

    def crowd(end: int, side: int) -> int:
        middles = np.array([curve[end] for curve in curves]) + (0.55 * side * size[0], 0.0)
        points = np.concatenate(curves)
        near = np.abs(points[None] - middles[:, None]) < 0.5 * size
        return int(near.all(axis=2).sum())

    end, side = min(((-1, 1), (0, -1)), key=lambda pair: crowd(*pair))
    for name, curve in zip(levels, curves, strict=True):
        axes.annotate(name, curve[end], fontsize=SMALL, color=BLUE, xytext=(5 * side, 0),
                      textcoords="offset points", ha="left" if side > 0 else "right", va="center",
                      bbox=_CLEAR)  # fmt: skip


def _nodes(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Round values of x that all runs have."""
    from matplotlib.ticker import MaxNLocator

    least, greatest = max(c.min() for c in columns), min(c.max() for c in columns)
    ticks = MaxNLocator(_NODES).tick_values(least, greatest)
    return np.array([x for x in ticks if least <= x <= greatest])


def _join(axes: Any, nodes: np.ndarray, corners: np.ndarray, shift: float) -> None:
    """Lines of equal x, with their values at the first level, on the side where no line goes."""
    places = np.arange(len(corners)) * shift
    for k, x in enumerate(nodes):
        axes.plot(x + places, corners[:, k], color=GREY, linewidth=0.9, marker=".", markersize=4)
        rises = corners[-1, k] > corners[0, k]
        axes.annotate(f"{x:.3g}", (x, corners[0, k]), fontsize=SMALL, color=INK,
                      xytext=(0, -5 if rises else 5), textcoords="offset points", ha="center",
                      va="top" if rises else "bottom", bbox=_CLEAR)  # fmt: skip
