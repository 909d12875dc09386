"""Clients of a runner: inputs by name to it, its states and outputs by name from it."""

from __future__ import annotations

import math
import mmap
import socket
import struct
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.registry import unknown_name
from axletree.core.units import to_si
from axletree.export.realtime.packets import (
    MAGIC,
    OWN_OUTPUTS,
    PACKET_HEAD,
    PACKET_VERSION,
    RUNNER_PORT,
    Channels,
    PacketKind,
)
from axletree.simulation.problem import SettingsError
from axletree.simulation.stepper.stepper import Stepper

_LARGEST: Final = 65_536  # bytes of a packet of UDP
_MEMORY: Final = Path("/dev/shm")  # where Linux shows POSIX shared memory
_PAUSE: Final = 1e-4  # s, between two looks at shared memory


class RunnerLink(ABC):
    """How packets go to and fro."""

    @abstractmethod
    def send(
        self, channels: Channels, kind: PacketKind, values: list[float], sequence: int
    ) -> None:
        """A packet of a kind, with a number of its own that states come back with.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.client import StepperLink
        >>> from axletree.export.realtime.packets import PacketKind
        >>> link = StepperLink(at.read_model("pendulum").formulate().stepper(outputs=[]))
        >>> link.send(link.channels, PacketKind.HELLO, [], 3)
        >>> link.receive(link.channels, timeout=1.0)[0]  # s
        3
        """

    @abstractmethod
    def receive(self, channels: Channels, timeout: float) -> tuple[int, tuple[float, ...]] | None:
        """Sequence and values of a state; None where none comes within a time [s].

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.client import StepperLink
        >>> from axletree.export.realtime.packets import PacketKind
        >>> link = StepperLink(at.read_model("pendulum").formulate().stepper(outputs=[]))
        >>> link.send(link.channels, PacketKind.HELLO, [], 3)
        >>> _, values = link.receive(link.channels, timeout=1.0)  # s
        >>> len(values)  # time, status, overruns, sequence and two states
        6
        """

    @abstractmethod
    def discard(self) -> None:
        """Drop the states that wait to be received: they are older than what is sent next.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.client import StepperLink
        >>> from axletree.export.realtime.packets import PacketKind
        >>> link = StepperLink(at.read_model("pendulum").formulate().stepper(outputs=[]))
        >>> link.send(link.channels, PacketKind.HELLO, [], 3)
        >>> link.discard()
        >>> print(link.receive(link.channels, timeout=1.0))  # s
        None
        """

    @abstractmethod
    def close(self) -> None:
        """Nothing goes to and fro any more.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.client import StepperLink
        >>> pendulum = at.read_model("pendulum").formulate().stepper(outputs=[])
        >>> StepperLink(pendulum).close()
        >>> pendulum
        Stepper 'pendulum', closed
        """


class UdpLink(RunnerLink):
    """Over UDP, to a runner on this machine unless another is named.

    Example:
    >>> import axletree as at
    >>> from axletree.export.realtime.client import StepperLink, UdpLink
    >>> channels = StepperLink(at.read_model("pendulum").formulate().stepper(outputs=[])).channels
    >>> link = UdpLink(5005)
    >>> print(link.receive(channels, timeout=0.01))  # s; no runner was asked
    None
    >>> link.close()
    """

    def __init__(self, port: int = RUNNER_PORT, host: str = "127.0.0.1") -> None:
        self._where = f"port {port} of {host}"
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.connect((host, port))
        except (OSError, OverflowError, TypeError) as error:
            self._socket.close()
            raise AxletreeError(
                f"{self._where} is not reached: {error}; expected a host and a port from 1 to 65535"
            ) from None

    def send(
        self, channels: Channels, kind: PacketKind, values: list[float], sequence: int
    ) -> None:
        try:
            self._socket.send(channels.packet(kind, values, sequence))
        except OSError as error:  # of the packet before, too, if nobody was there to take it
            raise SimulationError(
                f"no runner takes packets at {self._where}: {error.strerror}"
            ) from None

    def receive(self, channels: Channels, timeout: float) -> tuple[int, tuple[float, ...]] | None:
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0.0:
            self._socket.settimeout(left)
            try:
                found = channels.values_of(self._socket.recv(_LARGEST))
            except (TimeoutError, ConnectionRefusedError):
                return None
            if found is not None:
                return found
        return None

    def discard(self) -> None:
        self._socket.settimeout(0.0)
        with suppress(OSError):
            while True:
                self._socket.recv(_LARGEST)
        self._socket.settimeout(None)

    def close(self) -> None:
        self._socket.close()


