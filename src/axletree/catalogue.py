"""The register: one ``"module:attribute"`` line for each thing that can be asked for by name.

A new entry is one new class and one line here; the object is loaded when it is first used. Models,
ready-made tyres and race tracks are files: ``"package:file"``. Sections are shown in the order in
which they stand here.
"""

# ruff: noqa: E501 - an entry is one line, however long its names

from __future__ import annotations

# Components: what a model is put together from.

COMPONENTS = {
    "rigid-body": "axletree.components.bodies:RigidBody",
    "body-of-revolution": "axletree.components.bodies:BodyOfRevolution",
    "massless-body": "axletree.components.bodies:MasslessBody",
    "weld": "axletree.components.joints:Weld",
    "free": "axletree.components.joints:Free",
    "revolute": "axletree.components.joints:Revolute",
    "prismatic": "axletree.components.joints:Prismatic",
    "cylindrical": "axletree.components.joints:Cylindrical",
    "universal": "axletree.components.joints:Universal",
    "spherical": "axletree.components.joints:Spherical",
    "planar": "axletree.components.joints:Planar",
    "wheel-guide": "axletree.components.joints:WheelGuide",
    "rod": "axletree.components.joints:Rod",
    "point-on-line": "axletree.components.joints:PointOnLine",
    "point-on-plane": "axletree.components.joints:PointOnPlane",
    "rotation-driver": "axletree.components.drivers:RotationDriver",
    "elastic-rotation-driver": "axletree.components.drivers:ElasticRotationDriver",
    "elastic-translation-driver": "axletree.components.drivers:ElasticTranslationDriver",
    "rack-steering-gear": "axletree.components.steering_gears:RackSteeringGear",
    "arm-steering-gear": "axletree.components.steering_gears:ArmSteeringGear",
    "rotation-follower": "axletree.components.drivers:RotationFollower",
    "translation-driver": "axletree.components.drivers:TranslationDriver",
    "force-driver": "axletree.components.loads:ForceDriver",
    "torque-driver": "axletree.components.loads:TorqueDriver",
    "load-driver": "axletree.components.loads:LoadDriver",
    "joint-force": "axletree.components.loads:JointForce",
    "joint-torque": "axletree.components.loads:JointTorque",
    "driver-controls": "axletree.components.drivers:DriverControls",
    "brake-modulator": "axletree.components.actuators:BrakeModulator",
    "drive-modulator": "axletree.components.actuators:DriveModulator",
    "motor-command": "axletree.components.actuators:MotorCommand",
    "steering-actuator": "axletree.components.actuators:SteeringActuator",
    "anti-roll-actuator": "axletree.components.actuators:AntiRollActuator",
    "suspension-actuator": "axletree.components.actuators:SuspensionActuator",
    "path-driver": "axletree.ground.path_driver:PathDriver",
    "free-steering-wheel": "axletree.components.steering_wheel:FreeSteeringWheel",
    "rack-steering-wheel": "axletree.components.steering_wheel:RackSteeringWheel",
    "arm-steering-wheel": "axletree.components.steering_wheel:ArmSteeringWheel",
    "linear-steering-wheel": "axletree.components.steering_wheel:LinearSteeringWheel",
    "speed-driver": "axletree.components.drivers:SpeedDriver",
    "motion-sensor": "axletree.components.sensors:MotionSensor",
    "travel-sensor": "axletree.components.sensors:TravelSensor",
    "friction-brake": "axletree.components.brakes:FrictionBrake",
    "slip-limited-brake": "axletree.components.brakes:SlipLimitedBrake",
    "select-low-brake": "axletree.components.brakes:SelectLowBrake",
    "engine": "axletree.components.engines:Engine",
    "axle-drive": "axletree.components.axle_drives:AxleDrive",
    "half-shaft-drive": "axletree.components.axle_drives:HalfShaftDrive",
    "wheel-drive": "axletree.components.axle_drives:WheelDrive",
    "battery": "axletree.components.battery:Battery",
    "speed-keeper": "axletree.components.loads:SpeedKeeper",
    "spring-damper": "axletree.components.springs:SpringDamper",
    "rotational-spring-damper": "axletree.components.springs:RotationalSpringDamper",
    "slide-spring-damper": "axletree.components.springs:SlideSpringDamper",
    "tabulated-spring-damper": "axletree.components.springs:TabulatedSpringDamper",
    "tabulated-rotational-spring-damper": "axletree.components.springs:TabulatedRotationalSpringDamper",
    "tabulated-slide-spring-damper": "axletree.components.springs:TabulatedSlideSpringDamper",
    "anti-roll-bar": "axletree.components.springs:AntiRollBar",
    "link-torsion-bar": "axletree.components.springs:LinkTorsionBar",
    "aerodynamics": "axletree.components.loads:Aerodynamics",
    "linear-axle": "axletree.components.loads:LinearAxle",
    "bushing": "axletree.components.springs:Bushing",
    "electrical-ground": "axletree.components.electrical:ElectricalGround",
    "resistor": "axletree.components.electrical:Resistor",
    "inductor": "axletree.components.electrical:Inductor",
    "capacitor": "axletree.components.electrical:Capacitor",
    "voltage-source": "axletree.components.electrical:VoltageSource",
    "current-source": "axletree.components.electrical:CurrentSource",
    "dc-machine": "axletree.components.electrical:DCMachine",
    "tank": "axletree.components.hydraulics.sources:Tank",
    "pressure-source": "axletree.components.hydraulics.sources:PressureSource",
    "flow-source": "axletree.components.hydraulics.sources:FlowSource",
    "master-cylinder": "axletree.components.hydraulics.sources:MasterCylinder",
    "electric-pump": "axletree.components.hydraulics.sources:ElectricPump",
    "hydraulic-volume": "axletree.components.hydraulics.storages:HydraulicVolume",
    "elastic-volume": "axletree.components.hydraulics.storages:ElasticVolume",
    "accumulator": "axletree.components.hydraulics.storages:Accumulator",
    "laminar-restriction": "axletree.components.hydraulics.lines:LaminarRestriction",
    "hydraulic-line": "axletree.components.hydraulics.lines:HydraulicLine",
    "orifice": "axletree.components.hydraulics.valves:Orifice",
    "check-valve": "axletree.components.hydraulics.valves:CheckValve",
    "relief-valve": "axletree.components.hydraulics.valves:ReliefValve",
    "counterbalance-valve": "axletree.components.hydraulics.valves:CounterbalanceValve",
    "directional-valve": "axletree.components.hydraulics.valves:DirectionalValve",
    "hydraulic-pump": "axletree.components.hydraulics.machines:HydraulicPump",
    "hydraulic-motor": "axletree.components.hydraulics.machines:HydraulicMotor",
    "hydraulic-cylinder": "axletree.components.hydraulics.cylinders:HydraulicCylinder",
    "slide-cylinder": "axletree.components.hydraulics.cylinders:SlideCylinder",
    "angle-sum": "axletree.components.gears:AngleSum",
    "gear-pair": "axletree.components.gears:GearPair",
    "rack-and-pinion": "axletree.components.gears:RackAndPinion",
    "differential": "axletree.components.differentials:Differential",
    "dry-clutch": "axletree.components.couplings:DryClutch",
    "torque-converter": "axletree.components.torque_converters:TorqueConverter",
    "viscous-coupling": "axletree.components.couplings:ViscousCoupling",
    "planetary-gear": "axletree.components.couplings:PlanetaryGear",
    "torsional-shaft": "axletree.components.couplings:TorsionalShaft",
    "shifted-gearbox": "axletree.components.couplings:ShiftedGearbox",
    "axle-coupling": "axletree.components.couplings:AxleCoupling",
    "tyre": "axletree.wheel.tyre:Tyre",
    "rolling-sphere": "axletree.components.loads:RollingSphere",
    "point-contact": "axletree.components.loads:PointContact",
    "soil-wheel": "axletree.wheel.soils.soil_wheel:SoilWheel",
}

