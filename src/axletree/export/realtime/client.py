"""Clients of a runner: inputs by name to it, its states and outputs by name from it."""

from __future__ import annotations

import math
import mmap
import socket
import struct
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.registry import unknown_name
from axletree.core.units import to_si
from axletree.export.realtime.packets import (
    HEAD,
    MAGIC,
    OWN_OUTPUTS,
    PACKET_VERSION,
    RUNNER_PORT,
    Channels,
    PacketKind,
)

_LARGEST: Final = 65_536  # bytes of a packet of UDP
_MEMORY: Final = Path("/dev/shm")  # where Linux shows POSIX shared memory
_PAUSE: Final = 1e-4  # s, between two looks at shared memory


class RunnerLink(ABC):
    """How packets go to and fro."""

    @abstractmethod
    def send(
        self, channels: Channels, kind: PacketKind, values: list[float], sequence: int
    ) -> None: ...

    @abstractmethod
    def receive(self, channels: Channels, timeout: float) -> tuple[int, tuple[float, ...]] | None:
        """Sequence and values of a state; None where none comes within a time [s]."""

    @abstractmethod
    def close(self) -> None: ...


class UdpLink(RunnerLink):
    """Over UDP, to a runner on this machine unless another is named."""

    def __init__(self, port: int = RUNNER_PORT, host: str = "127.0.0.1") -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.connect((host, port))

    def send(
        self, channels: Channels, kind: PacketKind, values: list[float], sequence: int
    ) -> None:
        self._socket.send(channels.packet(kind, values, sequence))

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

    def close(self) -> None:
        self._socket.close()


class MemoryLink(RunnerLink):
    """Over POSIX shared memory of the runner on this machine.

    Values are written between two counts, which is enough on processors that keep the order of
    writes, as those of x86 do.
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
        magic, version, _, self._key, self._inputs, self._outputs, _ = HEAD.unpack_from(
            self._memory
        )
        if (magic, version) != (MAGIC, PACKET_VERSION):
            raise AxletreeError(f"the shared memory {name!r} is not that of a runner")
        self._count, self._seen = 0, 0

    def send(
        self, channels: Channels, kind: PacketKind, values: list[float], sequence: int
    ) -> None:
        if kind is not PacketKind.SET:
            raise SimulationError("over shared memory a runner takes inputs alone; take UDP")
        if channels.key != self._key:
            raise AxletreeError("the shared memory is that of another model")
        self._count += 2
        struct.pack_into("<Q", self._memory, HEAD.size, self._count - 1)
        struct.pack_into(f"<{len(values)}d", self._memory, HEAD.size + 8, *values)
        struct.pack_into("<Q", self._memory, HEAD.size, self._count)

    def receive(self, channels: Channels, timeout: float) -> tuple[int, tuple[float, ...]] | None:
        place = HEAD.size + 8 + 8 * max(self._inputs, 1)
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            (count,) = struct.unpack_from("<Q", self._memory, place)
            if count != self._seen and count % 2 == 0:
                values = struct.unpack_from(f"<{self._outputs}d", self._memory, place + 8)
                if struct.unpack_from("<Q", self._memory, place) == (count,):
                    self._seen = count
                    return count // 2, values
            time.sleep(_PAUSE)
        return None

    def close(self) -> None:
        self._memory.close()


class RealTimeClient:
    """The other side of a runner, which ``axletree realtime`` starts.

    ``client["driver.steering"] = 0.1`` keeps an input, in SI units or as text with a unit;
    ``exchange`` sends all that is kept and waits for the next state, ``client["vehicle.yaw_rate"]``
    is a value of it. Inputs that were never given stay as the runner has them.

    Example:
    >>> from axletree.export.realtime.packets import Channels
    >>> import axletree as at
    >>> channels = Channels(7, ("steer.angle",), ("chassis.vx",), ("own",), {"steer.angle": "rad"})
    >>> with at.RealTimeClient(channels) as client:
    ...     client["steer.angle"] = "10 deg"
    ...     client.inputs
    {'steer.angle': 0.17453292519943295}
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
        self._inputs = dict.fromkeys(self.channels.inputs, math.nan)
        self._names = (*OWN_OUTPUTS, *self.channels.outputs)
        self._values: dict[str, float] = {}
        self.sequence = 0  # of the last packet of inputs

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
        if not math.isfinite(number):
            raise SimulationError(f"{name} is {value!r}; expected a finite number")
        self._inputs[name] = number

    def __getitem__(self, name: str) -> float:
        if name not in self._names:
            raise unknown_name("quantity", name, self._names, "the runner")
        if not self._values:
            raise SimulationError("no state has come from the runner yet; call exchange() first")
        return self._values[name]

    def send(self) -> None:
        """All inputs that were given, at once."""
        self.sequence = (self.sequence + 1) % 2**32
        values = list(self._inputs.values())
        self._link.send(self.channels, PacketKind.SET, values, self.sequence)

    def receive(self) -> Mapping[str, float]:
        """Wait for the next state."""
        found = self._link.receive(self.channels, self._timeout)
        if found is None:
            raise SimulationError(
                f"no state came from the runner within {self._timeout:g} s; is it running, and "
                "with this layout?"
            )
        self._values = dict(zip(self._names, found[1], strict=True))
        return self._values

    def exchange(self) -> Mapping[str, float]:
        """Send inputs, and wait for the next state."""
        self.send()
        return self.receive()

    def hello(self) -> None:
        """Tell the runner where to send to, without inputs."""
        self._link.send(self.channels, PacketKind.HELLO, [], 0)

    def reset(self, start: str = "own") -> None:
        """To a start of the layout, by its name."""
        if start not in self.channels.starts:
            raise unknown_name("start", start, self.channels.starts, "the runner")
        place = float(self.channels.starts.index(start))
        self._link.send(self.channels, PacketKind.RESET, [place], 0)

    def stop(self) -> None:
        """End the runner."""
        self._link.send(self.channels, PacketKind.STOP, [], 0)
