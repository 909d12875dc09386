"""Roads of OpenCRG files, read by the ``pycrg`` package and laid on a rectangular grid.

OpenCRG has heights on a grid that follows a curved reference line; its own evaluation searches
the line. Here that is done once: the road is evaluated at the vertices of a rectangular grid
over all of it, with bicubic patches between them, which cost the same everywhere.
"""

from __future__ import annotations

import logging
import math
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from axletree.core.errors import ModelError, ModelWarning
from axletree.core.problems import Problems, shown
from axletree.core.units import LARGEST_VALUE, SMALLEST_VALUE
from axletree.ground.grid_surfaces import LARGEST_GRID, Bicubic
from axletree.ground.height_map import checked_length, file_of, not_positive, patches
from axletree.ground.road_line import RoadLine

_STRAIGHT = 1e-6  # [rad], by which a reference line may leave the x axis and count as straight
_MOST_MESSAGES = 3  # complaints of the reader
_COLUMN = re.compile(r"Error parsing line (\d+)")
_AT_END = "definition error at end"


def crg_surface(fields: Mapping[str, Any]) -> Bicubic:
    """The surface of ``{file: road.crg, spacing: 0.05, ...}``.

    ``spacing`` is the distance of the vertices [m]; if it is left out, it is that of the
    file. Further fields are those of bicubic patches; ``x`` and ``y`` move the road. Beside
    the road the height of its border is held. As in all tools for OpenCRG, a file without
    modifiers begins at the origin along x.
    """
    given = dict(fields)
    path = file_of(given, "an OpenCRG file .crg")
    spacing = checked_length(given.pop("spacing"), "spacing") if "spacing" in given else None
    if spacing is not None and spacing <= 0.0:
        raise ModelError(not_positive("spacing", spacing))
    heights, (x0, y0), (length_x, length_y) = read_crg(path, spacing)
    moved = {
        axis: first + checked_length(given.get(axis, 0.0), axis)
        for axis, first in (("x", x0), ("y", y0))
    }
    fixed = {"length_x": length_x, "length_y": length_y}
    return patches(path, heights, {**given, **moved, **fixed}, ("spacing",))


def read_crg(
    path: Path, spacing: float | None = None
) -> tuple[np.ndarray, tuple[float, float], tuple[float, float]]:
    """Heights [m] on a rectangular grid, its first corner and its lengths [m]."""
    pycrg = _pycrg(path)
    header = read_header(path)
    try:
        with _complaints_told(path, header), pycrg.RoadSurface.open(path) as road:
            for border in (pycrg.CP_OPTION_BORDER_MODE_U, pycrg.CP_OPTION_BORDER_MODE_V):
                road.option_set_int(border, pycrg.BORDER_MODE_EX_KEEP)
            _check_end(path, header, len(road.grid().u))
            return _laid_out(road, path, spacing)
    except pycrg.OpenCRGError as error:
        raise ModelError(f"{path}: cannot be read as OpenCRG: {error}") from None


_ACROSS: Final = 17  # places across a road, through which its banking is a straight line