FLUIDS = {
    "hydraulic-fluid": "axletree.components.hydraulics.fluids:HydraulicFluid",
}

SUSPENSIONS = {
    "independent": "axletree.vehicles.suspensions:Independent",
    "solid-axle": "axletree.vehicles.suspensions:SolidAxle",
    "double-wishbone": "axletree.vehicles.linkages.kinds.double_wishbone:DoubleWishbone",
    "macpherson": "axletree.vehicles.linkages.kinds.macpherson:Macpherson",
    "multi-link": "axletree.vehicles.linkages.kinds.multi_link:MultiLink",
    "four-link": "axletree.vehicles.linkages.kinds.four_link:FourLink",
    "integral-link": "axletree.vehicles.linkages.kinds.integral_link:IntegralLink",
    "trailing-arm": "axletree.vehicles.linkages.kinds.trailing_arms:TrailingArm",
    "semi-trailing-arm": "axletree.vehicles.linkages.kinds.trailing_arms:SemiTrailingArm",
    "twist-beam": "axletree.vehicles.linkages.kinds.twist_beam:TwistBeam",
    "four-link-axle": "axletree.vehicles.linkages.kinds.beam_axle:FourLinkAxle",
    "panhard-axle": "axletree.vehicles.linkages.kinds.beam_axle:PanhardAxle",
    "watt-axle": "axletree.vehicles.linkages.kinds.beam_axle:WattAxle",
    "leaf-spring-axle": "axletree.vehicles.linkages.kinds.leaf_spring_axle:LeafSpringAxle",
}

