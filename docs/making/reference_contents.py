"""What stands on which page of the reference."""

from __future__ import annotations

import inspect

from reference_analyses import ANALYSES, AXLE_METRICS, VEHICLE_ANALYSES
from reference_contracts import CONTRACTS
from reference_expressions import EXPRESSIONS, STAGES
from reference_page import Entries, Names, Page, Pieces, Python
from reference_pictures import PICTURES

import axletree as at
from axletree import catalogue, language
from axletree.analysis.handling.steer_response import response_of_linear
from axletree.analysis.procedures.contract import (
    Evaluation,
    Procedure,
    ProcedureResult,
    ProcedureStage,
    StageRow,
)
from axletree.analysis.studies.tyre_bench import run_bench
from axletree.analysis.studies.tyre_characteristics import Characteristics, characteristics
from axletree.code.system_operations import Operations
from axletree.controllers.contract import ControlledVehicle, ControlledWheel, Law
from axletree.controllers.discrete_system import RunningController, discrete_system
from axletree.core.registry import load
from axletree.metrics.ride import Weighting, weighted_rms
from axletree.metrics.steering_response import bandwidth, response_of_run
from axletree.model_files.included_files import read_ready_made
from axletree.optimisation.dynamics import dynamics, with_outputs
from axletree.optimisation.reduction import with_chained_inputs, without_cyclic_states
from axletree.optimisation.reference_lap import (
    reference_car,
    reference_problem,
    reference_start,
    reference_track,
)
from axletree.optimisation.smooth_twin import smooth_twin
from axletree.runs.bench_contract import Subject
from axletree.runs.drive_cycle import read_drive_cycle
from axletree.simulation.simulate import form_for
from axletree.simulation.system_functions import SystemFunctions
from axletree.simulation.trajectory import Trajectory
from axletree.system.forms.automatic import Automatic
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.embedding import Embedded
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected
from axletree.system.forms.set_valued import SetValuedForm
from axletree.system.symbolic_equations import SymbolicEquations
from axletree.system.system import ImplicitSystem, System
from axletree.vehicles.data_sheet import DataSheet, data_sheet
from axletree.vehicles.linear_single_track import LinearSingleTrack, linear_single_track
from axletree.vehicles.statics import wheel_heights, wheel_loads
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.soils.contract import WheelInSoil, tractive_efficiency
from axletree.wheel.soils.soil import soil_records
from axletree.wheel.soils.wheel_motion import soil_motion, wheel_forces

OFFERED = tuple(getattr(language, name) for name in language.__all__)
PAGES = (
    Page(
        "components",
        "Components",
        "What a model has in `components`. `at.RigidBody` and so on are these classes in Python.",
        (
            Entries("All components", catalogue.COMPONENTS),
            Entries("Liquids of hydraulic components", catalogue.FLUIDS),
        ),
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
            Python(
                "Numbers and benches of a law",
                (characteristics, Characteristics, run_bench, Subject),
            ),
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
            Python("Soils by name and from files", (at.listed_soil, soil_records, at.read_soils)),
            Python("Wheels on soil", (WheelInSoil, tractive_efficiency, soil_motion, wheel_forces)),
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
            Entries("What a traction motor loses", catalogue.MOTOR_LOSSES),
            Entries("What an inverter loses", catalogue.INVERTERS),
            Entries("The heat of a traction motor", catalogue.MOTOR_HEAT),
            Entries("What an engine burns", catalogue.FUEL_MAPS),
            Entries("Between engine and gears", catalogue.CONVERTERS),
            Entries("Differentials", catalogue.DIFFERENTIALS),
            Python(
                "What follows from a description",
                (data_sheet, DataSheet, linear_single_track, LinearSingleTrack, wheel_loads,
                 wheel_heights),
            ),
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
        "procedures",
        "Procedures of standards",
        "What standards ask for; [procedures](../how-to/procedures.md) has a table of them.",
        (
            Entries("All procedures", catalogue.PROCEDURES),
            Python(
                "Carry one out, and write one",
                (at.procedure, ProcedureResult, ProcedureStage, StageRow, Procedure, Evaluation),
            ),
        ),
    ),
    Page(
        "metrics",
        "Metrics",
        "What runs are measured for.",
        (
            Entries("All metrics", catalogue.METRICS),
            Python(
                "Functions beneath",
                (Weighting, weighted_rms, response_of_run, response_of_linear, bandwidth),
            ),
        ),
    ),
    Page(
        "optimal-control",
        "Optimal control and laps",
        "Controls that make a cost smallest, and laps in the least time; "
        "[optimal control](../how-to/optimal-control.md) and [lap times](../how-to/lap-times.md) "
        "have examples.",
        (
            Python(
                "Problems",
                (
                    at.optimal_control, at.OptimalControlProblem, at.Range, at.OptimalSolution,
                    at.Refinement, at.Ipopt,
                ),
            ),
            Python(
                "Systems for them",
                (dynamics, with_outputs, with_chained_inputs, without_cyclic_states, smooth_twin),
            ),
            Python("Laps", (at.lap, at.TimedLap, at.Track, at.read_track)),
            Python(
                "The reference lap",
                (reference_problem, reference_start, reference_car, reference_track),
            ),
        ),
    ),  # fmt: skip
    Page(
        "reference-controllers",
        "Reference controllers",
        "By the words that `controllers=[...]` and `--controller` take; "
        "[a controller in a run](../how-to/controllers.md) has examples.",
        (
            Entries("All controllers", catalogue.CONTROLLERS),
            Python(
                "Controllers of one's own",
                (at.OnboardController, at.ReferenceController, at.SolvingController, Law,
                 ControlledVehicle, ControlledWheel, RunningController, discrete_system),
            ),
        ),
    ),
    Page(
        "names",
        "Models, integrators, tyres, benches by name",
        "What commands and model files ask for by name; `axletree list` shows it, too.",
        (
            Names("Models", catalogue.MODELS, lambda name: at.read_model(name).description),
            Names("Driving cycles", catalogue.CYCLES, lambda name: read_drive_cycle(name).in_words),
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
            Python("In Python", (load,)),
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
                (System, SymbolicEquations, Operations, SystemFunctions, Trajectory),
            ),
            Python(
                "Steppers",
                (at.Stepper, at.SandboxedStepper, at.HoldInput, at.LinearInput, at.FilteredInput,
                 at.SmoothInput),
            ),
            Python(
                "Controllers in a run",
                (at.ControlLoop, at.CController, at.Rule, at.Sensor, at.Actuator),
            ),
            Python("FMUs", (at.write_fmu, at.Fmu, at.FmuKind, at.co_simulate)),
            Python(
                "Forms",
                (Automatic, Projected, Baumgarte, Partition, Embedded, SetValuedForm, form_for),
            ),
            Python("Values and signals", (at.Quantity, at.Input, at.TimeTable, at.Curve)),
            Python("Errors and warnings", (at.AxletreeError, at.ModelWarning)),
        ),
    ),
    ANALYSES,
    VEHICLE_ANALYSES,
    AXLE_METRICS,
    PICTURES,
    CONTRACTS,
    EXPRESSIONS,
    STAGES,
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
