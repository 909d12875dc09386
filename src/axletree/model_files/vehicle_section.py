"""The section ``vehicle`` of a model file: the vehicle's components, and the manoeuvres, the
run and the plots that it proposes.

All vehicles have the same names, so that their reports show the same.
"""

from __future__ import annotations

from pathlib import Path

from axletree.core.errors import ModelError
from axletree.core.problems import Problems
from axletree.core.yaml_document import Entry
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model, Plot, Run
from axletree.model_files.declaration import FileSection
from axletree.model_files.drafts import add_within
from axletree.model_files.vehicle_entry import vehicle_of_entry
from axletree.runs.ground_manoeuvres import ground_manoeuvres
from axletree.runs.path_manoeuvres import path_manoeuvres
from axletree.runs.soil_manoeuvres import soil_manoeuvres
from axletree.runs.standard_manoeuvres import keep_steering_manoeuvres, standard_manoeuvres
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.vehicle import Fidelity, Vehicle

_PLACE = ("vehicle",)

# Tyres get stiff where a vehicle comes to rest, and steps are taken in parts there.
PROPOSED = Run(step=1e-3, method="subdivided-rk45", record_interval=1e-2)
# Soil and brakes hold a vehicle at rest by forces that have to be solved for.
PROPOSED_ON_SOIL = Run(step=5e-3, method="complementarity", record_interval=2e-2)


def read_vehicle(model: Model, entry: Entry, folder: Path | None, problems: Problems) -> None:
    """Add the vehicle that an entry describes to a model."""
    try:
        vehicle = vehicle_of_entry(entry, folder)
        assemble_vehicle(vehicle, model)
        model.described["vehicle"] = vehicle
        model.run = PROPOSED_ON_SOIL if vehicle.is_on_soil else PROPOSED
        model.plots = SOIL_PLOTS if vehicle.is_on_soil else STANDARD_PLOTS
        manoeuvres = _manoeuvres(vehicle)
        if vehicle.fidelity is Fidelity.LINEAR:
            keep_steering_manoeuvres(model, manoeuvres)
        else:
            model.manoeuvres.update(manoeuvres)
    except ModelError as error:
        for text in error.problems:
            add_within(entry, _PLACE, text, problems)


def _manoeuvres(vehicle: Vehicle) -> dict[str, Manoeuvre]:
    if vehicle.is_on_soil:
        return soil_manoeuvres(vehicle)
    found = standard_manoeuvres(vehicle) | path_manoeuvres(vehicle)
    return found | ground_manoeuvres(vehicle)


SECTION = FileSection("a vehicle by its body and axles", Vehicle, read_vehicle)

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
