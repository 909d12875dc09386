"""Electrical components: elements with two terminals, sources, the ground and the DC machine.

Terminals are the nodes of the electrical graph; "ground" is the one of zero voltage. An edge runs
from its positive terminal (tail) to its negative one (head). Its across variable is the voltage of
the tail less that of the head; its through variable is the current that flows through the element
from tail to head. Their product is the power that the element takes up: positive in a resistor,
negative in a source that feeds one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.contract import Component, Instant, JointLoad, NamedOutput, Response
from axletree.components.edges import ELECTRICAL, Edge, NetworkLaw, NetworkRole, Variable
from axletree.components.fields import checked_name, parameter, positive, structure
from axletree.components.joints import OnJoints, turning_joint
from axletree.components.signals import Signal, signal
from axletree.expr import Expr

GROUND_TERMINAL = "ground"


def terminal(description: str) -> Any:
    """A field that names a terminal; terminals of the same name are the same node."""
    return structure("terminal", description, checked_name)


LABEL = "E1"


@dataclass(frozen=True, eq=False)
class TwoTerminal(Component):
    """One edge from the positive to the negative terminal."""

    positive: str = terminal("terminal that the current enters")
    negative: str = terminal("terminal that the current leaves")

    @abstractmethod
    def law(self) -> NetworkLaw:
        """The terminal equation, of the voltage v [V] and the current i [A].

        Example:
        >>> import axletree as at
        >>> coil = at.Inductor("coil", "a", "ground", inductance="5 mH").law()
        >>> coil.equation, coil.state.suffix, coil.state.unit
        ('v = L di/dt', 'current', 'A')
        """

    def problems(self) -> list[str]:
        if self.positive == self.negative:
            return [f"positive and negative are the same terminal, {self.positive}"]
        return []

    def edges(self) -> tuple[Edge, ...]:
        return (Edge(self.name, LABEL, ELECTRICAL, self.positive, self.negative, self.law()),)

    def respond(self, now: Instant) -> Response:
        v, i = now.across[LABEL], now.through[LABEL]
        outputs = (
            NamedOutput("voltage", "V", "voltage from the positive to the negative terminal", v),
            NamedOutput("current", "A", "current from the positive to the negative terminal", i),
            NamedOutput("power", "W", "power taken up", v * i),
        )
        return Response(outputs=tuple(c for c in outputs if c.suffix not in self._taken_names()))

    def _taken_names(self) -> set[str]:
        """What is a state, an input or a parameter already."""
        state = self.law().state
        names = {q.name.rpartition(".")[2] for q in (*self.inputs(), *self.parameters())}
        return names | ({state.suffix} if state else set())


@dataclass(frozen=True, eq=False)
class ElectricalGround(Component):
    """Holds a terminal at zero voltage.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> source = model.add(at.VoltageSource("source", "a", "b", voltage=12.0))  # V
    >>> lamp = model.add(at.Resistor("lamp", "a", "b", resistance=6.0))  # Ohm
    >>> earth = model.add(at.ElectricalGround("earth", "b"))
    >>> print(f"{model.formulate().trim()['lamp.current']:.1f} A")
    2.0 A
    """

    summary: ClassVar[str] = "connection of a terminal to the ground"

    terminal: str = terminal("terminal that is held at zero voltage")

    def problems(self) -> list[str]:
        if self.terminal == GROUND_TERMINAL:
            return ["the terminal 'ground' is the ground already; leave this component out"]
        return []

    def edges(self) -> tuple[Edge, ...]:
        law = NetworkLaw(NetworkRole.ACROSS_SOURCE, equation="v = 0")
        return (Edge(self.name, "E1", ELECTRICAL, self.terminal, GROUND_TERMINAL, law),)

    def respond(self, now: Instant) -> Response:
        current = NamedOutput("current", "A", "current into the ground", now.through["E1"])
        return Response(outputs=(current,))


@dataclass(frozen=True, eq=False)
class Resistor(TwoTerminal):
    """Voltage in proportion to current.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> source = model.add(at.VoltageSource("source", "a", "ground", voltage="12 V"))
    >>> lamp = model.add(at.Resistor("lamp", "a", "ground", resistance="6 Ohm"))
    >>> print(f"{model.formulate().trim()['lamp.power']:.1f} W")
    24.0 W
    """

    summary: ClassVar[str] = "resistor"

    resistance: float = positive("Ohm", "resistance")

    def law(self) -> NetworkLaw:
        return _resistance(self.symbol("resistance"))


def _resistance(value: Expr) -> NetworkLaw:
    return NetworkLaw(NetworkRole.DISSIPATION, value, equation="v = R i")


CURRENT = Variable("current", "A", "current from the positive to the negative terminal")


@dataclass(frozen=True, eq=False)
class Inductor(TwoTerminal):
    """Voltage in proportion to the rate of the current, which is a state.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> source = model.add(at.VoltageSource("source", "a", "ground"))
    >>> coil = model.add(at.Inductor("coil", "a", "ground", inductance="50 mH"))
    >>> print(model.formulate().derivatives[0])  # of coil.current, A/s
    source.voltage/coil.inductance
    """

    summary: ClassVar[str] = "inductor; its current is a state"

    inductance: float = positive("H", "inductance")

    def law(self) -> NetworkLaw:
        return _inductance(self.symbol("inductance"))


def _inductance(value: Expr) -> NetworkLaw:
    return NetworkLaw(NetworkRole.THROUGH_STORAGE, value, state=CURRENT, equation="v = L di/dt")


VOLTAGE = Variable("voltage", "V", "voltage from the positive to the negative terminal")


@dataclass(frozen=True, eq=False)
class Capacitor(TwoTerminal):
    """Current in proportion to the rate of the voltage, which is a state.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> charger = model.add(at.CurrentSource("charger", "ground", "a"))
    >>> store = model.add(at.Capacitor("store", "a", "ground", capacitance="20 uF"))
    >>> print(model.formulate().derivatives[0])  # of store.voltage, V/s
    charger.current/store.capacitance
    """

    summary: ClassVar[str] = "capacitor; its voltage is a state"

    capacitance: float = positive("F", "capacitance")

    def law(self) -> NetworkLaw:
        value = self.symbol("capacitance")
        return NetworkLaw(NetworkRole.ACROSS_STORAGE, value, state=VOLTAGE, equation="i = C dv/dt")


@dataclass(frozen=True, eq=False)
class VoltageSource(TwoTerminal):
    """A voltage that follows a signal, whatever current it takes.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> source = model.add(at.VoltageSource("source", "a", "ground", voltage="12*sin(t)"))  # V
    >>> coil = model.add(at.Inductor("coil", "a", "ground", inductance="50 mH"))
    >>> print(model.formulate().derivatives[0])  # of coil.current, A/s
    12*sin(time)/coil.inductance
    """

    summary: ClassVar[str] = "voltage source"

    voltage: Signal = signal("V", "voltage from the positive to the negative terminal")

    def law(self) -> NetworkLaw:
        value = self.signal("voltage")
        return NetworkLaw(NetworkRole.ACROSS_SOURCE, value=value, equation="v = v(t)")


@dataclass(frozen=True, eq=False)
class CurrentSource(TwoTerminal):
    """A current that follows a signal, whatever voltage it takes.

    A current that is to leave by the positive terminal, as from a charger, is negative.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> source = model.add(at.CurrentSource("source", "ground", "a", current="2 A"))
    >>> lamp = model.add(at.Resistor("lamp", "a", "ground", resistance="6 Ohm"))
    >>> print(f"{model.formulate().trim()['lamp.voltage']:.1f} V")
    12.0 V
    """

    summary: ClassVar[str] = "current source"

    current: Signal = signal("A", "current from the positive to the negative terminal")

    def law(self) -> NetworkLaw:
        value = self.signal("current")
        return NetworkLaw(NetworkRole.THROUGH_SOURCE, value=value, equation="i = i(t)")


_RESISTANCE, INDUCTANCE, TRANSDUCER = "E1", "E2", "E3"  # labels of the edges


@dataclass(frozen=True, eq=False)
class DCMachine(OnJoints):
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
    >>> print(f"{model.formulate().trim()['motor.torque']:.2f} N m")  # 0.5 * 6 / 2
    1.50 N m
    """

    summary: ClassVar[str] = "DC motor or generator on a turning joint"

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
        laws = {_RESISTANCE: _resistance(self.symbol("resistance"))}
        if self.inductance:
            laws[INDUCTANCE] = _inductance(self.symbol("inductance"))
        laws[TRANSDUCER] = NetworkLaw(NetworkRole.ACROSS_SOURCE, equation="v = K w")
        inner = [f"{self.name}.{k}" for k in range(1, len(laws))]
        tails, heads = [self.positive, *inner], [*inner, self.negative]
        electrical = (
            Edge(self.name, label, ELECTRICAL, tail, head, law)
            for (label, law), tail, head in zip(laws.items(), tails, heads, strict=True)
        )
        return (*super().edges(), *electrical)

    def across_sources(self, now: Instant) -> Mapping[str, Expr]:
        return {TRANSDUCER: self.symbol("torque_constant") * now.travels[0].rate}

    def respond(self, now: Instant) -> Response:
        current = now.through[TRANSDUCER]
        torque = self.symbol("torque_constant") * current
        power = torque * now.travels[0].rate
        outputs = [
            NamedOutput("torque", "N*m", "torque on the rotor", torque),
            NamedOutput("power", "W", "mechanical power delivered", power),
        ]
        if not self.inductance:
            outputs.append(NamedOutput(CURRENT.suffix, "A", CURRENT.description, current))
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], torque),), outputs=tuple(outputs)
        )
