"""Axletree: components on a linear graph become equations, and equations become C.

The rooms, in the order of imports, which point to the left only:

    core  expr  components  ground  wheel  metrics  model  vehicles  runs  model_files
    equations  system  code  controllers  simulation  optimisation  analysis  plot  reports
    export  live_pages  language  thesis  examples  gym  studio  cli

``data`` has the files that are shipped: models, tyres, tracks and soils. ``catalogue`` is the
register of what can be asked for by name, and ``flow`` has on one page what a model, a system and a
trajectory lead on to.

Names are loaded when they are first used, so that ``import axletree`` stays quick. The
components of the catalogue, the parts that tyres are made of and the solved forms are here
by the names of their classes. ``__init__.pyi`` beside it has the same names for editors and
type checkers (``tools/make_stub.py`` writes it).

Example:
>>> import axletree as at
>>> isinstance(at.__version__, str)
True
>>> print(9.81 * at.TIME)  # an expression of time [s], as signals take it
9.81*time
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from axletree import catalogue

__version__ = "0.1.0"

PLACES = {  # of every name: "module:attribute"
    "AxletreeError": "axletree.core.errors:AxletreeError",
    "ModelWarning": "axletree.core.errors:ModelWarning",
    "Model": "axletree.model.model:Model",
    "Trajectory": "axletree.simulation.trajectory:Trajectory",
    "RealTimeClient": "axletree.export.realtime.client:RealTimeClient",
    "Batch": "axletree.simulation.batch.batch_result:Batch",
    "BatchGradients": "axletree.simulation.batch.batch_gradients:BatchGradients",
    "DrawnValue": "axletree.simulation.batch.distributions:DrawnValue",
    "Uniform": "axletree.simulation.batch.distributions:Uniform",
    "Normal": "axletree.simulation.batch.distributions:Normal",
    "Triangular": "axletree.simulation.batch.distributions:Triangular",
    "RunGradient": "axletree.simulation.run_gradient:RunGradient",
    "Stepper": "axletree.simulation.stepper.stepper:Stepper",
    "SandboxedStepper": "axletree.simulation.stepper.sandbox:SandboxedStepper",
    "HoldInput": "axletree.simulation.stepper.shaping:HoldInput",
    "LinearInput": "axletree.simulation.stepper.shaping:LinearInput",
    "FilteredInput": "axletree.simulation.stepper.shaping:FilteredInput",
    "SmoothInput": "axletree.simulation.stepper.shaping:SmoothInput",
    "ReferenceController": "axletree.controllers.contract:ReferenceController",
    "CController": "axletree.simulation.control.c_controller:CController",
    "OnboardController": "axletree.controllers.contract:OnboardController",
    "SolvingController": "axletree.controllers.contract:SolvingController",
    "AntiLockController": "axletree.controllers.anti_lock:AntiLockController",
    "StabilityController": "axletree.controllers.stability:StabilityController",
    "TractionController": "axletree.controllers.traction:TractionController",
    "SkyhookController": "axletree.controllers.skyhook:SkyhookController",
    "TorqueVectoringController": (
        "axletree.controllers.torque_vectoring:TorqueVectoringController"
    ),
    "CruiseController": "axletree.controllers.cruise:CruiseController",
    "PurePursuitController": "axletree.controllers.pure_pursuit:PurePursuitController",
    "StanleyController": "axletree.controllers.stanley:StanleyController",
    "PredictivePathController": "axletree.controllers.predictive:PredictivePathController",
    "Sensor": "axletree.simulation.control.sensors:Sensor",
    "Actuator": "axletree.simulation.control.actuators:Actuator",
    "Rule": "axletree.system.sampled_laws:Rule",
    "ControlLoop": "axletree.simulation.control.controllers:ControlLoop",
    "Fmu": "axletree.simulation.fmu.fmu:Fmu",
    "FmuKind": "axletree.simulation.fmu.archive:FmuKind",
    "co_simulate": "axletree.simulation.fmu.co_simulation:co_simulate",
    "write_fmu": "axletree.export.fmu.write:write_fmu",
    "write_card": "axletree.export.card.write:write_card",
    "write_kalman_filter": "axletree.export.kalman_filter:write_kalman_filter",
    "read_model": "axletree.model_files.read:read_model",
    "check": "axletree.reports.data_sheet:check",
    "compare": "axletree.reports.comparison_report:compare",
    "report": "axletree.reports.report:report",
    "animation": "axletree.reports.animation.animation:animation",
    "live": "axletree.live_pages.live_page:live",
    "LivePage": "axletree.live_pages.live_page:LivePage",
    "trim": "axletree.analysis.steady.trim:trim",
    "RollingWheels": "axletree.analysis.steady.rolling:RollingWheels",
    "procedure": "axletree.analysis.procedures.contract:procedure",
    "drive_cycle": "axletree.analysis.drive_cycle:drive_cycle",
    "read_drive_cycle": "axletree.runs.drive_cycle:read_drive_cycle",
    "DriveCycle": "axletree.runs.drive_cycle:DriveCycle",
    "drive_batch": "axletree.analysis.studies.driven_batch:drive_batch",
    "identify": "axletree.analysis.identification.identify:identify",
    "Loss": "axletree.analysis.identification.identify:Loss",
    "Identification": "axletree.analysis.identification.identification:Identification",
    "experiment_design": "axletree.analysis.identification.experiment:experiment_design",
    "ExperimentDesign": "axletree.analysis.identification.experiment:ExperimentDesign",
    "axle_characteristics": "axletree.analysis.identification.axles:axle_characteristics",
    "AxleCharacteristic": "axletree.analysis.identification.axles:AxleCharacteristic",
    "KalmanFilter": "axletree.analysis.identification.kalman_filters:KalmanFilter",
    "FilterKind": "axletree.analysis.identification.kalman_filters:FilterKind",
    "FilterEstimate": "axletree.analysis.identification.kalman_filters:FilterEstimate",
    "sobol": "axletree.analysis.experiments.sobol:sobol",
    "SobolIndices": "axletree.analysis.experiments.sobol:SobolIndices",
    "optimal_control": "axletree.optimisation.optimise:optimal_control",
    "OptimalControlProblem": "axletree.optimisation.problem:OptimalControlProblem",
    "OptimalSolution": "axletree.optimisation.solution:OptimalSolution",
    "Range": "axletree.optimisation.problem:Range",
    "Refinement": "axletree.optimisation.mesh:Refinement",
    "Ipopt": "axletree.optimisation.ipopt:Ipopt",
    "lap": "axletree.optimisation.lap_time.lap:lap",
    "TimedLap": "axletree.optimisation.lap_time.result:TimedLap",
    "Track": "axletree.optimisation.lap_time.track:Track",
    "read_track": "axletree.optimisation.lap_time.track_files:read_track",
    "sweep": "axletree.analysis.studies.sweep:sweep",
    "monte_carlo": "axletree.analysis.experiments.monte_carlo:monte_carlo",
    "optimise": "axletree.analysis.experiments.optimise:optimise",
    "Optimum": "axletree.analysis.experiments.optimise:Optimum",
    "MonteCarlo": "axletree.analysis.experiments.monte_carlo:MonteCarlo",
    "cornering_curve": "axletree.analysis.handling.cornering_curve:cornering_curve",
    "yaw_moment_diagram": "axletree.analysis.handling.yaw_moment:yaw_moment_diagram",
    "g_g_diagram": "axletree.analysis.handling.g_g_diagram:g_g_diagram",
    "joint_loads": "axletree.analysis.joint_loads:joint_loads",
    "kinematics_and_compliance": (
        "axletree.analysis.kinematics_and_compliance.axle_in_vehicle:kinematics_and_compliance"
    ),
    "suspension_curves": (
        "axletree.analysis.kinematics_and_compliance.suspension_design:suspension_curves"
    ),
    "fit_suspension": (
        "axletree.analysis.kinematics_and_compliance.suspension_design:fit_suspension"
    ),
    "suspension_sensitivity": (
        "axletree.analysis.kinematics_and_compliance.suspension_design:suspension_sensitivity"
    ),
    "run_sensitivity": "axletree.analysis.studies.run_sensitivity:run_sensitivity",
    "turn_sensitivity": "axletree.analysis.studies.turn_sensitivity:turn_sensitivity",
    "drive_ladder": "axletree.analysis.studies.fidelity_ladder:drive_ladder",
    "vehicle_modes": "axletree.analysis.handling.straight_running:vehicle_modes",
    "vehicle_locus": "axletree.analysis.handling.straight_running:vehicle_locus",
    "steer_responses": "axletree.analysis.handling.steer_response:steer_responses",
    "bicycle_model": "axletree.analysis.handling.steer_response:bicycle_model",
    "write_model": "axletree.model_files.write:write_model",
    "Quantity": "axletree.expr.quantity:Quantity",
    "Input": "axletree.components.signals:Input",
    "TIME": "axletree.components.signals:TIME",
    "TimeTable": "axletree.components.signals:TimeTable",
    "Curve": "axletree.components.signals:Curve",
    "TyreLaw": "axletree.wheel.contract:TyreLaw",
    "Contact": "axletree.wheel.contract:Contact",
    "Forces": "axletree.wheel.contract:Forces",
    "AxisSystem": "axletree.wheel.axis_systems:AxisSystem",
    "ready_tyre": "axletree.model_files.included_files:ready_tyre",
    "read_tyre_law": "axletree.wheel.tyres.law_files:read_tyre_law",
    "Soil": "axletree.wheel.soils.soil:Soil",
    "listed_soil": "axletree.wheel.soils.soil:listed_soil",
    "read_soils": "axletree.wheel.soils.soil_file:read_soils",
    "read_measurement": "axletree.analysis.measurements.measurement:read_measurement",
    "Measurement": "axletree.analysis.measurements.measurement:Measurement",
    "read_channels": "axletree.model_files.channel_file:read_channels",
    "ZeroPhaseButterworth": "axletree.analysis.measurements.filters:ZeroPhaseButterworth",
    "agreement": "axletree.analysis.measurements.agreement:agreement",
    "validate": "axletree.analysis.measurements.validation:validate",
    "replay": "axletree.analysis.measurements.replay:replay",
}
for _section in (
    catalogue.COMPONENTS,
    catalogue.FLUIDS,
    catalogue.NORMAL_FORCES,
    catalogue.CONTACTS,
    catalogue.RIMS,
    catalogue.BELTS,
    catalogue.CONTACT_DYNAMICS,
    catalogue.LEVERS,
    catalogue.SLIPS,
    catalogue.ROLLING_RADII,
    catalogue.TYRES,
    catalogue.FRICTION_SLIPS,
    catalogue.ROLLING_RESISTANCES,
    catalogue.BORE_TORQUES,
    catalogue.CAMBER_EFFECTS,
    catalogue.LOAD_INFLUENCES,
    catalogue.OVERTURNING_TORQUES,
    catalogue.ALIGNING_TORQUES,
    catalogue.SURFACES,
    catalogue.FRICTION_MAPS,
    catalogue.PATHS,
    catalogue.SOIL_LAWS,
    catalogue.SOIL_PATCHES,
    catalogue.SOIL_SUPPORTS,
    catalogue.TRACTION_SCHEMES,
    catalogue.MANOEUVRES,
    catalogue.METRICS,
    catalogue.PROCEDURES,
    catalogue.FORMS,
):
    PLACES |= {place.partition(":")[2]: place for place in _section.values()}

__all__ = ["__version__", *PLACES]


def __getattr__(name: str) -> Any:
    if name not in PLACES:
        raise AttributeError(f"axletree has no attribute {name!r}; dir(axletree) lists what it has")
    module, _, attribute = PLACES[name].partition(":")
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
