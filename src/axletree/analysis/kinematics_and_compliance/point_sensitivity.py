"""How every metric of an axle changes with every coordinate of its hard points.

By central differences of the whole measurement, with steps of 0.1 mm: the loads at design, the
height of the wheels and the vehicle stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from axletree.analysis.kinematics_and_compliance.hard_point_fit import (
    Coordinate,
    coordinates_of,
    moved_points,
)
from axletree.analysis.kinematics_and_compliance.load_cases import RigRanges
from axletree.analysis.kinematics_and_compliance.measured_axle import AxleInVehicle, measure_axle
from axletree.analysis.kinematics_and_compliance.metrics import RIG_METRICS, measured_metrics
from axletree.analysis.kinematics_and_compliance.rig import AxleRig
from axletree.core.arrays import FloatArray
from axletree.core.registry import few_names
from axletree.core.text_table import TextTable
from axletree.vehicles.linkages.contract import LinkedSuspension

_STEP = 1e-4  # [m]
_WITHIN = 0.95  # share of a range that the axle itself just reaches
_NEGLIGIBLE = 1e-6  # in units of metrics per metre


@dataclass(frozen=True, eq=False)
class PointSensitivity:
    """Of the left wheel's metrics, in the unit of each per metre.

    Example:
    >>> import axletree as at
    >>> free = ["tie_rod_outer.z"]
    >>> found = at.suspension_sensitivity("double-wishbone-sports-car", "front", free=free)
    >>> print(f"{1e-3 * found.slopes[found.names.index('bump_steer'), 0]:.2f} deg/m for each mm")
    1.06 deg/m for each mm
    """

    coordinates: tuple[Coordinate, ...]
    names: tuple[str, ...]  # of metrics
    slopes: FloatArray  # (metrics, coordinates)

    def __repr__(self) -> str:
        by = few_names([one.name for one in self.coordinates], 6)
        return f"Derivatives of {len(self.names)} metrics of an axle by {by}"

    def _repr_html_(self) -> str:
        return self.table().html()

    @property
    def units(self) -> dict[str, str]:
        """Of metrics, by name."""
        return {metric.name: metric.unit for metric in RIG_METRICS if metric.name in self.names}

    def table(self) -> TextTable:
        """A row for each metric, in its unit per millimetre.

        Example:
        >>> import axletree as at
        >>> free = ["tie_rod_outer.z"]
        >>> found = at.suspension_sensitivity("double-wishbone-sports-car", "front", free=free)
        >>> found.table().rows[8]
        ('bump steer', 'deg/m', '1.058')
        """
        units = self.units
        rows = tuple(
            (name.replace("_", " "), units[name], *(f"{1e-3 * x:.4g}" for x in row))
            for name, row in zip(self.names, self.slopes.tolist(), strict=True)
        )
        heads = ("metric:", "unit, per mm:", *(c.name for c in self.coordinates))
        return TextTable("Sensitivities to hard points", heads, rows)

    def greatest(self, most: int = 3) -> TextTable:
        """For each metric the coordinates that move it most.

        Example:
        >>> import axletree as at
        >>> free = ["tie_rod_outer.z"]
        >>> found = at.suspension_sensitivity("double-wishbone-sports-car", "front", free=free)
        >>> found.greatest().rows[8]
        ('bump steer', 'deg/m/mm', 'tie_rod_outer.z +1.06')
        """
        units, rows = self.units, []
        for name, row in zip(self.names, self.slopes, strict=True):
            order = np.argsort(-np.abs(row), kind="stable")[:most]
            moving = [k for k in order if abs(row[k]) > _NEGLIGIBLE]
            listed = [f"{self.coordinates[k].name} {1e-3 * row[k]:+.3g}" for k in moving]
            rows.append((name.replace("_", " "), f"{units[name]}/mm", ", ".join(listed) or "none"))
        return TextTable(
            "What moves each metric most", ("metric:", "unit:", "coordinates:"), tuple(rows)
        )


def point_sensitivity(
    suspension: LinkedSuspension, rig: AxleRig, place: AxleInVehicle, free: Sequence[str] = ()
) -> PointSensitivity:
    """Of an axle that stands on a rig; ``free`` as for a fit."""
    coordinates = coordinates_of(suspension, free)
    # Ranges that all moved points reach: metrics at their ends are of one range.
    taken = measure_axle(rig, place, RigRanges(positions=5)).ranges
    usual = RigRanges(positions=5)
    ranges = replace(taken, **{
        name: _WITHIN * value
        for name, value in vars(taken).items() if value < getattr(usual, name)
    })  # fmt: skip

    def metrics(moves: FloatArray) -> dict[str, float]:
        linkage = moved_points(suspension, coordinates, moves.tolist()).in_axle
        moved = AxleRig(linkage, rig.tyre_radius, rig.load, elastic=rig.elastic, name=rig.name)
        return {m.name: m.left for m in measured_metrics(measure_axle(moved, place, ranges))}

    columns = []
    for step in _STEP * np.eye(len(coordinates)):
        ahead, behind = metrics(step), metrics(-step)
        columns.append({k: (ahead[k] - behind[k]) / (2.0 * _STEP) for k in ahead if k in behind})
    names = [m.name for m in RIG_METRICS if all(m.name in column for column in columns)]
    slopes = np.array([[column[name] for column in columns] for name in names])
    return PointSensitivity(tuple(coordinates), tuple(names), slopes)
