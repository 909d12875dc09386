"""Channel files: which columns of a measurement are which quantities of Axletree.

    time: {column: Time, unit: ms}
    channels:
      driver.steering: {column: SWA, unit: deg, sign: -1, delay: 12 ms}
      vehicle.yaw_rate: {column: YawRate, unit: deg/s, offset: 0.3, tolerance: [0.5 deg/s, 5 %]}
      vehicle.forward_speed: VehSpd
    interval: 10 ms
    bridge: 0.1 s
    filter: {order: 4, cutoff: 10 Hz}

A value is ``sign * (found - offset)`` in the unit of its column, at ``delay`` before the time that
stands beside it. The file is data; nothing in it is executed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from axletree.core.arguments import check_arguments
from axletree.core.column_files import UNIT_SPELLINGS
from axletree.core.errors import AxletreeError
from axletree.core.problems import Problems, shown
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, parse_unit, si_unit, to_si, units_in
from axletree.core.yaml_document import Entry, read_document, text_of
from axletree.metrics.vehicle_signals import (
    BRAKE,
    FORWARD_SPEED,
    HEADING,
    LATERAL_ACCELERATION,
    LATERAL_SPEED,
    LONGITUDINAL_ACCELERATION,
    PITCH,
    ROLL,
    SIDESLIP,
    STEERING,
    THROTTLE,
    VERTICAL_SPEED,
    YAW_RATE,
    X,
    Y,
)
from axletree.model_files.included_files import entry_of

# What every vehicle has. Names of other components are known by the run that is compared.
VEHICLE_CHANNELS: Final[Mapping[str, str]] = MappingProxyType({
    STEERING: "rad", THROTTLE: "1", BRAKE: "1", "driver.clutch": "1",
    "driver.reverse": "1", "driver.brake_pressure": "Pa",
    X: "m", Y: "m", HEADING: "rad", FORWARD_SPEED: "m/s",
    LATERAL_SPEED: "m/s", VERTICAL_SPEED: "m/s", SIDESLIP: "rad", YAW_RATE: "rad/s",
    ROLL: "rad", PITCH: "rad", LONGITUDINAL_ACCELERATION: "m/s^2", LATERAL_ACCELERATION: "m/s^2",
})  # fmt: skip
_VEHICLE_WORDS: Final = ("driver.", "vehicle.")
_TOP = ("time", "channels", "interval", "bridge", "filter")
_CHANNEL = ("column", "unit", "sign", "delay", "offset", "tolerance")
_MOST_ORDER = 10


@dataclass(frozen=True)
class Tolerance:
    """Half the width of a boundary about a simulated value: ``absolute + relative |value|``.

    Example:
    >>> from axletree.model_files.channel_file import Tolerance
    >>> Tolerance(0.5, 0.1).half_width(-20.0)
    2.5
    """

    absolute: float = 0.0  # in the SI unit of the channel
    relative: float = 0.0  # [1]

    def half_width(self, value: Any) -> Any:
        """In the SI unit of the channel, about a value or an array of them.

        Example:
        >>> from axletree.model_files.channel_file import Tolerance
        >>> Tolerance(absolute=0.5).half_width(3.0)
        0.5
        """
        return self.absolute + self.relative * abs(value)


@dataclass(frozen=True)
class Channel:
    """A column of a measurement that is a quantity of Axletree."""

    name: str  # of the quantity: vehicle.yaw_rate
    column: str  # as the file has it
    unit: str = ""  # of its values; empty: as the file says
    sign: float = 1.0
    delay: float = 0.0  # [s], by which its values come late
    offset: float = 0.0  # in its unit, that is taken off
    tolerance: Tolerance | None = None


@dataclass(frozen=True)
class StatedFilter:
    """A filter without phase, as it is asked for."""

    order: int
    cutoff: float  # [Hz]


@dataclass(frozen=True)
class ChannelMap:
    """All that is said of the columns of a measurement.

    Example:
    >>> from axletree.model_files.channel_file import Channel, ChannelMap
    >>> rates = ChannelMap((Channel("vehicle.yaw_rate", "YawRate", "deg/s", sign=-1.0),))
    >>> rates.channels[0].column
    'YawRate'
    """

    channels: tuple[Channel, ...]
    time_column: str = ""  # empty: the one that is called time, or the file's own time
    time_unit: str = ""
    interval: float = 0.0  # [s] between values of the common time; 0: as the file has them
    bridge: float = 0.0  # [s], the longest gap that a straight line goes over
    filter: StatedFilter | None = None
    file: str = ""
    lines: Mapping[str, int] = field(default_factory=dict, compare=False)  # of channels, by name


def unit_spelling(unit: str) -> str:
    """A unit as loggers write it, in the spelling of this package."""
    return UNIT_SPELLINGS.get(unit.strip(), unit.strip())


def channel_unit(name: str, unit: str) -> tuple[str, float]:
    """The SI unit of a channel, and what values in ``unit`` are multiplied by.

    Example:
    >>> from axletree.model_files.channel_file import channel_unit
    >>> channel_unit("vehicle.lateral_acceleration", "g"), channel_unit("driver.brake", "%")
    (('m/s^2', 9.80665), ('1', 0.01))
    """
    given = unit_spelling(unit)
    own = VEHICLE_CHANNELS.get(name, "m/s^2" if name.endswith("_acceleration") else "")
    if own:
        return own, 1.0 / units_in(given, own)
    return si_unit(given), float(parse_unit(given).factor)


def read_channels(given: str | Path | Mapping[str, Any]) -> ChannelMap:
    """Read a channel file, or a mapping with the same content; every mistake in it is named, with
    its line, in one ModelError.

    A mapping may be that of the channels alone.

    Example:
    >>> from pathlib import Path
    >>> from axletree.model_files.channel_file import read_channels
    >>> text = "channels: {vehicle.yaw_rate: {column: YawRate, unit: deg/s, delay: 12 ms}}"
    >>> written = Path("map.yaml").write_text(text)
    >>> read_channels("map.yaml").channels[0].delay  # s
    0.012
    >>> read_channels({"vehicle.yaw_rate": "YawRate"}).channels[0].column
    'YawRate'
    """
    check_arguments(read_channels, locals())
    source = "channels" if isinstance(given, Mapping) else str(given)
    problems = Problems(source)
    document = _document(given, problems)
    if not isinstance(document.content, dict) or "channels" not in document.content:
        problems.stop(document.line, (), "expected a mapping with the key 'channels'")
    top: dict[str, Entry] = document.content
    _refuse_keys(top, _TOP, (), problems)
    found = _Reader(problems)
    listed = top["channels"]
    if not isinstance(listed.content, dict) or not listed.content:
        problems.stop(
            listed.line, ("channels",),
            "expected channels by their names, for example vehicle.yaw_rate: {column: YawRate}",
        )  # fmt: skip
    channels = [found.channel(name, entry) for name, entry in listed.content.items()]
    column, unit = found.time(top.get("time"))
    read = ChannelMap(
        tuple(channels), column, unit,
        interval=found.quantity(top.get("interval"), ("interval",), "s", least=0.0),
        bridge=found.quantity(top.get("bridge"), ("bridge",), "s", least=0.0),
        filter=found.filter(top.get("filter")),
        file=source,
        lines={name: entry.line for name, entry in listed.content.items()},
    )  # fmt: skip
    problems.raise_any()
    return read


def _document(given: str | Path | Mapping[str, Any], problems: Problems) -> Entry:
    if isinstance(given, Mapping):
        return entry_of(given if "channels" in given else {"channels": given})
    text = text_of(Path(given), str(given))
    if not text.strip():
        problems.stop(0, (), "the file is empty; expected a mapping with the key 'channels'")
    return read_document(text, problems)


def _refuse_keys(
    entries: Mapping[str, Entry], known: Sequence[str], place: tuple[str, ...], problems: Problems
) -> None:
    for key, entry in entries.items():
        if key not in known:
            problems.add(entry.line, place, str(unknown_name("key", key, known, "a channel file")))


class _Reader:
    """Reads entries, and notes what is wrong with them."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def channel(self, name: str, entry: Entry) -> Channel:
        place = ("channels", name)
        if name.startswith(_VEHICLE_WORDS) and name not in VEHICLE_CHANNELS:
            words = unknown_name("quantity", name, VEHICLE_CHANNELS, "what every vehicle has")
            self._problems.add(entry.line, place, str(words))
        if isinstance(entry.content, str):
            return Channel(name, entry.content)
        if not isinstance(entry.content, dict) or "column" not in entry.content:
            self._problems.add(entry.line, place, "expected a column, or {column: ..., unit: ...}")
            return Channel(name, "")
        fields: dict[str, Entry] = entry.content
        _refuse_keys(fields, _CHANNEL, place, self._problems)
        unit = self._unit(name, fields.get("unit"), place)
        return Channel(
            name,
            self._text(fields["column"], (*place, "column")),
            unit,
            self._sign(fields.get("sign"), (*place, "sign")),
            self.quantity(fields.get("delay"), (*place, "delay"), "s"),
            self._offset(fields.get("offset"), unit, (*place, "offset")),
            self._tolerance(fields.get("tolerance"), name, unit, (*place, "tolerance")),
        )

    def time(self, entry: Entry | None) -> tuple[str, str]:
        if entry is None:
            return "", ""
        if isinstance(entry.content, str):
            return entry.content, ""
        if not isinstance(entry.content, dict) or "column" not in entry.content:
            self._problems.add(entry.line, ("time",), "expected a column, or {column: , unit: }")
            return "", ""
        _refuse_keys(entry.content, ("column", "unit"), ("time",), self._problems)
        unit = (
            self._text(entry.content["unit"], ("time", "unit")) if "unit" in entry.content else ""
        )
        if unit:
            with self._problems.gathered(entry.line, ("time", "unit")):
                units_in(unit_spelling(unit), "s")
        return self._text(entry.content["column"], ("time", "column")), unit

    def filter(self, entry: Entry | None) -> StatedFilter | None:
        if entry is None:
            return None
        if not isinstance(entry.content, dict) or set(entry.content) != {"order", "cutoff"}:
            self._problems.add(
                entry.line, ("filter",), "expected for example {order: 4, cutoff: 10 Hz}"
            )
            return None
        order = entry.content["order"].content
        cutoff = self.quantity(entry.content["cutoff"], ("filter", "cutoff"), "Hz", above=0.0)
        if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= _MOST_ORDER:
            self._problems.add(
                entry.content["order"].line, ("filter", "order"),
                f"expected a whole number from 1 to {_MOST_ORDER}, got {shown(order)}",
            )  # fmt: skip
            return None
        return StatedFilter(order, cutoff)

    def quantity(
        self,
        entry: Entry | None,
        place: tuple[str, ...],
        unit: str,
        least: float | None = None,
        above: float | None = None,
    ) -> float:
        """In SI units; 0 where nothing is said."""
        if entry is None:
            return 0.0
        try:
            value = to_si(entry.content, expected=unit)
        except UnitError as error:
            self._problems.add(entry.line, place, error)
            return 0.0
        if (least is not None and value < least) or (above is not None and value <= above):
            limit = f"at least {least:g}" if least is not None else f"more than {above:g}"
            self._problems.add(entry.line, place, f"{shown(entry.content)} is not {limit} {unit}")
        return value

    def _text(self, entry: Entry, place: tuple[str, ...]) -> str:
        if isinstance(entry.content, str) and entry.content.strip():
            return entry.content
        if isinstance(entry.content, int) and not isinstance(entry.content, bool):
            return str(entry.content)  # a column may be called 1
        self._problems.add(entry.line, place, f"expected a text, got {shown(entry.plain)}")
        return ""

    def _unit(self, name: str, entry: Entry | None, place: tuple[str, ...]) -> str:
        if entry is None:
            return ""
        unit = str(entry.content) if entry.content == 1 else self._text(entry, (*place, "unit"))
        try:
            channel_unit(name, unit or "1")
        except AxletreeError as error:
            self._problems.add(entry.line, (*place, "unit"), error)
            return ""
        return unit

    def _sign(self, entry: Entry | None, place: tuple[str, ...]) -> float:
        if entry is None:
            return 1.0
        if isinstance(entry.content, bool) or entry.content not in (1, -1):
            self._problems.add(entry.line, place, f"expected 1 or -1, got {shown(entry.plain)}")
            return 1.0
        return float(entry.content)

    def _offset(self, entry: Entry | None, unit: str, place: tuple[str, ...]) -> float:
        """In the unit of the column; a text may have another of the same dimension."""
        if entry is None:
            return 0.0
        content = entry.content
        if isinstance(content, str) and not unit:
            self._problems.add(entry.line, place, "an offset with a unit needs that of its column")
            return 0.0
        with self._problems.gathered(entry.line, place):
            if isinstance(content, str):
                given = unit_spelling(unit)
                return to_si(content, expected=given) / float(parse_unit(given).factor)
            return to_si(content, expected="1")
        return 0.0

    def _tolerance(
        self, entry: Entry | None, name: str, unit: str, place: tuple[str, ...]
    ) -> Tolerance | None:
        if entry is None:
            return None
        texts = entry.content if isinstance(entry.content, list) else [entry]
        absolute = relative = 0.0
        for one in texts:
            words = one.content
            if isinstance(words, str) and words.rstrip().endswith("%"):
                relative += self.quantity(one, place, "1", least=0.0)
            elif isinstance(words, str) and (unit or name in VEHICLE_CHANNELS):
                own = VEHICLE_CHANNELS.get(name) or si_unit(unit_spelling(unit))
                absolute += self.quantity(one, place, own, least=0.0)
            else:
                self._problems.add(
                    one.line, place,
                    f"expected texts such as 0.5 deg/s and 5 %, got {shown(one.plain)}",
                )  # fmt: skip
        return Tolerance(absolute, relative)
