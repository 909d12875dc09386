"""What a lap contributes to its page: map, speed, line, pedals, g-g trace, sectors, differences."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.text_table import TextTable
from axletree.metrics.findings import Finding
from axletree.metrics.verdict import Verdict, judge
from axletree.model.model import STANDARD_GRAVITY
from axletree.optimisation.lap_time.envelope import CarEnvelope
from axletree.optimisation.lap_time.result import TimedLap
from axletree.plot.laps import edges
from axletree.plot.panels import Panel, PanelCurve
from axletree.reports.analysis_report import PageSection, ShareBar

_DISTANCE = "distance along the track [m]"
_CLASSES = 5  # of speeds, on the map
_MOST_BARS = 20  # parameters in a tornado
_SLOPE_STEP = 0.01  # of a parameter


def lap_findings(lap: TimedLap) -> tuple[Finding, ...]:
    """Lap time, speeds, accelerations.

    Example:
    >>> import axletree as at
    >>> from axletree.reports.lap_sections import lap_findings
    >>> lap_findings(at.lap("van", "lindenring", method="centre-line"))[0].name
    'lap_time'
    """
    speed, across, along = lap["speed"], lap["lateral_acceleration"], lap["acceleration"]
    path = float(np.sum(np.hypot(np.diff(lap["x"]), np.diff(lap["y"]))))
    return (
        Finding("lap_time", lap.time, "s", "lap time"),
        Finding("line_length", path, "m", "length of the line"),
        Finding("mean_speed", path / lap.time, "m/s", "mean speed"),
        Finding("maximum_speed", float(speed.max()), "m/s", "maximum speed"),
        Finding("minimum_speed", float(speed.min()), "m/s", "minimum speed"),
        Finding("maximum_lateral", float(np.abs(across).max()), "m/s^2",
                "maximum lateral acceleration"),
        Finding("maximum_deceleration", float(-along.min()), "m/s^2", "maximum deceleration"),
    )  # fmt: skip


def lap_verdict(lap: TimedLap) -> Verdict:
    """The lap time and what it is of; nothing limits it.

    Example:
    >>> import axletree as at
    >>> from axletree.reports.lap_sections import lap_verdict
    >>> print(lap_verdict(at.lap("van", "lindenring", method="centre-line")))
    no criterion: a lap of lindenring, centre-line
    """
    return judge(f"a lap of {lap.track.name}, {lap.method}", [], lap_findings(lap))


def sector_table(laps: Sequence[TimedLap]) -> TextTable:
    """Times and speeds of sectors, lap by lap.

    Example:
    >>> import axletree as at
    >>> from axletree.reports.lap_sections import sector_table
    >>> lap = at.lap("van", "lindenring", method="centre-line")
    >>> sector_table([lap]).headings
    ('lap', 'sector', 'from [m]', 'to [m]', 'time [s]', 'slowest [km/h]', 'fastest [km/h]')
    """
    rows = tuple(
        (_label(lap), one.name, f"{one.begin:.0f}", f"{one.end:.0f}", f"{one.time:.3f}",
         f"{3.6 * one.slowest:.1f}", f"{3.6 * one.fastest:.1f}")
        for lap in laps
        for one in lap.sectors()
    )  # fmt: skip
    heads = ("lap:", "sector:", "from [m]", "to [m]", "time [s]", "slowest [km/h]",
             "fastest [km/h]")  # fmt: skip
    return TextTable("Sectors", heads, rows)


def lap_sections(
    laps: Sequence[TimedLap], envelope: CarEnvelope | None = None
) -> list[PageSection]:
    """The first lap with its map; all laps over one another, and how they come apart."""
    lap = laps[0]
    sections = [
        PageSection("Track map", [_map(one) for one in laps], [sector_table(laps)], lap.notes),
        PageSection("Along the lap", [
            _along(laps, "Speed", "speed [km/h]", "speed", 3.6),
            _along(laps, "Line", "offset to the left [m]", "offset", 1.0, _edges(lap)),
            _pedals(laps),
            *_in_space(laps),
        ]),
        PageSection("Accelerations", [_accelerations(laps, envelope)]),
    ]  # fmt: skip
    if len(laps) > 1:
        behind = tuple(
            PanelCurve(f"{_label(other)} behind {_label(lap)}", lap["station"],
                       other.behind(lap, lap["station"]))
            for other in laps[1:]
        )  # fmt: skip
        panel = Panel("Time difference", _DISTANCE, "later by [s]", behind, over_time=False)
        sections.insert(1, PageSection("Time difference", [panel]))
    if lap.sensitivities:
        sections.append(_tornado(lap))
    return sections


def _label(lap: TimedLap) -> str:
    return f"{lap.car.replace('_', ' ')}, {lap.method}"


def _map(lap: TimedLap) -> Panel:
    """The line in classes of speed, which the legend names."""
    speed = lap["speed", "km/h"]
    limits = np.linspace(speed.min(), speed.max(), _CLASSES + 1)
    index = np.clip(np.searchsorted(limits, speed, side="right") - 1, 0, _CLASSES - 1)
    curves = [PanelCurve("", x, y, is_guide=True) for x, y in edges(lap.track)]
    for k in range(_CLASSES):
        # A piece ends where the next begins, so that the line has no gaps.
        shown = (index == k) | np.concatenate([[False], index[:-1] == k])
        x, y = (np.where(shown, lap[name], math.nan) for name in ("x", "y"))
        curves.append(PanelCurve(f"{limits[k]:.0f} to {limits[k + 1]:.0f} km/h", x, y))
    title = f"{_label(lap)}: {lap.time:.3f} s"
    return Panel(title, "x [m]", "y [m]", tuple(curves), over_time=False, is_plan=True)


def _edges(lap: TimedLap) -> tuple[PanelCurve, ...]:
    track = lap.track
    return tuple(
        PanelCurve("", track.station, edge, is_guide=True) for edge in (track.left, -track.right)
    )


def _along(
    laps: Sequence[TimedLap],
    title: str,
    label: str,
    name: str,
    factor: float,
    guides: tuple[PanelCurve, ...] = (),
) -> Panel:
    curves = tuple(PanelCurve(_label(lap), lap["station"], factor * lap[name]) for lap in laps)
    return Panel(title, _DISTANCE, label, (*guides, *curves), over_time=False)


def _in_space(laps: Sequence[TimedLap]) -> list[Panel]:
    """Heights of the line, and the load that presses the car onto the road."""
    if laps[0].track.relief is None:
        return []
    return [
        _along(laps, "Height", "height [m]", "height", 1.0),
        _along(laps, "Load on the road", "share of the weight [1]", "load_factor", 1.0),
    ]


def _pedals(laps: Sequence[TimedLap]) -> Panel:
    curves = tuple(
        PanelCurve(f"{_label(lap)}: {word}", lap["station"], sign * lap[word])
        for lap in laps
        for word, sign in (("throttle", 1.0), ("brake", -1.0))
    )
    return Panel("Throttle and brake", _DISTANCE, "share [1], brake negative", curves,
                 over_time=False)  # fmt: skip


def _accelerations(laps: Sequence[TimedLap], envelope: CarEnvelope | None) -> Panel:
    curves = [
        PanelCurve(
            _label(lap), lap["lateral_acceleration"] / STANDARD_GRAVITY,
            lap["acceleration"] / STANDARD_GRAVITY,
        )
        for lap in laps
    ]  # fmt: skip
    if envelope is not None:
        speed = laps[0]["speed"]
        for v in (float(speed.min()), float(speed.max())):
            x, y = _envelope_at(envelope, v)
            label = f"envelope at {3.6 * v:.0f} km/h"
            curves.append(PanelCurve(label, x, y, is_guide=True))
    return Panel(
        "g-g trace", "lateral acceleration [g], to the left if positive",
        "longitudinal acceleration [g]", tuple(curves), over_time=False, is_plan=True,
    )  # fmt: skip


def _envelope_at(envelope: CarEnvelope, speed: float) -> tuple[FloatArray, FloatArray]:
    lateral, driving, braking = envelope.pace.limits.at(speed)
    forward, backward = envelope.pace.limits.exponents(speed)
    share = np.sin(np.linspace(-0.5 * np.pi, 0.5 * np.pi, 81))
    most = np.abs(share)
    up = driving * np.maximum(1.0 - most**forward, 0.0) ** (1.0 / forward)
    down = -braking * np.maximum(1.0 - most**backward, 0.0) ** (1.0 / backward)
    x = np.concatenate([share, share[::-1]]) * lateral
    return x / STANDARD_GRAVITY, np.concatenate([up, down[::-1]]) / STANDARD_GRAVITY


def _tornado(lap: TimedLap) -> PageSection:
    """What one per cent more of each parameter changes, the largest first."""
    changes = {
        name: _SLOPE_STEP * slope * lap.parameters[name]
        for name, slope in lap.sensitivities.items()
        if slope * lap.parameters[name]
    }
    ranked = sorted(changes.items(), key=lambda one: -abs(one[1]))[:_MOST_BARS]
    bars = [
        ShareBar("lap time by 1 % more of a parameter", name, value, f"{1e3 * value:+.2f} ms")
        for name, value in ranked
    ]
    return PageSection("Sensitivities of the lap time", bars=bars)
