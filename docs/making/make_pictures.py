"""Draws the pictures of the documentation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import axletree as at
from axletree import catalogue
from axletree.analysis.studies.tyre_bench import run_bench
from axletree.core.registry import load
from axletree.equations.graph import build_graph
from axletree.equations.tree import select_trees
from axletree.model.model import Plot
from axletree.plot.figure_files import write_figure
from axletree.plot.graph import write_graph_picture
from axletree.plot.ground import ShownSurface, draw_gallery
from axletree.plot.mechanism import draw_mechanism, mechanism_poses
from axletree.plot.model_plots import ShownRun, plot_panels, plotted_units
from axletree.plot.panels import Panel, PanelCurve, draw_panels
from axletree.plot.wheels import TyreRange, plot_tyre
from axletree.reports.bench_report import BenchResult
from axletree.runs.bench_contract import Subject
from axletree.wheel.friction_slips import FrictionCoefficients, Sliding

GRAPHS: dict[str, tuple[str, Any]] = {
    "pendulum-graph.svg": ("pendulum", None),
    "pendulum-absolute-graph.svg": ("pendulum", ["rod"]),
    "slider-crank-graph.svg": ("slider-crank", None),
    "motor-driven-slider-crank-graph.svg": ("motor-driven-slider-crank", None),
}
MOTION = "slider-crank-motion.png"
TYRES = "tyre-laws.png"
INTEGRATORS = "braking-integrators.png"
FRICTION = "friction-slips.png"
SURFACES = "surfaces.png"
CARPET, BENCHED, DROPPED = "bench-carpet.png", "bench-friction.png", "bench-dropping.png"
BENCHED_BY = ("slip-longitudinal", "slip-lateral", "self-aligning", "camber-force")
SLIDING = "sliding speed [m/s]"
# Of the plots that the car's file proposes (Morency 2007, figures 5.6 to 5.9).
MANOEUVRES = {
    "car-lane-change.png": (
        "sine-steer",
        ("Path in the plane", "Steer angle", "Yaw rate", "Roll and pitch", "Lateral force, Fy",
         "Aligning moment, Mz"),
    ),
    "car-braking.png": (
        "braking",
        ("Brake torque", "Forward speed", "Roll and pitch", "Longitudinal force, Fx",
         "Rolling resistance moment, My", "Normal force, Fz"),
    ),
}  # fmt: skip
# What Morency 2007 compares two laws by, in figures 5.13 and 5.14.
TWO_LAWS = {
    "two-laws-lane-change.png": (
        "sine-steer",
        (
            Plot("Path in the plane", ("chassis.y",), "chassis.x"),
            Plot("Yaw rate", ("chassis.wz",), unit="deg/s"),
            Plot("Roll angle", ("chassis.roll",), unit="deg"),
            Plot("Lateral force, front left", ("front_left_tyre.Fy",)),
            Plot("Aligning moment, front left", ("front_left_tyre.Mz",)),
            Plot("Slip angle, front left", ("front_left_tyre.slip_angle",), unit="deg"),
        ),
    ),
    "two-laws-braking.png": (
        "braking",
        (
            Plot("Forward speed", ("chassis.vx",)),
            Plot("Pitch angle", ("chassis.pitch",), unit="deg"),
            Plot("Longitudinal force, front left", ("front_left_tyre.Fx",)),
            Plot("Rolling resistance moment, front left", ("front_left_tyre.My",)),
        ),
    ),
}


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    written = []
    for file, (name, choice) in GRAPHS.items():
        graph = build_graph(at.read_model(name))
        written.append(write_graph_picture(graph, select_trees(graph, choice), folder / file))
    written += [_draw_motion(folder / MOTION), _draw_tyres(folder / TYRES)]
    written += [_draw_friction(folder / FRICTION), _draw_surfaces(folder / SURFACES)]
    written += _draw_benches(folder)
    for file, (manoeuvre, titles) in MANOEUVRES.items():
        written.append(_draw_manoeuvre(manoeuvre, titles, folder / file))
    for file, (manoeuvre, plots) in TWO_LAWS.items():
        written.append(_draw_two_laws(manoeuvre, plots, folder / file))
    return [*written, _draw_integrators(folder / INTEGRATORS)]


def _draw_motion(path: Path) -> Path:
    model = at.read_model("slider-crank")
    system = model.formulate()
    run = system.simulate(0.3, step=1e-3, outputs=[])
    poses = mechanism_poses(system, model, run, inputs={}, parameters={})
    assert poses is not None
    return write_figure(draw_mechanism(poses), path)


def _draw_tyres(path: Path) -> Path:
    """As ``axletree tyre compare magic-formula-5.2 fiala`` does."""
    laws = {name: at.read_tyre_law(name) for name in ("magic-formula-5.2", "fiala")}
    return write_figure(plot_tyre(laws, TyreRange.of(laws["magic-formula-5.2"])), path)


def _draw_benches(folder: Path) -> list[Path]:
    """As ``axletree bench-tyre`` does, a few of its panels."""
    carpet = _benched("flat-track", "belted-advanced").figures["flat-track-1-carpet"]
    results = [_benched(name, "belted-advanced") for name in BENCHED_BY]
    panels = [result.panels[-1][0] for result in results]
    dropped = _benched("dropping", "circular-advanced").figures["dropping"]
    return [
        write_figure(carpet, folder / CARPET),
        write_figure(draw_panels(panels, "belted-advanced on benches"), folder / BENCHED),
        write_figure(dropped, folder / DROPPED),
    ]


def _benched(name: str, tyre: str) -> BenchResult:
    bench = load("bench", name, catalogue.BENCHES)
    measured = run_bench(bench, Subject(tyre, at.ready_tyre(tyre)))
    return BenchResult(name, bench.summary, measured)


def _draw_friction(path: Path) -> Path:
    """Friction over sliding and rolling speed (Andres 2009, figure 3.15), and over the load."""
    x = np.linspace(0.0, 4.0, 401)
    panels = []
    for kind in (at.DryFriction, at.RillFriction, at.CombinedFriction):
        curves = [
            PanelCurve(f"rolling at {rolling:g} m/s", x, -_grip(kind(), x, rolling).longitudinal)
            for rolling in (0.0, 2.0, 5.0, 10.0)
        ]
        panels.append(Panel(kind.__name__, SLIDING, "|Fx| over Fz [1]", tuple(curves), False))
    load = np.linspace(0.0, 12e3, 401)
    influences = (at.LinearLoadInfluence(), at.QuadraticLoadInfluence())
    curves = [
        PanelCurve(type(one).__name__, load / 1e3, one.factor(load, one.numbers) * load / 1e3)
        for one in influences
    ]
    title = "Greatest force by the load influence"
    panels.append(Panel(title, "Fz [kN]", "|Fx| [kN]", tuple(curves), False))
    return write_figure(draw_panels(panels), path)


def _grip(slip: Any, x: np.ndarray, rolling: float) -> FrictionCoefficients:
    speeds = Sliding(x, np.zeros_like(x), np.full_like(x, rolling))
    found: FrictionCoefficients = slip.coefficients(speeds, slip.numbers)
    return found


def _draw_surfaces(path: Path) -> Path:
    """One surface of each shape, the last one with friction that differs from side to side."""
    rows = [[0.0, 0.0, 0.0, 0.0], [0.0, 0.6, 0.2, 0.0], [0.0, 0.1, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0]]
    split = {"type": "split", "left": 0.2, "right": 0.9}
    waves = at.SurfaceSum([at.Sine(0.05, 3.0), at.Sine(0.03, 2.0, heading=1.2)])
    road = at.RandomRoad("D", width=1.6, shortest=0.5)
    across = (-1.5, 1.5)
    grounds = [
        ShownSurface(at.Bump(0.1, 1.0, x=1.5), (0.0, 4.0), across, "bump"),
        ShownSurface(at.Step(0.12, 0.5, x=1.5), (0.0, 4.0), across, "step"),
        ShownSurface(at.Ramp(0.8, 5.0, 1.5, x=1.0), (0.0, 8.0), (-2.0, 2.0), "ramp"),
        ShownSurface(waves, (0.0, 8.0), (-3.0, 3.0), "sum of two sines"),
        ShownSurface(at.Hill(0.08, 0.6, x=1.0), (0.0, 2.0), (-1.0, 1.0), "hill"),
        ShownSurface(
            at.BankedCurve(60.0, 1.57, 0.25), (-40.0, 75.0), (-20.0, 95.0), "banked-curve"
        ),
        ShownSurface(at.Bicubic(rows, 6.0, 6.0), (0.0, 6.0), (0.0, 6.0), "bicubic"),
        ShownSurface(road, (0.0, 20.0), (-4.0, 4.0), "random-road"),
        ShownSurface(at.Sine(0.05, 4.0, friction_map=split), (0.0, 8.0), (-2.0, 2.0), "sine"),
    ]
    return write_figure(draw_gallery(grounds), path)


def _draw_manoeuvre(name: str, titles: Sequence[str], path: Path) -> Path:
    """Some of the plots that the car's file proposes, in one of its manoeuvres."""
    car = at.read_model("car")
    plots = [plot for plot in car.plots if plot.title in titles]
    run = _driven(car, name, plots)
    return write_figure(draw_panels(plot_panels(plots, {"car": run})), path)


