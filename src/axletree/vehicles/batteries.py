"""The battery of a vehicle, and how its motors share it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.axle_drives import AxleDrive, WheelDrive
from axletree.components.battery import Battery
from axletree.components.fields import Part, field_of, parameter, part_fields
from axletree.components.signals import Curve
from axletree.model.model import Model
from axletree.vehicles.drive_and_brakes import BATTERY, Drive

MOST_MOTORS = 4
_PLACES = ("drive", "second_drive", "third_drive", "fourth_drive")


@dataclass(frozen=True)
class TractionBattery(Part):
    """The battery of a vehicle; all motors that recuperate take their power from it.

    Each may take and bring in a share of what the battery gives and takes, by their greatest
    powers.

    Example:
    >>> import axletree as at
    >>> pack = at.read_model("electric-car").described["vehicle"].battery
    >>> print(f"{pack.energy / 3.6e6:.1f} kWh")
    56.3 kWh
    """

    summary: ClassVar[str] = "the battery that motors take their power from"

    open_circuit_voltage: Curve = field_of(Battery, "open_circuit_voltage")
    capacity: float = field_of(Battery, "capacity")
    resistance: float = field_of(Battery, "resistance")
    discharge_power: float = field_of(Battery, "discharge_power")
    charge_power: float | None = field_of(Battery, "charge_power")
    initial_charge: float = field_of(Battery, "initial_charge")
    lowest_charge: float = field_of(Battery, "lowest_charge")
    highest_charge: float = field_of(Battery, "highest_charge")
    margin: float = field_of(Battery, "margin")
    lowest_voltage: float | None = field_of(Battery, "lowest_voltage")
    highest_voltage: float | None = field_of(Battery, "highest_voltage")
    lag: float = field_of(Battery, "lag")
    auxiliary: float = parameter("W", "power of all else than drives", default=0.0, lower=0.0)

    def problems(self) -> list[str]:
        made = Battery(BATTERY, **self._fields)  # which says what does not go together
        return made.problems()

    @property
    def _fields(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name, _ in part_fields(self)}

    @property
    def energy(self) -> float:
        """From empty to full, without current [J]."""
        return self.energy_between(0.0, 1.0)

    def energy_between(self, low: float, high: float) -> float:
        """From one state of charge to another, without current [J].

        Example:
        >>> import axletree as at
        >>> pack = at.read_model("electric-car").described["vehicle"].battery
        >>> print(f"{pack.energy_between(0.05, 1.0) / 3.6e6:.1f} kWh")
        53.9 kWh
        """
        return Battery(BATTERY, **self._fields).energy_between(low, high)

    def add(self, model: Model) -> None:
        """After the drives that name it.

        Example:
        >>> import axletree as at
        >>> print(at.read_model("electric-car")["battery"].drive.name)
        rear_drive
        """
        drives = [
            one for one in model
            if isinstance(one, AxleDrive | WheelDrive) and one.battery == BATTERY
        ]  # fmt: skip
        places: dict[str, Any] = dict(zip(_PLACES, drives, strict=False))
        model.add(Battery(BATTERY, **self._fields, **places))


def battery_shares(drives: Mapping[str, Drive | None]) -> dict[str, float]:
    """Of each motor of an axle, by the axle's name, what it has of the battery's power.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.batteries import battery_shares
    >>> car = at.read_model("electric-car").described["vehicle"]
    >>> battery_shares({name: axle.drive for name, axle in car.axles.items()})
    {'rear': 1.0}
    """
    powers = {
        name: drive.source.peak_power
        for name, drive in drives.items()
        if drive is not None and drive.source is not None and drive.source.recuperates
    }
    motors = {name: _motors(drives[name]) for name in powers}
    total = sum(powers[name] * motors[name] for name in powers)
    return {name: power / total for name, power in powers.items()}


def motors_of(drives: Mapping[str, Drive | None]) -> int:
    """How many motors take their power from a battery.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.batteries import motors_of
    >>> car = at.read_model("electric-car").described["vehicle"]
    >>> motors_of({name: axle.drive for name, axle in car.axles.items()})
    1
    """
    return sum(_motors(drives[name]) for name in battery_shares(drives))


def _motors(drive: Drive | None) -> int:
    return 2 if drive is not None and drive.wheel_motors else 1
