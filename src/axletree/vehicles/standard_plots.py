"""What the report of a vehicle shows, for all vehicles have the same names."""

from __future__ import annotations

from axletree.model.plot import Plot

_MOTION = (
    Plot("Path in the plane", ("vehicle.y",), x="vehicle.x"),
    Plot("Steering wheel", ("driver.steering",), unit="deg"),
    Plot("Pedals", ("driver.throttle", "driver.brake"), unit="%"),
    Plot("Forward speed", ("vehicle.forward_speed",), unit="km/h"),
    Plot("Lateral acceleration", ("vehicle.lateral_acceleration",)),
    Plot("Longitudinal acceleration", ("vehicle.longitudinal_acceleration",)),
    Plot("Yaw rate", ("vehicle.yaw_rate",), unit="deg/s"),
    Plot("Sideslip angle", ("vehicle.sideslip",), unit="deg"),
    Plot("Roll and pitch", ("vehicle.roll", "vehicle.pitch"), unit="deg"),
)
STANDARD_PLOTS = (
    *_MOTION,
    Plot("Normal force, Fz", ("*_tyre.Fz",)),
    Plot("Lateral force, Fy", ("*_tyre.Fy",)),
    Plot("Longitudinal force, Fx", ("*_tyre.Fx",)),
)
SOIL_PLOTS = (
    *_MOTION,
    Plot("Slip", ("*_soil.slip",), unit="%"),
    Plot("Sinkage", ("*_soil.sinkage",), unit="mm"),
    Plot("Normal force", ("*_soil.normal_force",)),
    Plot("Drawbar pull", ("*_soil.drawbar_pull",)),
    Plot("Side force", ("*_soil.side_force",)),
    Plot("Brake torque", ("*_brake.friction",)),
)
