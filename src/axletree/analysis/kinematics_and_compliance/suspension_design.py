"""Hard points of a vehicle's axle: their curves, a fit to others, and what a point changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from axletree.analysis.kinematics_and_compliance.axle_in_vehicle import (
    linked_suspension,
    place_of,
    rig_of,
    vehicle_of,
)
from axletree.analysis.kinematics_and_compliance.hard_point_fit import (
    QUANTITIES,
    HardPointFit,
    fit_hard_points,
)
from axletree.analysis.kinematics_and_compliance.point_sensitivity import (
    PointSensitivity,
    point_sensitivity,
)
from axletree.analysis.kinematics_and_compliance.tables import RigTable, read_rig_table
from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelError
from axletree.core.registry import refuse_unknown
from axletree.core.units import to_si
from axletree.model.model import Model
from axletree.model_files.read import model_of
from axletree.vehicles.linkages.curves.axle_curves import WheelCurves

_TRAVEL = "travel"
_REACH = "10 mm"


def suspension_curves(model: Model | str | Path, axle: str = "front") -> WheelCurves:
    """What hard points of an axle do to its wheels over their common travel.

    Example:
    >>> import axletree as at
    >>> at.suspension_curves("double-wishbone-sports-car", "front")
    Wheel curves: 33 positions from -81.85 mm to 62.61 mm
    """
    check_arguments(suspension_curves, locals())
    linked = linked_suspension(vehicle_of(model_of(model)), axle)
    return linked.sweep.curves(linked.carried)


def fit_suspension(
    model: Model | str | Path,
    axle: str,
    target: RigTable | Mapping[str, Any] | str | Path,
    *,
    free: Sequence[str] = (),
    reach: float | str = _REACH,
) -> HardPointFit:
    """Move hard points of an axle so that curves over wheel travel come near to targets.

    ``target`` is the file of a table over wheel travel, or columns by name in SI units: travel [m]
    and any of toe and camber [rad], outward, forward and contact_outward [m]. ``free`` names
    points, or coordinates as ``tie_rod_outer.z``; if none is given, all but the wheel centre are.
    Each coordinate moves by at most ``reach`` [m].

    Example:
    >>> import axletree as at
    >>> target = {"travel": [-0.05, 0.0, 0.05], "toe": [0.001, 0.001, 0.001]}  # m, rad
    >>> free = ["tie_rod_inner.z", "tie_rod_outer.z"]
    >>> at.fit_suspension("double-wishbone-sports-car", "front", target, free=free).names
    ['toe']
    """
    check_arguments(fit_suspension, locals())
    vehicle = vehicle_of(model_of(model))
    linked = linked_suspension(vehicle, axle)
    far = to_si(reach, "m")
    if not far > 0.0:
        raise ModelError(f"reach is {reach!r}; a coordinate moves by more than 0")
    radius = vehicle.every_axle[axle].wheel.radius
    return fit_hard_points(linked, _table(target), radius, free=free, reach=far)


def suspension_sensitivity(
    model: Model | str | Path,
    axle: str = "front",
    *,
    free: Sequence[str] = (),
    bushings: bool | None = None,
) -> PointSensitivity:
    """Derivatives of every metric of the rig by coordinates of hard points; ``free`` as for a fit,
    ``bushings`` as for ``kinematics_and_compliance``.

    Example:
    >>> import axletree as at
    >>> at.suspension_sensitivity("double-wishbone-sports-car", "front", free=["tie_rod_outer.z"])
    Derivatives of 53 metrics of an axle by tie_rod_outer.z
    """
    check_arguments(suspension_sensitivity, locals())
    vehicle = vehicle_of(model_of(model))
    rig = rig_of(vehicle, axle, bushings)
    return point_sensitivity(linked_suspension(vehicle, axle), rig, place_of(vehicle, axle), free)


def _table(target: RigTable | Mapping[str, Any] | str | Path) -> RigTable:
    """Of a file, or of columns."""
    if isinstance(target, RigTable):
        return target
    if not isinstance(target, Mapping):
        return read_rig_table(target)
    refuse_unknown("column", target, (_TRAVEL, *QUANTITIES), "a target")
    columns = {name: np.array(values, dtype=float, ndmin=1) for name, values in target.items()}
    travel = columns.pop(_TRAVEL, np.zeros(0))
    if len(travel) < 2 or not (np.diff(travel) > 0.0).all():
        raise ModelError("the travel of a target has two values or more [m], which rise")
    for name, values in columns.items():
        if values.shape != travel.shape or not np.isfinite(values).all():
            raise ModelError(
                f"{name} of a target has {values.size} values for {travel.size} of travel; "
                "expected a finite one for each"
            )
    return RigTable(travel, columns)
