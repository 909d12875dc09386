"""A figure of every kind, of small models."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from report.test_path_picture import CARAVAN, follow, told

import axletree as at
from axletree.analysis.ladder import drive_ladder
from axletree.analysis.sensitivity.result import FindingSlope, Sensitivity, SensitivityColumn
from axletree.analysis.tyre_characteristics import sweep
from axletree.analysis.tyre_fit import fit_tyre
from axletree.analysis.vehicle_frequency import steer_responses
from axletree.analysis.vehicle_locus import vehicle_locus, vehicle_modes
from axletree.library.soils.contract import Wheel
from axletree.library.soils.wong_reece import WongReece
from axletree.library.surfaces.bump import Bump
from axletree.model.benches.contract import Carpet
from axletree.model.manoeuvres.findings import Finding
from axletree.model.tyre_data import TyreData
from axletree.report.animation.still_picture import draw_instants
from axletree.report.branch_plot import plot_branch
from axletree.report.carpet_plot import draw_carpet
from axletree.report.comparison import Compared
from axletree.report.comparison_plot import plot_comparison
from axletree.report.cornering_plot import plot_cornering, plot_handling
from axletree.report.frequency_plot import plot_frequency_response
from axletree.report.g_g_plot import plot_g_g
from axletree.report.graph_picture import draw_graph
from axletree.report.ladder_plot import plot_ladder
from axletree.report.mechanism_picture import draw_mechanism
from axletree.report.mechanism_poses import mechanism_poses
from axletree.report.mode_plot import plot_modes
from axletree.report.path_picture import draw_path
from axletree.report.plot_panels import Shown
from axletree.report.ride_frames import ride_frames
from axletree.report.ride_picture import draw_ride
from axletree.report.ride_view import View
from axletree.report.root_locus_plot import plot_root_locus
from axletree.report.sensitivity_plot import plot_sensitivity
from axletree.report.soil_plot import plot_soil
from axletree.report.surface_picture import Ground, draw_gallery, draw_surface
from axletree.report.sweep_plot import plot_sweep
from axletree.report.tyre_fit_plot import plot_fit
from axletree.report.tyre_plot import plot_tyre
from axletree.report.vehicle_frequency_plot import plot_steer_responses
from axletree.report.vehicle_locus_plot import plot_named_modes, plot_vehicle_locus
from axletree.report.yaw_moment_plot import plot_yaw_moments
from axletree.vehicles.vehicle import Fidelity


def every_kind() -> dict[str, Any]:
    """Figures of lines and words."""
    return {**of_mechanisms(), **of_tyres_and_grounds(), **of_vehicles()}


def pictures() -> dict[str, Any]:
    """Figures that stand in pages and folders as pictures of points."""
    pendulum = at.read_model("pendulum")
    swing = pendulum.formulate().simulate(0.2, step=1e-2, outputs=[])
    ground = Ground(Bump(0.1, 1.0, x=1.5), (0.0, 4.0), (-1.0, 1.0), "bump")
    model, *_, run = driven()
    lanes = at.Iso38881Path(width=2.0)
    return {
        "instants": draw_instants(at.animation(pendulum, swing).scene, [0, 9]),
        "surface": draw_surface(ground),
        "gallery": draw_gallery([ground]),
        "path": draw_path(follow(lanes, towed={"caravan": CARAVAN}), told(lanes)),
        "ride": draw_ride(ride_frames(model, run), [0.0, 2.0, 4.0], View(-0.4, 0.4)),
    }


@functools.cache
def driven() -> tuple[at.Model, at.System, Any, at.Trajectory]:
    model = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    system, step = model.formulate(), model.manoeuvres["iso-7401-step"]
    return model, system, step, system.drive(step, record_interval="10 ms")


def of_mechanisms() -> dict[str, Any]:
    pendulum = at.read_model("pendulum")
    pendulum.add(at.JointTorque("motor", pendulum["pin"]))
    system = pendulum.formulate()
    branch = system.continue_steady(along="motor.torque", to=4.5, step=0.5)
    linear = system.linearise(outputs=["pin.angle"])
    run = system.simulate(0.5, step=1e-2)
    source, poses = system.source, mechanism_poses(system, pendulum, run, inputs={}, parameters={})
    assert source is not None
    assert poses is not None
    return {
        "branch": plot_branch(branch, ["pin.angle", "motor.torque"]),
        "modes": plot_modes(linear),
        "locus": plot_root_locus(system.root_locus("rod.mass", [1.0, 2.0], {"pin.angle": 0})),
        "frequency": plot_frequency_response(linear.frequency_response([0.5, 1.0, 2.0])),
        "mechanism": draw_mechanism(poses),
        "states": run.plot("pin.angle", "pin.rate"),
        "graph": draw_graph(source.graph, source.trees),
        "comparison": plot_comparison([Compared("one", run), Compared("two", run)], ["pin.angle"]),
        "sweep": plot_sweep(at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)),
    }


def of_tyres_and_grounds() -> dict[str, Any]:
    law, angle = at.LinearTyre(9e4, 8e4), np.tile(np.linspace(-0.2, 0.2, 21), 2)
    load, none = np.repeat([2000.0, 4000.0], 21), np.zeros(42)
    data = TyreData(load, none, angle, none, {"Fy": sweep(law, load, none, angle).Fy})
    over = Shown(angle, {"angle": np.degrees(angle[:21]), "Fy": 1e3 * angle[:21]},
                 {"angle": "deg", "Fy": "N"})  # fmt: skip
    carpet = Carpet("angle", "Fy", {"1 kN": 1e3, "2 kN": 2e3}, "normal load", "N")
    sand = WongReece("lete-sand-wong")
    return {
        "tyre": plot_tyre({"linear": law}),
        "fit": plot_fit(fit_tyre(law, data), data, "fit"),
        "carpet": draw_carpet(carpet, {"1 kN": over, "2 kN": over}),
        "soil": plot_soil(sand, Wheel(0.4, 0.25), 4000.0, slips=(0.1,)),
    }


def of_vehicles() -> dict[str, Any]:
    model, *_ = driven()
    linear = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    curve = at.cornering_curve(model, "100 km/h")
    gain = Finding("gain", 0.4, "1/s", "yaw rate by steering angle")
    mass = SensitivityColumn("body.mass", 1500.0, "kg", (FindingSlope(gain, -1e-4, False),))
    return {
        "cornering": plot_cornering(curve),
        "handling": plot_handling(curve),
        "named modes": plot_named_modes(vehicle_modes(linear, 25.0), "modes"),
        "named locus": plot_vehicle_locus(vehicle_locus(linear, [20.0, 25.0, 30.0])),
        "responses": plot_steer_responses(steer_responses(linear, 25.0), "responses"),
        "ladder": plot_ladder(drive_ladder("sedan", "step-steer", "20 m/s", [Fidelity.LINEAR])),
        "yaw moments": plot_yaw_moments(at.yaw_moment_diagram(model, "100 km/h", lines=5)),
        "g-g": plot_g_g(at.g_g_diagram(model, ["60 km/h"], directions=5)),
        "sensitivity": plot_sensitivity(Sensitivity("car", "turn", (gain,), (mass,))),
    }