HITCHES = {
    "ball": "axletree.vehicles.hitches:BallHitch",
    "fifth-wheel": "axletree.vehicles.hitches:FifthWheel",
}

POWER_SOURCES = {
    "constant-torque": "axletree.components.power_sources:ConstantTorque",
    "engine": "axletree.components.engines:CombustionEngine",
    "electric-motor": "axletree.components.power_sources:ElectricMotor",
    "traction-motor": "axletree.components.electric_drives:TractionMotor",
    "hybrid-shaft": "axletree.components.electric_drives:HybridShaft",
}

FUEL_MAPS = {
    "willans": "axletree.components.fuel_maps:WillansLine",
    "consumption-map": "axletree.components.fuel_maps:ConsumptionMap",
}

# The parts of a traction motor.

MOTOR_LOSSES = {
    "polynomial": "axletree.components.electric_drives:LossPolynomial",
    "efficiency-map": "axletree.components.electric_drives:EfficiencyMap",
}

INVERTERS = {
    "lossless": "axletree.components.electric_drives:LosslessInverter",
    "inverter": "axletree.components.electric_drives:Inverter",
}

MOTOR_HEAT = {
    "lumped": "axletree.components.electric_drives:LumpedHeat",
}

DIFFERENTIALS = {
    "open": "axletree.components.differentials:OpenDifferential",
    "locked": "axletree.components.differentials:LockedDifferential",
    "limited-slip": "axletree.components.differentials:LimitedSlipDifferential",
}

CONVERTERS = {
    "torque-converter": "axletree.components.torque_converters:EngineConverter",
}

# The parts of a tyre, and its laws.

NORMAL_FORCES = {
    "none": "axletree.wheel.normal_forces:NoDeflection",
    "linear": "axletree.wheel.normal_forces:LinearNormalForce",
    "tabulated": "axletree.wheel.normal_forces:TabulatedNormalForce",
    "kelvin": "axletree.wheel.normal_forces:KelvinForce",
    "gehmann": "axletree.wheel.normal_forces:GehmannForce",
    "elasto": "axletree.wheel.normal_forces:ElastoForce",
}

CONTACTS = {
    "disc": "axletree.wheel.contact_geometry:PlanarDisc",
    "toroid": "axletree.wheel.contact_geometry:Toroid",
    "belted": "axletree.wheel.contact_geometry:Belted",
}

RIMS = {
    "none": "axletree.wheel.belts:NoRim",
    "spoked": "axletree.wheel.belts:SpokedRim",
}

BELTS = {
    "rigid": "axletree.wheel.belts:RigidBelt",
    "torsion": "axletree.wheel.belts:TorsionBelt",
    "longitudinal-lateral": "axletree.wheel.belts:LongitudinalLateralBelt",
    "quad": "axletree.wheel.belts:QuadBelt",
}

