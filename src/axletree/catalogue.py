"""The register: one ``"module:attribute"`` line for each thing that can be asked for by name.

A new entry is one new file and one line here; the object is loaded when it is first used.
"""

# ruff: noqa: E501 - an entry is one line, however long its names

from __future__ import annotations

COMPONENTS = {
    "rigid-body": "axletree.library.bodies:RigidBody",
    "body-of-revolution": "axletree.library.bodies:BodyOfRevolution",
    "massless-body": "axletree.library.bodies:MasslessBody",
    "weld": "axletree.library.joints.weld:Weld",
    "free": "axletree.library.joints.free:Free",
    "revolute": "axletree.library.joints.revolute:Revolute",
    "prismatic": "axletree.library.joints.prismatic:Prismatic",
    "cylindrical": "axletree.library.joints.cylindrical:Cylindrical",
    "universal": "axletree.library.joints.universal:Universal",
    "spherical": "axletree.library.joints.spherical:Spherical",
    "planar": "axletree.library.joints.planar:Planar",
    "rod": "axletree.library.joints.rod:Rod",
    "point-on-line": "axletree.library.joints.point_on_line:PointOnLine",
    "point-on-plane": "axletree.library.joints.point_on_plane:PointOnPlane",
    "rotation-driver": "axletree.library.drivers.rotation_driver:RotationDriver",
    "rotation-follower": "axletree.library.drivers.rotation_follower:RotationFollower",
    "translation-driver": "axletree.library.drivers.translation_driver:TranslationDriver",
    "force-driver": "axletree.library.drivers.force_driver:ForceDriver",
    "torque-driver": "axletree.library.drivers.torque_driver:TorqueDriver",
    "load-driver": "axletree.library.drivers.load_driver:LoadDriver",
    "joint-force": "axletree.library.drivers.joint_force:JointForce",
    "joint-torque": "axletree.library.drivers.joint_torque:JointTorque",
    "friction-brake": "axletree.library.drivers.friction_brake:FrictionBrake",
    "spring-damper": "axletree.library.forces.spring_damper:SpringDamper",
    "rotational-spring-damper": "axletree.library.forces.rotational_spring_damper:RotationalSpringDamper",
    "slide-spring-damper": "axletree.library.forces.slide_spring_damper:SlideSpringDamper",
    "tabulated-spring-damper": "axletree.library.forces.tabulated_spring_damper:TabulatedSpringDamper",
    "tabulated-rotational-spring-damper": "axletree.library.forces.tabulated_rotational_spring_damper:TabulatedRotationalSpringDamper",
    "tabulated-slide-spring-damper": "axletree.library.forces.tabulated_slide_spring_damper:TabulatedSlideSpringDamper",
    "bushing": "axletree.library.forces.bushing:Bushing",
    "electrical-ground": "axletree.library.electrical.electrical_ground:ElectricalGround",
    "resistor": "axletree.library.electrical.resistor:Resistor",
    "inductor": "axletree.library.electrical.inductor:Inductor",
    "capacitor": "axletree.library.electrical.capacitor:Capacitor",
    "voltage-source": "axletree.library.electrical.voltage_source:VoltageSource",
    "current-source": "axletree.library.electrical.current_source:CurrentSource",
    "dc-machine": "axletree.library.electrical.dc_machine:DCMachine",
    "gear-pair": "axletree.library.transmissions.gear_pair:GearPair",
    "rack-and-pinion": "axletree.library.transmissions.rack_and_pinion:RackAndPinion",
    "differential": "axletree.library.transmissions.differential:Differential",
    "tyre": "axletree.library.tyres.tyre:Tyre",
    "rolling-sphere": "axletree.library.contacts.rolling_sphere:RollingSphere",
}

NORMAL_FORCES = {
    "none": "axletree.library.tyres.normal_force:NoDeflection",
    "linear": "axletree.library.tyres.normal_force:LinearNormalForce",
    "tabulated": "axletree.library.tyres.normal_force:TabulatedNormalForce",
    "kelvin": "axletree.library.tyres.vertical.kelvin:KelvinForce",
    "gehmann": "axletree.library.tyres.vertical.gehmann:GehmannForce",
    "elasto": "axletree.library.tyres.vertical.elasto:ElastoForce",
}