class MemoryLink(RunnerLink):
    """Over POSIX shared memory of the runner on this machine.

    Values are written between two counts, which is enough on processors that keep the order of
    writes, as those of x86 do.

    Example:
    >>> import axletree as at
    >>> from axletree.export.realtime.client import MemoryLink
    >>> try:
    ...     MemoryLink("/nobody")
    ... except at.AxletreeError as error:
    ...     print(error)
    there is no shared memory '/nobody'; is the runner started with --memory /nobody?
    """

    def __init__(self, name: str) -> None:
        path = _MEMORY / name.lstrip("/")
        try:
            with path.open("r+b") as file:
                self._memory = mmap.mmap(file.fileno(), 0)
        except (OSError, ValueError):
            raise AxletreeError(
                f"there is no shared memory {name!r}; is the runner started with --memory {name}?"
            ) from None
        magic, version, _, self._key, self._inputs, self._outputs, _ = PACKET_HEAD.unpack_from(
            self._memory
        )
        if (magic, version) != (MAGIC, PACKET_VERSION):
            raise AxletreeError(f"the shared memory {name!r} is not that of a runner")
        (count,) = struct.unpack_from("<Q", self._memory, PACKET_HEAD.size)
        self._count, self._seen = count + count % 2, 0  # as another client has left it

    def send(
        self, channels: Channels, kind: PacketKind, values: list[float], sequence: int
    ) -> None:
        if kind is not PacketKind.SET:
            raise SimulationError("over shared memory a runner takes inputs alone; take UDP")
        if channels.key != self._key:
            raise AxletreeError("the shared memory is that of another model")
        self._count += 2
        struct.pack_into("<Q", self._memory, PACKET_HEAD.size, self._count - 1)
        struct.pack_into(f"<{len(values)}d", self._memory, PACKET_HEAD.size + 8, *values)
        struct.pack_into("<Q", self._memory, PACKET_HEAD.size, self._count)

    @property
    def _place(self) -> int:
        """Of the outputs and the count before them."""
        return PACKET_HEAD.size + 8 + 8 * max(int(self._inputs), 1)

    def receive(self, channels: Channels, timeout: float) -> tuple[int, tuple[float, ...]] | None:
        place, end = self._place, time.monotonic() + timeout
        while time.monotonic() < end:
            (count,) = struct.unpack_from("<Q", self._memory, place)
            if count != self._seen and count % 2 == 0:
                values = struct.unpack_from(f"<{self._outputs}d", self._memory, place + 8)
                if struct.unpack_from("<Q", self._memory, place) == (count,):
                    self._seen = count
                    return count // 2, values
            time.sleep(_PAUSE)
        return None

    def discard(self) -> None:
        (count,) = struct.unpack_from("<Q", self._memory, self._place)
        self._seen = count - count % 2

    def close(self) -> None:
        self._memory.close()


