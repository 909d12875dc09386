"""What a notebook shows: of a model its data sheet and a picture, of a system its quantities, of a
run its findings and plots."""

from __future__ import annotations

import base64
from html import escape

from axletree.core.errors import AxletreeError
from axletree.core.text_table import TextTable
from axletree.core.units import printed_unit
from axletree.metrics.findings import finding_in_words
from axletree.metrics.verdict import VERDICT_DIGITS
from axletree.model.model import Model
from axletree.plot.figure_files import colour_variables, figure_bytes, figure_svg
from axletree.plot.mechanism import draw_mechanism, first_instant, poses_at_start
from axletree.plot.panels import automatic_panels, draw_panels, without_zeros
from axletree.reports.animation.animation import animation
from axletree.reports.data_sheet import mechanism_sheet
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.wheel import wheels_of

_MOST_PANELS = 6  # of a run; its report has all
_OF_VEHICLE = "vehicle."  # what names of a vehicle's own quantities begin with
_BESIDE = "display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start"
_FITTING = "max-width:100%;height:auto"
_SHARP = 110  # dots per inch
_PNG = "data:image/png;base64,"


def model_html(model: Model) -> str:
    """A model as a notebook shows it: its data sheet beside a picture of its first position.

    Example:
    >>> import axletree as at
    >>> "rollover threshold" in at.read_model("compact-car")._repr_html_()
    True
    """
    vehicle = model.described.get("vehicle")
    try:
        system = model.formulate()
    except AxletreeError as error:  # such as one that is still being put together
        return f"{_heading(repr(model))}<p>{escape(str(error))}</p>"
    rows = (
        data_sheet(vehicle).rows if isinstance(vehicle, Vehicle) else mechanism_sheet(model, system)
    )
    sheet = TextTable(
        "Data sheet",
        ("quantity:", "value", "unit:"),
        tuple((r.name.replace("_", " "), r.in_words, _unit(r.unit)) for r in rows),
    )
    beside = f'<div style="{_BESIDE}">{_picture(model, system)}<div>{sheet.html()}</div></div>'
    return f"{_heading(repr(model))}{beside}"


def _picture(model: Model, system: System) -> str:
    """What has wheels as it looks, and another mechanism by its bodies and joints."""
    if wheels_of(model):
        shown = animation(model, first_instant(system), system=system)
        content = base64.b64encode(figure_bytes(shown.picture(), "png", _SHARP)).decode()
        return f'<img alt="{escape(model.name)}" style="{_FITTING}" src="{_PNG}{content}"/>'
    poses = poses_at_start(system, model)
    return "" if poses is None else _drawing(figure_svg(draw_mechanism(poses)))


def system_html(system: System) -> str:
    """A system as a notebook shows it: its states and inputs with their units.

    Example:
    >>> import axletree as at
    >>> "angle" in at.read_model("pendulum").formulate()._repr_html_()
    True
    """
    quantities = TextTable(
        "States and inputs",
        ("name:", "unit:", "kind:", "description:"),
        tuple(
            (one.name, _unit(one.unit), one.role.value, one.description)
            for one in (*system.states, *system.inputs)
        ),
    )
    return f"{_heading(repr(system))}{quantities.html()}"


def trajectory_html(run: Trajectory) -> str:
    """A run as a notebook shows it: its findings, and its first curves over time.

    Example:
    >>> import axletree as at
    >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
    >>> run._repr_html_().count("<svg")
    1
    """
    found = tuple(
        (one.description, printed_unit(finding_in_words(one, VERDICT_DIGITS)))
        for one in run.findings
    )
    table = TextTable("Findings", ("finding:", "value"), found).html() if found else ""
    of_vehicle = {n: column for n, column in run.columns.items() if n.startswith(_OF_VEHICLE)}
    panels = automatic_panels(run.time, of_vehicle or run.columns, run.units) if len(run) else []
    shown = without_zeros(panels)[:_MOST_PANELS]
    plots = _drawing(figure_svg(draw_panels(shown))) if shown else ""
    return f"{_heading(repr(run))}{table}{plots}"


def _heading(text: str) -> str:
    return f'<pre style="white-space:pre-wrap">{escape(text)}</pre>'


def _unit(unit: str) -> str:
    return "" if unit == "1" else printed_unit(unit)


def _drawing(svg: str) -> str:
    """As part of a page, and no wider than that, in the colours of paper."""
    colours = colour_variables(dark=False)
    fitting = svg.replace("<svg ", f'<svg style="{_FITTING}" ', 1)
    return f'<div style="background:white;{colours}">{fitting}</div>'