CONTACTS = {
    "disc": "axletree.library.tyres.contact_geometry:PlanarDisc",
    "toroid": "axletree.library.tyres.contact_geometry:Toroid",
    "belted": "axletree.library.tyres.belted:Belted",
}

RIMS = {
    "none": "axletree.library.tyres.rim:NoRim",
    "spoked": "axletree.library.tyres.rim:SpokedRim",
}

BELTS = {
    "rigid": "axletree.library.tyres.belts.rigid:RigidBelt",
    "torsion": "axletree.library.tyres.belts.torsion:TorsionBelt",
    "longitudinal-lateral": "axletree.library.tyres.belts.longitudinal_lateral:LongitudinalLateralBelt",
    "quad": "axletree.library.tyres.belts.quad:QuadBelt",
}

CONTACT_DYNAMICS = {
    "none": "axletree.library.tyres.contact_dynamics:NoContactDynamics",
    "second-order": "axletree.library.tyres.contact_dynamics:SecondOrderContact",
}

LEVERS = {
    "rigid": "axletree.library.tyres.lever:RigidLever",
    "none": "axletree.library.tyres.lever:NoLever",
}

SLIPS = {
    "kinematic": "axletree.library.tyres.slip:KinematicSlip",
    "constant-lag": "axletree.library.tyres.slip:ConstantLag",
    "law-lag": "axletree.library.tyres.slip:LawLag",
    "stretched-string": "axletree.library.tyres.slip:StretchedString",
}

ROLLING_RADII = {
    "loaded": "axletree.library.tyres.rolling_radius:LoadedRadius",
    "unloaded": "axletree.library.tyres.rolling_radius:UnloadedRadius",
    "saturating": "axletree.library.tyres.rolling_radius:SaturatingRadius",
}

TYRES = {
    "no-slip": "axletree.library.tyres.no_slip:NoSlip",
    "linear": "axletree.library.tyres.linear:LinearTyre",
    "fiala": "axletree.library.tyres.fiala:Fiala",
    "brush": "axletree.library.tyres.brush:Brush",
    "tmeasy": "axletree.library.tyres.tmeasy:TMeasy",
    "calspan": "axletree.library.tyres.calspan:Calspan",
    "magic-formula-5.2": "axletree.library.tyres.magic_formula52:MagicFormula52",
    "magic-formula-6.1": "axletree.library.tyres.magic_formula61:MagicFormula61",
    "magic-formula-6.2": "axletree.library.tyres.magic_formula62:MagicFormula62",
    "short-magic-formula": "axletree.library.tyres.short_magic_formula:ShortMagicFormula",
    "external": "axletree.library.tyres.external_law:ExternalLaw",
    "composed": "axletree.library.tyres.composed_friction:ComposedFriction",
    "dry-rolling-friction": "axletree.library.tyres.dry_rolling_friction:DryRollingFriction",
    "advanced-friction": "axletree.library.tyres.advanced_friction:AdvancedFriction",
}

# Ready-made tyres are files: "package:file".
READY_TYRES = {
    "slim-ideal": "axletree.ready_tyres:slim-ideal.yaml",
    "slim-slipping": "axletree.ready_tyres:slim-slipping.yaml",
    "slim-advanced": "axletree.ready_tyres:slim-advanced.yaml",
    "slim-dynamic": "axletree.ready_tyres:slim-dynamic.yaml",
    "circular-advanced": "axletree.ready_tyres:circular-advanced.yaml",
    "circular-dynamic": "axletree.ready_tyres:circular-dynamic.yaml",
    "belted-ideal": "axletree.ready_tyres:belted-ideal.yaml",
    "belted-slipping": "axletree.ready_tyres:belted-slipping.yaml",
    "belted-advanced": "axletree.ready_tyres:belted-advanced.yaml",
    "belted-longitudinal-lateral": "axletree.ready_tyres:belted-longitudinal-lateral.yaml",
    "belted-quad": "axletree.ready_tyres:belted-quad.yaml",
}