class StepperLink(RunnerLink):
    """A stepper in place of a runner, in this process: a step for each packet of inputs.

    What talks to a runner is tried with it, without a clock.

    Example:
    >>> import axletree as at
    >>> from axletree.export.realtime.client import StepperLink
    >>> link = StepperLink(at.read_model("pendulum").formulate().stepper(step="5 ms", outputs=[]))
    >>> link.channels.outputs
    ('pin.rate', 'pin.angle')
    >>> with at.RealTimeClient(link.channels, link) as client:
    ...     print(f"{client.exchange()['pin.angle']:.6f} rad")
    0.299946 rad
    """

    def __init__(self, stepper: Stepper) -> None:
        self._stepper = stepper
        prepared = stepper.prepared
        program, shaped = prepared.program, prepared.shaped
        quantities = (*program.states, *program.outputs)
        self.channels = Channels(
            0, tuple(program.inputs[one.places[0]].name for one in shaped),
            tuple(q.name for q in quantities), tuple(one.name for one in prepared.starts),
            {q.name: q.unit for q in (*program.inputs, *quantities)},
            {q.name: (q.lower, q.upper) for q in program.inputs},
        )  # fmt: skip
        self._waiting = False

    def send(
        self, channels: Channels, kind: PacketKind, values: list[float], sequence: int
    ) -> None:
        if kind is PacketKind.SET:
            pairs = zip(channels.inputs, values, strict=True)
            self._stepper.set({name: value for name, value in pairs if not math.isnan(value)})
            self._stepper.advance()
        elif kind is PacketKind.RESET:
            self._stepper.reset(channels.starts[int(values[0])])
        self._sequence = sequence
        self._waiting = kind is not PacketKind.STOP

    def receive(self, channels: Channels, timeout: float) -> tuple[int, tuple[float, ...]] | None:
        if not self._waiting:
            return None
        self._waiting = False
        s = self._stepper
        own = (s.time, 0.0, 0.0, float(self._sequence))
        return self._sequence, (*own, *s.states.values(), *s.outputs.values())

    def discard(self) -> None:
        self._waiting = False

    def close(self) -> None:
        self._stepper.close()


