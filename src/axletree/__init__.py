"""Axletree: components on a linear graph become equations, and equations become C.

Names are loaded when they are first used, so that ``import axletree`` stays quick. The
components of the catalogue, the parts that tyres are made of and the solved forms are here
by the names of their classes.

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

_PLACES = {
    "AxletreeError": "axletree.core.errors:AxletreeError",
    "ModelWarning": "axletree.core.errors:ModelWarning",
    "Model": "axletree.flow:Model",
    "read_model": "axletree.flow:read_model",
    "animation": "axletree.report.animation.animation:animation",
    "trim": "axletree.analysis.steady.trim:trim",
    "RollingWheels": "axletree.analysis.steady.rolling:RollingWheels",
    "sweep": "axletree.analysis.studies.sweep:sweep",
    "cornering_curve": "axletree.analysis.handling.cornering_curve:cornering_curve",
    "yaw_moment_diagram": "axletree.analysis.handling.yaw_moment:yaw_moment_diagram",
    "g_g_diagram": "axletree.analysis.handling.g_g_diagram:g_g_diagram",
    "run_sensitivity": "axletree.analysis.studies.run_sensitivity:run_sensitivity",
    "turn_sensitivity": "axletree.analysis.studies.turn_sensitivity:turn_sensitivity",
    "drive_ladder": "axletree.analysis.studies.fidelity_ladder:drive_ladder",
    "vehicle_modes": "axletree.analysis.handling.straight_running:vehicle_modes",
    "vehicle_locus": "axletree.analysis.handling.straight_running:vehicle_locus",
    "steer_responses": "axletree.analysis.handling.steer_response:steer_responses",
    "bicycle_model": "axletree.analysis.handling.bicycle_model:bicycle_model",
    "write_model": "axletree.model.yaml.write:write_model",
    "Quantity": "axletree.expr.quantity:Quantity",
    "Input": "axletree.components.signals:Input",
    "TIME": "axletree.components.signals:TIME",
    "TimeTable": "axletree.components.signals:TimeTable",
    "Curve": "axletree.components.curves:Curve",
    "TyreLaw": "axletree.wheel.contract:TyreLaw",
    "Contact": "axletree.wheel.contract:Contact",
    "Forces": "axletree.wheel.contract:Forces",
    "AxisSystem": "axletree.wheel.axis_systems:AxisSystem",
    "ready_tyre": "axletree.model.yaml.included_files:ready_tyre",
    "read_tyre_law": "axletree.model.files.tyre_law:read_tyre_law",
    "Soil": "axletree.wheel.soils.soil:Soil",
    "listed_soil": "axletree.wheel.soils.soil_list:listed_soil",
    "read_soils": "axletree.model.files.soil_file:read_soils",
}
for _section in (
    catalogue.COMPONENTS,
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
    catalogue.FORMS,
):
    _PLACES |= {place.partition(":")[2]: place for place in _section.values()}

__all__ = ["__version__", *_PLACES]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"axletree has no attribute {name!r}; dir(axletree) lists what it has")
    module, _, attribute = _PLACES[name].partition(":")
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