FRICTION_SLIPS = {
    "no-slip": "axletree.library.friction.slips.no_slip:HeldSlip",
    "dry-longitudinal": "axletree.library.friction.slips.dry_longitudinal:LongitudinalDryFriction",
    "dry": "axletree.library.friction.slips.dry:DryFriction",
    "rill": "axletree.library.friction.slips.rill:RillFriction",
    "combined": "axletree.library.friction.slips.combined:CombinedFriction",
}

ROLLING_RESISTANCES = {
    "none": "axletree.library.friction.rolling_resistances.none:NoRollingResistance",
    "constant": "axletree.library.friction.rolling_resistances.constant:ConstantRollingResistance",
    "speed-dependent": "axletree.library.friction.rolling_resistances.speed_dependent:SpeedDependentRollingResistance",
}

BORE_TORQUES = {
    "none": "axletree.library.friction.bore_torques.none:NoBoreTorque",
    "linear": "axletree.library.friction.bore_torques.linear:LinearBoreTorque",
    "combined": "axletree.library.friction.bore_torques.combined:CombinedBoreTorque",
}

CAMBER_EFFECTS = {
    "none": "axletree.library.friction.cambers.none:NoCamberEffect",
    "simple-speed": "axletree.library.friction.cambers.simple_speed:SimpleCamberSpeed",
    "combined-speed": "axletree.library.friction.cambers.combined_speed:CombinedCamberSpeed",
}

LOAD_INFLUENCES = {
    "linear": "axletree.library.friction.load_influences.linear:LinearLoadInfluence",
    "quadratic": "axletree.library.friction.load_influences.quadratic:QuadraticLoadInfluence",
}

OVERTURNING_TORQUES = {
    "none": "axletree.library.friction.overturning_torques.none:NoOverturningTorque",
    "linear": "axletree.library.friction.overturning_torques.linear:LinearOverturningTorque",
}

ALIGNING_TORQUES = {
    "none": "axletree.library.friction.aligning_torques.none:NoAligningTorque",
    "rill": "axletree.library.friction.aligning_torques.rill:RillAligningTorque",
}

SURFACES = {
    "flat": "axletree.library.surfaces.flat:Flat",
    "bump": "axletree.library.surfaces.bump:Bump",
    "step": "axletree.library.surfaces.step:Step",
    "ramp": "axletree.library.surfaces.ramp:Ramp",
    "sine": "axletree.library.surfaces.sine:Sine",
    "hill": "axletree.library.surfaces.hill:Hill",
    "banked-curve": "axletree.library.surfaces.banked_curve:BankedCurve",
    "bicubic": "axletree.library.surfaces.bicubic:Bicubic",
    "random-road": "axletree.library.surfaces.random_road:RandomRoad",
    "sum": "axletree.library.surfaces.surface_sum:SurfaceSum",
}

FRICTION_MAPS = {
    "none": "axletree.library.friction_maps.none:NoFrictionMap",
    "uniform": "axletree.library.friction_maps.uniform:UniformFriction",
    "split": "axletree.library.friction_maps.split:SplitFriction",
    "cells": "axletree.library.friction_maps.cells:FrictionCells",
}

# Parts of a section that a file is read for: "section.type".
PART_FILES = {
    "TYRES.property-file": "axletree.model.tyre_file_law:property_file_law",
    "SURFACES.height-map": "axletree.model.height_map:height_map_surface",
    "SURFACES.opencrg": "axletree.model.crg_file:crg_surface",
}

MANOEUVRES = {
    "sine-steer": "axletree.model.manoeuvres.sine_steer:SineSteer",
    "step-steer": "axletree.model.manoeuvres.step_steer:StepSteer",
    "braking": "axletree.model.manoeuvres.braking:Braking",
    "coasting": "axletree.model.manoeuvres.coasting:Coasting",
}

