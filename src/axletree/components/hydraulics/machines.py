"""Pump and motor: a displacement on a turning joint, the transducer between oil and shaft.

With the displacement D, the share a of it, and the rate w of the joint, the flow from inlet to
outlet and the torque on the joint's head are (Merritt 1967, section 4-3)

    Q = a D w + G (p_in - p_out),        T = a D (p_in - p_out) - b w,

with the leakage G and the drag b. What the ideal machine takes up as hydraulic power, it gives as
mechanical.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.contract import (
    Component,
    Instant,
    JointLoad,
    NamedOutput,
    NetworkTerms,
    Response,
)
from axletree.components.edges import Edge
from axletree.components.fields import parameter, positive
from axletree.components.hydraulics.ports import (
    MAIN,
    port,
    pressure_drop,
    resistance_edge,
    source_edge,
    through_flow,
)
from axletree.components.joints import OnJoints, turning_joint
from axletree.components.signals import Constant, Signal, signal
from axletree.expr import ZERO, Expr


@dataclass(frozen=True, eq=False)
class HydraulicPump(OnJoints):
    """A pump on a shaft, by its displacement; turned the other way it pumps back.

    Where its inlet has more pressure than its outlet it drives the shaft: pump and motor are one
    machine.

    Example:
    >>> import axletree as at
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> rotor = model.add(at.RigidBody("rotor", mass=1.0, inertia=(1e-3, 1e-3, 1e-3)))
    >>> shaft = model.add(at.Revolute("shaft", model.ground, rotor))
    >>> pump = at.HydraulicPump("pump", shaft, "ground", "a", displacement="5 cm^3/rad")
    >>> _ = model.add(pump), model.add(at.LaminarRestriction("load", "a", "ground", 1e10))
    >>> outputs = model.formulate().outputs_at({"shaft.angle": 0.0, "shaft.rate": 200.0})  # rad/s
    >>> print(f"{60e3 * outputs['pump.flow']:.0f} l/min, {outputs['pump.torque']:.0f} N m")
    60 l/min, -50 N m
    """

    summary: ClassVar[str] = "hydraulic pump on a turning joint"

    joint: Component = turning_joint("joint between housing (tail) and shaft (head)")
    inlet: str = port("port that oil enters where the joint's rate is positive")
    outlet: str = port("port that it leaves by")
    displacement: float = positive("m^3/rad", "volume displaced by angle")
    fraction: Signal = signal(
        "1", "share of the displacement that is set, negative for the other way",
        default=Constant(1.0),
    )  # fmt: skip
    leakage: float = parameter(
        "m^3/(s*Pa)", "flow from inlet to outlet by pressure drop", lower=0.0, default=0.0
    )
    drag: float = parameter("N*m*s/rad", "torque against the rate", lower=0.0, default=0.0)

    def problems(self) -> list[str]:
        if self.inlet == self.outlet:
            return [f"inlet and outlet are the same port, {self.inlet}"]
        return []

    def edges(self) -> tuple[Edge, ...]:
        ends = self.inlet, self.outlet
        main = source_edge(self.name, MAIN, *ends, "Q = D w")
        if not self.leakage:
            return (*super().edges(), main)
        gap = resistance_edge(self.name, "H2", *ends, 1.0 / self.symbol("leakage"))
        return (*super().edges(), main, gap)

    def _set(self) -> Expr:
        return self.symbol("displacement") * self.signal("fraction")

    def network_terms(self, now: Instant) -> NetworkTerms:
        return NetworkTerms(throughs={MAIN: self._set() * now.travels[0].rate})

    def respond(self, now: Instant) -> Response:
        drop, rate = now.across[MAIN], now.travels[0].rate
        torque = self._set() * drop - self.symbol("drag") * rate
        flow = now.through[MAIN] + now.through.get("H2", ZERO)
        outputs = (
            NamedOutput("torque", "N*m", "torque on the shaft", torque),
            NamedOutput("power", "W", "mechanical power delivered", torque * rate),
            through_flow(flow),
            pressure_drop(drop),
        )
        load = JointLoad(self.measured_joints()[0], torque)
        return Response(joint_loads=(load,), outputs=(*self.signal_outputs(), *outputs))


@dataclass(frozen=True, eq=False)
class HydraulicMotor(HydraulicPump):
    """A motor on a shaft, by its displacement: the equations of the pump.

    A flow from inlet to outlet turns the joint up.

    Example:
    >>> import axletree as at
    >>> model = at.Model(gravity=(0, 0, 0))
    >>> drum = model.add(at.RigidBody("drum", mass=9.0, inertia=(0.5, 0.5, 0.5)))
    >>> shaft = model.add(at.Revolute("shaft", model.ground, drum))
    >>> supply = model.add(at.PressureSource("supply", "a", pressure="100 bar"))
    >>> motor = at.HydraulicMotor("motor", shaft, "a", "ground", displacement="20 cm^3/rad")
    >>> rates = model.extended(motor).formulate().rhs({"shaft.angle": 0.0, "shaft.rate": 0.0})
    >>> print(f"{rates['shaft.rate']:.0f} rad/s^2")  # 1e7 * 20e-6 / 0.5
    400 rad/s^2
    """

    summary: ClassVar[str] = "hydraulic motor on a turning joint"
