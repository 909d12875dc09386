"""Writes docs/reference/reference.md from docstrings and the catalogue."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import math
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import axletree as at
from axletree import catalogue, language
from axletree.analysis.bicycle_model import BicycleModel
from axletree.analysis.controllability import ModeReach, Reach
from axletree.analysis.cornering.cornering_curve import CorneringCurve
from axletree.analysis.cornering.g_g import Envelope, GGDiagram
from axletree.analysis.cornering.yaw_moment import YawMomentDiagram
from axletree.analysis.frequency_response import FrequencyResponse
from axletree.analysis.ladder import Ladder
from axletree.analysis.linearisation import Linearisation
from axletree.analysis.mode_shapes import mode_shapes
from axletree.analysis.operations import Operations
from axletree.analysis.pencil import Pencil, solve_pencil
from axletree.analysis.rolling_start import RollingStart
from axletree.analysis.root_locus import CriticalValue, RootLocus
from axletree.analysis.sensitivity.result import Sensitivity
from axletree.analysis.steady_branch import Branch, SpecialPoint
from axletree.analysis.steady_motion import SteadyState
from axletree.analysis.sweep.result import Sweep
from axletree.analysis.symbolic import SymbolicEquations
from axletree.analysis.trim import Trim
from axletree.analysis.vehicle_frequency import SteerResponse
from axletree.analysis.vehicle_locus import VehicleLocus
from axletree.analysis.vehicle_modes import NamedMode
from axletree.core.registry import load
from axletree.export.c_project import write_c_project
from axletree.export.fortran import write_fortran
from axletree.export.latex import write_latex
from axletree.export.matlab import write_matlab
from axletree.library.fields import FieldKind, kind_of
from axletree.library.part import Part
from axletree.model.ready_made import read_ready_made
from axletree.pipeline import System
from axletree.report.animation.animation import Animation
from axletree.report.branch_plot import plot_branch
from axletree.report.comparison_plot import plot_comparison
from axletree.report.cornering_plot import plot_cornering, plot_handling
from axletree.report.frequency_plot import plot_frequency_response
from axletree.report.g_g_plot import plot_g_g
from axletree.report.graph_picture import draw_graph, write_graph_picture
from axletree.report.graph_text import graph_text
from axletree.report.html import RunFacts, write_report
from axletree.report.ladder_plot import plot_ladder
from axletree.report.mode_plot import plot_modes
from axletree.report.root_locus_plot import plot_root_locus
from axletree.report.sensitivity_plot import plot_sensitivity
from axletree.report.sweep_plot import plot_sweep
from axletree.report.vehicle_frequency_plot import plot_steer_responses
from axletree.report.vehicle_locus_plot import plot_named_modes, plot_vehicle_locus
from axletree.report.yaw_moment_plot import plot_yaw_moments
from axletree.simulation.trajectory import Trajectory
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected
from axletree.system.implicit import ImplicitSystem
from axletree.vehicles.vehicle import Vehicle

PAGE = Path(__file__).parent.parent / "reference" / "reference.md"
CLASSES = (
    at.Model, System, SymbolicEquations, Operations, Trim, RollingStart, Trajectory, RunFacts,
    SteadyState, Branch, SpecialPoint, RootLocus, CriticalValue, Linearisation, FrequencyResponse,
    Reach, ModeReach, Pencil, Sweep, Ladder, NamedMode, VehicleLocus, SteerResponse, BicycleModel,
    CorneringCurve, YawMomentDiagram, GGDiagram, Envelope, Sensitivity, Animation,
)  # fmt: skip
FORMS = (Projected, Baumgarte, Partition)
FUNCTIONS = (
    at.read_model,
    at.write_model,
    at.ready_tyre,
    at.read_tyre_law,
    at.listed_soil,
    at.read_soils,
    at.sweep,
    graph_text,
    draw_graph,
    write_graph_picture,
    write_report,
    at.animation,
    solve_pencil,
    mode_shapes,
    plot_branch,
    plot_root_locus,
    plot_modes,
    plot_frequency_response,
    plot_sweep,
    plot_comparison,
    at.cornering_curve,
    plot_cornering,
    plot_handling,
    at.yaw_moment_diagram,
    plot_yaw_moments,
    at.g_g_diagram,
    plot_g_g,
    at.turn_sensitivity,
    at.run_sensitivity,
    plot_sensitivity,
    at.drive_ladder,
    plot_ladder,
    at.vehicle_modes,
    at.vehicle_locus,
    plot_named_modes,
    plot_vehicle_locus,
    at.steer_responses,
    plot_steer_responses,
    at.bicycle_model,
    write_c_project,
    write_matlab,
    write_fortran,
    write_latex,
)
PARTS = {
    "Tyre laws": catalogue.TYRES,
    "Contact of tyres": catalogue.CONTACTS,
    "Slip of tyres": catalogue.SLIPS,
    "Rolling radii": catalogue.ROLLING_RADII,
    "Normal forces": catalogue.NORMAL_FORCES,
    "Rims": catalogue.RIMS,
    "Belts of tyres": catalogue.BELTS,
    "Dynamics of the contact point": catalogue.CONTACT_DYNAMICS,
    "Levers of tyres": catalogue.LEVERS,
    "Friction: slip": catalogue.FRICTION_SLIPS,
    "Friction: rolling resistance": catalogue.ROLLING_RESISTANCES,
    "Friction: bore torque": catalogue.BORE_TORQUES,
    "Friction: camber": catalogue.CAMBER_EFFECTS,
    "Friction: load influence": catalogue.LOAD_INFLUENCES,
    "Friction: overturning torque": catalogue.OVERTURNING_TORQUES,
    "Friction: self-aligning torque": catalogue.ALIGNING_TORQUES,
    "Surfaces": catalogue.SURFACES,
    "Friction maps": catalogue.FRICTION_MAPS,
    "Soil laws": catalogue.SOIL_LAWS,
    "Patches of soil maps": catalogue.SOIL_PATCHES,
    "Normal forces of soil": catalogue.SOIL_SUPPORTS,
    "Traction on soil over a step": catalogue.TRACTION_SCHEMES,
    "Soils": {"bekker": catalogue.SOILS["bekker"]},
    "Suspensions of vehicles": catalogue.SUSPENSIONS,
    "Hitches of trailers": catalogue.HITCHES,
    "Engines and motors": catalogue.POWER_SOURCES,
    "Differentials": catalogue.DIFFERENTIALS,
    "Paths": catalogue.PATHS,
    "Manoeuvres": catalogue.MANOEUVRES,
    "Metrics": catalogue.METRICS,
}
MANY_FIELDS = 40
HEADS = ("field", "kind", "unit", "default", "")
INTRODUCTION = """\
# Reference

