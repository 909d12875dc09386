"""Spring seats: how high a vehicle stands and what each wheel carries, set as on corner scales.

Seats push further at the wheels by P at design. A wheel that is to stand at the travel z, with a
load on its springs that is higher by dN, needs

    P + F(z) - F(0) = dN ... (1)

where F are the forces of springs and anti-roll bars at the wheels. With shifts d of load to the
left wheel of each of two axles, of tracks t, the moment g m y of loads beside the middle and the
cross weight w, of the left front and right rear wheels in the whole weight W, give

    d_f t_f + d_r t_r = g m y,   d_f - d_r = (w - 1/2) W ... (2)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.components.fields import Part, flag, parameter
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.suspensions import SIDES
from axletree.vehicles.units import Axle, VehicleUnit, full_name, settle

SideForces = tuple[float, float]  # [N] at the left wheel and at the right one
EVEN_CROSS_WEIGHT = 0.5


@dataclass(frozen=True)
class SpringSeats(Part):
    """How springs are set beside the ``ride_height`` of each axle.

    Without it a vehicle stands at its design heights without its loads, and sinks and leans by
    them.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.statics import shifted_loads
    >>> seats = {"vehicle": {"spring_seats": {"cross_weight": "51 %"}}}
    >>> car = at.read_model("sedan", seats).described["vehicle"]
    >>> print({name: f"{load:.0f} N" for name, load in shifted_loads(car).items()})
    {'front': '-79 N', 'rear': '78 N'}
    """

    summary: ClassVar[str] = "ride height and corner weights by the seats of springs"

    with_loads: bool = flag("whether it is set with its loads in it, level", default=False)
    cross_weight: float = parameter(
        "1", "share of left front and right rear wheel in the whole weight; of two axles",
        default=EVEN_CROSS_WEIGHT, lower=0.3, upper=0.7,
    )  # fmt: skip


def seat_forces_of_axles(
    units: Mapping[str, VehicleUnit], seats: SpringSeats | None
) -> dict[str, SideForces]:
    """What seats add at the wheels of each axle [N], by (1), of a train's units, the vehicle first.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.spring_seats import seat_forces_of_axles
    >>> lower = {"vehicle": {"axles": {"front": {"ride_height": "-10 mm"}}}}
    >>> car = at.read_model("sedan", lower).described["vehicle"]
    >>> left, right = seat_forces_of_axles(car.units, None)["front"]
    >>> print(f"{left:.0f} N")  # 10 mm of the rate at the wheel
    -260 N
    """
    shifts = _load_changes(units, seats)
    return {
        full_name(name, own): _of_axle(axle, shifts[full_name(name, own)])
        for name, unit in units.items()
        for own, axle in unit.axles.items()
    }


def _of_axle(axle: Axle, more: SideForces) -> SideForces:
    """For loads that are higher by so much; tyres sink in by it, and the body stays."""
    if not axle.ride_height and not any(more):
        return 0.0, 0.0
    k = axle.tyre.stiffness
    left, right = (-axle.ride_height - load / k for load in more)
    return axle.suspension.seat_forces(axle.track, (left, right), more)


def _load_changes(
    units: Mapping[str, VehicleUnit], seats: SpringSeats | None
) -> dict[str, SideForces]:
    """What the springs of each wheel are to carry beyond half of the empty body's load [N]."""
    empty, laden = settle(units, loaded=False).axles, settle(units, loaded=True).axles
    if seats is None:
        return dict.fromkeys(empty, (0.0, 0.0))
    mean = {k: 0.5 * (laden[k] - empty[k]) if seats.with_loads else 0.0 for k in empty}
    aside = _shifts(next(iter(units.values())), laden, seats)
    return {k: (mean[k] + aside.get(k, 0.0), mean[k] - aside.get(k, 0.0)) for k in empty}


def _shifts(unit: VehicleUnit, loads: Mapping[str, float], seats: SpringSeats) -> dict[str, float]:
    """To the left wheel of each axle of the vehicle itself, by (2)."""
    moment = 0.0
    if seats.with_loads:
        moment = STANDARD_GRAVITY * sum(one.mass * one.position[1] for one in unit.loads.values())
    weight = sum(loads[k] + axle.unsprung_mass * STANDARD_GRAVITY for k, axle in unit.axles.items())
    if len(unit.axles) != len(SIDES):
        whole = sum(axle.track for axle in unit.axles.values())
        return dict.fromkeys(unit.axles, moment / whole)
    front, rear = sorted(unit.axles, key=lambda name: -unit.axles[name].position)
    tracks = [unit.axles[name].track for name in (front, rear)]
    A = np.array([tracks, [1.0, -1.0]])
    d_f, d_r = np.linalg.solve(A, [moment, (seats.cross_weight - EVEN_CROSS_WEIGHT) * weight])
    return {front: float(d_f), rear: float(d_r)}
