"""Packets between a runner and its clients, byte by byte; ``runner.h`` says the same in C."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, Final

from axletree.core.errors import AxletreeError

MAGIC: Final = b"AXLT"
PACKET_VERSION: Final = 1
RUNNER_PORT: Final = 5005
PACKET_HEAD: Final = struct.Struct("<4sHHIIII")  # magic, version, kind, key, sequence, count, 0
OWN_OUTPUTS: Final = ("time", "status", "overruns", "inputs_sequence")


class PacketKind(IntEnum):
    """What a packet asks for, or tells."""

    HELLO = 0  # where the client is
    SET = 1  # all inputs
    RESET = 2  # to a start, by its index
    STOP = 3  # the runner ends
    STATE = 16  # from the runner: its own numbers, states, outputs


@dataclass(frozen=True)
class Channels:
    """What a runner takes and gives, in this order, and the key by which packets are its own."""

    key: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]  # after those of ``OWN_OUTPUTS``
    starts: tuple[str, ...]
    units: dict[str, str]

    @classmethod
    def read(cls, layout: str | Path) -> Channels:
        """From the ``layout.json`` of a runner's project."""
        path = Path(layout)
        path = path / "layout.json" if path.is_dir() else path
        try:
            return cls.of(json.loads(path.read_text(encoding="utf-8")))
        except OSError as error:
            raise AxletreeError(f"{path} cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError):
            raise AxletreeError(
                f"{path} is no layout of a runner; expected the layout.json that "
                "`axletree realtime` or `axletree export realtime` writes"
            ) from None

    @classmethod
    def of(cls, layout: dict[str, Any]) -> Channels:
        """From the layout itself."""
        own = layout["channels"]
        listed = [q for title in ("inputs", "states", "outputs") for q in layout[title]]
        return cls(
            int(own["key"]), tuple(own["inputs"]), tuple(own["outputs"]),
            tuple(one["name"] for one in layout["starts"]),
            {q["name"]: q["unit"] for q in listed},
        )  # fmt: skip

    def packet(self, kind: PacketKind, values: Sequence[float] = (), sequence: int = 0) -> bytes:
        """The bytes of a packet.

        Example:
        >>> from axletree.export.realtime.packets import Channels, PacketKind
        >>> channels = Channels(7, ("steer.angle",), (), ("own",), {"steer.angle": "rad"})
        >>> packet = channels.packet(PacketKind.SET, [0.1], sequence=3)
        >>> len(packet), packet[:4]
        (32, b'AXLT')
        """
        head = PACKET_HEAD.pack(MAGIC, PACKET_VERSION, kind, self.key, sequence, len(values), 0)
        return head + struct.pack(f"<{len(values)}d", *values)

    def values_of(self, packet: bytes) -> tuple[int, tuple[float, ...]] | None:
        """Sequence and values of a packet of the runner's state; None where it is none."""
        if len(packet) < PACKET_HEAD.size:
            return None
        magic, version, kind, key, sequence, count, _ = PACKET_HEAD.unpack_from(packet)
        wanted = len(OWN_OUTPUTS) + len(self.outputs)
        is_ours = (magic, version, kind) == (MAGIC, PACKET_VERSION, PacketKind.STATE)
        if not is_ours or key != self.key or count != wanted:
            return None
        if len(packet) != PACKET_HEAD.size + 8 * count:
            return None
        return sequence, struct.unpack_from(f"<{count}d", packet, PACKET_HEAD.size)