CONTACT_DYNAMICS = {
    "none": "axletree.wheel.contact_dynamics:NoContactDynamics",
    "second-order": "axletree.wheel.contact_dynamics:SecondOrderContact",
}

LEVERS = {
    "rigid": "axletree.wheel.contact_dynamics:RigidLever",
    "none": "axletree.wheel.contact_dynamics:NoLever",
}

SLIPS = {
    "kinematic": "axletree.wheel.slip:KinematicSlip",
    "carcass": "axletree.wheel.carcass:Carcass",
    "constant-lag": "axletree.wheel.slip:ConstantLag",
    "law-lag": "axletree.wheel.slip:LawLag",
    "stretched-string": "axletree.wheel.slip:StretchedString",
}

ROLLING_RADII = {
    "loaded": "axletree.wheel.slip:LoadedRadius",
    "unloaded": "axletree.wheel.slip:UnloadedRadius",
    "saturating": "axletree.wheel.slip:SaturatingRadius",
}

TYRES = {
    "no-slip": "axletree.wheel.tyres.ideal_laws:NoSlip",
    "linear": "axletree.wheel.tyres.ideal_laws:LinearTyre",
    "fiala": "axletree.wheel.tyres.fiala:Fiala",
    "brush": "axletree.wheel.tyres.brush:Brush",
    "tmeasy": "axletree.wheel.tyres.tmeasy:TMeasy",
    "calspan": "axletree.wheel.tyres.calspan:Calspan",
    "magic-formula-5.2": "axletree.wheel.tyres.magic_formula:MagicFormula52",
    "magic-formula-6.1": "axletree.wheel.tyres.magic_formula:MagicFormula61",
    "magic-formula-6.2": "axletree.wheel.tyres.magic_formula:MagicFormula62",
    "short-magic-formula": "axletree.wheel.tyres.magic_formula:ShortMagicFormula",
    "external": "axletree.wheel.tyres.external_law:ExternalLaw",
    "composed": "axletree.wheel.tyres.composed_friction:ComposedFriction",
    "dry-rolling-friction": "axletree.wheel.tyres.composed_friction:DryRollingFriction",
    "advanced-friction": "axletree.wheel.tyres.composed_friction:AdvancedFriction",
}

# Ready-made tyres are files: "package:file".
READY_TYRES = {
    name: f"axletree.data.tyres:{name}.yaml"
    for name in (
        "slim-ideal", "slim-slipping", "slim-advanced", "slim-dynamic", "circular-advanced",
        "circular-dynamic", "belted-ideal", "belted-slipping", "belted-advanced",
        "belted-longitudinal-lateral", "belted-quad",
    )
}  # fmt: skip

# The effects that a tyre's friction is composed of.

FRICTION_SLIPS = {
    "no-slip": "axletree.wheel.friction_slips:HeldSlip",
    "dry-longitudinal": "axletree.wheel.friction_slips:LongitudinalDryFriction",
    "dry": "axletree.wheel.friction_slips:DryFriction",
    "rill": "axletree.wheel.friction_slips:RillFriction",
    "combined": "axletree.wheel.friction_slips:CombinedFriction",
}

ROLLING_RESISTANCES = {
    "none": "axletree.wheel.friction_effects:NoRollingResistance",
    "constant": "axletree.wheel.friction_effects:ConstantRollingResistance",
    "speed-dependent": "axletree.wheel.friction_effects:SpeedDependentRollingResistance",
}

BORE_TORQUES = {
    "none": "axletree.wheel.friction_effects:NoBoreTorque",
    "linear": "axletree.wheel.friction_effects:LinearBoreTorque",
    "combined": "axletree.wheel.friction_effects:CombinedBoreTorque",
}

CAMBER_EFFECTS = {
    "none": "axletree.wheel.friction_effects:NoCamberEffect",
    "simple-speed": "axletree.wheel.friction_effects:SimpleCamberSpeed",
    "combined-speed": "axletree.wheel.friction_effects:CombinedCamberSpeed",
}

LOAD_INFLUENCES = {
    "linear": "axletree.wheel.friction_effects:LinearLoadInfluence",
    "quadratic": "axletree.wheel.friction_effects:QuadraticLoadInfluence",
}

