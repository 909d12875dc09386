"""What stands on which page of the reference."""

from __future__ import annotations

import inspect

from reference_contracts import CONTRACTS
from reference_page import Entries, Names, Page, Pieces, Python

import axletree as at
from axletree import catalogue, language
from axletree.analysis.bicycle_model import BicycleModel
from axletree.analysis.branch import Branch, SpecialPoint
from axletree.analysis.controllability import ModeReach, Reach
from axletree.analysis.cornering.cornering_curve import CorneringCurve
from axletree.analysis.cornering.g_g import Envelope, GGDiagram
from axletree.analysis.cornering.yaw_moment import YawMomentDiagram
from axletree.analysis.frequency_response import FrequencyResponse
from axletree.analysis.ladder import Ladder
from axletree.analysis.linearisation import Linearisation
from axletree.analysis.mode_shapes import mode_shapes
from axletree.analysis.operations import Operations
from axletree.analysis.pencil import Pencil, solve_pencil
from axletree.analysis.rolling_start import RollingStart
from axletree.analysis.root_locus import CriticalValue, RootLocus
from axletree.analysis.sensitivity.result import Sensitivity
from axletree.analysis.steady_motion import SteadyState
from axletree.analysis.sweep.result import Sweep
from axletree.analysis.symbolic import SymbolicEquations
from axletree.analysis.trim import Trim
from axletree.analysis.vehicle_frequency import SteerResponse
from axletree.analysis.vehicle_locus import VehicleLocus
from axletree.analysis.vehicle_modes import NamedMode
from axletree.core.registry import load
from axletree.export.c_project import write_c_project
from axletree.export.fortran import write_fortran
from axletree.export.latex import write_latex
from axletree.export.matlab import write_matlab
from axletree.model.ready_made import read_ready_made
from axletree.pipeline import System
from axletree.report.animation.animation import Animation
from axletree.report.branch_plot import plot_branch
from axletree.report.comparison_plot import plot_comparison
from axletree.report.cornering_plot import plot_cornering, plot_handling
from axletree.report.frequency_plot import plot_frequency_response
from axletree.report.g_g_plot import plot_g_g
from axletree.report.graph_picture import draw_graph, write_graph_picture
from axletree.report.graph_text import graph_text
from axletree.report.html import RunFacts, write_report
from axletree.report.ladder_plot import plot_ladder
from axletree.report.mode_plot import plot_modes
from axletree.report.root_locus_plot import plot_root_locus
from axletree.report.sensitivity_plot import plot_sensitivity
from axletree.report.sweep_plot import plot_sweep
from axletree.report.vehicle_frequency_plot import plot_steer_responses
from axletree.report.vehicle_locus_plot import plot_named_modes, plot_vehicle_locus
from axletree.report.yaw_moment_plot import plot_yaw_moments
from axletree.simulation.trajectory import Trajectory
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected
from axletree.system.implicit import ImplicitSystem
from axletree.vehicles.vehicle import Vehicle

