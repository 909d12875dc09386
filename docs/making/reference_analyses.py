"""Analyses, on their pages of the reference."""

from __future__ import annotations

from reference_page import Page, Python

import axletree as at
from axletree.analysis.handling.cornering_curve import CorneringCurve
from axletree.analysis.handling.g_g_diagram import Envelope, GGDiagram
from axletree.analysis.handling.steer_response import BicycleModel, SteerResponse, critical_speed
from axletree.analysis.handling.straight_running import VehicleLocus
from axletree.analysis.handling.yaw_moment import YawMomentDiagram
from axletree.analysis.linear.controllability import Controllability, ModeControllability
from axletree.analysis.linear.frequency_response import FrequencyResponse
from axletree.analysis.linear.linearisation import Linearisation
from axletree.analysis.linear.mode_shapes import NamedMode, mode_shapes, named_modes
from axletree.analysis.linear.pencil import Pencil, solve_pencil
from axletree.analysis.measurements.agreement import Agreement, statistics
from axletree.analysis.measurements.boundaries import boundary
from axletree.analysis.measurements.measurement import Measurement
from axletree.analysis.measurements.validation import Validation
from axletree.analysis.steady.continuation import SpecialPoint, TrimBranch
from axletree.analysis.steady.result import Trim
from axletree.analysis.steady.root_locus import CriticalValue, RootLocus
from axletree.analysis.studies.fidelity_ladder import Ladder
from axletree.analysis.studies.sensitivity import Sensitivity
from axletree.analysis.studies.sweep import Sweep
from axletree.model_files.channel_file import ChannelMap, Tolerance

ANALYSES = Page(
    "analyses",
    "Functions for analyses",
    "Of any system; the page on [analyses](../how-to/analyses.md) has examples.",
    (
        Python("Steady motions", (at.trim, Trim, at.RollingWheels, TrimBranch, SpecialPoint)),
        Python(
            "Linear systems",
            (Linearisation, RootLocus, CriticalValue, FrequencyResponse, Controllability,
             ModeControllability, Pencil, solve_pencil, mode_shapes),
        ),
        Python("Sweeps", (at.sweep, Sweep)),
        Python(
            "Measured data",
            (at.read_measurement, Measurement, at.read_channels, ChannelMap, Tolerance,
             at.ZeroPhaseButterworth, at.agreement, Agreement, statistics, boundary, at.validate,
             Validation, at.replay),
        ),
    ),
)  # fmt: skip

VEHICLE_ANALYSES = Page(
    "vehicle-analyses",
    "Functions for analyses of vehicles",
    "The page on [analyses of vehicles](../how-to/vehicle-analyses.md) has examples.",
    (
        Python("Ladder of models", (at.drive_ladder, Ladder)),
        Python("Modes", (at.vehicle_modes, named_modes, NamedMode, at.vehicle_locus, VehicleLocus)),
        Python(
            "Response to the steering wheel",
            (at.steer_responses, SteerResponse, at.bicycle_model, BicycleModel,
             critical_speed),
        ),
        Python(
            "Cornering to the limit",
            (at.cornering_curve, CorneringCurve, at.yaw_moment_diagram, YawMomentDiagram,
             at.g_g_diagram, GGDiagram, Envelope),
        ),
        Python("Derivatives", (at.turn_sensitivity, at.run_sensitivity, Sensitivity)),
    ),
)  # fmt: skip