class RealTimeClient:
    """The other side of a runner, which ``axletree realtime`` starts.

    ``client["driver.steering"] = 0.1`` keeps an input, in SI units or as text with a unit;
    ``exchange`` sends all that is kept and waits for the next state, ``client["vehicle.yaw_rate"]``
    is a value of it. Inputs that were never given stay as the runner has them.

    Example:
    >>> import axletree as at
    >>> from axletree.export.realtime.client import StepperLink
    >>> car = at.read_model("bicycle-car").formulate()
    >>> link = StepperLink(car.stepper(step="1 ms", outputs=[]))  # for UdpLink(5005), say
    >>> with at.RealTimeClient(link.channels, link) as client:
    ...     client["steer.angle"] = "1 deg"
    ...     state = client.exchange()
    ...     print(f"{state['time']:g} s, {client['chassis.vx']:.3f} m/s")
    0.001 s, 20.000 m/s
    """

    def __init__(
        self,
        layout: str | Path | Channels,
        link: RunnerLink | None = None,
        *,
        timeout: float | str = 1.0,
    ) -> None:
        self.channels = layout if isinstance(layout, Channels) else Channels.read(layout)
        self._link = UdpLink() if link is None else link
        self._timeout = to_si(timeout, expected="s")
        if not 0.0 < self._timeout < threading.TIMEOUT_MAX:
            raise SettingsError(f"timeout is {timeout!r}; expected a positive time in s")
        self._inputs = dict.fromkeys(self.channels.inputs, math.nan)
        self._names = (*OWN_OUTPUTS, *self.channels.outputs)
        self._values: dict[str, float] = {}
        self.sequence = 0  # of the last packet of inputs

    def __repr__(self) -> str:
        counts = f"{len(self.channels.inputs)} inputs, {len(self.channels.outputs)} outputs"
        last = f", t = {self._values['time']:g} s" if "time" in self._values else ""
        return f"RealTimeClient over {type(self._link).__name__}: {counts}{last}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._link.close()

    @property
    def inputs(self) -> dict[str, float]:
        """Those that were given, in SI units."""
        return {name: value for name, value in self._inputs.items() if not math.isnan(value)}

    @property
    def values(self) -> Mapping[str, float]:
        """The last state that came: time, status, overruns, states and outputs by name."""
        return self._values

    def __setitem__(self, name: str, value: float | str) -> None:
        if name not in self._inputs:
            raise unknown_name("input", name, self._inputs, "the runner")
        number = to_si(value, expected=self.channels.units.get(name, "1"))
        lower, upper = self.channels.bounds.get(name, (-math.inf, math.inf))
        if not lower <= number <= upper:
            raise SettingsError(
                f"{name} is {value!r}; expected a value between {lower:g} and {upper:g}"
            )
        self._inputs[name] = number

    def __getitem__(self, name: str) -> float:
        if name not in self._names:
            raise unknown_name("quantity", name, self._names, "the runner")
        if not self._values:
            raise SimulationError("no state has come from the runner yet; call exchange() first")
        return self._values[name]

    def send(self) -> None:
        """All inputs that were given, at once.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.client import StepperLink
        >>> link = StepperLink(at.read_model("bicycle-car").formulate().stepper(outputs=[]))
        >>> client = at.RealTimeClient(link.channels, link)
        >>> client["steer.angle"] = 0.01  # rad
        >>> client.send()
        >>> client.sequence, client.inputs
        (1, {'steer.angle': 0.01})
        """
        self.sequence = (self.sequence + 1) % 2**32
        values = list(self._inputs.values())
        self._link.send(self.channels, PacketKind.SET, values, self.sequence)

    def receive(self) -> Mapping[str, float]:
        """Wait for the next state.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.client import StepperLink
        >>> link = StepperLink(at.read_model("bicycle-car").formulate().stepper(outputs=[]))
        >>> client = at.RealTimeClient(link.channels, link)
        >>> client.hello()
        >>> client.receive()["chassis.vx"]  # m/s
        20.0
        """
        found = self._link.receive(self.channels, self._timeout)
        if found is None:
            raise SimulationError(
                f"no state came from the runner within {self._timeout:g} s; is it running, and "
                "with this layout?"
            )
        self._values = dict(zip(self._names, found[1], strict=True))
        return self._values

    def exchange(self) -> Mapping[str, float]:
        """Send inputs, and wait for a state from then on; older ones are dropped.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.client import StepperLink
        >>> link = StepperLink(at.read_model("bicycle-car").formulate().stepper(outputs=[]))
        >>> client = at.RealTimeClient(link.channels, link)
        >>> client.exchange()["time"]  # s
        0.001
        """
        self._link.discard()
        self.send()
        return self.receive()

    def hello(self) -> None:
        """Tell the runner where to send to, without inputs.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.client import StepperLink
        >>> link = StepperLink(at.read_model("bicycle-car").formulate().stepper(outputs=[]))
        >>> client = at.RealTimeClient(link.channels, link)
        >>> client.hello()
        >>> client.receive()["time"]  # s
        0.0
        """
        self._link.send(self.channels, PacketKind.HELLO, [], 0)

    def reset(self, start: str = "own") -> None:
        """To a start of the layout, by its name.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.client import StepperLink
        >>> link = StepperLink(at.read_model("bicycle-car").formulate().stepper(outputs=[]))
        >>> client = at.RealTimeClient(link.channels, link)
        >>> _ = client.exchange()
        >>> client.reset("own")
        >>> client.receive()["time"]  # s
        0.0
        """
        if start not in self.channels.starts:
            raise unknown_name("start", start, self.channels.starts, "the runner")
        place = float(self.channels.starts.index(start))
        self._link.send(self.channels, PacketKind.RESET, [place], 0)

    def stop(self) -> None:
        """End the runner.

        Example:
        >>> import axletree as at
        >>> from axletree.export.realtime.client import StepperLink
        >>> link = StepperLink(at.read_model("bicycle-car").formulate().stepper(outputs=[]))
        >>> client = at.RealTimeClient(link.channels, link)
        >>> client.stop() is None  # it is sent, and not answered
        True
        """
        self._link.send(self.channels, PacketKind.STOP, [], 0)
