"""Components: what a model is put together from."""

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
    "wheel-guide": "axletree.library.joints.wheel_guide:WheelGuide",
    "rod": "axletree.library.joints.rod:Rod",
    "point-on-line": "axletree.library.joints.point_on_line:PointOnLine",
    "point-on-plane": "axletree.library.joints.point_on_plane:PointOnPlane",
    "rotation-driver": "axletree.library.drivers.rotation_driver:RotationDriver",
    "elastic-rotation-driver": "axletree.library.drivers.elastic_rotation_driver:ElasticRotationDriver",
    "rotation-follower": "axletree.library.drivers.rotation_follower:RotationFollower",
    "translation-driver": "axletree.library.drivers.translation_driver:TranslationDriver",
    "force-driver": "axletree.library.drivers.force_driver:ForceDriver",
    "torque-driver": "axletree.library.drivers.torque_driver:TorqueDriver",
    "load-driver": "axletree.library.drivers.load_driver:LoadDriver",
    "joint-force": "axletree.library.drivers.joint_force:JointForce",
    "joint-torque": "axletree.library.drivers.joint_torque:JointTorque",
    "driver-controls": "axletree.library.drivers.driver_controls:DriverControls",
    "path-driver": "axletree.library.drivers.path_driver:PathDriver",
    "motion-sensor": "axletree.library.sensors.motion_sensor:MotionSensor",
    "friction-brake": "axletree.library.drivers.friction_brake:FrictionBrake",
    "slip-limited-brake": "axletree.library.drivers.slip_limited_brake:SlipLimitedBrake",
    "select-low-brake": "axletree.library.drivers.select_low_brake:SelectLowBrake",
    "engine": "axletree.library.drivers.engine:Engine",
    "axle-drive": "axletree.library.drivers.axle_drive:AxleDrive",
    "speed-keeper": "axletree.library.drivers.speed_keeper:SpeedKeeper",
    "spring-damper": "axletree.library.forces.spring_damper:SpringDamper",
    "rotational-spring-damper": "axletree.library.forces.rotational_spring_damper:RotationalSpringDamper",
    "slide-spring-damper": "axletree.library.forces.slide_spring_damper:SlideSpringDamper",
    "tabulated-spring-damper": "axletree.library.forces.tabulated_spring_damper:TabulatedSpringDamper",
    "tabulated-rotational-spring-damper": "axletree.library.forces.tabulated_rotational_spring_damper:TabulatedRotationalSpringDamper",
    "tabulated-slide-spring-damper": "axletree.library.forces.tabulated_slide_spring_damper:TabulatedSlideSpringDamper",
    "anti-roll-bar": "axletree.library.forces.anti_roll_bar:AntiRollBar",
    "aerodynamics": "axletree.library.forces.aerodynamics:Aerodynamics",
    "linear-axle": "axletree.library.forces.linear_axle:LinearAxle",
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
    "dry-clutch": "axletree.library.transmissions.dry_clutch:DryClutch",
    "tyre": "axletree.library.tyres.tyre:Tyre",
    "rolling-sphere": "axletree.library.contacts.rolling_sphere:RollingSphere",
    "point-contact": "axletree.library.contacts.point_contact:PointContact",
    "soil-wheel": "axletree.library.contacts.soil_wheel:SoilWheel",
}

SUSPENSIONS = {
    "independent": "axletree.vehicles.suspensions.independent:Independent",
    "solid-axle": "axletree.vehicles.suspensions.solid_axle:SolidAxle",
}

HITCHES = {
    "ball": "axletree.vehicles.hitches.ball:BallHitch",
    "fifth-wheel": "axletree.vehicles.hitches.fifth_wheel:FifthWheel",
}

POWER_SOURCES = {
    "constant-torque": "axletree.library.power_sources.constant_torque:ConstantTorque",
    "engine": "axletree.library.power_sources.combustion_engine:CombustionEngine",
    "electric-motor": "axletree.library.power_sources.electric_motor:ElectricMotor",
}

DIFFERENTIALS = {
    "open": "axletree.library.differentials.open_differential:OpenDifferential",
    "locked": "axletree.library.differentials.locked_differential:LockedDifferential",
    "limited-slip": "axletree.library.differentials.limited_slip_differential:LimitedSlipDifferential",
}
