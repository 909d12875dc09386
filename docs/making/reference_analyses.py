"""Analyses, on their pages of the reference."""

from __future__ import annotations

from reference_page import Page, Python

import axletree as at
from axletree.analysis.bicycle_model import BicycleModel, critical_speed
from axletree.analysis.branch import Branch, SpecialPoint
from axletree.analysis.controllability import ModeReach, Reach
from axletree.analysis.cornering.cornering_curve import CorneringCurve
from axletree.analysis.cornering.g_g import Envelope, GGDiagram
from axletree.analysis.cornering.yaw_moment import YawMomentDiagram
from axletree.analysis.frequency_response import FrequencyResponse
from axletree.analysis.ladder import Ladder
from axletree.analysis.linearisation import Linearisation
from axletree.analysis.mode_shapes import mode_shapes
from axletree.analysis.pencil import Pencil, solve_pencil
from axletree.analysis.root_locus import CriticalValue, RootLocus
from axletree.analysis.sensitivity.result import Sensitivity
from axletree.analysis.steady_motion import SteadyState
from axletree.analysis.sweep.result import Sweep
from axletree.analysis.vehicle_frequency import SteerResponse
from axletree.analysis.vehicle_locus import VehicleLocus
from axletree.analysis.vehicle_modes import NamedMode, named_modes

ANALYSES = Page(
    "analyses",
    "Analyses",
    "Of any system; the page on [analyses](../how-to/analyses.md) has examples.",
    (
        Python("Steady motions", (SteadyState, Branch, SpecialPoint)),
        Python(
            "Linear systems",
            (Linearisation, RootLocus, CriticalValue, FrequencyResponse, Reach, ModeReach,
             Pencil, solve_pencil, mode_shapes),
        ),
        Python("Sweeps", (at.sweep, Sweep)),
    ),
)  # fmt: skip

VEHICLE_ANALYSES = Page(
    "vehicle-analyses",
    "Analyses of vehicles",
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