OVERTURNING_TORQUES = {
    "none": "axletree.wheel.friction_effects:NoOverturningTorque",
    "linear": "axletree.wheel.friction_effects:LinearOverturningTorque",
}

ALIGNING_TORQUES = {
    "none": "axletree.wheel.friction_effects:NoAligningTorque",
    "rill": "axletree.wheel.friction_effects:RillAligningTorque",
}

# The ground: its shape and its friction from place to place.

SURFACES = {
    "flat": "axletree.ground.surfaces:Flat",
    "bump": "axletree.ground.surfaces:Bump",
    "step": "axletree.ground.surfaces:Step",
    "ramp": "axletree.ground.surfaces:Ramp",
    "sine": "axletree.ground.surfaces:Sine",
    "hill": "axletree.ground.surfaces:Hill",
    "banked-curve": "axletree.ground.surfaces:BankedCurve",
    "bicubic": "axletree.ground.grid_surfaces:Bicubic",
    "random-road": "axletree.ground.random_road:RandomRoad",
    "sum": "axletree.ground.surfaces:SurfaceSum",
}

FRICTION_MAPS = {
    "none": "axletree.ground.friction_maps:NoFrictionMap",
    "uniform": "axletree.ground.friction_maps:UniformFriction",
    "split": "axletree.ground.friction_maps:SplitFriction",
    "cells": "axletree.ground.friction_maps:FrictionCells",
}

# Lines that a driver follows.

PATHS = {
    "straight": "axletree.ground.paths:StraightPath",
    "circle": "axletree.ground.paths:CirclePath",
    "skid-pad": "axletree.ground.paths:SkidPadPath",
    "slalom": "axletree.ground.paths:SlalomPath",
    "iso-3888-1": "axletree.ground.lane_changes:Iso38881Path",
    "iso-3888-2": "axletree.ground.lane_changes:Iso38882Path",
    "circuit": "axletree.ground.paths:CircuitPath",
    "centre-line": "axletree.ground.paths:CentreLinePath",
}

# Soft ground: soils, and the laws of wheels in them. Soils by name are classes made of a list.

SOILS = {"bekker": "axletree.wheel.soils.soil:Soil"} | {
    name: f"axletree.wheel.soils.soil:{name.title().replace('-', '')}"
    for name in (
        "dry-sand-lll", "sandy-loam-lll-15", "sandy-loam-lll-22", "sandy-loam-michigan-11",
        "sandy-loam-michigan-23", "sandy-loam-hanamoto-26", "sandy-loam-hanamoto-32",
        "clayey-soil-thailand-38", "clayey-soil-thailand-55", "heavy-clay-wes-25",
        "heavy-clay-wes-40", "lean-clay-wes-22", "lean-clay-wes-32", "lete-sand-wong",
        "upland-sandy-loam-wong", "rubicon-sandy-loam-wong", "north-gower-clayey-loam-wong",
        "grenville-loam-wong", "snow-us", "snow-us-harrison", "snow-sweden", "mars-simulant-dlr",
        "lunar-nominal",
    )
}  # fmt: skip

SOIL_LAWS = {
    "wong-reece": "axletree.wheel.soils.wong_reece:WongReece",
    "brixius": "axletree.wheel.soils.cone_index_laws:Brixius",
    "wismer-luth": "axletree.wheel.soils.cone_index_laws:WismerLuth",
    "paved": "axletree.wheel.soils.paved:Paved",
    "border": "axletree.wheel.soils.layers:Border",
    "soil-map": "axletree.wheel.soils.layers:SoilMap",
}

SOIL_PATCHES = {
    "rectangle": "axletree.wheel.soils.layers:SoilPatch",
}

CONE_INDEX_LAWS = {name: SOIL_LAWS[name] for name in ("brixius", "wismer-luth")}

SOIL_SUPPORTS = {
    "own": "axletree.wheel.soils.supports:OwnSupport",
    "underneath": "axletree.wheel.soils.supports:SoilUnderneath",
    "given": "axletree.wheel.soils.supports:GivenLoad",
    "linear": "axletree.wheel.soils.supports:YieldingGround",
}