OFFERED = tuple(getattr(language, name) for name in language.__all__)
PAGES = (
    Page(
        "components",
        "Components",
        "What a model has in `components`. `at.RigidBody` and so on are these classes in Python.",
        (Entries("All components", catalogue.COMPONENTS),),
    ),
    Page(
        "tyre-laws",
        "Tyre laws",
        "Forces and moments over slip and load: the field `law` of a [tyre](components.md#tyre).",
        (
            Entries("Laws", catalogue.TYRES),
            Python(
                "What a law gets and returns",
                (at.TyreLaw, at.Contact, at.Forces, at.AxisSystem),
            ),
            Python("Laws from files and by name", (at.read_tyre_law, at.ready_tyre)),
        ),
    ),
    Page(
        "tyre-parts",
        "Parts of tyres",
        "What a [tyre](components.md#tyre) is composed of beside its [law](tyre-laws.md).",
        (
            Entries("Contact of tyres", catalogue.CONTACTS),
            Entries("Slip of tyres", catalogue.SLIPS),
            Entries("Rolling radii", catalogue.ROLLING_RADII),
            Entries("Normal forces", catalogue.NORMAL_FORCES),
            Entries("Rims", catalogue.RIMS),
            Entries("Belts of tyres", catalogue.BELTS),
            Entries("Dynamics of the contact point", catalogue.CONTACT_DYNAMICS),
            Entries("Levers of tyres", catalogue.LEVERS),
        ),
    ),
    Page(
        "tyre-friction",
        "Friction of tyres",
        "The effects of [`ComposedFriction`](tyre-laws.md#composedfriction), exchanged one by one.",
        (
            Entries("Slip", catalogue.FRICTION_SLIPS),
            Entries("Rolling resistance", catalogue.ROLLING_RESISTANCES),
            Entries("Bore torque", catalogue.BORE_TORQUES),
            Entries("Camber", catalogue.CAMBER_EFFECTS),
            Entries("Load influence", catalogue.LOAD_INFLUENCES),
            Entries("Overturning torque", catalogue.OVERTURNING_TORQUES),
            Entries("Self-aligning torque", catalogue.ALIGNING_TORQUES),
        ),
    ),
    Page(
        "grounds",
        "Surfaces and soils",
        "What tyres and wheels on soil stand on.",
        (
            Entries("Surfaces", catalogue.SURFACES),
            Entries("Friction maps", catalogue.FRICTION_MAPS),
            Entries("Soil laws", catalogue.SOIL_LAWS),
            Entries("Patches of soil maps", catalogue.SOIL_PATCHES),
            Entries("Normal forces of soil", catalogue.SOIL_SUPPORTS),
            Entries("Traction on soil over a step", catalogue.TRACTION_SCHEMES),
            Entries("Soils", {"bekker": catalogue.SOILS["bekker"]}),
            Python("Soils by name and from files", (at.listed_soil, at.read_soils)),
        ),
    ),
    Page(
        "vehicle-files",
        "Vehicles by body and axles",
        "What a model file has in `vehicle`; [vehicles](../how-to/vehicles.md) has examples.",
        (
            Pieces("The description", Vehicle, "From the outside inward."),
            Entries("Suspensions of vehicles", catalogue.SUSPENSIONS),
            Entries("Hitches of trailers", catalogue.HITCHES),
            Entries("Engines and motors", catalogue.POWER_SOURCES),
            Entries("Differentials", catalogue.DIFFERENTIALS),
        ),
    ),
    Page(
        "drives",
        "Paths and manoeuvres",
        "What a model file has in `manoeuvres`, and what drivers follow.",
        (
            Entries("Manoeuvres", catalogue.MANOEUVRES),
            Entries("Paths", catalogue.PATHS),
        ),
    ),
    Page(
        "metrics",
        "Metrics",
        "What runs are measured for.",
        (Entries("All metrics", catalogue.METRICS),),
    ),
    Page(
        "names",
        "Models, integrators, tyres, benches by name",
        "What commands and model files ask for by name; `axletree list` shows it, too.",
        (
            Names("Models", catalogue.MODELS, lambda name: at.read_model(name).description),
            Names(
                "Integrators",
                catalogue.INTEGRATORS,
                lambda name: load("integrator", name, catalogue.INTEGRATORS).description,
            ),
            Names(
                "Ready-made tyres",
                catalogue.READY_TYRES,
                lambda name: read_ready_made(name, "READY_TYRES").description,
            ),
            Names(
                "Test benches",
                catalogue.BENCHES,
                lambda name: load("bench", name, catalogue.BENCHES).summary,
            ),
        ),
    ),
    Page(
        "systems",
        "Models, systems, trajectories",
        "From a model to its run in Python.",
        (
            Python("Models and their files", (at.Model, at.read_model, at.write_model)),
            Python(
                "Systems and their runs",
                (System, SymbolicEquations, Operations, Trim, RollingStart, Trajectory),
            ),
            Python("Forms of constrained equations", (Projected, Baumgarte, Partition)),
            Python("Values and signals", (at.Quantity, at.Input, at.TimeTable, at.Curve)),
            Python("Errors and warnings", (at.AxletreeError, at.ModelWarning)),
        ),
    ),
    Page(
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
    ),
    Page(
        "vehicle-analyses",
        "Analyses of vehicles",
        "The page on [analyses of vehicles](../how-to/vehicle-analyses.md) has examples.",
        (
            Python("Ladder of models", (at.drive_ladder, Ladder)),
            Python("Modes", (at.vehicle_modes, NamedMode, at.vehicle_locus, VehicleLocus)),
            Python(
                "Response to the steering wheel",
                (at.steer_responses, SteerResponse, at.bicycle_model, BicycleModel),
            ),
            Python(
                "Cornering to the limit",
                (at.cornering_curve, CorneringCurve, at.yaw_moment_diagram, YawMomentDiagram,
                 at.g_g_diagram, GGDiagram, Envelope),
            ),
            Python("Derivatives", (at.turn_sensitivity, at.run_sensitivity, Sensitivity)),
        ),
    ),
    Page(
        "pictures-and-files",
        "Plots, animations, exports",
        "What is drawn and written.",
        (
            Python("Reports and animations", (RunFacts, write_report, at.animation, Animation)),
            Python("Linear graphs", (graph_text, draw_graph, write_graph_picture)),
            Python(
                "Plots",
                (plot_branch, plot_root_locus, plot_modes, plot_frequency_response, plot_sweep,
                 plot_comparison, plot_cornering, plot_handling, plot_yaw_moments, plot_g_g,
                 plot_sensitivity, plot_ladder, plot_named_modes, plot_vehicle_locus,
                 plot_steer_responses),
            ),
            Python("Exports", (write_c_project, write_matlab, write_fortran, write_latex)),
        ),
    ),
    CONTRACTS,
    Page(
        "language",
        "The analyst's language: `axletree.language`",
        "Equations of motion by hand; the [tutorial](../tutorials/own-equations.md) has examples.",
        (
            Python("Classes", (*filter(inspect.isclass, OFFERED), ImplicitSystem)),
            Python("Functions", tuple(filter(inspect.isfunction, OFFERED))),
        ),
        package="from axletree.language import World, Body",
        author="Lot and Massaro 2017",
    ),
)  # fmt: skip
