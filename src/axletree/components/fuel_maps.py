"""What an engine burns: by a line of Willans, or by a map of its specific consumption."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from axletree.components.fields import Part, Rows, grid, positive, structure
from axletree.components.signals import Interpolation, numbers_in, table_through
from axletree.core.errors import ModelError
from axletree.expr import Beyond, Expr, Value, as_expr, interpolate, maximum, minimum

_PER_KWH = 1e-3 / 3.6e6  # kg/J of g/kWh


@dataclass(frozen=True, kw_only=True)
class FuelMap(Part, ABC):
    """Fuel over torque and speed. Heating value and density are those of petrol unless given.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.components.fuel_maps import FuelMap
    >>> @dataclass(frozen=True)
    ... class Even(FuelMap):
    ...     def rate(self, burned, torque, speed, p):
    ...         return burned * speed / (0.3 * p["heating_value"])
    >>> fuel = Even(heating_value=4e7)  # J/kg
    >>> print(f"{fuel.rate(100.0, 90.0, 300.0, fuel.numbers):.4f} kg/s")  # 100 kW of heat
    0.0025 kg/s
    """

    heating_value: float = positive("J/kg", "lower heating value of the fuel", default=42.7e6)
    density: float = positive("kg/m^3", "of the fuel", default=745.0)

    @abstractmethod
    def rate(self, burned: Value, torque: Value, speed: Value, p: Any) -> Value:
        """[kg/s], by the torque that burning makes, that which is left of it at the crankshaft
        [N m], and the speed [rad/s]; ``p`` has the parameters by name.

        Example:
        >>> from axletree.components.fuel_maps import WillansLine
        >>> line = WillansLine(efficiency=0.4, heating_value=4e7)  # 1, J/kg
        >>> print(f"{line.rate(100.0, 80.0, 400.0, line.numbers):.4f} kg/s")  # 40 kW / 0.4 / 4e7
        0.0025 kg/s
        """


@dataclass(frozen=True, kw_only=True)
class WillansLine(FuelMap):
    """The heat of the fuel times ``efficiency`` is the work that burning does, drag included.

    With the drag D over speed, T = e p_fuel - D: a straight line of torque over fuel (Guzzella and
    Sciarretta 2013, section 3.1.3). An engine with its ``drag`` curve has both numbers.

    Example:
    >>> from axletree.components.fuel_maps import WillansLine
    >>> WillansLine(efficiency=0.42).density  # kg/m^3, of petrol
    745.0
    """

    summary: ClassVar[str] = "fuel in proportion to the work that burning does"

    efficiency: float = positive(
        "1", "work of burning over heat of the fuel", default=0.4, upper=1.0
    )

    def rate(self, burned: Value, torque: Value, speed: Value, p: Any) -> Value:
        return burned * speed / (p["efficiency"] * p["heating_value"])


def _rising(unit: str, what: str) -> Any:
    def check(value: Any) -> tuple[float, ...]:
        found = numbers_in(value, unit, what)
        rises = all(a < b for a, b in zip(found, found[1:], strict=False))
        if len(found) < 2 or found[0] <= 0.0 or not rises:
            raise ModelError(f"{list(found)}: expected two {what} or more, above 0, that rise")
        return found

    return check


@dataclass(frozen=True, kw_only=True)
class ConsumptionMap(FuelMap):
    """Specific consumption measured at speeds and torques, as maps of engines have it.

    The rate of fuel is linear in the torque between the points of the map and below the first, down
    to no fuel; over the speed it is a smooth curve. Beyond the last point of either its value is
    held.

    Example:
    >>> from axletree.components.fuel_maps import ConsumptionMap
    >>> points = {"speeds": [100.0, 500.0], "torques": [50.0, 150.0]}  # rad/s, N m
    >>> fuel = ConsumptionMap(consumption=[[320.0, 250.0], [340.0, 240.0]], **points)
    >>> rate = fuel.rate(160.0, 150.0, 500.0, fuel.numbers)
    >>> print(f"{rate * 3600:.1f} kg/h")  # 75 kW of 240 g/kWh
    18.0 kg/h
    """

    summary: ClassVar[str] = "by a map of specific consumption over speed and torque"

    speeds: tuple[float, ...] = structure(
        "ratios", "speeds of the map, rising", _rising("rad/s", "speeds"), unit="rad/s"
    )
    torques: tuple[float, ...] = structure(
        "ratios", "torques of the map, rising", _rising("N*m", "torques"), unit="N*m"
    )
    consumption: Rows = grid(
        "1", "specific consumption in g/kWh: a row for each speed, a column for each torque"
    )

    def problems(self) -> list[str]:
        shape = len(self.consumption), len(self.consumption[0])
        if shape != (len(self.speeds), len(self.torques)):
            return [
                f"consumption has {shape[0]} rows of {shape[1]}; expected a row for each of "
                f"{len(self.speeds)} speeds and a column for each of {len(self.torques)} torques"
            ]
        if np.min(self.consumption) <= 0.0:
            return [f"consumption has {np.min(self.consumption):g}; expected numbers above 0"]
        return []

    def rate(self, burned: Value, torque: Value, speed: Value, p: Any) -> Value:
        """The line below the second column, and what further columns add to it."""
        power = np.outer(self.speeds, self.torques)
        columns = (_PER_KWH * power * np.array(self.consumption)).T
        low, high = self.torques[:2]
        first = minimum(torque, high)
        total: Value = self._at(columns[0], speed)
        total = total + (first - low) / (high - low) * self._at(columns[1] - columns[0], speed)
        pairs = zip(self.torques[1:], self.torques[2:], strict=False)
        for (a, b), before, after in zip(pairs, columns[1:], columns[2:], strict=False):
            taken = maximum(minimum((torque - a) / (b - a), 1.0), 0.0)
            total = total + taken * self._at(after - before, speed)
        found = maximum(total, 0.0)
        return found if isinstance(torque, Expr) else float(found)

    def _at(self, values: np.ndarray, speed: Value) -> Expr:
        table = table_through(self.speeds, values.tolist(), Interpolation.SMOOTH, Beyond.VALUE_HELD)
        return interpolate(table, as_expr(speed))