TRACTION_SCHEMES = {
    "set-valued": "axletree.wheel.soils.set_valued_forces:SetValuedTraction",
    "global": "axletree.wheel.soils.set_valued_forces:GlobalRegularisation",
    "local": "axletree.wheel.soils.set_valued_forces:LocalRegularisation",
    "dissipative": "axletree.wheel.soils.set_valued_forces:DissipativeTraction",
}

# What is read from files.

# Parts of a section that a file is read for: "section.type".
PART_FILES = {
    "TYRES.property-file": "axletree.wheel.tyres.law_files:property_file_law",
    "SURFACES.height-map": "axletree.ground.height_map:height_map_surface",
    "SURFACES.opencrg": "axletree.ground.opencrg:crg_surface",
    "PATHS.race-track": "axletree.ground.race_track:track_of_file",
    "SOILS.soil-file": "axletree.wheel.soils.soil_file:soil_of_file",
}

# Types of part that the path of a file alone says, by its ending.
PART_FILE_ENDINGS = (("TYRES.property-file", (".tir", ".yaml", ".yml")),)

# Sections of model files that make components.
FILE_SECTIONS = {
    "vehicle": "axletree.model_files.vehicle_section:SECTION",
}

# What is done with a model: manoeuvres, solved forms, integrators, files, exports.

TRANSCRIPTIONS = {  # of optimal control problems
    "trapezoidal": "axletree.optimisation.rules:TRAPEZOIDAL",
    "hermite-simpson": "axletree.optimisation.rules:HERMITE_SIMPSON",
    "radau-2": "axletree.optimisation.rules:RADAU_2",
    "radau-3": "axletree.optimisation.rules:RADAU_3",
    "multiple-shooting": "axletree.optimisation.rules:MULTIPLE_SHOOTING",
}

LAP_METHODS = {  # from quick to whole
    "centre-line": "axletree.optimisation.lap_time.lap:on_centre_line",
    "minimum-curvature": "axletree.optimisation.lap_time.lap:on_line_of_least_curvature",
    "free-line": "axletree.optimisation.lap_time.lap:on_free_line",
    "single-track": "axletree.optimisation.lap_time.lap:by_single_track_model",
    "two-track": "axletree.optimisation.lap_time.lap:by_two_track_model",
}

MANOEUVRES = {
    "sine-steer": "axletree.runs.steering:SineSteer",
    "step-steer": "axletree.runs.steering:StepSteer",
    "braking": "axletree.runs.acceleration_and_braking:Braking",
    "coasting": "axletree.runs.acceleration_and_braking:Coasting",
    "drawbar-pull": "axletree.runs.soft_ground:DrawbarPull",
    "slip-sweep": "axletree.runs.soft_ground:SlipSweep",
    "slope-start": "axletree.runs.slopes:SlopeStart",
    "slope-stop": "axletree.runs.slopes:SlopeStop",
    "hill-climb": "axletree.runs.slopes:HillClimb",
    "creep": "axletree.runs.standing_starts:Creep",
    "stall": "axletree.runs.standing_starts:Stall",
    "reversing": "axletree.runs.standing_starts:Reversing",
    "soft-spot": "axletree.runs.soft_ground:SoftSpot",
    "ramp-steer": "axletree.runs.steering:RampSteer",
    "pulse-steer": "axletree.runs.steering:PulseSteer",
    "sine-with-dwell": "axletree.runs.steering:SineWithDwell",
    "frequency-sweep": "axletree.runs.steering:FrequencySweep",
    "random-steer": "axletree.runs.steering:RandomSteer",
    "pedal-braking": "axletree.runs.acceleration_and_braking:PedalBraking",
    "braking-in-turn": "axletree.runs.acceleration_and_braking:BrakingInTurn",
    "acceleration": "axletree.runs.acceleration_and_braking:Acceleration",
    "post-sweep": "axletree.runs.posts:PostSweep",
    "post-road": "axletree.runs.posts:PostRoad",
    "follow-path": "axletree.runs.follow_path:FollowPath",
    "follow-speed": "axletree.runs.follow_speed:FollowSpeed",
}

