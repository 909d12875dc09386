"""Section 5 of Lot and Massaro 2017: steering ramps, steady cornering and stability, figures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from axletree.analysis.steady.result import Trim
from axletree.analysis.steady.root_locus import RootLocus
from axletree.examples.car_and_trailer import spaces
from axletree.plot.figure_files import write_figure
from axletree.plot.panels import Panel, PanelCurve, draw_panels
from axletree.plot.style import GREY, WIDTH, blank_figure, in_style, shades
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RAMP: Final = "0.1*min(t/5, 1)"  # rad, of t in s
SPEEDS: Final = (10.0, 20.0)  # m/s
RADII: Final = (50.0, 100.0, 200.0)  # m
SPEED_RANGE: Final = (5.0, 50.0)  # m/s


@lru_cache(maxsize=2)
def system(trailer: bool) -> System:
    """The car, alone or with its trailer."""
    space = spaces.train_space() if trailer else spaces.car_space()
    return space.system()


def straight(trailer: bool, speed: float) -> Trim:
    """Straight running at a speed [m/s]."""
    return system(trailer).trim({"u": speed, "delta": 0.0})


@lru_cache(maxsize=4)
def steering_ramp(
    speed: float, trailer: bool = False, duration: float = 20.0, step: float = 1e-3
) -> Trajectory:
    """Figures 3 and 4: the steering angle rises to 0.1 rad in 5 s, at a speed [m/s]."""
    first = straight(trailer, speed).states
    given: dict[str, Any] = {"inputs": {"delta": RAMP}, "parameters": {"u": speed}}
    return system(trailer).simulate(duration, step=step, initial=first, **given)


def turns(radius: float, accelerations: Sequence[float], trailer: bool) -> list[Trim]:
    """Figures 5 and 6: steady turns to the right, of a radius u/r [m].

    ``accelerations`` are lateral, u r [m/s^2], above 0, each near the one before.
    """
    found: list[Trim] = []
    for acceleration in accelerations:
        speed = math.sqrt(radius * acceleration)
        given = {"u": speed, "r": speed / radius}
        start = found[-1] if found else straight(trailer, speed)
        found.append(system(trailer).trim(given, find=("delta",), start=start))
    return found


def steering_ratio(steady: Trim) -> float:
    """Eq. (46): R tan(delta) / (a_1 + a_2)."""
    return steady["u/r"] * math.tan(steady["delta"]) / steady["a_1 + a_2"]


def eigenvalues_against_speed(
    trailer: bool, acceleration: float = 0.0, points: int = 31
) -> RootLocus:
    """Figure 7: straight running, or steady turns of a lateral acceleration u r [m/s^2].

    From the highest speed down: the turns there are wide, and near to straight running.
    """
    low, high = SPEED_RANGE
    speeds = np.linspace(high, low, points)
    if acceleration == 0.0:
        return system(trailer).root_locus("u", speeds, {"delta": 0.0})
    given, start = {"u*r": acceleration}, straight(trailer, high)
    return system(trailer).root_locus("u", speeds, given, find=("delta",), start=start)


_LATERAL: Final = np.linspace(0.1, 7.0, 24)  # m/s^2
CAR_TYRES: Final = ("L1", "R1", "L2", "R2")
ALL_TYRES: Final = (*CAR_TYRES, "L3", "R3")
NAMES: Final = {"R": "right", "L": "left", "1": "front", "2": "rear", "3": "trailer"}
WITH: Final = {False: "car alone", True: "car with trailer"}
CORNERING: Final = 3.0  # m/s^2, in figure 7


def tyre_name(letters: str) -> str:
    """Of "L1": front left."""
    return f"{NAMES[letters[1]]} {NAMES[letters[0]]}"


def figure_3() -> Figure:
    """Yaw rate and lateral speed in a ramp of the steering angle."""
    panels = []
    for speed in SPEEDS:
        runs = {vehicle: steering_ramp(speed, trailer) for trailer, vehicle in WITH.items()}
        rates = (PanelCurve(name, run.time, np.degrees(run["r"])) for name, run in runs.items())
        ways = (PanelCurve(name, run.time, run["v"]) for name, run in runs.items())
        panels += [
            Panel(f"Yaw rate, {speed:g} m/s", "time [s]", "r [deg/s]", tuple(rates)),
            Panel(f"Lateral speed, {speed:g} m/s", "time [s]", "v [m/s]", tuple(ways)),
        ]
    return draw_panels(panels, "Response to a ramp of the steering angle")


def figure_4() -> Figure:
    """Lateral tyre forces in the same ramp."""
    panels = []
    for title, run, tyres in _ramps():
        curves = tuple(PanelCurve(tyre_name(x), run.time, run[f"Y_{x}"]) for x in tyres)
        panels.append(Panel(title, "time [s]", "lateral force Y [N]", curves))
    return draw_panels(panels, "Lateral tyre forces in a ramp of the steering angle")


def _ramps() -> Iterator[tuple[str, Trajectory, tuple[str, ...]]]:
    """Each run with its title and the tyres that are in it."""
    for trailer, vehicle in WITH.items():
        for speed in SPEEDS:
            tyres = ALL_TYRES if trailer else CAR_TYRES
            yield f"{vehicle}, {speed:g} m/s", steering_ramp(speed, trailer), tyres


def figure_5(radius: float = 100.0) -> Figure:
    """Tyre loads in steady turns of one radius [m], without and with the trailer."""
    panels = []
    for trailer, title in WITH.items():
        found = turns(radius, _LATERAL.tolist(), trailer)
        letters = ALL_TYRES if trailer else CAR_TYRES
        curves = tuple(_against_acceleration(found, tyre_name(x), f"N_{x}") for x in letters)
        panels.append(Panel(title, "lateral acceleration [m/s²]", "load N [N]", curves, False))
    return draw_panels(panels, f"Tyre loads in steady turns of {radius:g} m")


def figure_6() -> Figure:
    """Steering ratio in steady turns of several radii, without and with the trailer."""
    panels = []
    for trailer, title in WITH.items():
        curves = []
        for radius in RADII:
            found = turns(radius, _LATERAL.tolist(), trailer)
            ratio = np.array([steering_ratio(turn) for turn in found])
            curves.append(PanelCurve(f"R = {radius:g} m", _accelerations(found), ratio))
        label = "R tan δ / (a₁ + a₂) [1]"
        panels.append(Panel(title, "lateral acceleration [m/s²]", label, tuple(curves), False))
    return draw_panels(panels, "Steering ratio in steady turns")


@in_style
def figure_7() -> Figure:
    """Eigenvalues from 5 to 50 m/s, straight and cornering, without and with the trailer."""
    figure = blank_figure(WIDTH, 7.4, "constrained")
    figure.suptitle("Eigenvalues from 5 to 50 m/s")
    grid = figure.subplots(2, 2, sharex=True, sharey=True)
    for row, acceleration in zip(grid, (0.0, CORNERING), strict=True):
        for axes, (trailer, title) in zip(row, WITH.items(), strict=True):
            locus = eigenvalues_against_speed(trailer, acceleration)
            motion = f"turning at {acceleration:g} m/s²" if acceleration else "running straight"
            shown = _draw_locus(axes, locus, f"{title}, {motion}")
    for axes in grid[0]:
        axes.set_xlabel("")
    for axes in grid[:, 1]:
        axes.set_ylabel("")
    figure.colorbar(shown, ax=grid, label="speed u [m/s]", shrink=0.6)
    return figure


def _draw_locus(axes: Any, locus: RootLocus, title: str) -> Any:
    """The part of the plane where things swing; fast tyre poles are to the left of it."""
    shown = shades(locus.values)
    colours = shown.to_rgba(np.repeat(locus.values, locus.eigenvalues.shape[1]))
    roots = locus.eigenvalues.ravel()
    axes.scatter(roots.real, roots.imag, c=colours, s=9.0)
    axes.axvline(0.0, color=GREY, linewidth=0.8)
    axes.set(xlim=(-20.0, 2.0), ylim=(-1.0, 16.0), xticks=range(-20, 1, 5))
    axes.set_title(title)
    axes.set_xlabel("real part [1/s]")
    axes.set_ylabel("imaginary part [rad/s]")
    return shown


def _accelerations(turns: Sequence[Trim]) -> np.ndarray:
    return np.array([turn["u*r"] for turn in turns])


def _against_acceleration(turns: Sequence[Trim], label: str, name: str) -> PanelCurve:
    return PanelCurve(label, _accelerations(turns), np.array([turn[name] for turn in turns]))


def draw_figures(folder: Path) -> Iterator[Path]:
    """All figures as PNG files, each reported when it is written."""
    words = ("yaw-rate", "tyre-forces", "tyre-loads", "steering-ratio", "eigenvalues")
    figures = (figure_3, figure_4, figure_5, figure_6, figure_7)
    for number, (word, draw) in enumerate(zip(words, figures, strict=True), start=3):
        yield write_figure(draw(), folder / f"figure-{number}-{word}.png")
