"""A figure of every kind, of small models."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from optimisation.lap_samples import given_envelope, ring
from plot.test_path_picture import CARAVAN, follow, told

import axletree as at
from axletree.analysis.handling.steer_response import steer_responses
from axletree.analysis.handling.straight_running import vehicle_locus, vehicle_modes
from axletree.analysis.measurements.measurement import Measurement
from axletree.analysis.studies.comparison import ComparedRun
from axletree.analysis.studies.fidelity_ladder import drive_ladder
from axletree.analysis.studies.sensitivity import FindingSlope, Sensitivity, SensitivityColumn
from axletree.analysis.studies.tyre_characteristics import slip_sweep
from axletree.analysis.studies.tyre_fit import fit_tyre
from axletree.ground.surfaces import Bump
from axletree.metrics.findings import Finding
from axletree.optimisation.lap_time.quasi_steady import quasi_steady_lap
from axletree.plot.cornering import plot_cornering, plot_g_g, plot_handling, plot_yaw_moments
from axletree.plot.cycles import plot_cycle
from axletree.plot.graph import draw_graph
from axletree.plot.ground import ShownSurface, draw_gallery, draw_path, draw_surface
from axletree.plot.laps import plot_lap
from axletree.plot.linear import (
    plot_branch,
    plot_frequency_response,
    plot_modes,
    plot_named_modes,
    plot_root_locus,
    plot_steer_responses,
    plot_vehicle_locus,
)
from axletree.plot.measurements import plot_agreement, plot_boundaries
from axletree.plot.mechanism import draw_mechanism, mechanism_poses
from axletree.plot.model_plots import ShownRun
from axletree.plot.ride import RideView, draw_ride, ride_frames
from axletree.plot.studies import plot_comparison, plot_ladder, plot_sensitivity, plot_sweep
from axletree.plot.wheels import (
    draw_carpet,
    plot_axle_characteristics,
    plot_fit,
    plot_soil,
    plot_tyre,
)
from axletree.reports.animation.pictures import draw_instants
from axletree.runs.bench_contract import Carpet
from axletree.vehicles.vehicle import Fidelity
from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.wong_reece import WongReece
from axletree.wheel.tyres.tyre_data import TyreData


def every_kind() -> dict[str, Any]:
    """Figures of lines and words."""
    return {**of_mechanisms(), **of_tyres_and_grounds(), **of_vehicles()}


def pictures() -> dict[str, Any]:
    """Figures that stand in pages and folders as pictures of points."""
    pendulum = at.read_model("pendulum")
    swing = pendulum.formulate().simulate(0.2, step=1e-2, outputs=[])
    ground = ShownSurface(Bump(0.1, 1.0, x=1.5), (0.0, 4.0), (-1.0, 1.0), "bump")
    model, *_, run = driven()
    lanes = at.Iso38881Path(width=2.0)
    return {
        "instants": draw_instants(at.animation(pendulum, swing).scene, [0, 9]),
        "surface": draw_surface(ground),
        "gallery": draw_gallery([ground]),
        "path": draw_path(follow(lanes, towed={"caravan": CARAVAN}), told(lanes)),
        "ride": draw_ride(ride_frames(model, run), [0.0, 2.0, 4.0], RideView(-0.4, 0.4)),
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
    branch = system.trim().continued("motor.torque", 4.5, step=0.5)
    linear = system.linearise(outputs=["pin.angle"])
    run = system.simulate(0.5, step=1e-2)
    source, poses = system.source, mechanism_poses(system, pendulum, run, inputs={}, parameters={})
    assert source is not None
    assert poses is not None
    swung = ["pin.angle", "pin.rate"]
    columns, units = {name: run[name] for name in swung}, {name: run.units[name] for name in swung}
    measured = at.agreement(run, Measurement("rig.csv", run.time, columns, units, {}))
    return {
        "agreement": plot_agreement(measured),
        "boundaries": plot_boundaries([measured.cross_plot(*swung)], units),
        "branch": plot_branch(branch, ["pin.angle", "motor.torque"]),
        "modes": plot_modes(linear),
        "locus": plot_root_locus(system.root_locus("rod.mass", [1.0, 2.0], {"pin.angle": 0})),
        "frequency": plot_frequency_response(linear.frequency_response([0.5, 1.0, 2.0])),
        "mechanism": draw_mechanism(poses),
        "states": run.plot("pin.angle", "pin.rate"),
        "graph": draw_graph(source.graph, source.trees),
        "comparison": plot_comparison(
            [ComparedRun("one", run), ComparedRun("two", run)], ["pin.angle"]
        ),
        "sweep": plot_sweep(at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)),
    }


def of_tyres_and_grounds() -> dict[str, Any]:
    law, angle = at.LinearTyre(9e4, 8e4), np.tile(np.linspace(-0.2, 0.2, 21), 2)
    load, none = np.repeat([2000.0, 4000.0], 21), np.zeros(42)
    data = TyreData(load, none, angle, none, {"Fy": slip_sweep(law, load, none, angle).Fy})
    over = ShownRun(angle, {"angle": np.degrees(angle[:21]), "Fy": 1e3 * angle[:21]},
                 {"angle": "deg", "Fy": "N"})  # fmt: skip
    carpet = Carpet("angle", "Fy", {"1 kN": 1e3, "2 kN": 2e3}, "normal load", "N")
    sand = WongReece("lete-sand-wong")
    return {
        "tyre": plot_tyre({"linear": law}),
        "fit": plot_fit(fit_tyre(law, data), data, "fit"),
        "axles": plot_axle_characteristics(
            [at.AxleCharacteristic("rear", 7e3, angle, -9e4 * angle)], "axles"
        ),
        "carpet": draw_carpet(carpet, {"1 kN": over, "2 kN": over}),
        "soil": plot_soil(sand, WheelInSoil(0.4, 0.25), 4000.0, slips=(0.1,)),
    }


def of_vehicles() -> dict[str, Any]:
    model, *_ = driven()
    linear = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    curve = at.cornering_curve(model, "100 km/h")
    gain = Finding("gain", 0.4, "1/s", "yaw rate by steering angle")
    mass = SensitivityColumn("body.mass", 1500.0, "kg", (FindingSlope(gain, -1e-4, False),))
    lap = quasi_steady_lap(given_envelope(), ring(), "centre-line")
    return {
        "lap": plot_lap(lap),
        "cornering": plot_cornering(curve),
        "handling": plot_handling(curve),
        "named modes": plot_named_modes(vehicle_modes(linear, 25.0), "modes"),
        "named locus": plot_vehicle_locus(vehicle_locus(linear, [20.0, 25.0, 30.0])),
        "responses": plot_steer_responses(steer_responses(linear, 25.0), "responses"),
        "cycle": plot_cycle(
            at.read_model("electric-car", {"vehicle": {"fidelity": "single-track"}}).cycle(
                at.DriveCycle("hop", (0.0, 4.0, 6.0), (0.0, 6.0, 6.0)), step="2 ms"
            )
        ),
        "ladder": plot_ladder(drive_ladder("sedan", "step-steer", "20 m/s", [Fidelity.LINEAR])),
        "yaw moments": plot_yaw_moments(at.yaw_moment_diagram(model, "100 km/h", lines=5)),
        "g-g": plot_g_g(at.g_g_diagram(model, ["60 km/h"], directions=5)),
        "sensitivity": plot_sensitivity(Sensitivity("car", "turn", (gain,), (mass,))),
    }