# Driving cycles: speeds over time.
CYCLES = {
    name: f"axletree.data.cycles:{name}.csv"
    for name in ("ece-urban", "ece-extra-urban", "nedc", "mixed-trip")
}

CONTROLLERS = {
    "abs": "axletree.controllers.anti_lock:AntiLockController",
    "esc": "axletree.controllers.stability:StabilityController",
    "tcs": "axletree.controllers.traction:TractionController",
    "torque-vectoring": "axletree.controllers.torque_vectoring:TorqueVectoringController",
    "skyhook": "axletree.controllers.skyhook:SkyhookController",
    "cruise": "axletree.controllers.cruise:CruiseController",
    "pure-pursuit": "axletree.controllers.pure_pursuit:PurePursuitController",
    "stanley": "axletree.controllers.stanley:StanleyController",
    "mpc": "axletree.controllers.predictive:PredictivePathController",
}

METRICS = {
    "step-response": "axletree.metrics.steering_transients:StepResponse",
    "sine-response": "axletree.metrics.steering_transients:SineResponse",
    "steady-cornering": "axletree.metrics.steady_cornering:SteadyCornering",
    "steady-turn": "axletree.metrics.steady_cornering:SteadyTurn",
    "steering-response": "axletree.metrics.steering_response:SteeringResponse",
    "random-response": "axletree.metrics.steering_response:RandomResponse",
    "dwell-stability": "axletree.metrics.steering_transients:DwellStability",
    "stopping": "axletree.metrics.acceleration_and_braking:Stopping",
    "turn-braking": "axletree.metrics.acceleration_and_braking:TurnBraking",
    "speed-gain": "axletree.metrics.acceleration_and_braking:SpeedGain",
    "road-load": "axletree.metrics.acceleration_and_braking:RoadLoad",
    "ride-comfort": "axletree.metrics.ride:RideComfort",
    "rearward-amplification": "axletree.metrics.trains:RearwardAmplification",
    "trailer-damping": "axletree.metrics.trains:TrailerDamping",
    "rollover": "axletree.metrics.wheel_loads:Rollover",
    "split-braking": "axletree.metrics.acceleration_and_braking:SplitBraking",
    "wheel-loads": "axletree.metrics.wheel_loads:WheelLoads",
    "post-response": "axletree.metrics.ride:PostResponse",
}

# Benches that tyres are tested on.
# Procedures: what standards ask for, with all their runs and a verdict.
PROCEDURES = {
    "fmvss-126": "axletree.analysis.procedures.stability_control:StabilityControl",
    "un-r140": "axletree.analysis.procedures.stability_control:StabilityControl",
    "iso-3888-1": "axletree.analysis.procedures.lane_change_speed:DoubleLaneChange",
    "iso-3888-2": "axletree.analysis.procedures.lane_change_speed:ObstacleAvoidance",
    "iso-4138": "axletree.analysis.procedures.steady_circle:SteadyCircle",
    "iso-7401": "axletree.analysis.procedures.lateral_transients:LateralTransients",
    "iso-7975": "axletree.analysis.procedures.turns:CircleBraking",
    "iso-9816": "axletree.analysis.procedures.turns:LiftOff",
    "iso-13674": "axletree.analysis.procedures.on_centre:OnCentre",
    "iso-21994": "axletree.analysis.procedures.stopping:StoppingDistance",
    "iso-8608": "axletree.analysis.procedures.road_comfort:RoadComfort",
}

BENCHES = {
    name: f"axletree.runs.benches:{name.upper().replace('-', '_')}"
    for name in (
        "elevation-simple", "elevation-advanced", "slip-longitudinal", "slip-lateral",
        "rolling-resistance", "bore-torque", "camber-force", "load-influence", "overturning",
        "self-aligning", "slippery-surface", "dropping", "rolling-uneven", "flat-track",
    )
}  # fmt: skip

FORMS = {
    "automatic": "axletree.system.forms.automatic:Automatic",
    "projected": "axletree.system.forms.projected:Projected",
    "baumgarte": "axletree.system.forms.baumgarte:Baumgarte",
    "partition": "axletree.system.forms.partition:Partition",
    "embedded": "axletree.system.forms.embedding:Embedded",
    "set-valued": "axletree.system.forms.set_valued:SetValuedForm",
}

