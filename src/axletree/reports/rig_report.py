"""The page of a kinematics and compliance rig: metrics, curves of all cases, the axle in motion."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from axletree.analysis.kinematics_and_compliance.hard_point_fit import (
    QUANTITIES,
    HardPointFit,
    hard_points,
)
from axletree.analysis.kinematics_and_compliance.measured_axle import MeasuredAxle, MeasuredCase
from axletree.analysis.kinematics_and_compliance.metrics import RIG_METRICS, metric_groups
from axletree.analysis.kinematics_and_compliance.point_sensitivity import PointSensitivity
from axletree.analysis.kinematics_and_compliance.result import (
    KEY_METRICS,
    KinematicsAndCompliance,
    column_units,
)
from axletree.analysis.kinematics_and_compliance.rig import WHEEL_SIDES, AxleRig, Pads, RigPositions
from axletree.core.arrays import FloatArray
from axletree.core.text_table import TextTable
from axletree.core.units import printed_unit, units_in
from axletree.metrics.findings import Finding, unit_in_words, value_in_words
from axletree.metrics.verdict import Verdict, judge
from axletree.plot.panels import Panel, PanelCurve
from axletree.plot.style import COLOURS
from axletree.reports.analysis_report import PageSection, ShareBar
from axletree.reports.animation.animation import Animation
from axletree.reports.animation.mesh import (
    EMPTY_MESH,
    Mesh,
    axes_along,
    bar,
    box,
    rim_mark,
    rim_mesh,
    tyre_mesh,
)
from axletree.reports.animation.scene import (
    Actor,
    Scene,
    ShownPiece,
    ShownSignal,
    ShownTie,
    quaternions,
    wheel_colour,
)
from axletree.vehicles.linkages.curves.axle_curves import WheelCurves
from axletree.vehicles.linkages.linkage import BODY, Bar, Coil, Point

_DIGITS = 5
_STILL = 1e-9  # in SI units: what changes by less is no curve
_MOST_BARS = 6  # of a metric
_PACE = 0.12  # [s] of the film between positions
_AXIS = 0.9  # [m] of an instant axis, to both sides
_SHOWN_UNITS = {
    "m": "mm", "rad": "deg", "N": "kN", "N*m": "N*m", "rad/N": "deg/kN", "rad/(N*m)": "deg/(kN*m)",
}  # fmt: skip
_TITLES = {
    "toe": "Toe", "camber": "Camber", "caster": "Caster", "forward": "Wheel centre forward",
    "outward": "Wheel centre outward", "contact_outward": "Contact outward", "load": "Wheel load",
    "spring_length": "Spring length", "track_change": "Track change", "rack_force": "Rack force",
    "roll_moment": "Roll moment", "roll_centre_height": "Roll centre above the road",
    "lateral_compliance_steer": "Lateral compliance steer",
    "aligning_compliance_steer": "Aligning compliance steer",
    "braking_compliance_steer": "Braking compliance steer",
}  # fmt: skip


def rig_sections(found: Mapping[str, KinematicsAndCompliance]) -> list[PageSection]:
    """Of one axle or of several by their labels, over one another; the first one moves."""
    first = next(iter(found.values()))
    moving = PageSection(
        "The axle on the rig",
        notes=["All cases but those of forces, one after another. Long bars in the colours of the "
               "wheels are the axes about which uprights turn and along which they slide at that "
               "instant, by travel of their own wheel."],
        embedded=Animation(rig_scene(first.axle)).embedded,
    )  # fmt: skip
    groups = dict.fromkeys(metric_groups().values())
    tables = [metrics_table(found, group) for group in groups]
    notes = [
        f"{label}: {note}" if len(found) > 1 else note
        for label, one in found.items() for note in one.notes
    ]  # fmt: skip
    metrics = PageSection("Metrics", tables=[table for table in tables if table.rows], notes=notes)
    cases = dict.fromkeys(name for one in found.values() for name in one.axle.cases)
    return [metrics, moving, *(_case_section(name, found) for name in cases)]


def metrics_table(found: Mapping[str, KinematicsAndCompliance], group: str = "") -> TextTable:
    """A row for each metric, of one group or of all; a column for each axle, or for both wheels
    of the only one where these differ."""
    group_of = metric_groups()
    names = dict.fromkeys(
        name for one in found.values() for name in one.metrics if group in ("", group_of[name])
    )
    columns: dict[str, dict[str, float]] = {}
    for label, one in found.items():
        columns[label] = {name: metric.left for name, metric in one.metrics.items()}
    if len(found) == 1:
        (only,) = found.values()
        columns = {"value": next(iter(columns.values()))}
        if not all(metric.is_symmetric for metric in only.metrics.values()):
            right = {name: metric.right for name, metric in only.metrics.items()}
            columns = {"left": columns["value"], "right": right}
    known = {metric.name: metric for metric in RIG_METRICS}
    rows = []
    for name in names:
        metric = known[name]
        values = (column.get(name, math.nan) for column in columns.values())
        words = (value_in_words(value, metric.unit, _DIGITS) for value in values)
        rows.append((metric.title, *words, unit_in_words(metric.unit), metric.definition))
    title = group or " and ".join(one.name for one in found.values())
    return TextTable(title, ("metric:", *columns, "unit:", "definition:"), tuple(rows))


def _case_section(name: str, found: Mapping[str, KinematicsAndCompliance]) -> PageSection:
    """A panel for each quantity that moves."""
    first = next(one.axle.cases[name] for one in found.values() if name in one.axle.cases)
    columns = {label: one.columns(name) for label, one in found.items() if name in one.axle.cases}
    words = dict.fromkeys(
        column.removesuffix("_left").removesuffix("_right")
        for table in columns.values()
        for column in table
    )
    panels = [_panel(word, first, found, columns) for word in words if word in _TITLES]
    return PageSection(first.case.title, [panel for panel in panels if panel is not None])


def _panel(
    word: str,
    first: MeasuredCase,
    found: Mapping[str, KinematicsAndCompliance],
    columns: Mapping[str, Mapping[str, FloatArray]],
) -> Panel | None:
    case, curves, moves = first.case, [], False
    unit = next(u for u in column_units([word]).values())
    shown = _SHOWN_UNITS[unit]
    for label, table in columns.items():
        x = found[label].axle.cases[case.name].values * units_in(case.shown_unit, case.unit)
        sides = [f"{word}_{side}" for side in WHEEL_SIDES if f"{word}_{side}" in table] or [word]
        if word not in table and sides == [word]:
            continue
        if len(sides) == 2 and np.allclose(table[sides[0]], table[sides[1]], rtol=1e-9, atol=1e-12):
            sides = sides[:1]
        for column in sides:
            side = column.removeprefix(word).removeprefix("_") if len(sides) == 2 else ""
            several = label if len(found) > 1 else ""
            y = table[column] * units_in(shown, unit)
            moves = moves or float(np.ptp(table[column])) > _STILL * min(
                1.0, 1.0 / units_in(shown, unit)
            )
            curves.append(PanelCurve(", ".join(filter(None, (several, side))), x, y))
    if not moves:
        return None
    x_label = f"{case.label} [{case.shown_unit}]"
    return Panel(_TITLES[word], x_label, f"[{shown}]", tuple(curves), over_time=False)


# The axle in three dimensions.


def rig_scene(axle: MeasuredAxle) -> Scene:
    """Links, wheels, pads and instant axes, through travel, roll and steering."""
    rig, at = axle.rig, _film(axle)
    count = len(at.r)
    actors = [
        *_links(rig, at), *(_wheel(rig, at, side) for side in (0, 1)), *_pads(rig, at),
        *_instant_axes(rig, at),
    ]  # fmt: skip
    tread = float(np.ptp([carrier.centre[1] for carrier in rig.carriers]))
    poses = rig.poses(at, rig.rates(at, Pads.CENTRES))
    start = axle.poses.left.wheel_centre[0, 2]
    angles = np.degrees(np.arctan(poses.left.spin_axis[:, 0] / poses.left.spin_axis[:, 1]))
    signals = (
        ShownSignal("travel, left", "mm", 1e3 * (poses.left.wheel_centre[:, 2] - start)),
        ShownSignal("toe, left", "deg", angles),
        ShownSignal("camber, left", "deg", -np.degrees(np.arcsin(poses.left.spin_axis[:, 2]))),
    )
    middle = np.array([0.0, 0.0, rig.carriers[0].centre[2]])
    return Scene(
        f"{axle.name} on the rig", _PACE * np.arange(count), (0.0, 0.0, 1.0), tread,
        "left wheel", tuple(actors), np.tile(middle, (count, 1)), ties=tuple(_ties(rig, at)),
        signals=signals, view=(0.6, 0.25),
    )  # fmt: skip


def _film(axle: MeasuredAxle) -> RigPositions:
    """Each case from design to one end, to the other and back."""
    parts = []
    for case in axle.cases.values():
        if case.case.is_force:
            continue
        k, last = case.middle, len(case.values) - 1
        order = [*range(k, last), *range(last, 0, -1), *range(k)]
        parts.append(case.at.part(np.array(order)))
    plan = type(parts[0].plan).joined([part.plan for part in parts])
    names = ("r", "R", "reactions", "loads", "rack_force", "road_height")
    return RigPositions(
        plan, *(np.concatenate([getattr(part, name) for part in parts]) for name in names)
    )


def points_of(rig: AxleRig) -> dict[str, list[Point]]:
    """Points of each link by its joints and springs, at design."""
    found: dict[str, list[Point]] = {}

    def add(link: str, *points: Point) -> None:
        found.setdefault(link, []).extend(points)

    for joint in rig.linkage.joints:
        if isinstance(joint, Bar):
            add(joint.first, joint.ends[0])
            add(joint.second, joint.ends[1])
        elif hasattr(joint, "at"):
            add(joint.first, joint.at)
            add(joint.second, joint.at)
        elif hasattr(joint, "ends"):
            add(joint.first, *joint.ends)
            add(joint.second, *joint.ends)
    for coil in rig.linkage.coils:
        add(coil.first, coil.ends[0])
        add(coil.second, coil.ends[1])
    for carrier in rig.carriers:
        add(carrier.link, carrier.centre)
    return {link: list(dict.fromkeys(points)) for link, points in found.items() if link != BODY}


def _links(rig: AxleRig, at: RigPositions) -> Iterator[Actor]:
    """Bars from the middle of a link to its points."""
    for k, (link, points) in enumerate(points_of(rig).items()):
        places = np.array(points)
        middle = places.mean(axis=0)
        mesh = EMPTY_MESH
        for place in places:
            mesh += bar(middle, place, 0.022)
        if len(mesh.points):
            piece = ShownPiece(mesh, COLOURS[(2 * k + 3) % len(COLOURS)])
            yield _actor(link, (piece,), at, rig.order[link])


def _actor(name: str, pieces: tuple[ShownPiece, ...], at: RigPositions, link: int) -> Actor:
    return Actor(name, pieces, at.r[:, link], quaternions(at.R[:, link]))


def _wheel(rig: AxleRig, at: RigPositions, side: int) -> Actor:
    carrier, radius = rig.carriers[side], rig.tyre_radius
    axis, width = np.array(carrier.spin_axis), 0.6 * radius
    colour = wheel_colour(side)
    meshes = [
        (tyre_mesh(axis, radius, width), "tyre"), (rim_mesh(axis, radius, width), "rim"),
        (rim_mark(axis, radius, width), colour),
    ]  # fmt: skip
    pieces = tuple(
        ShownPiece(mesh.placed(np.eye(3), carrier.centre), colour, 0.3) for mesh, colour in meshes
    )
    return _actor(f"{WHEEL_SIDES[side]} wheel", pieces, at, rig.order[carrier.link])


def _pads(rig: AxleRig, at: RigPositions) -> Iterator[Actor]:
    contacts, up = rig.contacts(at), at.plan.up
    half = 0.5 * rig.tyre_radius
    mesh: Mesh = box((-half, -half, -0.02), (half, half, 0.0))
    lean = np.arctan2(-up[:, 1], up[:, 2])
    turns = np.zeros((len(lean), 4))
    turns[:, 0], turns[:, 1] = np.cos(0.5 * lean), np.sin(0.5 * lean)
    for side, name in enumerate(WHEEL_SIDES):
        yield Actor(f"{name} pad", (ShownPiece(mesh, "part"),), contacts[:, side], turns)


def _instant_axes(rig: AxleRig, at: RigPositions) -> Iterator[Actor]:
    """Screw axes of the uprights by travel of their own wheel."""
    rates = rig.rates(at, Pads.CENTRES)
    mesh = bar((0.0, 0.0, -_AXIS), (0.0, 0.0, _AXIS), 0.014)
    for side, carrier in enumerate(rig.carriers):
        k = rig.order[carrier.link]
        w = rates.w[:, k, :, side]
        size = np.linalg.norm(w, axis=1)
        if size.min(initial=np.inf) < 1e-3:  # it does not turn, and has no axis
            continue
        W = rig.point(at, carrier.link, carrier.centre)
        v = rig.point_rate(at, rates, carrier.link, carrier.centre)[:, :, side]
        foot = W + np.cross(w, v) / (size * size)[:, None]
        along = w / size[:, None]
        nearest = foot + along * ((W - foot) * along).sum(axis=1)[:, None]
        turns = quaternions(np.stack([axes_along(one) for one in along]))
        piece = ShownPiece(mesh, wheel_colour(side))
        yield Actor(f"{WHEEL_SIDES[side]} instant axis", (piece,), nearest, turns)


def _ties(rig: AxleRig, at: RigPositions) -> Iterator[ShownTie]:
    """Springs, and rods without mass."""
    rods = [joint for joint in rig.linkage.joints if isinstance(joint, Bar)]
    ties: list[Bar | Coil] = [*rig.linkage.coils, *rods]
    for one in ties:
        yield ShownTie(
            rig.point(at, one.first, one.ends[0]), rig.point(at, one.second, one.ends[1])
        )


# Fits of hard points.

FIT_UNITS = {"travel": "m"} | {
    f"{name} {word}": "rad" if name in ("toe", "camber") else "m"
    for name in QUANTITIES
    for word in ("before", "after", "target")
}


def fit_columns(fit: HardPointFit) -> dict[str, FloatArray]:
    """Curves over travel, in SI units."""
    found = {"travel": fit.target.travel}
    for name in fit.names:
        found[f"{name} before"], found[f"{name} after"] = (c[name] for c in fit.curves)
        found[f"{name} target"] = fit.target.curves[name]
    return found


def fit_findings(fit: HardPointFit) -> list[Finding]:
    """RMS differences to the targets, before and after."""
    found = []
    for name in fit.names:
        shown = "deg" if name in ("toe", "camber") else "mm"
        factor = units_in(shown, FIT_UNITS[f"{name} target"])
        for k, word in enumerate(("before", "after")):
            text = f"RMS difference of {name.replace('_', ' ')} {word}"
            found.append(Finding(f"{name}_rms_{word}", factor * fit.rms(name, k), shown, text))
    return found


def fit_table(fit: HardPointFit) -> TextTable:
    """A row for each free coordinate."""
    rows = []
    ends = zip(fit.coordinates, fit.before, fit.after, fit.at_bounds, strict=True)
    for coordinate, before, after, is_bound in ends:
        values = (f"{1e3 * x:.3f}" for x in (before, after, after - before))
        rows.append((coordinate.name, *values, "at its bound" if is_bound else ""))
    heads = ("coordinate:", "before [mm]", "after [mm]", "change [mm]", "note:")
    return TextTable("Hard points", heads, tuple(rows))


def point_table(fit: HardPointFit) -> str:
    """All hard points after the fit, as ``axletree suspension points`` reads them."""
    rows = [
        f"{name},{','.join(f'{x:.9g}' for x in at)}"
        for name, at in hard_points(fit.suspension).items()
    ]
    return "\n".join(["name,x [m],y [m],z [m]", *rows]) + "\n"


def point_fit_sections(fit: HardPointFit) -> list[PageSection]:
    """Curves before and after over those that are asked for."""
    panels = []
    travel = 1e3 * fit.target.travel
    for name in fit.names:
        shown = "deg" if name in ("toe", "camber") else "mm"
        factor = units_in(shown, FIT_UNITS[f"{name} target"])
        curves = (
            PanelCurve("target", travel, factor * fit.target.curves[name], is_points=True),
            PanelCurve("before", travel, factor * fit.curves[0][name]),
            PanelCurve("after", travel, factor * fit.curves[1][name]),
        )
        x = "travel of both wheels, bump positive [mm]"
        panels.append(Panel(_TITLES[name], x, f"[{shown}]", curves, over_time=False))
    return [PageSection("Curves", panels), PageSection("Hard points", tables=[fit_table(fit)])]


def point_fit_verdict(fit: HardPointFit, findings: Sequence[Finding], axle: str) -> Verdict:
    """How far the curves are from their targets in the end, and what stands in the way."""
    count, bound = len(fit.coordinates), sum(fit.at_bounds)
    named = "1 coordinate" if count == 1 else f"{count} coordinates"
    held = f", {bound} at the bound" if bound else ""
    said = ", ".join(name.replace("_", " ") for name in fit.names)
    tested = f"fit of {named} of the {axle} axle to curves of {said} over wheel travel{held}"
    return judge(tested, [], findings, [f"{name}_rms_after" for name in fit.names])


def point_sensitivity_sections(found: PointSensitivity) -> list[PageSection]:
    """Bars for the metrics that matter, and tables of all."""
    bars = [
        ShareBar(name.replace("_", " "), found.coordinates[k].name,
                 float(slopes[k] / np.abs(slopes).max()),
                 f"{1e-3 * slopes[k]:+.3g} {printed_unit(found.units[name])}/mm")
        for name, slopes in _key_slopes(found)
        for k in np.argsort(-np.abs(slopes), kind="stable")[:_MOST_BARS]
        if slopes[k]
    ]  # fmt: skip
    scale = "Each metric has a scale of its own."
    return [
        PageSection("What moves metrics that matter", bars=bars, notes=[scale] if bars else []),
        PageSection("What moves each metric most", tables=[found.greatest()]),
        PageSection("Sensitivities", tables=[found.table()]),
    ]


def point_sensitivity_verdict(found: PointSensitivity, axle: str) -> Verdict:
    """Of metrics that matter, each by the coordinate that moves it most."""
    numbers = []
    for name, slopes in _key_slopes(found):
        k = int(np.argmax(np.abs(slopes)))
        by = found.coordinates[k].name
        numbers.append(
            Finding(f"{name} by {by}", 1e-3 * float(slopes[k]), f"{found.units[name]}/mm",
                    f"{name.replace('_', ' ')} by {by}")
        )  # fmt: skip
    count = len(found.coordinates)
    named = "1 coordinate" if count == 1 else f"{count} coordinates"
    return judge(f"metrics of the {axle} axle by {named} of its hard points", [], numbers)


def _key_slopes(found: PointSensitivity) -> list[tuple[str, FloatArray]]:
    """Those by any coordinate, in the unit of the metric per metre."""
    slopes = dict(zip(found.names, found.slopes, strict=True))
    return [(name, slopes[name]) for name in KEY_METRICS if name in slopes and slopes[name].any()]


# Curves of hard points.


def wheel_curves_sections(curves: WheelCurves) -> list[PageSection]:
    """Over the travel of both wheels, from design."""
    x, panels = 1e3 * curves.travel, []
    for name in ("camber", "toe", "caster", "outward", "forward", "force"):
        values = getattr(curves, name)
        if float(np.ptp(values)) <= _STILL:
            continue
        unit = "rad" if name in ("camber", "toe", "caster") else "N" if name == "force" else "m"
        curve = PanelCurve("both wheels", x, units_in(_SHOWN_UNITS[unit], unit) * values)
        title = "Force at the wheel" if name == "force" else _TITLES[name]
        panels.append(
            Panel(f"{title}, from design", "travel of both wheels, bump positive [mm]",
                  f"[{_SHOWN_UNITS[unit]}]", (curve,), over_time=False)
        )  # fmt: skip
    return [PageSection("Curves", panels)]


def wheel_curves_verdict(curves: WheelCurves, axle: str) -> Verdict:
    """Slopes at design, and how far the wheels go."""
    first, last = (1e3 * float(curves.travel[k]) for k in (0, -1))
    tested = (
        f"curves of the {axle} axle by its hard points, wheel travel from {first:.3g} mm to "
        f"{last:.3g} mm"
    )
    return judge(tested, [], wheel_curves_findings(curves))


def wheel_curves_findings(curves: WheelCurves) -> list[Finding]:
    """By travel, at design; to second order in the distance of the points."""
    k = int(np.flatnonzero(curves.travel == 0.0)[0])

    def slope(values: FloatArray) -> float:
        return float(np.gradient(values, curves.travel)[k])

    degrees = math.degrees(1.0)
    return [
        Finding("stiffness", 1e-3 * slope(curves.force), "N/mm",
                "stiffness at the wheel centre at design"),
        Finding("bump_steer", degrees * slope(curves.toe), "deg/m", "bump steer at design"),
        Finding("bump_camber", degrees * slope(curves.camber), "deg/m", "bump camber at design"),
        Finding("wheel_centre_shift", 1e3 * slope(curves.outward), "mm/m",
                "wheel centre outward by travel at design"),
        Finding("wheel_recession", -1e3 * slope(curves.forward), "mm/m",
                "wheel centre rearward by travel at design"),
    ]  # fmt: skip
