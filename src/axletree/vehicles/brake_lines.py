"""Hydraulics of the brakes: two circuits from the master cylinder to callipers, with ABS valves.

The chambers of a tandem master cylinder have the pressure that pedal and booster give, whatever
flows. Each wheel has an inlet valve from its circuit, a check valve back, and an outlet valve to
the low-pressure accumulator of the circuit, which a return pump empties into the master cylinder.
The torque of a brake follows the pressure of its calliper. With all valves at rest callipers follow
the pedal through their inlets.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from axletree.components.fields import Part, chosen, parameter, part, positive
from axletree.components.hydraulics.fluids import HydraulicFluid
from axletree.components.hydraulics.sources import ElectricPump, PressureSource
from axletree.components.hydraulics.storages import ElasticVolume
from axletree.components.hydraulics.valves import CheckValve, Orifice
from axletree.components.signals import Input, TimeFunction
from axletree.expr import Expr, as_expr, maximum, symbol
from axletree.model.model import Model
from axletree.vehicles.suspensions import SIDES

if TYPE_CHECKING:
    from axletree.vehicles.controls import Controls
    from axletree.vehicles.drive_and_brakes import Brakes


class CircuitLayout(enum.Enum):
    """Which wheels share a circuit."""

    AXLES = "axles"  # those of the first braked axle, and all others
    DIAGONAL = "diagonal"  # a front wheel and the rear wheel of the other side


CIRCUITS = ("primary", "secondary")
_BRAKE_FLUID = HydraulicFluid(
    density=1050.0, viscosity=15e-6, bulk_modulus=1.8e9, air_content=0.001
)


@dataclass(frozen=True)
class BrakeLines(Part):
    """Two circuits with an inlet and an outlet valve for each wheel, and a return pump for each.

    Inputs are ``front_left_inlet.opening`` (1), ``front_left_outlet.opening`` (0) and so on, and
    ``primary_return.command`` and ``secondary_return.command`` (0). The pressures are
    ``front_left_calliper.pressure`` and so on. The defaults are of the size that those of passenger
    cars have.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("compact-car", {"vehicle": {"brake_lines": {"layout": "diagonal"}}})
    >>> [q.name for q in car.formulate().inputs if "rear_left" in q.name]
    ['rear_left_inlet.opening', 'rear_left_outlet.opening']
    """

    summary: ClassVar[str] = "dual-circuit hydraulics of the brakes, with ABS valves"

    layout: CircuitLayout = chosen(CircuitLayout.DIAGONAL, "which wheels share a circuit")
    inlet_area: float = positive("m^2", "area of each open inlet valve", default=0.45e-6)
    outlet_area: float = positive("m^2", "area of each open outlet valve", default=0.45e-6)
    compliance: float = positive(
        "m^3/Pa", "volume that each calliper takes up by pressure", default=2.5e-13
    )
    slack_volume: float = parameter(
        "m^3", "volume that each calliper takes up until its pads touch", default=3e-7, lower=0.0
    )
    slack_pressure: float = positive("Pa", "pressure at which they touch", default=1e5)
    accumulator_compliance: float = positive(
        "m^3/Pa", "volume that the low-pressure accumulator of a circuit takes up by pressure",
        default=1e-11,
    )  # fmt: skip
    pump_flow: float = positive("m^3/s", "of each return pump", default=8e-6)
    fluid: HydraulicFluid = part("FLUIDS", "brake fluid", default=_BRAKE_FLUID)

    def lacking(
        self, brakes: Mapping[str, Brakes | None], controls: Controls, *, linear: bool
    ) -> list[str]:
        """What a vehicle with these brakes by axle has not, or has twice.

        Example:
        >>> from axletree.vehicles.brake_lines import BrakeLines
        >>> from axletree.vehicles.controls import Controls
        >>> BrakeLines().lacking({"front": None}, Controls(), linear=False)
        ['brake_lines: no axle of the vehicle has brakes; leave them out']
        """
        found = [
            f"brake_lines: the brakes of {axle} are given by torque; give torque_per_pressure"
            for axle, one in brakes.items()
            if one is not None and one.torque_per_pressure is None
        ]
        given = [one for one in brakes.values() if one is not None]
        if not given:
            found.append("brake_lines: no axle of the vehicle has brakes; leave them out")
        if len({one.pedal_pressure for one in given}) > 1:
            found.append(
                "brake_lines: one master cylinder has one pressure; give all brakes the same "
                "pedal_pressure"
            )
        if controls.brakes:
            found.append(
                "brake_lines: their valves take the place of modulators, and give no pressure "
                "beyond that of the pedal; leave out controls: brakes, and controllers that need "
                "it, such as esc"
            )
        if linear:
            found.append("brake_lines: a linear model has none; take another fidelity")
        return found

    def add(self, model: Model, brakes: Mapping[str, Brakes | None]) -> None:
        """Add all of it, before the brakes that follow it.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.brake_lines import BrakeLines
        >>> from axletree.vehicles.drive_and_brakes import Brakes
        >>> stand = at.Model("stand")
        >>> pedals = stand.add(at.DriverControls("driver"))
        >>> BrakeLines().add(stand, {"front": Brakes(torque_per_pressure="20 N*m/bar")})
        >>> [one.name for one in stand if one.name.startswith("front_left")]
        ['front_left_inlet', 'front_left_check', 'front_left_outlet', 'front_left_calliper']
        """
        braked = {axle: one for axle, one in brakes.items() if one is not None}
        (pedal, *_) = (one.pedal_pressure for one in braked.values())
        asked = pedal * symbol("driver.brake") + symbol("driver.brake_pressure")
        for circuit in CIRCUITS:
            self._add_circuit(model, circuit, asked)
        for k, axle in enumerate(braked):
            for side in SIDES:
                self._add_wheel(model, f"{axle}_{side}", self._circuit(k, side))

    def _circuit(self, axle: int, side: str) -> str:
        if self.layout is CircuitLayout.AXLES:
            return CIRCUITS[min(axle, 1)]
        is_left = side == next(iter(SIDES))
        return CIRCUITS[is_left == bool(axle % 2)]

    def _add_circuit(self, model: Model, circuit: str, asked: Expr) -> None:
        line, low = f"{circuit}_line", f"{circuit}_low"
        model.add(PressureSource(f"{circuit}_master", line, TimeFunction(asked)))
        model.add(ElasticVolume(f"{circuit}_accumulator", low, self.accumulator_compliance))
        pump = ElectricPump(f"{circuit}_return", low, line, self.pump_flow, Input(0.0))
        model.add(pump)

    def _add_wheel(self, model: Model, wheel: str, circuit: str) -> None:
        line, at, low = f"{circuit}_line", f"{wheel}_line", f"{circuit}_low"
        inlet = (line, at, self.inlet_area, Input(1.0))
        model.add(Orifice(f"{wheel}_inlet", *inlet, fluid=self.fluid))
        # As large as the inlet: oil goes back however the inlet stands.
        back = 0.6 * self.inlet_area * (2e6 / self.fluid.density) ** 0.5
        model.add(CheckValve(f"{wheel}_check", at, line, back, 1e6))
        outlet = (at, low, self.outlet_area, Input(0.0))
        model.add(Orifice(f"{wheel}_outlet", *outlet, fluid=self.fluid))
        slack = self.slack_volume, self.slack_pressure
        model.add(ElasticVolume(f"{wheel}_calliper", at, self.compliance, *slack))

    def pressures(self, axle: str) -> Mapping[str, Expr]:
        """Of the callipers of an axle [Pa], by side.

        Example:
        >>> from axletree.vehicles.brake_lines import BrakeLines
        >>> print(BrakeLines().pressures("front")["left"])
        max(front_left_calliper.pressure, 0)
        """
        return {
            side: as_expr(maximum(symbol(f"{axle}_{side}_calliper.pressure"), 0.0))
            for side in SIDES
        }