Made by `docs/making/make_reference.py` from the docstrings and the catalogue; a test checks that it
is up to date. `import axletree as at` offers `at.Model`, `at.read_model`, `at.write_model`,
`at.AxletreeError`, every component and every part of a tyre by its class name. Numbers of equations
without an author are those of Morency 2007.
"""
VEHICLES = """\
## Vehicles by body and axles

The section `vehicle` of a model file and what stands in it; the page on
[vehicles](../how-to/vehicles.md) has examples.
"""
LANGUAGE = """\
## The analyst's language: `axletree.language`

Numbers of equations without an author are those of Lot and Massaro 2017 here.
"""


def reference() -> str:
    """The whole page."""
    parts = [INTRODUCTION, "## Components\n", _index(catalogue.COMPONENTS)]
    parts += [_entry(name, catalogue.COMPONENTS) for name in catalogue.COMPONENTS]
    for title, entries in PARTS.items():
        parts += [f"## {title}\n", _index(entries)]
        parts += [_entry(name, entries) for name in entries]
    parts += [VEHICLES, *(_piece(kind) for kind in dict.fromkeys(_pieces_of(Vehicle)))]
    parts += ["## Integrators\n", _table(("name", ""), _integrators())]
    parts += ["## Ready-made tyres\n", _table(("name", ""), _ready_tyres())]
    parts += ["## Test benches\n", _table(("name", ""), _benches())]
    parts += ["## Models\n", _table(("name", ""), _models())]
    parts += ["## Classes\n", *(_class(kind) + "\n" + _members(kind) for kind in CLASSES)]
    parts += ["## Forms of constrained equations\n", *(_class(kind) for kind in FORMS)]
    parts += ["## Functions\n", *(_function(function, "###") for function in FUNCTIONS)]
    parts += [LANGUAGE, *_language()]
    return "\n".join(parts).rstrip() + "\n"


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join("| " + " | ".join(_cell(c) for c in row) + " |" for row in lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


# -- the catalogue ------------------------------------------------------------------------


def _index(entries: Mapping[str, str]) -> str:
    rows = []
    for name in entries:
        kind = load("entry", name, entries)
        anchor = kind.__name__.lower()
        rows.append((f"[`{kind.__name__}`](#{anchor})", f"`{name}`", kind.summary))
    return _table(("class", "type in model files", ""), rows)


def _entry(name: str, entries: Mapping[str, str]) -> str:
    """Its docstring and fields; fields that an earlier entry has are not said twice."""
    kind = load("entry", name, entries)
    rows = _fields(kind)
    before = [load("entry", other, entries) for other in list(entries)[: list(entries).index(name)]]
    like = next((other for other in reversed(before) if _mostly(rows, _fields(other))), None)
    text = f"### {kind.__name__}\n\n{_doc(kind)}\n"
    if like is not None:
        known = _fields(like)
        absent = [row[0] for row in known if row[0] not in {field for field, *_ in rows}]
        text += f"\nFields as of [`{like.__name__}`](#{like.__name__.lower()})"
        text += f", without {', '.join(absent)}" if absent else ""
        rows = [row for row in rows if row not in known]
        text += "; and:\n" if rows else ".\n"
    return text + (f"\n{_table(HEADS, rows)}" if rows else "")


def _piece(kind: type) -> str:
    return f"### {kind.__name__}\n\n{_doc(kind)}\n\n{_table(HEADS, _fields(kind))}"


def _pieces_of(kind: type) -> list[type]:
    """A piece and those that stand in it, from the outside inward."""
    kinds = [found for item in dataclasses.fields(kind) if (found := kind_of(item)) is not None]
    held = [found.holds for found in kinds if found.holds is not None]
    return [kind, *(inner for one in held for inner in _pieces_of(one))]


def _mostly(rows: list[tuple[str, ...]], known: list[tuple[str, ...]]) -> bool:
    return len(rows) > MANY_FIELDS and len(set(rows) & set(known)) > len(rows) / 2


def _fields(kind: type) -> list[tuple[str, ...]]:
    declared = [item for item in dataclasses.fields(kind) if item.init]
    return [row for item in declared if (row := _field(item)) is not None]


def _field(item: dataclasses.Field[Any]) -> tuple[str, ...] | None:
    kind = kind_of(item)
    if kind is None:
        return None
    word = f"one of {', '.join(kind.choices)}" if kind.choices else kind.word
    bounds = _bounds(kind)
    unit = kind.unit if kind.word in ("parameter", "vector", "signal", "motion", "inertia") else ""
    text = f"{kind.description} ({bounds})" if bounds else kind.description
    return f"`{item.name}`", word, unit, _default(item), text


def _bounds(kind: FieldKind) -> str:
    parts = []
    if kind.lower > -math.inf:
        parts.append(f"{'greater than' if kind.above else 'at least'} {kind.lower:g}")
    if kind.upper < math.inf:
        parts.append(f"at most {kind.upper:g}")
    return ", ".join(parts)


def _default(item: dataclasses.Field[Any]) -> str:
    if item.default is dataclasses.MISSING:
        if item.default_factory is dataclasses.MISSING:
            return ""
        made = item.default_factory()
        if not isinstance(made, Part):
            return "none"
        return f"`{type(made).__name__}()`" if made == type(made)() else f"`{made}`"
    value = item.default
    if isinstance(value, enum.Enum):
        return str(value.value)
    if dataclasses.is_dataclass(value):
        return "an input"
    return str(value)


def _integrators() -> list[tuple[str, ...]]:
    entries = catalogue.INTEGRATORS
    return [(f"`{name}`", load("integrator", name, entries).description) for name in entries]


def _ready_tyres() -> list[tuple[str, ...]]:
    title = "READY_TYRES"
    names = catalogue.READY_TYRES
    return [(f"`{name}`", read_ready_made(name, title).description) for name in names]


def _benches() -> list[tuple[str, ...]]:
    names = catalogue.BENCHES
    return [(f"`{name}`", load("bench", name, names).summary) for name in names]


def _models() -> list[tuple[str, ...]]:
    return [(f"`{name}`", at.read_model(name).description) for name in catalogue.MODELS]


def _language() -> list[str]:
    """Everything that it offers but constants, and what its state space becomes."""
    offered = [getattr(language, name) for name in language.__all__]
    kinds = [thing for thing in offered if inspect.isclass(thing)]
    functions = [thing for thing in offered if inspect.isfunction(thing)]
    return [
        *(_class(kind) + "\n" + _members(kind) for kind in (*kinds, ImplicitSystem)),
        *(_function(function, "###") for function in functions),
    ]


# -- Python -------------------------------------------------------------------------------


def _doc(thing: Any) -> str:
    """The docstring as Markdown; a section of parameters becomes a list."""
    text = (inspect.getdoc(thing) or "").replace("``", "`")
    before, rule, rest = text.partition("\nParameters\n----------\n")
    if not rule:
        return text
    listed, _, after = rest.partition("\n\n")
    items = [
        line if line.startswith(" ") else "* `" + line.replace(":", "`:", 1)
        for line in listed.splitlines()
    ]
    return "\n".join([before, "", *items, "", after])


def _class(kind: type) -> str:
    parts = [f"### {kind.__name__}\n", f"{_doc(kind)}\n"]
    if dataclasses.is_dataclass(kind):
        names = [item.name for item in dataclasses.fields(kind)]
        parts.append("Fields: " + ", ".join(f"`{name}`" for name in names) + ".\n")
    return "\n".join(parts)


def _members(kind: type) -> str:
    """Properties and methods that have a docstring."""
    parts = []
    for name, member in inspect.getmembers(kind):
        if name.startswith("_") or not _doc(member):
            continue
        if isinstance(member, property | cached_property):
            parts.append(f"#### {name}\n\n{_doc(member)}\n")
        elif inspect.isfunction(member):
            parts.append(_function(member, "####", name))
    return "\n".join(parts)


def _function(function: Any, level: str, name: str = "") -> str:
    title = name or function.__name__
    return f"{level} {title}\n\n```\n{_signature(function, title)}\n```\n\n{_doc(function)}\n"


def _signature(function: Any, name: str) -> str:
    """On one line, or one argument per line where they are many."""
    signature = inspect.signature(function)
    parts = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts += [] if any(part.startswith("*") for part in parts) else ["*"]
        parts.append(_argument(parameter))
    result = f" -> {signature.return_annotation}"
    line = f"{name}({', '.join(parts)}){result}"
    if len(line) <= 96:
        return line
    listed = "".join(f"    {part},\n" for part in parts)
    return f"{name}(\n{listed}){result}"


def _argument(parameter: inspect.Parameter) -> str:
    star = "*" if parameter.kind is parameter.VAR_POSITIONAL else ""
    text = f"{star}{parameter.name}"
    if parameter.annotation is not parameter.empty:
        text += f": {parameter.annotation}"
    return text if parameter.default is parameter.empty else f"{text} = {parameter.default!r}"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
    print(PAGE)
