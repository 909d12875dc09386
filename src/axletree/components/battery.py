"""A traction battery: open-circuit voltage over its charge, a resistance, limits of power.

With the open-circuit voltage U of the state of charge q, the internal resistance R and the power P
that drives and auxiliaries take, the current and the charge follow from

    P = U i - R i^2,   i = 2 P / (U + sqrt(U^2 - 4 R P)),   dq/dt = -i / Q                       (1)

(Guzzella and Sciarretta 2013, section 4.4.2: the smaller root, which is none at no power). The most
that it has is U^2 / (4 R). It stores E = Q integral U dq, of which -dE/dt = U i becomes P and
R i^2.

It tells drives what they may take of it and bring into it. These limits are states, behind

    min(discharge_power, u_min (U - u_min) / R) min((q - q_min) / margin, 1) - auxiliary,
    (2) min(charge_power, u_max (u_max - U) / R) min((q_max - q) / margin, 1) + auxiliary
    (3)

by the ``lag`` in which a battery's management looks at it and drives hear of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, Protocol, runtime_checkable

from axletree.components.axle_drives import BATTERY_LIMITS
from axletree.components.contract import Component, Instant, NamedOutput, RangeLimit, Response
from axletree.components.edges import Edge, Variable
from axletree.components.fields import fixed_number, parameter, positive, structure
from axletree.components.power_sources import within_one
from axletree.components.signals import (
    Constant,
    Curve,
    Signal,
    curve,
    integral,
    signal,
    table_through,
)
from axletree.core.errors import ModelError
from axletree.expr import Beyond, Expr, Value, as_expr, interpolate, maximum, minimum, sqrt, symbol
from axletree.expr.quantity import Quantity, Role


@runtime_checkable
class Consumer(Protocol):
    """A component that takes electrical power from a battery that it names, or gives it some."""

    name: str
    battery: str | None

    def electrical_power(self, now: Instant) -> Value:
        """[W], from the rates of its joints and its states."""


def _consumer(description: str) -> Any:
    def check(value: Any) -> Component | None:
        if value is None or (isinstance(value, Component) and isinstance(value, Consumer)):
            return value
        raise ModelError(f"expected a drive that takes electrical power, got {value!r}")

    return structure("component", description, check, None)


_CHARGE = Variable("state_of_charge", "1", "charge over capacity", is_store=True)
_LIMITS = (
    Variable(BATTERY_LIMITS[0], "W", "power that drives may take at most"),
    Variable(BATTERY_LIMITS[1], "W", "power that drives may bring in at most"),
)
NEAR_END = 0.1  # of the margin, within which a battery counts as empty or full
EMPTY = 0.005  # state of charge below which auxiliaries are switched off
_NEARLY = 1.0 - 1e-6  # of the greatest power, where its derivative has no bound
_IS_EMPTY = (
    "the battery is empty: it gives drives less than a tenth of its power; begin with a higher "
    "state of charge, or give it a greater capacity"
)
_IS_FULL = (
    "the battery is full: it takes less than a tenth of the power that it takes elsewhere, and "
    "brakes recover less"
)
_TOO_MUCH = (
    "more power is asked of the battery than it has at its resistance, and what is missing is "
    "counted as shortfall; let drives name the battery, so that they keep to its limits"
)


@dataclass(frozen=True, eq=False)
class Battery(Component):
    """A battery that drives name, and what else takes power from it.

    It is added after its drives; each of them names it as its ``battery``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> voltage = at.Curve((0.0, 1.0), (300.0, 400.0), "linear")  # of 1, V
    >>> cells = {"capacity": "100 A*h", "resistance": "0.1 Ohm", "discharge_power": "100 kW"}
    >>> pack = at.Battery("battery", voltage, **cells, initial_charge=0.5, auxiliary="10 kW")
    >>> system = model.extended(pack).formulate()
    >>> run = system.simulate("60 s", step="0.05 s")
    >>> print(f"{run['battery.current'][0]:.3f} A, {run['battery.state_of_charge', '%'][-1]:.3f} %")
    28.809 A, 49.520 %
    """

    summary: ClassVar[str] = "traction battery: voltage over charge, resistance, limits of power"

    open_circuit_voltage: Curve = curve("1", "V", "voltage without current over state of charge")
    capacity: float = positive("A*s", "charge from empty to full, such as 60 A*h")
    resistance: float = positive("Ohm", "internal resistance")
    discharge_power: float = positive("W", "power that it gives at most")
    charge_power: float | None = positive(
        "W", "power that it takes at most; left out: as much as it gives", default=None
    )
    initial_charge: float = fixed_number(
        "1", "state of charge at the beginning", default=0.9, lower=0.0, upper=1.0
    )
    lowest_charge: float = parameter(
        "1", "state of charge at which drives get no more", default=0.05, lower=0.0, upper=1.0
    )
    highest_charge: float = parameter(
        "1", "state of charge at which it takes no more", default=1.0, lower=0.0, upper=1.0
    )
    margin: float = positive(
        "1", "range of charge before these, over which power falls", default=0.03, upper=1.0
    )
    lowest_voltage: float | None = positive("V", "that a load may bring it to", default=None)
    highest_voltage: float | None = positive("V", "that charging may bring it to", default=None)
    lag: float = positive("s", "in which drives hear of limits", default=0.1)
    auxiliary: Signal = signal("W", "power of all else than drives", default=Constant(0.0))
    drive: Component | None = _consumer("drive that takes its power from it")
    second_drive: Component | None = _consumer("another one")
    third_drive: Component | None = _consumer("a third one")
    fourth_drive: Component | None = _consumer("a fourth one")

    @property
    def drives(self) -> tuple[Any, ...]:
        """Those that are given."""
        given = (self.drive, self.second_drive, self.third_drive, self.fourth_drive)
        return tuple(one for one in given if one is not None)

    def problems(self) -> list[str]:
        found = []
        points = self.open_circuit_voltage
        if min(points.y) <= 0.0:
            found.append(f"open_circuit_voltage has {min(points.y):g} V; expected more than 0")
        if points.x[0] > 0.0 or points.x[-1] < 1.0:
            found.append(
                f"open_circuit_voltage goes from a charge of {points.x[0]:g} to {points.x[-1]:g}; "
                "expected points from 0, empty, to 1, full"
            )
        if self.lowest_charge + self.margin > self.highest_charge - self.margin:
            found.append(
                f"lowest_charge {self.lowest_charge:g} and highest_charge {self.highest_charge:g} "
                f"are closer than twice the margin of {self.margin:g}"
            )
        low, high = self.lowest_voltage, self.highest_voltage
        if low is not None and low >= max(points.y):
            found.append(f"lowest_voltage {low:g} V is not below that without current")
        if high is not None and high <= min(points.y):
            found.append(f"highest_voltage {high:g} V is not above that without current")
        return [*found, *self._problems_of_drives()]

    def _problems_of_drives(self) -> list[str]:
        names = [one.name for one in self.drives]
        found = [f"{name} is given twice" for name in dict.fromkeys(names) if names.count(name) > 1]
        return found + [
            f"{one.name} names {one.battery or 'no battery'}; expected battery: {self.name}"
            for one in self.drives
            if one.battery != self.name
        ]

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def measured_joints(self) -> tuple[str, ...]:
        return tuple(name for one in self.drives for name in one.measured_joints())

    def states(self) -> tuple[Variable, ...]:
        charge = replace(_CHARGE, start=self.initial_charge)
        given, taken = self.limits_at(self.initial_charge)
        aside = self.auxiliary.value if isinstance(self.auxiliary, Constant) else 0.0
        starts = max(given - aside, 0.0), taken + aside
        limits = (replace(v, start=x) for v, x in zip(_LIMITS, starts, strict=True))
        return (charge, *limits)

    def followed(self) -> tuple[Quantity, ...]:
        states = (
            Quantity(f"{self.name}.{v.suffix}", v.unit, v.description, Role.STATE)
            for v in self.states()
        )
        return (*states, *self.inputs())

    def limits_at(self, charge: float) -> tuple[float, float]:
        """What drives may take and bring in [W] at a state of charge, auxiliaries aside.

        Example:
        >>> import axletree as at
        >>> voltage = at.Curve((0.0, 1.0), (300.0, 400.0), "linear")  # of 1, V
        >>> pack = at.Battery("pack", voltage, "50 A*h", "0.1 Ohm", "90 kW", charge_power="60 kW")
        >>> [round(power) for power in pack.limits_at(0.065)], pack.limits_at(1.0)[1]  # W
        ([45000, 60000], 0.0)
        """
        p = {q.name.rpartition(".")[2]: q.default for q in self.parameters()}
        p = {"lowest_charge": 0.0, "highest_charge": 0.0, **p}
        given, taken = self._limits(as_expr(charge), self._voltage(as_expr(charge)), p)
        return float(given), float(taken)

    def energy_between(self, low: float, high: float) -> float:
        """From one state of charge to another, without current [J].

        Example:
        >>> import axletree as at
        >>> voltage = at.Curve((0.0, 1.0), (300.0, 400.0), "linear")  # of 1, V
        >>> pack = at.Battery("pack", voltage, "50 A*h", "0.1 Ohm", "90 kW")
        >>> print(f"{pack.energy_between(0.0, 1.0) / 3.6e6:.2f} kWh")  # 50 A h at 350 V
        17.50 kWh
        """
        points = self.open_circuit_voltage
        volts = table_through(points.x, points.y, points.kind, Beyond.VALUE_HELD)
        stored = integral(volts)
        return float(self.capacity * (stored.evaluate(high) - stored.evaluate(low)))

    def _voltage(self, charge: Expr) -> Expr:
        points = self.open_circuit_voltage
        return interpolate(
            table_through(points.x, points.y, points.kind, Beyond.VALUE_HELD), charge
        )

    def _limits(self, charge: Expr, voltage: Expr, p: Any) -> tuple[Value, Value]:
        """(2) and (3) without auxiliaries."""
        gives: Value = p["discharge_power"]
        takes: Value = p["discharge_power" if self.charge_power is None else "charge_power"]
        if self.lowest_voltage is not None:
            low = p["lowest_voltage"]
            gives = minimum(gives, maximum(low * (voltage - low) / p["resistance"], 0.0))
        if self.highest_voltage is not None:
            high = p["highest_voltage"]
            takes = minimum(takes, maximum(high * (high - voltage) / p["resistance"], 0.0))
        gives = gives * within_one((charge - p["lowest_charge"]) / p["margin"])
        return gives, takes * within_one((p["highest_charge"] - charge) / p["margin"])

    def respond(self, now: Instant) -> Response:
        charge, gives, takes = now.states
        p = {q.name.rpartition(".")[2]: q.symbol for q in self.parameters()}
        p = {"lowest_charge": as_expr(0.0), "highest_charge": as_expr(0.0), **p}
        U, R = self._voltage(charge), self.symbol("resistance")
        aside = self.signal("auxiliary") * within_one(charge / EMPTY)
        taken = [one.electrical_power(each) for one, each in self._instants(now)]
        asked = sum(taken, aside)
        most = _NEARLY * (U * U) / (4.0 * R)
        power = minimum(asked, most)
        current = 2.0 * power / (U + sqrt(U * U - 4.0 * R * power))
        discharge, bring_in = self._limits(charge, U, p)
        lag, near = self.symbol("lag"), NEAR_END * self.symbol("margin")
        rates = (
            -current / self.symbol("capacity"),
            (maximum(discharge - aside, 0.0) - gives) / lag,
            (bring_in + aside - takes) / lag,
        )
        points = self.open_circuit_voltage
        volts = table_through(points.x, points.y, points.kind, Beyond.VALUE_HELD)
        stored = self.symbol("capacity") * interpolate(integral(volts), charge)
        told = {
            "power": ("W", "power that it gives, negative where it is charged", power),
            "current": ("A", "current that it gives", current),
            "voltage": ("V", "between its terminals", U - R * current),
            "chemical_power": ("W", "power that leaves its store", U * current),
            "losses": ("W", "power that becomes heat in its resistance", R * current * current),
            "auxiliary_power": ("W", "power of all else than drives", aside),
            "shortfall": ("W", "power that is asked for and not there", asked - power),
            "energy": ("J", "that is stored in it", stored),
        }
        return Response(
            rates=rates,
            potential_energy=stored,
            outputs=tuple(NamedOutput(n, u, t, as_expr(e)) for n, (u, t, e) in told.items()),
            limits=(
                RangeLimit(as_expr(p["lowest_charge"] + near - charge), _IS_EMPTY),
                RangeLimit(as_expr(charge - p["highest_charge"] + near), _IS_FULL),
                RangeLimit(as_expr(asked - most), _TOO_MUCH),
            ),
        )

    def _instants(self, now: Instant) -> list[tuple[Any, Instant]]:
        """Each drive with what holds for it."""
        travels, found = iter(now.travels), []
        for one in self.drives:
            states = tuple(symbol(f"{one.name}.{v.suffix}") for v in one.states())
            own = tuple(islice(travels, len(one.measured_joints())))
            found.append((one, Instant(travels=own, states=states)))
        return found