def read_crg_line(path: Path, spacing: float) -> RoadLine:
    """The middle of a road every so many metres, with its mean height and banking across; what is
    shorter than that, its unevenness, is left out."""
    pycrg = _pycrg(path)
    header = read_header(path)
    try:
        with _complaints_told(path, header), pycrg.RoadSurface.open(path) as road:
            grid = road.grid()
            _check_end(path, header, len(grid.u))
            u, v = np.asarray(grid.u), np.asarray(grid.v)
            # Means along the road over one spacing, so that the grain of the road is no height.
            each = max(round(spacing / float(u[1] - u[0])), 1)
            across = np.linspace(v[0], v[-1], _ACROSS)
            heights = np.column_stack(
                [np.asarray(road.uv_to_z_many(u, np.full_like(u, one))) for one in across]
            )
            count = max(len(u) // each, 1)
            at = np.minimum(np.arange(count) * each + each // 2, len(u) - 1)
            mean = np.array([heights[k * each : (k + 1) * each].mean(axis=0) for k in range(count)])
            middle = 0.5 * float(v[0] + v[-1])
            xy = road.uv_to_xy_many(u[at], np.full(count, middle))
    except pycrg.OpenCRGError as error:
        raise ModelError(f"{path}: cannot be read as OpenCRG: {error}") from None
    places = np.column_stack([*(np.asarray(one) for one in xy), mean.mean(axis=1)])
    if not (np.isfinite(places).all() and np.isfinite(mean).all()):
        raise ModelError(f"{path}: the road has places without a height inside its borders")
    slope = (mean @ (across - across.mean())) / np.sum((across - across.mean()) ** 2)
    half = np.full(count, 0.5 * float(v[-1] - v[0]))
    ends = np.hypot(*(places[0, :2] - places[-1, :2]))
    closed = count > 2 and bool(ends < 2.5 * each * float(u[1] - u[0]))
    return RoadLine(path.stem, places, np.arctan(slope), half, -half, closed)


def _pycrg(path: Path) -> Any:
    try:
        import pycrg
    except ImportError:
        raise ModelError(
            f"{path}: reading OpenCRG files needs the package pycrg; install it with "
            "pip install 'axletree[crg]'"
        ) from None
    if not path.is_file():
        raise ModelError(f"{path}: there is no such file")
    return pycrg


class _Listener(logging.Handler):
    """Keeps what is logged, each text once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        self.texts[" ".join(record.getMessage().split())] = None


@contextmanager
def _complaints_told(path: Path, header: Mapping[str, HeaderNumber]) -> Iterator[None]:
    """What the reader logs, such as lines of the header that it ignores, as one warning.

    A column of data that it cannot place is an error: the others would take its numbers.
    """
    logger, listener = logging.getLogger("pycrg"), _Listener()
    logger.addHandler(listener)
    try:
        yield
    finally:
        logger.removeHandler(listener)
    messages = list(listener.texts)
    for reason, text in zip(messages, messages[1:], strict=False):
        if column := _COLUMN.search(text):
            raise ModelError(f"{path}, line {column[1]}: cannot be read as OpenCRG: {reason}")
    ends = [f"{key} in line {header[key].line}" for key in _ENDS if key in header]
    messages = [
        f"{text} ({', '.join(ends)})" if ends and _AT_END in text else text for text in messages
    ]
    if messages:
        left = len(messages) - _MOST_MESSAGES
        more = f"; and {left} more" if left > 0 else ""
        warnings.warn(
            f"{path}: the reader of OpenCRG says: {'; '.join(messages[:_MOST_MESSAGES])}{more}. "
            "What it ignores has no effect on the road; correct the file",
            ModelWarning,
            stacklevel=4,
        )


def _check_end(path: Path, header: Mapping[str, HeaderNumber], rows: int) -> None:
    """Warn of an end of the reference line that is not where its rows of data end."""
    if INCREMENT not in header or END_U not in header:
        return
    increment, end = header[INCREMENT].value, header[END_U]
    start = header[START_U].value if START_U in header else 0.0
    if abs(start + increment * (rows - 1) - end.value) > 0.5 * increment:
        warnings.warn(
            f"{path}, line {end.line}: {END_U} is {end.value:g}, but {rows} rows of data at a "
            f"distance of {increment:g} from {start:g} on end at "
            f"{start + increment * (rows - 1):g}; that is where the road ends",
            ModelWarning,
            stacklevel=4,
        )


def _laid_out(
    road: Any, path: Path, spacing: float | None
) -> tuple[np.ndarray, tuple[float, float], tuple[float, float]]:
    grid = road.grid()
    u, v = np.asarray(grid.u), np.asarray(grid.v)
    corners = [road.uv_to_xy_many(u, np.full_like(u, side)) for side in (v[0], v[-1])]
    corners += [road.uv_to_xy_many(np.full_like(v, end), v) for end in (u[0], u[-1])]
    x, y = (np.concatenate([np.asarray(c[k]) for c in corners]) for k in range(2))
    along, across = _steps(grid, u, v, spacing)
    far = float(np.abs([*x, *y]).max())
    if not (far < LARGEST_VALUE and min(along, across) > SMALLEST_VALUE):
        raise ModelError(
            f"{path}: the places of its grid are not finite or do not rise; look at "
            f"{INCREMENT} and the positions of the sections in its header"
        )
    counts = [max(2, round(float(np.ptp(w)) / s) + 1) for w, s in ((x, along), (y, across))]
    if counts[0] * counts[1] > LARGEST_GRID:
        fitting = math.sqrt(float(np.ptp(x) * np.ptp(y)) / LARGEST_GRID)
        raise ModelError(
            f"{path}: {counts[0]} x {counts[1]} vertices are too many, the limit is "
            f"{LARGEST_GRID}; give a spacing of {fitting:.2g} m or more"
        )
    xs, ys = (np.linspace(w.min(), w.max(), n) for w, n in zip((x, y), counts, strict=True))
    heights = _evaluated(road, xs, ys)
    if not np.isfinite(heights).all():
        raise ModelError(f"{path}: the road has places without a height inside its borders")
    lengths = float(np.ptp(xs)), float(np.ptp(ys))
    return heights, (float(xs[0]), float(ys[0])), lengths


def _steps(grid: Any, u: np.ndarray, v: np.ndarray, spacing: float | None) -> tuple[float, float]:
    """Distances of vertices along x and y [m]: those of the file where it is straight along x."""
    if spacing is not None:
        return spacing, spacing
    along, across = float(np.min(np.diff(u))), float(np.min(np.diff(v)))
    phi = np.asarray(grid.phi)
    if np.abs(np.sin(phi)).max(initial=0.0) < _STRAIGHT:
        return along, across
    return min(along, across), min(along, across)


def _evaluated(road: Any, xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
    """Row by row, there and back: the search for the nearest place begins at the last one."""
    rows = []
    for k, x in enumerate(xs):
        order = slice(None, None, -1) if k % 2 else slice(None)
        rows.append(np.asarray(road.xy_to_z_many(np.full_like(ys, x), ys[order]))[order])
    return np.array(rows)


# The text before the data of an OpenCRG file: its numbers, with the lines that they stand in.
#
# The reader of the reference implementation takes from a value what looks like a number and 0
# where nothing does, without a word. So values are looked at here before it reads the file.
# A ``$`` begins and ends a section, a ``*`` a line of comment, a ``!`` a comment up to the end
# of the line; ``$$$$`` begins the data.

INCREMENT: Final = "reference_line_increment"
START_U, END_U = "reference_line_start_u", "reference_line_end_u"
_ENDS: Final = ("reference_line_end_x", "reference_line_end_y")

_NUMBERS_IN: Final = ("$ROAD_CRG", "$ROAD_CRG_OPTS", "$ROAD_CRG_MODS")
_CHANNELS: Final = "$KD_DEFINITION"
_COMMENTS: Final = "$CT"
_POSITIVE: Final = (INCREMENT, "long_section_v_increment")
_FORMAT: Final = re.compile(r"[KL][RD][FB]I?")
_LONGEST_HEADER: Final = 1 << 24  # bytes


@dataclass(frozen=True)
class HeaderNumber:
    """A value of the header, in SI units."""

    value: float
    line: int  # from 1


def read_header(path: Path) -> Mapping[str, HeaderNumber]:
    """The numbers of the header by their keys in lower case; what is none is an error."""
    problems, found = Problems(str(path)), dict[str, HeaderNumber]()
    for line, section, text in _lines(path):
        key, assigned, written = (word.strip() for word in text.partition("="))
        if section in _NUMBERS_IN and assigned:
            value = _number(written)
            positive = key.lower() in _POSITIVE
            if value is None or (positive and value <= 0.0):
                wanted = "a positive number" if positive else "a number"
                problems.add(line, (), f"{key} = {shown(written)}: expected {wanted}")
            else:
                found[key.lower()] = HeaderNumber(value, line)
        elif section == _CHANNELS:
            _check_channel(problems, line, text)
    problems.raise_any()
    return found


def _lines(path: Path) -> Iterator[tuple[int, str, str]]:
    """Lines of sections that say something: number, section in upper case, text."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_LONGEST_HEADER)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from None
    section = ""
    for number, raw in enumerate(head.split(b"\n"), start=1):
        text = raw.decode("latin-1").partition("!")[0].strip()
        if text.startswith("$$$$"):
            return
        if text.startswith("$"):
            section = text.split()[0].upper()
        elif text and not text.startswith("*") and section not in ("", "$", _COMMENTS):
            yield number, section, text


def _check_channel(problems: Problems, line: int, text: str) -> None:
    """A line of the data's format, of the distances along, or of one column of data."""
    kind, _, rest = text.partition(":")
    words = [word.strip() for word in rest.split(",")]
    if kind == "#" and not _FORMAT.match(words[0].upper()):
        problems.add(
            line, (), f"{shown(text)} is no format of data; expected #:LRFI, LDFI, KRBI or KDBI"
        )
    written = words[2:4] if kind.upper() == "U" else []
    _, at, place = words[0].partition("=")
    written += [place.strip()] if at else []
    for word in written:
        if _number(word) is None:
            problems.add(line, (), f"{shown(text)}: {shown(word)} is no number")


def _number(text: str) -> float | None:
    """Of a text that is a finite number from its first to its last character."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None
