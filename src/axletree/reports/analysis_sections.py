"""What each analysis of a vehicle or a study contributes to its page: charts and tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from axletree.analysis.handling.cornering_curve import CorneringCurve
from axletree.analysis.handling.g_g_diagram import GGDiagram
from axletree.analysis.handling.steer_response import SteerResponse
from axletree.analysis.handling.straight_running import VehicleLocus
from axletree.analysis.handling.yaw_moment import YawMomentDiagram
from axletree.analysis.joint_loads import LOAD_UNITS, JointLoads
from axletree.analysis.linear.mode_shapes import NamedMode
from axletree.analysis.studies.comparison import ComparedRun, distance_table, shared_quantities
from axletree.analysis.studies.fidelity_ladder import Ladder, ladder_table
from axletree.analysis.studies.sensitivity import Sensitivity
from axletree.analysis.studies.sweep import Sweep
from axletree.analysis.studies.tyre_fit import TyreFit
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError
from axletree.core.text_table import TextTable
from axletree.metrics.findings import point
from axletree.model.model import STANDARD_GRAVITY
from axletree.plot.cornering import speed_lines
from axletree.plot.linear import shown_locus, shown_modes
from axletree.plot.panels import Panel, PanelCurve
from axletree.plot.studies import ladder_panels, sweep_panels
from axletree.plot.wheels import fit_panels
from axletree.reports.analysis_report import PageSection, ShareBar
from axletree.wheel.tyres.tyre_data import TyreData

_LATERAL = "lateral acceleration [m/s^2]"
_G_LATERAL = "lateral acceleration [g], to the left if positive"
_PLANE = ("real part [1/s]", "imaginary part [rad/s]")
_ZERO = 1e-9  # in the unit of a panel: the roll of a model in the plane
_NEGLIGIBLE = 1e-6  # of 1, below which no sensitivity is shown
_LOAD_ENTRIES = ("Fx [N]", "Fy [N]", "Fz [N]", "Mx [N·m]", "My [N·m]", "Mz [N·m]")
_MOST_INSTANTS = 600  # of the course of a load
_MOST_OPEN_PANELS = 12


def load_sections(found: JointLoads) -> list[PageSection]:
    """The largest loads with all that acts at the same instant, then each over time."""
    extremes = found.extremes()
    notes = [f"Loads on the head of each, at its origin, in {found.axes_in_words}; the tail's body "
             "has the opposite there. Extremes are those of the records of the run.",
             *([found.caveat] if found.caveat else [])]  # fmt: skip
    tables = []
    for word, unit in LOAD_UNITS.items():
        rows = tuple(
            (one.component, one.between, f"{one.value:.0f}", f"{one.time:.3f}",
             *(_whole(e) for e in (*one.force, *one.moment)))
            for one in sorted(extremes, key=lambda one: -one.value)
            if one.of == f"{word}.size"
        )  # fmt: skip
        heads = ("joint or spring:", "load:", f"{word} [{unit}]", "at [s]", *_LOAD_ENTRIES)
        if rows:
            tables.append(TextTable(f"Largest {word}s", heads, rows))
    all_rows = tuple(
        (one.component, one.of, one.which, f"{one.time:.3f}",
         *(_whole(e) for e in (*one.force, *one.moment)))
        for one in extremes
    )  # fmt: skip
    heads = ("joint or spring:", "component:", "extreme:", "at [s]", *_LOAD_ENTRIES)
    whole = TextTable("Extremes of every component", heads, all_rows)
    panels = [
        _over_time(f"{load.component.replace('_', ' ')}, {word}", found.time, vector, word)
        for load in found.loads
        for word, vector in load.vectors()
        if any(one.component == load.component and one.of == f"{word}.size" for one in extremes)
    ]
    return [
        PageSection("Largest loads", tables=tables, notes=notes),
        PageSection("All extremes", tables=[whole], is_folded=True),
        PageSection("Loads over time", panels, is_folded=len(panels) > _MOST_OPEN_PANELS),
    ]


def _whole(value: float) -> str:
    """In N or N m, without a sign of zero."""
    return f"{value:z.0f}"


def _over_time(title: str, time: FloatArray, vector: FloatArray, word: str) -> Panel:
    most = np.linspace(0, len(time) - 1, min(len(time), _MOST_INSTANTS)).round().astype(int)
    curves = [_line(axis, time[most], vector[most, n]) for n, axis in enumerate("xyz")]
    return Panel(title, "time [s]", f"[{LOAD_UNITS[word]}]", tuple(curves))


def _panel(title: str, x: str, y: str, *curves: PanelCurve, is_plan: bool = False) -> Panel:
    return Panel(title, x, y, curves, over_time=False, is_plan=is_plan)


def _line(label: str, x: FloatArray, y: FloatArray, *, is_guide: bool = False) -> PanelCurve:
    return PanelCurve(label, np.asarray(x), np.asarray(y), is_guide)


def cornering_sections(curve: CorneringCurve) -> list[PageSection]:
    """Steering, angles and loads over lateral acceleration, and the handling diagram."""
    a, degrees = curve.lateral, math.degrees(1.0)
    axles = [
        _line(name.removesuffix(".slip_angle").replace("_", " "), a, degrees * curve[name])
        for name in curve.columns
        if name.endswith(".slip_angle") and name.partition(".")[0] in curve.ends
    ]
    loads = [
        _line(name.removesuffix("_tyre.Fz").replace("_", " "), a, 1e-3 * curve[name])
        for name in curve.columns
        if name.endswith("_tyre.Fz")
    ]
    over = [
        _panel("Steering wheel", _LATERAL, "angle [deg]",
               _line("", a, degrees * curve["driver.steering"])),
        _panel("Road wheels", _LATERAL, "angle [deg]",
               _line("understeer angle", a, degrees * curve["steer.understeer"]),
               _line("wheelbase / radius", a, degrees * curve["steer.ackermann"])),
        _panel("Sideslip", _LATERAL, "angle [deg]", _line("", a, degrees * curve["path.sideslip"])),
        _panel("Slip angles of axles", _LATERAL, "angle [deg]", *axles),
        _panel("Roll", _LATERAL, "angle [deg]", _line("", a, degrees * curve["vehicle.roll"])),
        _panel("Wheel loads", _LATERAL, "force [kN]", *loads),
        _panel("Throttle", _LATERAL, "[%]", _line("", a, 100.0 * curve["driver.effort"]))
        if curve.speed is not None
        else _panel("Speed", _LATERAL, "[km/h]", _line("", a, 3.6 * curve["path.speed"])),
    ]  # fmt: skip
    return [
        PageSection("Steady cornering", [panel for panel in over if panel.greatest > _ZERO],
                    notes=[f"{len(a)} turns, up to: {curve.ending.value}."]),
        PageSection("Handling diagram", [_handling(curve)],
                    notes=["Curve: slip angle of the first axle less that of the last, positive to "
                           "the left; lines: wheelbase over radius at speeds. At one height the "
                           "distance between a line and the curve is the angle of the road wheels "
                           "(Pacejka 2012, section 1.3)."]),
    ]  # fmt: skip


def _handling(curve: CorneringCurve) -> Panel:
    height = np.abs(curve.lateral) / STANDARD_GRAVITY
    side = float(np.sign(curve.lateral[-1]))
    lines = [
        _line(f"{speed:.4g} km/h", x, y, is_guide=True)
        for speed, x, y in speed_lines(curve, 1.15 * float(height.max()))
    ]
    across = -side * np.degrees(curve.slip_difference)
    return _panel(
        "Handling diagram", "difference of slip angles | wheelbase / radius [deg]",
        "lateral acceleration [g]", _line("vehicle", across, height), *lines,
    )  # fmt: skip


def g_g_sections(diagram: GGDiagram) -> list[PageSection]:
    """An envelope for each speed."""
    closed = [
        _line(f"{3.6 * one.speed:.4g} km/h", *(np.append(v, v[0]) / STANDARD_GRAVITY
              for v in (one.lateral, one.along)))
        for one in diagram.envelopes
    ]  # fmt: skip
    if not closed:
        return []
    panel = _panel("Performance envelope", _G_LATERAL, "longitudinal acceleration [g]", *closed,
                   is_plan=True)  # fmt: skip
    rows = tuple(
        (f"{3.6 * one.speed:.4g}", f"{x / STANDARD_GRAVITY:.3f}", f"{y / STANDARD_GRAVITY:.3f}",
         str(limit))
        for one in diagram.envelopes
        for x, y, limit in zip(one.along, one.lateral, one.limits, strict=False)
    )  # fmt: skip
    heads = ("speed [km/h]", "longitudinal [g]", "lateral [g]", "limit:")
    return [PageSection("g-g diagram", [panel], [TextTable("Limits", heads, rows)] if rows else [])]


def yaw_moment_sections(diagram: YawMomentDiagram) -> list[PageSection]:
    """Lines of one sideslip angle, and of one angle of the road wheels."""
    A, C = diagram.lateral / STANDARD_GRAVITY, diagram.coefficient
    wheels = diagram.steering / diagram.ratio
    families = (("sideslip angle", diagram.sideslip, A, C), ("road wheel angle", wheels, A.T, C.T))
    curves = []
    for word, angles, x, y in families:
        gap = np.full((len(x), 1), np.nan)  # one curve for the family, lines apart
        joined = (np.hstack([grid, gap]).ravel() for grid in (x, y))
        span = f"{math.degrees(angles[0]):.3g} to {math.degrees(angles[-1]):.3g} deg"
        curves.append(_line(f"constant {word}, {span}", *joined))
    panel = _panel("Yaw moment diagram", "lateral acceleration [g]", "C_N [1]", *curves)
    note = "C_N is the yaw moment over weight times wheelbase; steady turns are at C_N = 0."
    return [PageSection("Yaw moment diagram", [panel], notes=[note])]


def ladder_sections(ladder: Ladder) -> list[PageSection]:
    """A curve for each model, what each came to, and how far it lies from the first."""
    runs = [ComparedRun(rung.fidelity.value, rung.run) for rung in ladder.rungs]
    notes = [f"{name} is left out: {reason}." for name, reason in ladder.left_out.items()]
    sections = [PageSection("Models", ladder_panels(ladder), [ladder_table(ladder)], notes)]
    if len(runs) > 1:
        apart = distance_table(runs, shared_quantities(runs))
        sections.append(PageSection(f"Distances from {runs[0].label}", tables=[apart]))
    return sections


def modes_sections(modes: Sequence[NamedMode], table: TextTable) -> list[PageSection]:
    """Eigenvalues, numbered, and what moves in each mode."""
    shown = shown_modes(modes)
    x, y = (np.array([part(one.eigenvalue) for one in shown]) for part in (np.real, np.imag))
    marks = tuple(
        point(float(a), float(b), one.name) for a, b, one in zip(x, y, shown, strict=True)
    )
    plane = Panel("Eigenvalues", *_PLANE, (PanelCurve("", x, y, is_points=True),), over_time=False,
                  marks=marks)  # fmt: skip
    return [PageSection("Modes", [plane] if len(x) else [], [table])]


def locus_sections(found: VehicleLocus) -> list[PageSection]:
    """Eigenvalues in the plane, growth and frequency over speed."""
    speeds, columns = 3.6 * found.locus.values, shown_locus(found)
    plane, growth, swing = [], [], []
    for name, values in columns:
        upper = np.where(values.imag > 0.0, values.imag, np.nan) / (2.0 * np.pi)
        plane.append(PanelCurve(name, values.real, values.imag, is_points=True))
        growth.append(_line(name, speeds, values.real))
        swing.append(_line(name, speeds, upper))
    crossings = tuple(
        point(3.6 * one.speed, 0.0, f"{one.name}: {3.6 * one.speed:.4g} km/h")
        for one in found.critical
    )
    along = "speed [km/h]"
    panels = [
        _panel("Eigenvalues", *_PLANE, *plane),
        Panel("Growth", along, "real part [1/s]", tuple(growth), over_time=False, marks=crossings),
        _panel("Damped natural frequency", along, "[Hz]", *swing),
    ]
    notes = [one.in_words for one in found.critical]
    return [PageSection("Modes over speed", panels, notes=notes)]


def frequency_sections(responses: Sequence[SteerResponse]) -> list[PageSection]:
    """Gains in decibels and phases, with the bandwidth of each where it has one."""
    kinds = (
        ("Yaw rate", "gain [dB of 1 (deg/s)/deg]", "yaw_rate", "yaw_bandwidth", 1.0),
        ("Lateral acceleration", "gain [dB of 1 (m/s^2)/deg]", "lateral_acceleration",
         "acceleration_bandwidth", math.radians(1.0)),
    )  # fmt: skip
    panels = []
    for title, label, name, width, factor in kinds:
        gains, phases, marks = [], [], []
        for one in responses:
            response, f = factor * getattr(one, name), one.frequencies
            levels, limit = 20.0 * np.log10(np.abs(response)), getattr(one, width)
            gains.append(_line(one.label, f, levels))
            phases.append(_line(one.label, f, np.degrees(np.unwrap(np.angle(response)))))
            if np.isfinite(limit):
                at = float(np.interp(np.log(limit), np.log(f), levels))
                marks.append(point(limit, at, f"{one.label}: bandwidth (-3 dB) {limit:.3g} Hz"))
        axis = "frequency [Hz]"
        panels.append(Panel(title, axis, label, tuple(gains), over_time=False, marks=tuple(marks),
                            is_logarithmic=True))  # fmt: skip
        panels.append(Panel(f"{title}: phase", axis, "[deg]", tuple(phases), over_time=False,
                            is_logarithmic=True))  # fmt: skip
    return [PageSection("Frequency response to steering", panels)]


def sensitivity_sections(found: Sensitivity, table: TextTable) -> list[PageSection]:
    """A bar for each finding and parameter, percent by percent."""
    return [
        PageSection("Relative sensitivity", tables=[table], notes=list(found.remarks),
                    bars=list(_bars(found)))
    ]  # fmt: skip


def _bars(found: Sensitivity) -> Iterator[ShareBar]:
    relative = found.relative
    for one in found.findings:
        shares = {name: relative[name][one.name] for name in relative}
        known = {name: share for name, share in shares.items() if math.isfinite(share)}
        if max(map(abs, known.values()), default=0.0) <= _NEGLIGIBLE:
            continue
        for name, share in known.items():
            yield ShareBar(one.description, name, share, f"{share:+.3f} %/%")


def sweep_sections(found: Sweep) -> list[PageSection]:
    """Findings over the first parameter, and all points as a table; why points failed."""
    failures = [f"failed at {words}: {reason}" for words, reason in found.failures.items()]
    rows = tuple(
        (*(v if isinstance(v, str) else f"{v:.6g}" for v in row.point.values.values()),
         *(f"{row.finding(one.name) + 0.0:.5g}" for one in found.findings))
        for row in found.rows
        if row.outcome is not None and not row.outcome.failure
    )  # fmt: skip
    table = TextTable("All points", tuple(found.headings), rows)
    try:
        panels = sweep_panels(found)
    except AxletreeError as error:
        panels, failures = [], [f"no plot: {error}", *failures]
    return [PageSection("Sweep", panels, [table] if rows else [], failures)]


def fit_sections(fit: TyreFit, data: TyreData) -> list[PageSection]:
    """Measured points with the law, their differences, and the parameters."""
    heads = ("parameter:", "initial", "fitted", "standard deviation", "unit:", "note:")
    rows = tuple(
        (one.name, f"{one.start:.5g}", f"{one.value:.5g}",
         "" if math.isnan(one.deviation) else f"{one.deviation:.2g}", one.unit, one.note)
        for one in fit.parameters
    )  # fmt: skip
    errors = [
        f"RMS error of {name}: {error:.4g} {'N m' if name == 'Mz' else 'N'}, "
        f"{100.0 * error / fit.peaks[name]:.3g} % of its peak."
        for name, error in fit.rms.items()
    ]
    return [
        PageSection("Fit", fit_panels(fit, data), notes=errors),
        PageSection("Parameters", tables=[TextTable("Parameters", heads, rows)]),
    ]
