"""``live``: a model as a page in which it is driven, without Python and without a network.

The page has the model as WebAssembly with its stepper, the picture of animations, and a program
that steers, records and draws. Its physics take steps of one length whatever the picture takes.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from axletree.analysis.steady_start import fixed_cost_method, steady_start
from axletree.controllers.built_in import with_controllers
from axletree.controllers.contract import ReferenceController
from axletree.core.arguments import check_arguments
from axletree.core.errors import TrimError
from axletree.core.files import write_text
from axletree.core.progress import doing
from axletree.core.units import printed_unit
from axletree.export.folder import fill, with_assembled_start
from axletree.export.wasm import wasm_module, wasm_program
from axletree.expr.quantity import Quantity, Role
from axletree.live_pages.lap_ghosts import lap_ghosts, track_courses
from axletree.live_pages.live_controls import (
    live_controls,
    live_gears,
    live_sliders,
    with_levers,
)
from axletree.live_pages.live_courses import live_courses
from axletree.live_pages.manoeuvre_drives import manoeuvre_drives
from axletree.live_pages.page_step import page_step
from axletree.live_pages.scene_recipe import scene_recipe
from axletree.live_pages.solved_rows import SolvedRows
from axletree.live_pages.travel_rows import link_travel
from axletree.live_pages.turn_rows import turn_rows
from axletree.model.model import Model
from axletree.optimisation.lap_time.result import TimedLap
from axletree.plot.style import plotted_unit
from axletree.reports.animation.animation import animation_text, scene_data
from axletree.simulation.control.built_in_controllers import built_in
from axletree.simulation.problem import SettingsError, state_problem
from axletree.simulation.simulate import form_for
from axletree.simulation.stepper.layout import stepper_layout
from axletree.simulation.stepper.step_program import StartPoint, StepProgram
from axletree.system.formulation import formulate
from axletree.system.system import System
from axletree.vehicles.drive_and_brakes import REVERSE
from axletree.vehicles.vehicle import Vehicle

if TYPE_CHECKING:
    from jinja2 import Environment

_USUAL_SPEEDS: Final = ("50 km/h", "80 km/h", "120 km/h")
# Of animations and of this page, in the order in which they need one another.
_SHARED: Final = (
    "element.js", "algebra.js", "data.js", "theme.js", "painter.js", "camera.js", "ground.js",
    "actors.js",
)  # fmt: skip
_OWN: Final = (
    "live_scene.js", "shadow.js", "marks.js", "ruts.js", "ghost.js", "course.js", "pedals.js",
    "drive.js", "gears.js", "telemetry.js", "setup.js", "chart.js", "row_solver.js", "handling.js",
    "wheel_travel.js", "page.js",
)  # fmt: skip
# Numbers that are shown and recorded where a model has them, by the word they begin with.
_OF_VEHICLE: Final = (
    "forward_speed", "yaw_rate", "lateral_acceleration", "longitudinal_acceleration", "sideslip",
    "roll", "pitch", "x", "y", "heading",
)  # fmt: skip
_OF_WHEEL: Final = ("slip", "slip_angle", "sinkage")
_MOST_NAMED: Final = 8  # of a model's own quantities


@dataclass(frozen=True)
class LivePage:
    """A page that is ready to be written.

    Example:
    >>> import axletree as at
    >>> page = at.LivePage("swing", "<!DOCTYPE html>")
    >>> page.save("swing.html").name
    'swing.html'
    """

    title: str
    html: str

    def save(self, path: str | Path) -> Path:
        """One file, which needs no other one.

        Example:
        >>> import axletree as at
        >>> at.LivePage("swing", "<!DOCTYPE html>").save("page.html").name
        'page.html'
        """
        target = page_path(path)
        write_text(target, self.html)
        return target

    @property
    def size(self) -> int:
        """[bytes]"""
        return len(self.html.encode())

    def __repr__(self) -> str:
        return f"LivePage {self.title!r}, {self.size / 1e6:.2f} MB"


def page_path(path: str | Path) -> Path:
    """The path, if it can be that of a page."""
    target = Path(path)
    if target.suffix != ".html":
        raise SettingsError(f"cannot write a page to {target}; expected a name in .html")
    return target


def live(
    model: Model,
    *,
    speeds: Sequence[float | str] | None = None,
    step: float | str | None = None,
    method: str | None = None,
    parameters: Mapping[str, float | str] | None = None,
    manoeuvres: Sequence[str] = (),
    controllers: Sequence[ReferenceController | str] = (),
    laps: Sequence[TimedLap] = (),
    title: str = "",
) -> LivePage:
    """The page of a model.

    Parameters
    ----------
    speeds: of a vehicle, at which a drive begins in steady motion straight ahead [m/s], beside the
        model's own start; unless given, those of 50, 80 and 120 km/h that the vehicle can keep.
    step, method: of the physics [s], 1 ms by that of steppers unless given; where steps are
        solved for set-valued forces the longest of 10, 5, 2 and 1 ms that moves the same.
    parameters: other values than the model's own, by name.
    manoeuvres: of the model, by name: each is driven here, and the page drives it by the same
        steering, throttle and brake, until a key takes over.
    controllers: reference controllers that act in the steps, as ``model.stepper`` takes them:
        words such as "abs", "tcs" and "esc", or objects. Each has a switch on the page, and is
        off until it is switched on.
    laps: of this or of other cars, as ``at.lap`` finds them: their tracks are courses, and they
        drive there as ghosts.

    Needs the extra ``cc``, whose compiler makes WebAssembly; who opens the page needs a browser.

    Example:
    >>> import axletree as at
    >>> at.live(at.read_model("pendulum")).title
    'pendulum'
    """
    check_arguments(live, locals())
    chosen = method or fixed_cost_method(model)
    given = dict(parameters or {})
    model, acting = built_in(with_levers(model), controllers)
    gears = live_gears(model)
    system = with_assembled_start(formulate(model, form=form_for(chosen)))
    known = {q.name for q in system.parameters}  # without those of controllers
    own = {name: value for name, value in given.items() if name in known}
    whole = with_controllers(system, acting) if acting else system
    values = _values(whole, given)
    starts = _starts(model, system, speeds, own)
    seconds = page_step(model, system, _first(system, starts), step, chosen, own)
    drives = manoeuvre_drives(model, system, manoeuvres, own)
    name = title or model.name.replace("_", " ")
    with doing("putting the picture together"):
        plain = {q.name: values[q.name] for q in system.parameters}
        recipe = scene_recipe(model, system, _first(system, starts), plain, name)
    ratios = [one["gear"] for one in gears]
    outputs = list(dict.fromkeys([*recipe.outputs, *shown_outputs(model, system), *ratios]))
    off = np.zeros(len(acting))  # of the switches, which are the last inputs
    every_start = [
        replace(one, inputs=np.append(one.inputs, off))
        for one in (*starts, *(drive.start for drive in drives))
    ]
    prepared = wasm_program(whole, chosen, outputs, every_start)
    if not prepared.has_fixed_cost:
        raise SettingsError(
            f"steps of {chosen!r} take as long as they need; a page keeps up by a method such as "
            "'rk4' or 'semi-implicit-euler'"
        )
    turns = turn_rows(model) if starts else None
    travel = link_travel(model, system)
    solved = {
        word: None if rows is None else SolvedRows.of(word, rows)
        for word, rows in (("turns", turns), ("travel", None if travel is None else travel.rows))
    }
    beside = () if travel is None else (q for q in travel.parameters if q.name not in values)
    scaled = [*whole.parameters, *beside]
    module = wasm_module(prepared, [one.unit for one in solved.values() if one is not None])
    data = {
        "title": name,
        "step": seconds,
        "layout": _layout(prepared),
        "module": base64.b64encode(module).decode(),
        "scene": scene_data(recipe.scene),
        "moves": recipe.moves | {"outputs": list(recipe.outputs)},
        "signals": _signals(prepared, outputs, shown_outputs(model, system)),
        "wheels": [force["name"] for force in recipe.moves["forces"]],
        **{word: None if one is None else one.layout for word, one in solved.items()},
        "links": None if travel is None else {"begin": travel.begin, "alone": travel.alone},
        "speeds": [one.name for one in starts],
        "changed": {name: values[name] for name in given},
        "controls": live_controls(prepared, [*(one["selected"] for one in gears), REVERSE]),
        "gears": gears,
        "reverse": REVERSE if REVERSE in {q.name for q in whole.inputs} else "",
        "switches": [{"name": law.name, "input": law.switch.name} for law in prepared.laws],
        "sliders": live_sliders(scaled, [values.get(q.name, q.default) for q in scaled]),
        "courses": [*live_courses(model), *track_courses(laps)],
        "laps": lap_ghosts(laps),
        "drives": [
            {
                "name": drive.name,
                "course": drive.course,
                "steps": round(drive.span / seconds),
                "orders": [[round(t / seconds), name, value] for t, name, value in drive.orders],
            }
            for drive in drives
        ],
    }
    return LivePage(name, _page_text(data))


def shown_outputs(model: Model, system: System) -> list[str]:
    """Outputs that stand beside the picture and in records."""
    known = [d.quantity.name for d in system.outputs]
    ends = [f"vehicle.{word}" for word in _OF_VEHICLE]
    of_wheels = [
        name for name in known
        if name.rpartition(".")[2] in _OF_WHEEL and name.rpartition(".")[0] in model
    ]  # fmt: skip
    found = [name for name in ends if name in known] + of_wheels
    if found:
        return found
    asked = [name for plot in model.plots for name in plot.matches(known)]
    return list(dict.fromkeys(asked))[:_MOST_NAMED]


def _values(system: System, given: Mapping[str, float | str]) -> dict[str, float]:
    """All parameters in SI units; wrong ones are refused with all that is wrong."""
    return dict(
        zip(
            (q.name for q in system.parameters),
            state_problem(system, parameters=given).parameters.tolist(),
            strict=True,
        )
    )


def _starts(
    model: Model,
    system: System,
    speeds: Sequence[float | str] | None,
    parameters: Mapping[str, float | str],
) -> list[StartPoint]:
    """Speeds that are asked for must be kept; of the usual ones those that can be are taken."""
    if not isinstance(model.described.get("vehicle"), Vehicle):
        if speeds:
            raise SettingsError(
                f"{model.name} is no vehicle by body and axles, which alone has starts by speed; "
                "its page begins at the model's own start"
            )
        return []
    found = []
    for speed in _USUAL_SPEEDS if speeds is None else speeds:
        label = speed if isinstance(speed, str) else f"{3.6 * speed:g} km/h"
        with doing(f"finding steady motion at {label}"):
            try:
                found.append(steady_start(system, {"speed": speed}, parameters, label))
            except TrimError as error:
                if speeds is not None:
                    raise SettingsError(f"the page cannot begin at {label}: {error}") from None
    return found


def _first(system: System, starts: Sequence[StartPoint]) -> StartPoint:
    from axletree.simulation.stepper.step_program import own_start

    return starts[0] if starts else own_start(system)


def _layout(prepared: StepProgram) -> dict[str, Any]:
    """What the page reads of it."""
    whole = stepper_layout(prepared)
    keys = ("name", "unit", "start", "lower", "upper")
    lists = {
        array: [{key: one[key] for key in keys if key in one} for one in whole[array]]
        for array in ("states", "inputs", "parameters", "outputs")
    }
    starts = [{"name": one["name"], "index": one["index"]} for one in whole["starts"]]
    return {"name": whole["name"], "stepper": whole["stepper"], "starts": starts, **lists}


def _moving(states: Sequence[Quantity]) -> list[str]:
    """Of a model without sensors: speeds along x of bodies that are free, then coordinates."""
    speeds = [q.name for q in states if q.name.endswith(".vx")]
    places = [q.name for q in states if q.role is Role.COORDINATE]
    return [*speeds, *places][:_MOST_NAMED]


def _signals(
    prepared: StepProgram, outputs: Sequence[str], proposed: Sequence[str]
) -> list[dict[str, Any]]:
    """Numbers of the whole, with the unit that people read them in."""
    states = prepared.program.states
    units = {q.name: q.unit for q in (*states, *prepared.program.outputs)}
    found = []
    own = [f"vehicle.{word}" for word in _OF_VEHICLE[:7]]
    whole = [name for name in proposed if name.rpartition(".")[2] not in _OF_WHEEL]
    shown = [name for name in own if name in outputs] or [*_moving(states), *whole]
    for name in shown:
        unit, factor = plotted_unit(units[name])
        if name.endswith("speed") and unit == "m/s":
            unit, factor = "km/h", 3.6
        unit = "" if unit == "1" else printed_unit(unit)
        label = name.removeprefix("vehicle.").replace("_", " ").replace(".", " ")
        found.append({"name": name, "label": label, "unit": unit, "factor": factor})
    return found


def _page_text(data: Mapping[str, Any]) -> str:
    program = "\n".join(
        [fill("stepper.js"), *map(animation_text, _SHARED), *(map(_own_text, _OWN))]
    )
    style = _own_text("style.css")
    shown = _templates().get_template("live.html.jinja")
    return shown.render(data=data, program=program.replace('"use strict";', ""), style=style)


def _own_text(name: str) -> str:
    return (files("axletree.live_pages") / name).read_text(encoding="utf-8")


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("axletree.live_pages"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    return made
