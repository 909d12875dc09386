"""The DC machine: a transducer between an electrical and a rotational edge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr
from axletree.library.contract import Component, Computed, Instant, JointLoad, Response
from axletree.library.edge import ELECTRICAL, Edge, NetworkLaw, NetworkRole
from axletree.library.electrical.inductor import CURRENT
from axletree.library.electrical.terminal import terminal
from axletree.library.fields import parameter
from axletree.library.joint_reference import turn_of, turning_joint

RESISTANCE, INDUCTANCE, TRANSDUCER = "E1", "E2", "E3"  # labels of the edges


@dataclass(frozen=True, eq=False)
class DCMachine(Component):
    """A motor or generator with permanent magnets, between the frames of a turning joint.

    Resistance, inductance and transducer lie in series between the terminals. With i the
    current and w the joint's rate, the transducer's voltage is ``K w`` and the torque on
    the joint's head ``K i``: what it takes up as electrical power, it gives as mechanical.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum")
    >>> source = model.add(at.VoltageSource("source", "a", "ground", voltage="6 V"))
    >>> given = {"torque_constant": "0.5 N*m/A", "resistance": "2 Ohm"}
    >>> motor = model.add(at.DCMachine("motor", model["pin"], "a", "ground", **given))
    >>> print(f"{model.formulate().steady_state()['motor.torque']:.2f} N m")  # 0.5 * 6 / 2
    1.50 N m
    """

    summary: ClassVar[str] = "DC motor or generator on a turning joint"

    name: str
    joint: Component = turning_joint("joint between stator (tail) and rotor (head)")
    positive: str = terminal("terminal that the current enters")
    negative: str = terminal("terminal that the current leaves")
    torque_constant: float = parameter("N*m/A", "torque per current, K")
    resistance: float = parameter("Ohm", "resistance of the winding", lower=0.0, above=True)
    inductance: float = parameter("H", "inductance of the winding", lower=0.0, default=0.0)

    def problems(self) -> list[str]:
        found = []
        if self.positive == self.negative:
            found.append(f"positive and negative are the same terminal, {self.positive}")
        if self.torque_constant == 0.0:
            found.append("torque_constant must not be zero; use a resistor instead")
        return found

    def edges(self) -> tuple[Edge, ...]:
        laws = {RESISTANCE: NetworkLaw(
            NetworkRole.DISSIPATION, self.symbol("resistance"), equation="v = R i"
        )}  # fmt: skip
        if self.inductance:
            laws[INDUCTANCE] = NetworkLaw(
                NetworkRole.THROUGH_STORAGE, self.symbol("inductance"), state=CURRENT,
                equation="v = L di/dt",
            )  # fmt: skip
        laws[TRANSDUCER] = NetworkLaw(NetworkRole.ACROSS_SOURCE, equation="v = K w")
        inner = [f"{self.name}.{k}" for k in range(1, len(laws))]
        tails, heads = [self.positive, *inner], [*inner, self.negative]
        electrical = (
            Edge(self.name, label, ELECTRICAL, tail, head, law)
            for (label, law), tail, head in zip(laws.items(), tails, heads, strict=True)
        )
        return (*super().edges(), *electrical)

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.joint)[0].name,)

    def across_sources(self, now: Instant) -> Mapping[str, Expr]:
        return {TRANSDUCER: self.symbol("torque_constant") * now.travels[0].rate}

    def respond(self, now: Instant) -> Response:
        current = now.through[TRANSDUCER]
        torque = self.symbol("torque_constant") * current
        power = torque * now.travels[0].rate
        outputs = [
            Computed("torque", "N*m", "torque on the rotor", torque),
            Computed("power", "W", "mechanical power delivered", power),
        ]
        if not self.inductance:
            outputs.append(Computed(CURRENT.suffix, "A", CURRENT.description, current))
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], torque),), outputs=tuple(outputs)
        )
