"""What the report of a vehicle shows, for all vehicles have the same names."""

from __future__ import annotations

from axletree.model.plot import Plot

STANDARD_PLOTS = (
    Plot("Path in the plane", ("vehicle.y",), x="vehicle.x"),
    Plot("Steering wheel", ("driver.steering",), unit="deg"),
    Plot("Pedals", ("driver.throttle", "driver.brake"), unit="%"),
    Plot("Forward speed", ("vehicle.forward_speed",), unit="km/h"),
    Plot("Yaw rate", ("vehicle.yaw_rate",), unit="deg/s"),
    Plot("Sideslip angle", ("vehicle.sideslip",), unit="deg"),
    Plot("Roll and pitch", ("vehicle.roll", "vehicle.pitch"), unit="deg"),
    Plot("Normal force, Fz", ("*_tyre.Fz",)),
    Plot("Lateral force, Fy", ("*_tyre.Fy",)),
    Plot("Longitudinal force, Fx", ("*_tyre.Fx",)),
)
