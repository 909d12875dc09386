"""Tyre laws as pictures: forces and moment against slip, their envelope, and camber.

Colours tell loads and angles apart, line styles the laws where several are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.tyre_characteristics import sweep
from axletree.core.errors import ModelError
from axletree.core.plot_style import GREY, WIDTH, in_style
from axletree.library.tyres.contract import TyreLaw
from axletree.report.analysis_axes import label_axes, legend_above

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINE_WORDS = {"-": "solid", "--": "dashed", ":": "dotted", "-.": "dash-dotted"}
STYLES = tuple(LINE_WORDS)  # of the first law, the second, ...
_NOMINAL_LOADS = ("FNOMIN", "nominal_load")  # parameters that laws have for it
WITHOUT_CAMBER = ";   camber changes nothing"
POINTS = 401  # of a curve; odd, so that no slip is one of them


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
        wrong = [load for load in (*self.loads, self.nominal_load) if not 0.0 < load < np.inf]
        if wrong or not self.loads:
            raise ModelError(
                f"a load of {wrong[0]:g} N shows nothing" if wrong else "no load given"
            )

    @staticmethod
    def of(law: TyreLaw) -> TyreRange:
        """Half, all and one and a half of the load that the law is for, or of 4 kN."""
        numbers = {name.rpartition(".")[2]: value for name, value in law.numbers.items()}
        load = next((numbers[k] for k in _NOMINAL_LOADS if numbers.get(k)), 4000.0)
        return TyreRange(loads=(0.5 * load, load, 1.5 * load), nominal_load=load)


Curve = Callable[[TyreLaw, float], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class _Panel:
    title: str
    horizontal: str
    vertical: str
    values: Sequence[float]  # one curve for each
    label: Callable[[float], str]
    curve: Curve
    colours: str  # a colour map
    forces_only: bool = False  # both axes show forces, to one scale
    of_camber: bool = False


@in_style
def plot_tyre(laws: Mapping[str, TyreLaw], shown: TyreRange | None = None) -> Figure:
    """Panels of Fx, Fy and Mz for several loads, and of the envelope and camber at one load.

    Where camber changes nothing, this is said and not drawn.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if not 1 <= len(laws) <= len(STYLES):
        raise ModelError(f"{len(laws)} tyres were given; expected 1 to {len(STYLES)}")
    panels = _panels(shown or TyreRange.of(next(iter(laws.values()))))
    told = [panel for panel in panels if not panel.of_camber or _tells(panel, laws)]
    figure = Figure(figsize=(WIDTH, 7.2), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(2, 3 if len(told) > 4 else 2).ravel()
    for axes, panel in zip(grid, told, strict=False):
        _draw(axes, panel, laws)
    for axes in grid[len(told) :]:
        axes.axis("off")
    figure.suptitle(_heading(list(laws)) + ("" if len(told) == len(panels) else WITHOUT_CAMBER))
    return figure


def _tells(panel: _Panel, laws: Mapping[str, TyreLaw]) -> bool:
    """Whether the curves of some law differ."""
    return not all(_all_alike([panel.curve(law, v) for v in panel.values]) for law in laws.values())


def _panels(shown: TyreRange) -> tuple[_Panel, ...]:
    S = np.linspace(-shown.largest_slip, shown.largest_slip, POINTS)
    alpha = np.linspace(-shown.largest_angle, shown.largest_angle, POINTS)
    full = np.linspace(-1.0, 1.0, 2 * POINTS - 1)  # from lock to heavy driving
    Fz = shown.nominal_load
    at = f"Fz = {_kilo(Fz)}"
    slip, angle = "longitudinal slip S [1]", "slip angle \N{GREEK SMALL LETTER ALPHA} [deg]"
    by_load = (shown.loads, lambda load: f"Fz = {_kilo(load)}")
    by_angle = (shown.angles, lambda x: f"\N{GREEK SMALL LETTER ALPHA} = {_both_signs(x)}")
    by_camber = (shown.inclinations, lambda x: f"\N{GREEK SMALL LETTER GAMMA} = {_degrees(x)}")

    def envelope(law: TyreLaw, a: float) -> tuple[np.ndarray, np.ndarray]:
        # Slip angles of both signs as one curve, with a gap between them.
        angles = np.concatenate((np.full_like(full, a), np.full_like(full, -a)))
        forces = sweep(law, Fz, np.concatenate((full, full)), angles)
        Fx, Fy = (np.insert(f / 1e3, full.size, np.nan) for f in (forces.Fx, forces.Fy))
        return Fx, Fy

    return (
        _Panel("Longitudinal force", slip, "Fx [kN]", *by_load,
               lambda law, load: (S, sweep(law, load, longitudinal_slip=S).Fx / 1e3), "viridis"),
        _Panel("Lateral force", angle, "Fy [kN]", *by_load,
               lambda law, load: (np.degrees(alpha), sweep(law, load, 0.0, alpha).Fy / 1e3),
               "viridis"),
        _Panel("Aligning moment", angle, "Mz [N*m]", *by_load,
               lambda law, load: (np.degrees(alpha), sweep(law, load, 0.0, alpha).Mz), "viridis"),
        _Panel(f"Combined slip, {at}", "Fx [kN]", "Fy [kN]", *by_angle,
               envelope, "plasma", forces_only=True),
        _Panel(f"Camber, {at}", angle, "Fy [kN]", *by_camber,
               lambda law, g: (np.degrees(alpha), sweep(law, Fz, 0.0, alpha, g).Fy / 1e3),
               "viridis", of_camber=True),
        _Panel(f"Camber, {at}", angle, "Mz [N*m]", *by_camber,
               lambda law, g: (np.degrees(alpha), sweep(law, Fz, 0.0, alpha, g).Mz), "viridis",
               of_camber=True),
    )  # fmt: skip


def _draw(axes: Any, panel: _Panel, laws: Mapping[str, TyreLaw]) -> None:
    from matplotlib import colormaps

    colours = colormaps[panel.colours](np.linspace(0.05, 0.85, len(panel.values)))
    alike: list[str] = []
    for law, style in zip(laws.values(), STYLES, strict=False):
        curves = [panel.curve(law, value) for value in panel.values]
        for (horizontal, vertical), value, colour in zip(
            curves, panel.values, colours, strict=True
        ):
            label = panel.label(value) if style == STYLES[0] else None
            axes.plot(horizontal, vertical, style, color=colour, linewidth=1.5, label=label)
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


def _heading(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return ",   ".join(
        f"{name} ({LINE_WORDS[style]})" for name, style in zip(names, STYLES, strict=False)
    )


def _both_signs(angle: float) -> str:
    return f"\N{PLUS-MINUS SIGN}{_degrees(angle)}" if angle else _degrees(angle)


def _kilo(force: float) -> str:
    return f"{force / 1e3:.3g} kN"


def _degrees(angle: float) -> str:
    return f"{np.degrees(angle):.3g}\N{DEGREE SIGN}".replace("-", "\N{MINUS SIGN}")
