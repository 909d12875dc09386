"""Roads of OpenDRIVE files (ASAM OpenDRIVE 1.4 to 1.8, .xodr): the line of a road and its lanes.

What is read, by its element: ``planView/geometry`` with ``line``, ``arc``, ``spiral``, ``poly3``
and ``paramPoly3``; ``elevationProfile/elevation``; ``lateralProfile/superelevation``;
``lanes/laneOffset`` and ``lanes/laneSection`` with ``lane/width`` or ``lane/border``. Polynomials
are a + b d + c d^2 + d d^3 over the distance d from where they begin. Lanes to be driven on, next
to one another from the middle outwards, make the width. Roads that follow one another by
``link/successor`` are joined. Signals, objects and junctions are left out.

A file is data from elsewhere: document types and entities are refused, and what is longer than any
road is.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError, ModelWarning
from axletree.core.registry import few_names
from axletree.ground.road_line import RoadLine

OPENDRIVE_SUFFIX: Final = ".xodr"
_SPACING: Final = 2.0  # m, about, between the places that are read
_MOST_BYTES, _MOST_ELEMENTS = 1 << 26, 1_000_000
_LONGEST: Final = 1e5  # m, of a road
_FARTHEST: Final = 1e7  # m, of a place
_APART, _TURNED = 0.05, 0.01  # m, rad, by which pieces of a line may be apart
_MOST_PROBLEMS: Final = 10
_GAUSS: Final = np.polynomial.legendre.leggauss(8)
_SUBSTEPS: Final = 400  # of a cubic, by which its length is measured
_LANES: Final = frozenset(
    ("driving", "bidirectional", "entry", "exit", "onRamp", "offRamp", "connectingRamp",
     "slipLane", "mwyEntry", "mwyExit")
)  # fmt: skip
_LEFT_OUT: Final = {"crossfall": "crossfall", "shape": "the shape across"}


def read_opendrive(path: Path, spacing: float = _SPACING) -> RoadLine:
    """The road of a file, or the roads of it that follow one another.

    Example:
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from axletree.ground.opendrive import read_opendrive
    >>> text = '''<OpenDRIVE><road id="1" length="50"><planView>
    ...   <geometry s="0" x="0" y="0" hdg="0" length="50"><arc curvature="0.02"/></geometry>
    ... </planView><lanes><laneSection s="0"><right><lane id="-1" type="driving">
    ...   <width sOffset="0" a="4" b="0" c="0" d="0"/></lane></right></laneSection></lanes>
    ... </road></OpenDRIVE>'''
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "bend.xodr")
    ...     _ = file.write_text(text)
    ...     road = read_opendrive(file)
    >>> float(road.left[0] - road.right[0]), road.closed  # m
    (4.0, False)
    """
    root = _root(path)
    roads = {road.get("id", str(k)): road for k, road in enumerate(root.iter("road"))}
    if not roads:
        raise ModelError(f"{path.name}: the file has no road; expected OpenDRIVE/road")
    chain, closed = _chain(path.name, roads)
    problems: list[str] = []
    parts = [
        _sampled(path.name, name, roads[name], back, spacing, problems) for name, back in chain
    ]
    if problems:
        raise ModelError(problems[:_MOST_PROBLEMS])
    return _joined(path, parts, closed)


def _root(path: Path) -> Element:
    try:
        size = path.stat().st_size
        if size > _MOST_BYTES:
            raise ModelError(
                f"{path.name}: the file has {size / 2**20:.0f} MiB; expected at most "
                f"{_MOST_BYTES >> 20}"
            )
        text = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path.name}: cannot be read: {error.strerror or error}") from None
    # UTF-16 hides the words from a search of bytes, so that it is looked for without zeros.
    if re.search(rb"<!\s*(DOCTYPE|ENTITY)", text.replace(b"\0", b""), re.IGNORECASE):
        raise ModelError(f"{path.name}: the file has a document type; OpenDRIVE has none")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ModelError(f"{path.name}: cannot be read as XML: {error}") from None
    for count, element in enumerate(root.iter()):
        element.tag = str(element.tag).rpartition("}")[2]  # without its name space
        if count >= _MOST_ELEMENTS:
            raise ModelError(f"{path.name}: more than {_MOST_ELEMENTS} elements; cut the file")
    if root.tag != "OpenDRIVE":
        raise ModelError(f"{path.name}: the file is {root.tag[:60]!r}; expected OpenDRIVE")
    return root


def _chain(file: str, roads: dict[str, Element]) -> tuple[list[tuple[str, bool]], bool]:
    """Roads in the order of travel, each with whether it is driven backwards; whether they close.

    Roads of junctions are none of the first, but are gone along where a link names them.
    """
    proper = [name for name, road in roads.items() if road.get("junction", "-1") in ("-1", "")]
    found: list[tuple[list[tuple[str, bool]], bool]] = [
        _followed(roads, name) for name in proper or roads
    ]
    closed = [one for one in found if one[1]]
    if closed:
        return max(closed, key=lambda one: len(one[0]))
    longest = max(found, key=lambda one: len(one[0]))
    seen = {name for name, _ in longest[0]}
    others = [name for name in proper if name not in seen]
    if others:
        raise ModelError(
            f"{file}: roads {few_names(others)} do not follow road {longest[0][0][0]} by "
            "link/successor; a track is one road, or roads in a row (give their links, or leave "
            "out the others)"
        )
    return longest


def _followed(roads: dict[str, Element], first: str) -> tuple[list[tuple[str, bool]], bool]:
    chain, name, back = [(first, False)], first, False
    while True:
        link = roads[name].find(f"link/{'predecessor' if back else 'successor'}")
        if link is None or link.get("elementType", "road") != "road":
            return chain, False
        name, back = link.get("elementId", ""), link.get("contactPoint", "start") == "end"
        if (name, back) == chain[0]:
            return chain, True
        if name not in roads or name in {one for one, _ in chain}:
            return chain, False
        chain.append((name, back))


# Attributes ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Attributes:
    """Numbers of elements, with the place of what is none."""

    place: str
    problems: list[str]

    def number(self, of: Element, name: str, otherwise: float | None = None) -> float:
        written = of.get(name)
        if written is None and otherwise is not None:
            return otherwise
        try:
            value = float(written or "")
        except ValueError:
            value = math.nan
        if not abs(value) < _FARTHEST or "_" in (written or ""):
            said = "is missing" if written is None else f"is {written[:40]!r}"
            self.problems.append(f"{self.place}: {of.tag}: {name} {said}; expected a number")
            return 0.0
        return value

    def numbers(self, of: Element, *names: str) -> list[float]:
        return [self.number(of, name) for name in names]


@dataclass(frozen=True)
class _Cubics:
    """a + b d + c d^2 + d d^3 over the distance from where each begins; 0 before the first."""

    begin: FloatArray
    rows: FloatArray

    @classmethod
    def of(
        cls, elements: Iterable[Element], place: str, at: _Attributes, first: float = 0.0
    ) -> _Cubics:
        found = []
        for one in elements:
            found.append((first + at.number(one, place, 0.0), *at.numbers(one, *"abcd")))
        found.sort(key=lambda row: row[0])
        table = np.array(found or [(0.0,) * 5])
        return cls(table[:, 0], table[:, 1:])

    def __call__(self, s: FloatArray) -> FloatArray:
        k = np.searchsorted(self.begin, s + 1e-9, side="right") - 1
        d = s - self.begin[np.maximum(k, 0)]
        a, b, c, e = self.rows[np.maximum(k, 0)].T
        return np.where(k >= 0, a + d * (b + d * (c + d * e)), 0.0)


# Geometry of the reference line -----------------------------------------------------------------

_PieceLine = Callable[[FloatArray], FloatArray]  # u, v, heading in the piece's axes, by length


def _line(inner: Element, length: float, at: _Attributes) -> _PieceLine:
    return lambda d: np.array([d, 0.0 * d, 0.0 * d])


def _arc(inner: Element, length: float, at: _Attributes) -> _PieceLine:
    bend = at.number(inner, "curvature")
    return _clothoid(bend, bend, length)


def _spiral(inner: Element, length: float, at: _Attributes) -> _PieceLine:
    """Curvature that grows evenly: its place is the integral of its direction."""
    first, last = at.numbers(inner, "curvStart", "curvEnd")
    return _clothoid(first, last, length)


def _clothoid(first: float, last: float, length: float) -> _PieceLine:
    slope = (last - first) / length

    def at(d: FloatArray) -> FloatArray:
        # Pieces of at most some 0.5 rad, by Gauss's rule of order 16.
        turned = max(abs(first), abs(last)) * length
        ends = np.unique(np.concatenate(
            [[0.0], d, np.linspace(0.0, length, min(int(2.0 * turned), 10_000) + 2)]
        ))  # fmt: skip
        half = 0.5 * np.diff(ends)
        places = (ends[:-1] + half)[:, None] + half[:, None] * _GAUSS[0]
        heading = places * (first + 0.5 * slope * places)
        steps = [half * (wave(heading) @ _GAUSS[1]) for wave in (np.cos, np.sin)]
        u, v = (np.concatenate([[0.0], np.cumsum(step)]) for step in steps)
        index = np.searchsorted(ends, d)
        return np.array([u[index], v[index], d * (first + 0.5 * slope * d)])

    return at


def _poly3(inner: Element, length: float, at: _Attributes) -> _PieceLine:
    """v over u, as far as u goes along the length of the piece."""
    a, b, c, d = at.numbers(inner, *"abcd")
    u = np.linspace(0.0, length, _SUBSTEPS + 1)
    ways = _ways(np.ones_like(u), b + u * (2.0 * c + 3.0 * d * u), u)

    def place(s: FloatArray) -> FloatArray:
        w = np.interp(s, ways, u)
        return np.array([w, a + w * (b + w * (c + w * d)), np.arctan(b + w * (2 * c + 3 * d * w))])

    return place


def _ways(du: FloatArray, dv: FloatArray, p: FloatArray) -> FloatArray:
    speed = np.hypot(du, dv)
    return np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(p))])


def _param_poly3(inner: Element, length: float, at: _Attributes) -> _PieceLine:
    us, vs = (at.numbers(inner, *(f"{k}{axis}" for k in "abcd")) for axis in "UV")
    kind = inner.get("pRange", "normalized")
    if kind not in ("normalized", "arcLength"):
        at.problems.append(
            f"{at.place}: paramPoly3: pRange is {kind[:40]!r}; expected normalized or arcLength"
        )
    factor = 1.0 if kind == "arcLength" else 1.0 / length

    def place(s: FloatArray) -> FloatArray:
        p = s * factor
        (u, du), (v, dv) = (
            (k[0] + p * (k[1] + p * (k[2] + p * k[3])), k[1] + p * (2.0 * k[2] + 3.0 * k[3] * p))
            for k in (us, vs)
        )
        return np.array([u, v, np.unwrap(np.arctan2(dv, du))])

    return place


_CURVES: Final = {
    "line": _line, "arc": _arc, "spiral": _spiral, "poly3": _poly3, "paramPoly3": _param_poly3,
}  # fmt: skip


@dataclass(frozen=True)
class _Piece:
    begin: float
    length: float
    origin: tuple[float, float, float]  # x, y, heading
    curve: _PieceLine

    def places(self, s: FloatArray) -> FloatArray:
        """x, y and heading by row."""
        u, v, turned = self.curve(np.clip(s - self.begin, 0.0, self.length))
        x, y, heading = self.origin
        c, w = math.cos(heading), math.sin(heading)
        return np.array([x + c * u - w * v, y + w * u + c * v, heading + turned])


def _pieces(road: Element, at: _Attributes) -> list[_Piece]:
    found = []
    for geometry in road.iterfind("planView/geometry"):
        begin, x, y, heading, length = at.numbers(geometry, "s", "x", "y", "hdg", "length")
        inner = next((one for one in geometry if one.tag in _CURVES), None)
        if inner is None:
            kind = geometry[0].tag if len(geometry) else "empty"
            at.problems.append(
                f"{at.place}: geometry at s = {begin:g} is {kind[:40]!r}; expected "
                f"{', '.join(_CURVES)}"
            )
        elif not 0.0 < length <= _LONGEST:
            at.problems.append(
                f"{at.place}: geometry at s = {begin:g} is {length:g} m long; expected more than 0 "
                f"and at most {_LONGEST:g}"
            )
        else:
            curve = _CURVES[inner.tag](inner, length, at)
            found.append(_Piece(begin, length, (x, y, heading), curve))
    found.sort(key=lambda one: one.begin)
    if not found and not at.problems:
        at.problems.append(f"{at.place}: it has no planView/geometry")
    return found


def _apart(pieces: Sequence[_Piece], place: str) -> list[str]:
    """Gaps and kinks between pieces of a line."""
    found = []
    for one, after in zip(pieces[:-1], pieces[1:], strict=True):
        ((x, y, heading),) = one.places(np.array([one.begin + one.length])).T
        gap = math.hypot(after.origin[0] - x, after.origin[1] - y)
        turn = abs(math.remainder(after.origin[2] - heading, 2.0 * math.pi))
        if not gap <= _APART:
            found.append(
                f"{place}: there is a gap of {gap:.3g} m before the geometry at s = {after.begin:g}"
            )
        elif not turn <= _TURNED:
            found.append(
                f"{place}: the line turns by {math.degrees(turn):.2f} deg at s = {after.begin:g}, "
                "between two pieces of geometry"
            )
        if not abs(one.begin + one.length - after.begin) <= _APART:
            found.append(
                f"{place}: geometry ends at s = {one.begin + one.length:g}, and the next begins at "
                f"{after.begin:g}"
            )
    return found


# Lanes ------------------------------------------------------------------------------------------


def _edges(road: Element, s: FloatArray, at: _Attributes) -> tuple[FloatArray, FloatArray]:
    """t [m] of the left and the right edge of the lanes that are driven on."""
    lanes = road.find("lanes")
    sections = [] if lanes is None else list(lanes.iterfind("laneSection"))
    middle = _Cubics.of([] if lanes is None else lanes.iterfind("laneOffset"), "s", at)(s)
    begins = sorted((at.number(one, "s", 0.0), k) for k, one in enumerate(sections))
    left, right = middle.copy(), middle.copy()
    for j, (begin, k) in enumerate(begins):
        end = begins[j + 1][0] if j + 1 < len(begins) else math.inf
        inside = (s >= begin - 1e-9 if j else np.ones(len(s), bool)) & (s < end - 1e-9)
        for side, sign, edge in (("left", 1.0, left), ("right", -1.0, right)):
            widths = _width(sections[k], side, begin, s[inside], at)
            edge[inside] += sign * widths
    return left, right


def _width(section: Element, side: str, begin: float, s: FloatArray, at: _Attributes) -> FloatArray:
    """Of the lanes of a side that are next to one another from the middle outwards."""
    lanes = [(abs(at.number(one, "id")), one) for one in section.iterfind(f"{side}/lane")]
    whole = np.zeros(len(s))
    for _, lane in sorted(lanes, key=lambda one: one[0]):
        if lane.get("type", "none") not in _LANES:
            break
        widths = list(lane.iterfind("width"))
        if widths:
            whole = whole + _Cubics.of(widths, "sOffset", at, begin)(s)
        else:
            border = _Cubics.of(lane.iterfind("border"), "sOffset", at, begin)(s)
            whole = np.abs(border)
    return whole


# Roads ------------------------------------------------------------------------------------------


def _sampled(
    file: str, name: str, road: Element, back: bool, spacing: float, problems: list[str]
) -> RoadLine:
    """A road at places of equal distance along its reference line, both ends with them."""
    at = _Attributes(f"{file}: road {name[:40]}", [])
    pieces = _pieces(road, at)
    if not at.problems:
        at.problems.extend(_apart(pieces, at.place))
    empty = np.zeros((0, 3))
    nothing = RoadLine(name, empty, empty[:, 0], empty[:, 0], empty[:, 0], closed=False)
    if at.problems:
        problems += at.problems
        return nothing
    end = pieces[-1].begin + pieces[-1].length
    said = at.number(road, "length", end)
    if abs(said - end) > _APART * max(len(pieces), 1):
        problems.append(f"{at.place}: its length is {said:g} m, and its geometry is {end:g} m long")
    if end - pieces[0].begin > _LONGEST:
        problems.append(f"{at.place}: it is {end:g} m long; the limit is {_LONGEST:g}")
        return nothing
    s = np.linspace(pieces[0].begin, end, max(math.ceil((end - pieces[0].begin) / spacing), 2) + 1)
    index = np.clip(np.searchsorted([one.begin for one in pieces], s, "right") - 1, 0, None)
    x, y = np.zeros_like(s), np.zeros_like(s)
    for k, one in enumerate(pieces):
        inside = index == k
        x[inside], y[inside], _ = one.places(s[inside])
    height = _Cubics.of(road.iterfind("elevationProfile/elevation"), "s", at)(s)
    banking = _Cubics.of(road.iterfind("lateralProfile/superelevation"), "s", at)(s)
    left, right = _edges(road, s, at)
    problems += at.problems + _bad_widths(at.place, s, left - right)
    _tell_left_out(at.place, road)
    made = RoadLine(name, np.column_stack([x, y, height]), banking, left, right, closed=False)
    return made.reversed() if back else made


def _bad_widths(place: str, s: FloatArray, width: FloatArray) -> list[str]:
    narrow = np.flatnonzero(~(width > 0.0))
    if not narrow.size:
        return []
    k = int(narrow[0])
    return [
        f"{place}: at s = {s[k]:.1f} its lanes to drive on are {width[k]:g} m wide together; "
        "expected more than 0 (lanes of the type driving next to the middle)"
    ]


def _tell_left_out(place: str, road: Element) -> None:
    named = [
        word for tag, word in _LEFT_OUT.items() if road.find(f"lateralProfile/{tag}") is not None
    ]
    if named:
        warnings.warn(
            f"{place}: {' and '.join(named)} of its lateralProfile is not read, and has no effect "
            "on the track; superelevation is",
            ModelWarning,
            stacklevel=4,
        )


def _joined(path: Path, parts: Sequence[RoadLine], closed: bool) -> RoadLine:
    """One road of several, whose ends meet; a road whose own ends meet is closed, too."""
    problems = []
    whole = list(zip(parts[:-1], parts[1:], strict=True)) + (
        [(parts[-1], parts[0])] if closed else []
    )
    for one, after in whole:
        gap = float(np.linalg.norm(after.points[0] - one.points[-1]))
        if not gap <= 2.0 * _APART:
            problems.append(
                f"{path.name}: road {after.name[:40]} begins {gap:.3g} m from the end of road "
                f"{one.name[:40]}, which it follows"
            )
    if problems:
        raise ModelError(problems[:_MOST_PROBLEMS])
    ends = np.linalg.norm(parts[0].points[0] - parts[-1].points[-1])
    closed = closed or bool(ends <= 2.0 * _APART)
    last = len(parts) - 1
    kept = [slice(None) if k == last and not closed else slice(-1) for k in range(len(parts))]

    def joined(column: str) -> FloatArray:
        pairs = zip(parts, kept, strict=True)
        return np.concatenate([getattr(one, column)[rows] for one, rows in pairs])

    points, banking, left, right = map(joined, ("points", "banking", "left", "right"))
    return RoadLine(path.stem, points, banking, left, right, closed)