def _draw_two_laws(name: str, plots: Sequence[Plot], path: Path) -> Path:
    """One manoeuvre with the car's Magic Formula and with Fiala's law on all four wheels."""
    car, other = at.read_model("car"), at.Model("car")
    law = replace(at.read_tyre_law("fiala"), rolling_resistance=0.00344)
    for part in car:
        other.add(replace(part, law=law) if isinstance(part, at.Tyre) else part)
    other.start, other.manoeuvres = car.start, car.manoeuvres
    runs = {"Magic Formula": _driven(car, name, plots), "Fiala": _driven(other, name, plots)}
    return write_figure(draw_panels(plot_panels(plots, runs)), path)


def _driven(model: Any, name: str, plots: Sequence[Plot]) -> ShownRun:
    system = model.formulate()
    units = plotted_units(system, plots)
    states = {quantity.name for quantity in system.states}
    outputs = [quantity for quantity in units if quantity not in states]
    run = system.drive(model.manoeuvres[name], outputs=outputs, record_interval=0.02)
    return ShownRun(run.time, run.columns, units)


def _draw_integrators(path: Path) -> Path:
    """The braking stop by three methods at 1 ms, and the bound on the step of one of them."""
    model = at.read_model("car")
    car, braking = model.formulate(), model.manoeuvres["braking"]
    rate, slip = "front_left_axle.rate", "front_left_tyre.q1"
    runs = {
        method: car.drive(
            braking, method=method, step=1e-3, outputs=[], record_interval=0.005, watch=False
        )
        for method in ("explicit-euler", "semi-implicit-euler", "rk4")
    }
    time = runs["rk4"].time
    panels = [
        Panel(title, "time [s]", unit, tuple(PanelCurve(m, time, r[name]) for m, r in runs.items()))
        for title, unit, name in (
            ("Rate of the front left wheel, steps of 1 ms", "[rad/s]", rate),
            ("Slip of the front left tyre, steps of 1 ms", "[1]", slip),
        )
    ]
    few = np.arange(0, len(time), 40)
    states = [{name: runs["rk4"][name][k] for name in runs["rk4"].states} for k in few]
    bounds = np.array([car.stable_step("explicit-euler", state).step for state in states])
    curves = (
        PanelCurve("longest stable step", time[few], 1e3 * bounds),
        PanelCurve("1 ms", time[few], np.ones(len(few))),
    )
    panels.append(Panel("Explicit Euler along the stop", "time [s]", "[ms]", curves))
    speed = PanelCurve("chassis.vx", time, runs["rk4"]["chassis.vx"])
    panels.append(Panel("Forward speed", "time [s]", "[m/s]", (speed,)))
    return write_figure(draw_panels(panels), path)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