BENCHES = {
    "elevation-simple": "axletree.model.benches.elevation_simple:BENCH",
    "elevation-advanced": "axletree.model.benches.elevation_advanced:BENCH",
    "slip-longitudinal": "axletree.model.benches.slip_longitudinal:BENCH",
    "slip-lateral": "axletree.model.benches.slip_lateral:BENCH",
    "rolling-resistance": "axletree.model.benches.rolling_resistance:BENCH",
    "bore-torque": "axletree.model.benches.bore_torque:BENCH",
    "camber-force": "axletree.model.benches.camber_force:BENCH",
    "load-influence": "axletree.model.benches.load_influence:BENCH",
    "overturning": "axletree.model.benches.overturning:BENCH",
    "self-aligning": "axletree.model.benches.self_aligning:BENCH",
    "slippery-surface": "axletree.model.benches.slippery_surface:BENCH",
    "dropping": "axletree.model.benches.dropping:BENCH",
    "rolling-uneven": "axletree.model.benches.rolling_uneven:BENCH",
    "flat-track": "axletree.model.benches.flat_track:BENCH",
}

FORMS = {
    "projected": "axletree.system.forms.projected:Projected",
    "baumgarte": "axletree.system.forms.baumgarte:Baumgarte",
    "partition": "axletree.system.forms.partition:Partition",
}

INTEGRATORS = {
    "explicit-euler": "axletree.simulation.integrators.explicit_euler:METHOD",
    "semi-implicit-euler": "axletree.simulation.integrators.semi_implicit_euler:METHOD",
    "rk4": "axletree.simulation.integrators.rk4:METHOD",
    "rk45": "axletree.simulation.integrators.rk45:METHOD",
    "dop853": "axletree.simulation.integrators.dop853:METHOD",
    "radau": "axletree.simulation.integrators.radau:METHOD",
    "bdf": "axletree.simulation.integrators.bdf:METHOD",
    "lsoda": "axletree.simulation.integrators.lsoda:METHOD",
    "cvode": "axletree.simulation.integrators.cvode:METHOD",
    "ida": "axletree.simulation.integrators.ida:METHOD",
}

EXPORTS = {
    "c": "axletree.export.c_project:write_c_project",
}

# Models are files: "package:file".
MODELS = {
    "pendulum": "axletree.models:pendulum.yaml",
    "double-pendulum": "axletree.models:double-pendulum.yaml",
    "slider-crank": "axletree.models:slider-crank.yaml",
    "four-bar": "axletree.models:four-bar.yaml",
    "six-bar": "axletree.models:six-bar.yaml",
    "andrews-squeezer": "axletree.models:andrews-squeezer.yaml",
    "bricard": "axletree.models:bricard.yaml",
    "lagrange-top": "axletree.models:lagrange-top.yaml",
    "gyroscope": "axletree.models:gyroscope.yaml",
    "rlc-circuit": "axletree.models:rlc-circuit.yaml",
    "motor-driven-slider-crank": "axletree.models:motor-driven-slider-crank.yaml",
    "car": "axletree.models:car.yaml",
    "car-multibody": "axletree.models:car-multibody.yaml",
    "skidder": "axletree.models:skidder.yaml",
    "quarter-car": "axletree.models:quarter-car.yaml",
    "four-post": "axletree.models:four-post.yaml",
    "bicycle-car": "axletree.models:bicycle-car.yaml",
    "three-wheeler": "axletree.models:three-wheeler.yaml",
    "whipple-bicycle": "axletree.models:whipple-bicycle.yaml",
    "bicycles-geometry": "axletree.models:bicycles-geometry.yaml",
    "bicycles-friction": "axletree.models:bicycles-friction.yaml",
    "bicycle-wheelie": "axletree.models:bicycle-wheelie.yaml",
    "motorcycle": "axletree.models:motorcycle.yaml",
    "motorcycle-jump": "axletree.models:motorcycle-jump.yaml",
    "drifting-car": "axletree.models:drifting-car.yaml",
    "dropped-tyre": "axletree.models:dropped-tyre.yaml",
    "rolling-tyre": "axletree.models:rolling-tyre.yaml",
}
