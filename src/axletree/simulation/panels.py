"""Panels: which curves are read together in one set of axes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from axletree.core.plotted_unit import plotted_unit
from axletree.model.manoeuvres.diagram import Mark

Course = NDArray[np.float64]

MOST_CURVES: Final = 6  # in one set of axes
LEAST_PART: Final = 0.05  # of the height of a panel that a curve must use to be read
FAR: Final = 10.0  # times the way that a curve makes: curves farther away go elsewhere
STILL: Final = 1e-9  # relative: a curve that moves by less stands still
NOISE: Final = 1e-12  # of the greatest value beside it, or of 1 in SI units: rounding


@dataclass(frozen=True)
class Curve:
    """One line of a panel; a guide is thin and grey, for another to be read by."""

    label: str
    x: Course
    y: Course
    is_guide: bool = False


@dataclass(frozen=True)
class Panel:
    """One set of axes."""

    title: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    over_time: bool = True
    is_plan: bool = False  # both axes are lengths of one plan, in one scale
    marks: tuple[Mark, ...] = ()
    is_logarithmic: bool = False  # the horizontal axis

    @property
    def greatest(self) -> float:
        """The greatest value, without its sign."""
        return greatest([curve.y for curve in self.curves])


def greatest(courses: Iterable[Course]) -> float:
    """The greatest value of all courses, without its sign; 0 of none."""
    return max((float(np.abs(y).max(initial=0.0)) for y in courses), default=0.0)


def without_zeros(panels: Sequence[Panel]) -> list[Panel]:
    """The panels that show more than zero, or more than rounding beside others of their unit."""
    scales: dict[str, float] = {}
    for panel in panels:
        scales[panel.y_label] = max(scales.get(panel.y_label, 1.0), panel.greatest)
    return [p for p in panels if not p.over_time or p.greatest > NOISE * scales[p.y_label]]


def automatic_panels(
    time: Course,
    columns: Mapping[str, Course],
    units: Mapping[str, str],
    time_label: str = "time [s]",
) -> list[Panel]:
    """Panels of all columns: of one unit, and where these are many, of one quantity or component.

    What would be a flat line beside the others gets a panel of its own. Angles are in degrees.
    """
    panels = []
    for members in _families(list(columns), units):
        for group in _readable(members, columns):
            for few in _divided(group):
                title, labels = titled(few)
                courses = [columns[name] for name in few]
                unit, factor = plotted_unit(units.get(few[0], "1"), greatest(courses))
                curves = (
                    Curve(label, time, factor * course)
                    for label, course in zip(labels, courses, strict=True)
                )
                panels.append(Panel(title, time_label, f"[{unit}]", tuple(curves)))
    return panels


def _families(names: Sequence[str], units: Mapping[str, str]) -> list[list[str]]:
    """Names that may stand together."""
    unit_of = {name: units.get(name, "1") for name in names}
    of_unit = Counter(unit_of.values())
    alike = Counter((unit_of[name], _quantity(name)) for name in names)
    families: dict[tuple[str, str], list[str]] = {}
    for name, unit in unit_of.items():
        if of_unit[unit] <= MOST_CURVES:
            common = ""
        else:
            common = _quantity(name) if alike[unit, _quantity(name)] > 1 else _component(name)
        families.setdefault((unit, common), []).append(name)
    return list(families.values())


def _component(name: str) -> str:
    return name.partition(".")[0]


def _quantity(name: str) -> str:
    return name.partition(".")[2] or name


def titled(names: Sequence[str]) -> tuple[str, list[str]]:
    """What all names share, and what each has beyond that."""
    if len(names) == 1:
        return names[0], list(names)
    quantities, components = map(_quantity, names), list(map(_component, names))
    if all("." in name for name in names) and len(set(quantities)) == 1:
        shared = _shared_ending(components)
        title = ".".join(part for part in (shared.strip("_"), _quantity(names[0])) if part)
        return title, [component.removesuffix(shared) for component in components]
    if all("." in name for name in names) and len(set(components)) == 1:
        return components[0], [_quantity(name) for name in names]
    return "", list(names)


def _shared_ending(words: Sequence[str]) -> str:
    """Of names that differ before an underscore: ``_strut`` of front_strut and rear_strut."""
    ending = ""
    parts = [word.split("_") for word in words]
    for k in range(1, min(len(part) for part in parts)):
        if len({part[-k] for part in parts}) > 1:
            break
        ending = f"_{parts[0][-k]}{ending}"
    return ending


def _readable(members: Sequence[str], columns: Mapping[str, Course]) -> list[list[str]]:
    """Members in groups, in each of which every curve that moves can be seen to."""
    pending, groups = list(members), []
    while pending:
        lows, highs = _ends(pending, columns)
        ways = highs - lows
        levels = np.maximum(np.abs(lows), np.abs(highs))
        moves = ways > np.maximum(STILL * levels, NOISE * levels.max())
        small = moves & (ways < LEAST_PART * (highs.max() - lows.min()))
        if small[moves].all() and moves.any():  # they move little and are far apart
            most = int(ways.argmax())
            near = FAR * ways[most]
            small = (highs < lows[most] - near) | (lows > highs[most] + near)
            small[most] = False
        groups.append([name for name, out in zip(pending, small, strict=True) if not out])
        pending = [name for name, out in zip(pending, small, strict=True) if out]
    return groups


def _ends(names: Sequence[str], columns: Mapping[str, Course]) -> tuple[Course, Course]:
    """The least and the greatest value of each column; 0 for those without values."""
    lows = [columns[name].min() if len(columns[name]) else 0.0 for name in names]
    highs = [columns[name].max() if len(columns[name]) else 0.0 for name in names]
    return np.array(lows), np.array(highs)


def _divided(group: Sequence[str]) -> Iterator[Sequence[str]]:
    """Into parts of nearly equal size, none with too many curves."""
    count = -(-len(group) // MOST_CURVES)
    size = -(-len(group) // count)
    for k in range(0, len(group), size):
        yield group[k : k + size]
