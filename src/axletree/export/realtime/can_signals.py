"""Signals of a CAN bus to and from a runner, by a database (DBC) of messages.

A signal stands for a quantity of the model: one of its name with dots for underscores
(``driver_steering`` for ``driver.steering``), or one that is given for it. Messages whose signals
stand for inputs are received, those whose signals stand for states or outputs are sent. Units
are those of the database, and quantities in SI units: 1 deg is 0.01745 rad.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from axletree.core.errors import AxletreeError
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, to_si
from axletree.export.realtime.client import RealTimeClient
from axletree.export.realtime.packets import Channels
from axletree.model_files.channel_file import unit_spelling

if TYPE_CHECKING:
    from can import BusABC

_NOT_INSTALLED = "cantools and python-can are not installed; pip install axletree[can]"


class CanError(AxletreeError):
    """A database or a mapping that does not fit the model."""


@dataclass(frozen=True)
class CanSignal:
    """A signal and the quantity that it stands for."""

    name: str
    quantity: str
    factor: float  # SI units of one unit of the signal
    lower: float  # in the signal's unit
    upper: float


@dataclass(frozen=True)
class CanMessage:
    """A message of the database with the signals that stand for something."""

    message: Any  # of cantools
    signals: tuple[CanSignal, ...]


@dataclass(frozen=True)
class CanSignals:
    """What of a database is received and what is sent.

    Example:
    >>> from axletree.export.realtime.can_signals import CanSignals
    >>> from axletree.export.realtime.packets import Channels
    >>> units = {"steer.angle": "rad", "chassis.vx": "m/s"}
    >>> channels = Channels(0, ("steer.angle",), ("chassis.vx",), ("own",), units)
    >>> angle = 'BO_ 256 Steering: 8 Car\\n SG_ steer_angle : 0|16@1- (0.01,0) [-300|300] "deg" Car'
    >>> speed = 'BO_ 512 Motion: 8 Car\\n SG_ Speed : 0|16@1+ (0.01,0) [0|600] "km/h" Car'
    >>> text = f'VERSION ""\\n{angle}\\n{speed}\\n'
    >>> signals = CanSignals.of(text, channels, {"Speed": "chassis.vx"})
    >>> [one.message.name for one in signals.received], [one.message.name for one in signals.sent]
    (['Steering'], ['Motion'])
    """

    received: tuple[CanMessage, ...]
    sent: tuple[CanMessage, ...]

    @classmethod
    def read(
        cls, database: str | Path, channels: Channels, quantities: Mapping[str, str] | None = None
    ) -> CanSignals:
        """From a file of any kind that cantools reads; ``quantities`` by names of signals.

        Example:
        >>> from pathlib import Path
        >>> from axletree.export.realtime.can_signals import CanSignals
        >>> from axletree.export.realtime.packets import Channels
        >>> channels = Channels(0, (), ("chassis.vx",), ("own",), {"chassis.vx": "m/s"})
        >>> signal = ' SG_ chassis_vx : 0|8@1+ (1,0) [0|99] "m/s" X'
        >>> text = f'VERSION ""\\nBO_ 9 Motion: 8 Car\\n{signal}\\n'
        >>> _ = Path("car.dbc").write_text(text)
        >>> [one.message.name for one in CanSignals.read("car.dbc", channels).sent]
        ['Motion']
        """
        path = Path(database)
        try:
            text = path.read_text(encoding="cp1252")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or error
            raise CanError(f"{path} cannot be read: {why}") from None
        return cls.of(text, channels, quantities, str(path))

    @classmethod
    def of(
        cls,
        database: str,
        channels: Channels,
        quantities: Mapping[str, str] | None = None,
        source: str = "the database",
    ) -> CanSignals:
        """From the text of a database.

        Example:
        >>> from axletree.export.realtime.can_signals import CanSignals
        >>> from axletree.export.realtime.packets import Channels
        >>> channels = Channels(0, (), ("chassis.vx",), ("own",), {"chassis.vx": "m/s"})
        >>> signal = ' SG_ chassis_vx : 0|8@1+ (1,0) [0|99] "m/s" X'
        >>> text = f'VERSION ""\\nBO_ 9 Motion: 8 Car\\n{signal}\\n'
        >>> [one.message.name for one in CanSignals.of(text, channels).sent]
        ['Motion']
        """
        messages = _messages(database, source)
        chosen = dict(quantities or {})
        known = dict.fromkeys(signal.name for message in messages for signal in message.signals)
        problems = [
            str(unknown_name("signal", name, known, source)) for name in chosen if name not in known
        ]
        found = [_assigned(message, channels, chosen, problems) for message in messages]
        if not problems and not any(one.signals for one in found):
            problems.append(
                f"no signal of {source} stands for a quantity of the model; say which one does, "
                "for example SteeringAngle=driver.steering"
            )
        if problems:
            raise CanError("; ".join(problems))
        used = [one for one in found if one.signals]
        own = [one.signals[0].quantity in channels.inputs for one in used]
        return cls(
            tuple(one for one, is_input in zip(used, own, strict=True) if is_input),
            tuple(one for one, is_input in zip(used, own, strict=True) if not is_input),
        )


def _assigned(
    message: Any, channels: Channels, chosen: Mapping[str, str], problems: list[str]
) -> CanMessage:
    """The signals of a message that stand for something; what is wrong with them is added."""
    found = []
    for signal in message.signals:
        try:
            found.append(_signal(signal, channels, chosen))
        except AxletreeError as error:
            problems.append(f"{message.name}.{signal.name}: {error}")
    signals = tuple(one for one in found if one is not None)
    if len({one.quantity in channels.inputs for one in signals}) > 1:
        problems.append(f"{message.name} has inputs and outputs; they need a message each")
    if signals and message.is_multiplexed():
        problems.append(f"{message.name} is multiplexed, which is not supported")
    return CanMessage(message, signals)


def _messages(database: str, source: str) -> list[Any]:
    try:
        import cantools
    except ModuleNotFoundError:
        raise AxletreeError(_NOT_INSTALLED) from None
    try:
        loaded: Any = cantools.database.load_string(database, strict=True)
        return list(loaded.messages)
    except Exception as error:  # of several kinds: each parser has its own
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CanError(f"{source} is no database of CAN messages: {first}") from None


def _signal(signal: Any, channels: Channels, chosen: Mapping[str, str]) -> CanSignal | None:
    """The quantity of a signal; None for one that stands for nothing."""
    names = dict.fromkeys([*channels.inputs, *channels.outputs])
    alike = {name.replace(".", "_"): name for name in names}
    quantity = chosen.get(signal.name, alike.get(signal.name))
    if quantity is None:
        return None
    if quantity not in names:
        raise unknown_name("quantity", quantity, names, "the runner")
    expected = channels.units.get(quantity, "1")
    unit = unit_spelling(signal.unit or "")
    try:
        factor = to_si(f"1 {unit}", expected=expected) if unit not in ("", "1", "-") else 1.0
    except UnitError as error:
        raise CanError(f"its unit is {signal.unit!r}: {error}") from None
    lower = -math.inf if signal.minimum is None else float(signal.minimum)
    upper = math.inf if signal.maximum is None else float(signal.maximum)
    return CanSignal(signal.name, quantity, factor, lower, upper)


def open_bus(interface: str, channel: str) -> BusABC:
    """A bus of python-can, of any kind that it knows.

    Example:
    >>> from axletree.export.realtime.can_signals import open_bus
    >>> with open_bus("virtual", "demo") as bus:
    ...     print(bus.recv(0.0))  # s; nobody has sent anything
    None
    """
    try:
        import can
    except ModuleNotFoundError:
        raise AxletreeError(_NOT_INSTALLED) from None
    try:
        return can.Bus(interface=interface, channel=channel)
    except (can.CanError, OSError, ValueError) as error:
        raise CanError(f"the bus {channel!r} of {interface!r} cannot be opened: {error}") from None


class CanBridge:
    """Between a bus of python-can and a client of a runner.

    ``read`` takes the messages that wait on the bus as inputs of the client, ``write`` sends the
    client's last state. ``exchange`` does both, with the runner in between. What is outside the
    range of a signal is sent as its end. Messages that are not in the database, or too short,
    are left alone and counted.

    Example:
    >>> import axletree as at
    >>> from axletree.export.realtime.can_signals import CanBridge, CanSignals, open_bus
    >>> from axletree.export.realtime.client import StepperLink
    >>> link = StepperLink(at.read_model("bicycle-car").formulate().stepper(outputs=[]))
    >>> signal = ' SG_ chassis_vx : 0|16@1+ (0.01,0) [0|99] "m/s" X'
    >>> text = f'VERSION ""\\nBO_ 512 Motion: 8 Car\\n{signal}\\n'
    >>> signals = CanSignals.of(text, link.channels)
    >>> client = at.RealTimeClient(link.channels, link)
    >>> with open_bus("virtual", "a") as ours, open_bus("virtual", "a") as other:
    ...     bridge = CanBridge(ours, signals, client)
    ...     bridge.exchange()
    ...     print(other.recv(1.0).data[:2].hex())  # 20 m/s are 2000, of 0.01 m/s
    d007
    """

    def __init__(self, bus: BusABC, signals: CanSignals, client: RealTimeClient) -> None:
        self._bus, self._client, self._signals = bus, client, signals
        self._received = {one.message.frame_id: one for one in signals.received}
        self.taken = 0  # messages that were inputs
        self.ignored = 0
        self.limited = 0  # values that were outside the range of their signal

    def read(self, timeout: float = 0.0) -> int:
        """All messages that wait; of the first it is waited for [s]. Returns how many are taken.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.can_signals import CanBridge, CanSignals, open_bus
        >>> from axletree.export.realtime.client import StepperLink
        >>> link = StepperLink(at.read_model("bicycle-car").formulate().stepper(outputs=[]))
        >>> signal = ' SG_ chassis_vx : 0|16@1+ (0.01,0) [0|99] "m/s" X'
        >>> text = f'VERSION ""\\nBO_ 512 Motion: 8 Car\\n{signal}\\n'
        >>> signals = CanSignals.of(text, link.channels)
        >>> client = at.RealTimeClient(link.channels, link)
        >>> with open_bus("virtual", "a") as ours, open_bus("virtual", "a") as other:
        ...     bridge = CanBridge(ours, signals, client)
        ...     print(bridge.read())
        0
        """
        before = self.taken
        message = self._bus.recv(timeout)
        while message is not None:
            self._take(message)
            message = self._bus.recv(0.0)
        return self.taken - before

    def _take(self, message: Any) -> None:
        known = self._received.get(message.arbitration_id)
        if known is None or message.is_error_frame or message.is_remote_frame:
            self.ignored += 1
            return
        try:
            values = known.message.decode(bytes(message.data), decode_choices=False)
        except Exception:  # of several kinds: too short, no known choice
            self.ignored += 1
            return
        numbers = {one.quantity: one.factor * float(values[one.name]) for one in known.signals}
        bounds = self._client.channels.bounds
        for name, number in numbers.items():
            lower, upper = bounds.get(name, (-math.inf, math.inf))
            if not (math.isfinite(number) and lower <= number <= upper):
                self.ignored += 1
                return
        for name, number in numbers.items():
            self._client[name] = number
        self.taken += 1

    def write(self) -> None:
        """The client's last state, as all messages that have something of it.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.can_signals import CanBridge, CanSignals, open_bus
        >>> from axletree.export.realtime.client import StepperLink
        >>> link = StepperLink(at.read_model("bicycle-car").formulate().stepper(outputs=[]))
        >>> signal = ' SG_ chassis_vx : 0|16@1+ (0.01,0) [0|99] "m/s" X'
        >>> text = f'VERSION ""\\nBO_ 512 Motion: 8 Car\\n{signal}\\n'
        >>> signals = CanSignals.of(text, link.channels)
        >>> client = at.RealTimeClient(link.channels, link)
        >>> with open_bus("virtual", "a") as ours, open_bus("virtual", "a") as other:
        ...     bridge = CanBridge(ours, signals, client)
        ...     _ = client.exchange()
        ...     bridge.write()
        ...     print(hex(other.recv(1.0).arbitration_id))
        0x200
        """
        from can import Message

        for one in self._signals.sent:
            values = {s.name: _first_value(s) for s in one.message.signals}
            for signal in one.signals:
                wanted = self._client[signal.quantity] / signal.factor
                limited = min(max(wanted, signal.lower), signal.upper)
                self.limited += limited != wanted
                values[signal.name] = limited
            data = one.message.encode(values, strict=False)
            self._bus.send(
                Message(
                    arbitration_id=one.message.frame_id,
                    data=data,
                    is_extended_id=one.message.is_extended_frame,
                    is_fd=len(data) > 8,
                )  # fmt: skip
            )

    def exchange(self) -> None:
        """Inputs from the bus to the runner, and its next state to the bus.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.can_signals import CanBridge, CanSignals, open_bus
        >>> from axletree.export.realtime.client import StepperLink
        >>> link = StepperLink(at.read_model("bicycle-car").formulate().stepper(outputs=[]))
        >>> signal = ' SG_ chassis_vx : 0|16@1+ (0.01,0) [0|99] "m/s" X'
        >>> text = f'VERSION ""\\nBO_ 512 Motion: 8 Car\\n{signal}\\n'
        >>> signals = CanSignals.of(text, link.channels)
        >>> client = at.RealTimeClient(link.channels, link)
        >>> with open_bus("virtual", "a") as ours, open_bus("virtual", "a") as other:
        ...     bridge = CanBridge(ours, signals, client)
        ...     bridge.exchange()
        ...     print(client["time"])  # s
        0.001
        """
        self.read()
        self._client.exchange()
        self.write()


def _first_value(signal: Any) -> float:
    """Of a signal that stands for nothing: its initial value, or the one next to 0."""
    if signal.initial is not None:
        return float(signal.initial)
    lower = -math.inf if signal.minimum is None else float(signal.minimum)
    upper = math.inf if signal.maximum is None else float(signal.maximum)
    return min(max(0.0, lower), upper)
