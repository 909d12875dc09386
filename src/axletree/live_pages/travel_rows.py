"""What the links of a vehicle do to its wheels over travel, as rows that a page solves for.

The body stands still where it is at design and the steering wheel straight ahead; all wheels go up
and down alike. Of a vehicle by hard points and ideal joints the heights of its wheels leave nothing
open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from axletree.components.frames import Frame
from axletree.expr import Expr, asin, atan2, evaluate, substitute, symbols_of
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.model.model import Model
from axletree.plot.mechanism import pose_names
from axletree.simulation.problem import state_problem
from axletree.system.formulation import formulate
from axletree.system.system import Definition, System
from axletree.vehicles.vehicle import Fidelity, Vehicle
from axletree.wheel.wheel import wheels_of

_TRAVEL: Final = Quantity("travel", "m", "of all wheels, bump positive", Role.INPUT)
_LEFT: Final = "_left_"
_BODY: Final = "chassis."  # coordinates that stay, and so does that of a rack
_RACK: Final = "_rack_way.position"


@dataclass(frozen=True)
class LinkTravel:
    """Rows of the links of a vehicle, and their unknowns as the links are assembled.

    They stand alone where what is driven goes by other equations, such as by curves of these links.
    """

    rows: System
    begin: tuple[float, ...]
    alone: bool

    @property
    def parameters(self) -> Quantities:
        """Those that travel depends on, such as hard points."""
        used = set(symbols_of([*self.rows.derivatives, *(d.expression for d in self.rows.outputs)]))
        return Quantities(q for q in self.rows.parameters if q.symbol in used)


def link_travel(model: Model, system: System) -> LinkTravel | None:
    """Of a vehicle by hard points, also where its model has curves or bushings in their place; None
    of others.

    Example:
    >>> import axletree as at
    >>> from axletree.live_pages.travel_rows import link_travel
    >>> by_curves = {"vehicle": {"fidelity": "two-track"}}
    >>> car = at.read_model("pushrod-formula-student", by_curves)
    >>> found = link_travel(car, car.formulate())
    >>> found.alone, found.parameters[0].name
    (True, 'front_left_tie_rod.length')
    """
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle) or not vehicle.has_linkages:
        return None
    linked, alone = system, False
    rows = travel_rows(model, system)
    if rows is None:
        links = model.with_changes({"vehicle": {"fidelity": Fidelity.LINKS.value}})
        linked, alone = formulate(links), True
        rows = travel_rows(links, linked)
    if rows is None:
        return None
    values = dict(zip((q.name for q in linked.states), state_problem(linked).states, strict=True))
    return LinkTravel(rows, tuple(float(values[q.name]) for q in rows.states), alone)


def travel_rows(model: Model, system: System) -> System | None:
    """With camber and toe of the left wheel of each axle as outputs; None of a vehicle without
    links, or with more that moves than its wheels.

    Example:
    >>> import axletree as at
    >>> from axletree.live_pages.travel_rows import travel_rows
    >>> car = at.read_model("pushrod-formula-student")
    >>> rows = travel_rows(car, car.formulate())
    >>> [d.quantity.name for d in rows.outputs]
    ['front.camber', 'front.toe', 'rear.camber', 'rear.toe']
    """
    if not isinstance(model.described.get("vehicle"), Vehicle) or not system.constraints:
        return None
    known = {d.quantity.name: d.expression for d in system.outputs}
    parameters = {q.name: q.symbol for q in system.parameters}
    rows = [one.position for one in system.constraints]
    outputs: list[Definition] = []
    for wheel in wheels_of(model):
        hub = wheel.carrier
        if not all(name in known for name in pose_names(hub.body)):
            return None
        pose = [known[name] for name in pose_names(hub.body)]
        height = _height(hub, pose, parameters)
        rows.append(height - _at_design(system, height) - _TRAVEL.symbol)
        if _LEFT in wheel.name:
            outputs += _angles(wheel.name.partition(_LEFT)[0], hub, pose, wheel.axis)
    seen = set(symbols_of(rows))
    linked = [
        q for q in system.states
        if q.role is Role.COORDINATE and q.symbol in seen and not _is_kept(q.name)
    ]  # fmt: skip
    own = {q.symbol for q in linked}
    rest: dict[Expr, Expr | float] = {
        q.symbol: q.default for q in system.states if q.symbol not in own
    }
    rest |= {q.symbol: 0.0 for q in system.inputs}
    if len(rows) != len(linked) or not outputs:
        return None
    names = [one.quantity for one in outputs]
    changed = substitute([*rows, *(one.expression for one in outputs)], rest)
    return System(
        name=system.name, time=system.time, states=Quantities(linked),
        inputs=Quantities((_TRAVEL,)), parameters=system.parameters,
        derivatives=tuple(changed[: len(rows)]), intermediates=(), projection=None,
        outputs=tuple(map(Definition, names, changed[len(rows) :])),
    )  # fmt: skip


def _is_kept(name: str) -> bool:
    return name.startswith(_BODY) or name.endswith(_RACK)


def _height(hub: Frame, pose: list[Expr], parameters: Mapping[str, Expr]) -> Expr:
    """Of the wheel's centre [m]."""
    place = zip("xyz", hub.position, strict=True)
    offset = [parameters.get(f"{hub.name}.{axis}", own) for axis, own in place]
    return sum((r * x for r, x in zip(pose[9:12], offset, strict=True)), pose[2])


def _at_design(system: System, height: Expr) -> float:
    """Where the model begins [m]."""
    problem = state_problem(system)
    values = {q.symbol: q.default for q in (*system.parameters, *system.inputs)}
    values |= {system.time.symbol: 0.0}
    values |= dict(zip((q.symbol for q in system.states), problem.states.tolist(), strict=True))
    (found,) = evaluate([height], values)
    return float(found)


def _angles(
    axle: str, hub: Frame, pose: list[Expr], axis: tuple[float, ...]
) -> Iterator[Definition]:
    """Of the left wheel of an axle, whose axis points outward: camber with the top outward, toe
    with the front inward (ISO 8855:2011)."""
    on_hub = [sum(t * a for t, a in zip(row, axis, strict=True)) for row in hub.turn]
    x, y, z = (
        sum((pose[3 + 3 * i + k] * on_hub[k] for k in range(3)), pose[0] * 0.0) for i in range(3)
    )
    yield Definition(Quantity(f"{axle}.camber", "rad", "top outward", Role.OUTPUT), -asin(z))
    yield Definition(Quantity(f"{axle}.toe", "rad", "front inward", Role.OUTPUT), atan2(x, y))