INTEGRATORS = {
    "explicit-euler": "axletree.simulation.integrators:EXPLICIT_EULER",
    "semi-implicit-euler": "axletree.simulation.integrators:SEMI_IMPLICIT_EULER",
    "complementarity": "axletree.simulation.complementarity:COMPLEMENTARITY",
    "complementarity-sweeps": "axletree.simulation.complementarity:COMPLEMENTARITY_SWEEPS",
    "rk4": "axletree.simulation.integrators:RK4",
    "ros2": "axletree.simulation.linearly_implicit:ROS2",
    "row3": "axletree.simulation.linearly_implicit:ROW3",
    "row4": "axletree.simulation.linearly_implicit:ROW4",
    "subdivided-rk45": "axletree.simulation.integrators:SUBDIVIDED_RK45",
    "rk45": "axletree.simulation.solvers:RK45",
    "dop853": "axletree.simulation.solvers:DOP853",
    "radau": "axletree.simulation.solvers:RADAU",
    "bdf": "axletree.simulation.solvers:BDF",
    "lsoda": "axletree.simulation.solvers:LSODA",
    "cvode": "axletree.simulation.solvers:CVODE",
    "ida": "axletree.simulation.solvers:IDA",
}

# Kinds of files that runs are written to.
TRAJECTORY_FILES = {
    "csv": "axletree.simulation.formats.csv_text:CSV",
    "npz": "axletree.simulation.formats.numpy_archive:NPZ",
    "mat": "axletree.simulation.formats.matlab_file:MAT",
    "mdf4": "axletree.simulation.formats.mdf4:MDF4",
    "parquet": "axletree.simulation.formats.parquet:PARQUET",
}

EXPORTS = {
    "c": "axletree.export.c_project:write_c_project",
    "fmu": "axletree.export.fmu.write:write_fmu",
    "matlab": "axletree.export.matlab:write_matlab",
    "fortran": "axletree.export.fortran:write_fortran",
    "latex": "axletree.export.latex:write_latex",
    "casadi": "axletree.export.casadi_model:write_casadi",
    "acados": "axletree.export.casadi_model:write_acados",
    "do-mpc": "axletree.export.casadi_model:write_do_mpc",
    "realtime": "axletree.export.realtime.runner:write_runner",
    "ros2": "axletree.export.ros2_node:write_ros2_node",
    "s-function": "axletree.export.s_function:write_s_function",
    "wasm": "axletree.export.wasm:write_wasm",
}

# Models are files: "package:file".
# Vehicles of the package; docs/how-to/vehicles.md says where their numbers are from.
VEHICLES = {
    name: f"axletree.data.models:{name}.yaml"
    for name in (
        "compact-car", "sedan", "automatic-sedan", "electric-car", "sports-car", "double-wishbone-sports-car", "macpherson-compact-car",
        "five-link-sedan", "pushrod-formula-student", "leaf-spring-pickup", "beam-axle-truck", "suv", "van", "truck-4x2", "tractor-semitrailer",
        "car-with-caravan", "car-with-tail-heavy-caravan", "formula-student", "motorcycle",
        "whipple-bicycle", "skidder", "rover", "off-road-truck", "three-wheeler", "car",
    )
}  # fmt: skip

MODELS = VEHICLES | {
    name: f"axletree.data.models:{name}.yaml"
    for name in (
        "pendulum", "double-pendulum", "slider-crank", "four-bar", "six-bar", "andrews-squeezer",
        "bricard", "lagrange-top", "gyroscope", "rlc-circuit", "motor-driven-slider-crank",
        "car-multibody", "quarter-car", "quarter-vehicle-on-soil", "soil-bin", "soil-track",
        "car-on-soil", "skidder-on-soil", "four-post", "bicycle-car", "bicycles-geometry",
        "bicycles-friction", "bicycle-wheelie", "motorcycle-jump", "drifting-car", "dropped-tyre",
        "rolling-tyre", "brake-bench", "hydraulic-skidder", "crane",
    )
}  # fmt: skip

SECTIONS = tuple(
    name for name, entries in tuple(vars().items()) if name.isupper() and isinstance(entries, dict)
)
