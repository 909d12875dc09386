"""Analyses, on their pages of the reference."""

from __future__ import annotations

from reference_page import Names, Page, Python

import axletree as at
from axletree.analysis.drive_cycle import CycleResult, EnergyFlow
from axletree.analysis.handling.cornering_curve import CorneringCurve
from axletree.analysis.handling.g_g_diagram import Envelope, GGDiagram
from axletree.analysis.handling.steer_response import BicycleModel, SteerResponse, critical_speed
from axletree.analysis.handling.straight_running import VehicleLocus
from axletree.analysis.handling.yaw_moment import YawMomentDiagram
from axletree.analysis.joint_loads import ComponentLoad, JointLoads, LoadExtreme
from axletree.analysis.kinematics_and_compliance.hard_point_fit import (
    HardPointFit,
    fit_hard_points,
)
from axletree.analysis.kinematics_and_compliance.load_cases import RigRanges
from axletree.analysis.kinematics_and_compliance.metrics import RIG_METRICS, metric_groups
from axletree.analysis.kinematics_and_compliance.point_sensitivity import PointSensitivity
from axletree.analysis.kinematics_and_compliance.result import KinematicsAndCompliance
from axletree.analysis.kinematics_and_compliance.tables import read_hard_points, read_rig_table
from axletree.analysis.kinematics_and_compliance.targets import judged, read_targets
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
from axletree.vehicles.linkages.curves.axle_curves import WheelCurves

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
            "Many cars at once",
            (
                at.drive_batch, at.Batch, at.DrawnValue, at.Uniform, at.Normal, at.Triangular,
                at.RunGradient, at.BatchGradients, at.write_card,
            ),
        ),
        Python(
            "Tolerances and optimisation",
            (at.monte_carlo, at.MonteCarlo, at.sobol, at.SobolIndices, at.optimise, at.Optimum),
        ),
        Python(
            "Measured data",
            (at.read_measurement, Measurement, at.read_channels, ChannelMap, Tolerance,
             at.ZeroPhaseButterworth, at.agreement, Agreement, statistics, boundary, at.validate,
             Validation, at.replay),
        ),
        Python(
            "Identification",
            (at.identify, at.Identification, at.Loss, at.experiment_design, at.ExperimentDesign,
             at.KalmanFilter, at.FilterKind, at.FilterEstimate,
             at.write_kalman_filter, at.axle_characteristics, at.AxleCharacteristic),
        ),
    ),
)  # fmt: skip

VEHICLE_ANALYSES = Page(
    "vehicle-analyses",
    "Functions for analyses of vehicles",
    "The page on [analyses of vehicles](../how-to/vehicle-analyses.md) has examples.",
    (
        Python("Ladder of models", (at.drive_ladder, Ladder)),
        Python(
            "Driving cycles",
            (at.drive_cycle, CycleResult, EnergyFlow, at.read_drive_cycle, at.DriveCycle),
        ),
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
        Python(
            "Kinematics and compliance",
            (at.kinematics_and_compliance, KinematicsAndCompliance, RigRanges, read_targets, judged,
             at.suspension_curves, WheelCurves, at.fit_suspension, HardPointFit,
             at.suspension_sensitivity, PointSensitivity, fit_hard_points, read_rig_table,
             read_hard_points),
        ),
        Python("Loads of joints", (at.joint_loads, JointLoads, ComponentLoad, LoadExtreme)),
        Python("Derivatives", (at.turn_sensitivity, at.run_sensitivity, Sensitivity)),
    ),
)  # fmt: skip

_GROUPS = metric_groups()
_DEFINITIONS = {metric.name: f"[{metric.unit}] {metric.definition}" for metric in RIG_METRICS}
AXLE_METRICS = Page(
    "axle-metrics",
    "Metrics of axles",
    "What `axletree kc` measures of an axle by hard points, with the unit in brackets. Angles and "
    "axes are those of ISO 8855:2011; instant centres, support angles and shares of load transfer "
    "have the names of Milliken and Milliken 1995. [Theory](../theory/kinematics-and-compliance.md)"
    " derives them. What is of a wheel is that of a left one; a right wheel is seen in a mirror. "
    "Metrics that need what is not known of the vehicle, and compliances of axles without "
    "bushings, are left out.",
    tuple(
        Names(
            title,
            {name: name for name, group in _GROUPS.items() if group == title},
            _DEFINITIONS.__getitem__,
        )
        for title in dict.fromkeys(_GROUPS.values())
    ),
)
