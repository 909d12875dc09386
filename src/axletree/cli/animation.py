"""``axletree animate``: a run as a page in three dimensions, as a film, as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from axletree.analysis.drive import PROPOSED_METHOD, proposed_step
from axletree.cli.options import (
    DurationOption,
    FidelityOption,
    SoilOption,
    SpeedOption,
    argument,
    option,
    vehicle_changes,
)
from axletree.cli.results import result_folder
from axletree.cli.run import described_model, run_plan, seconds
from axletree.core.files import check_writable
from axletree.reports.animation.animation import PAGE, Animation, animation
from axletree.reports.animation.motion import AnimationError
from axletree.reports.animation.wheels import wheel_outputs
from axletree.reports.results import COPIES, METRICS_FILE, read_recipe
from axletree.simulation.recomputed_outputs import RunFacts
from axletree.simulation.simulate import form_for
from axletree.simulation.trajectory import Trajectory

_RECORDS = "run.npz"


def animate(
    subject: Annotated[
        str, argument("MODEL", "As for `axletree run`, or a folder with its results.")
    ],
    manoeuvre: Annotated[str | None, argument("MANOEUVRE", "Default: the model's own run.")] = None,
    speed: SpeedOption = None,
    fidelity: FidelityOption = None,
    soil: SoilOption = None,
    duration: DurationOption = None,
    gif: Annotated[bool, option("--gif", "Also write a film: animation.gif.")] = False,
    png: Annotated[
        bool, option("--png", "Also write a picture of several instants: animation.png.")
    ] = False,
    live: Annotated[
        bool, option("--live", "Also write live.html, a page in which the vehicle is driven.")
    ] = False,
    out: Annotated[Path | None, option("Folder. Default: that of `axletree run`.")] = None,
) -> None:
    """Show a run in three dimensions: a page that needs no other file and no network.

    Example: axletree animate sedan step-steer --speed "80 km/h" --gif
    """  # fmt: skip
    if Path(subject).is_dir():
        if live:
            raise AnimationError(
                f"{subject} is a folder of results; --live is for a model: axletree live MODEL"
            )
        if any(given is not None for given in (manoeuvre, speed, fidelity, soil, duration)):
            raise AnimationError(
                f"{subject} is a folder of results; manoeuvre and run options apply to models"
            )
        folder = out or Path(subject)
        check_writable(folder)
        made = _of_results(Path(subject))
    else:
        folder = out or result_folder(subject, manoeuvre, fidelity, soil)
        check_writable(folder)
        made = _of_model(subject, manoeuvre, speed, vehicle_changes(fidelity, soil), duration)
    wanted = [PAGE, *(["animation.gif"] if gif else []), *(["animation.png"] if png else [])]
    for file in wanted:
        typer.echo(f"animation: {made.save(folder / file)}")
    if live:
        from axletree.cli.live import write_live_page

        page = write_live_page(subject, vehicle_changes(fidelity, soil), manoeuvre, folder)
        typer.echo(f"live page: {page}")


def _of_model(
    source: str,
    manoeuvre: str | None,
    speed: str | None,
    changes: Mapping[str, Any],
    duration: str | None,
) -> Animation:
    model = described_model(source, changes, manoeuvre)
    given = model.run
    method = given.method or PROPOSED_METHOD
    system = model.formulate(form=form_for(method))
    plan = run_plan(model, system, manoeuvre, speed, {}, {})
    facts = RunFacts(plan.inputs, plan.parameters)
    span = seconds("--duration", duration, plan.duration)
    step = proposed_step(given, method, span, given.record_interval) or plan.fallback_step
    run = system.simulate(
        span, step=step, method=method, initial=plan.initial, inputs=plan.inputs,
        parameters=plan.parameters, outputs=wheel_outputs(model, system),
        record_interval=given.record_interval,
    )  # fmt: skip
    return animation(model, run, system=system, facts=facts, title=plan.title)


def _of_results(folder: Path) -> Animation:
    """From the records, and from the copies of the model's files beside them."""
    if not ((folder / _RECORDS).is_file() and (folder / METRICS_FILE).is_file()):
        raise AnimationError(
            f"{folder} has no results of a run; expected {_RECORDS} and {METRICS_FILE}, which "
            "`axletree run` writes"
        )
    recipe = read_recipe(folder)
    file = next(iter(recipe["model"]["sha256"]))
    settings, driven = recipe["settings"], recipe["manoeuvre"] or {}
    manoeuvre, speed = driven.get("name"), driven.get("speed")
    changes = vehicle_changes(settings.get("fidelity"), settings.get("soil"))
    model = described_model(str(folder / COPIES / file), changes, manoeuvre)
    system = model.formulate(form=form_for(settings.get("method") or PROPOSED_METHOD))
    plan = run_plan(model, system, manoeuvre, speed, {}, settings["parameters"])
    # Those that are recorded in full: tables are not.
    known = {k: v for k, v in recipe["inputs"].items() if not str(v).startswith("table,")}
    facts = RunFacts({**plan.inputs, **known}, plan.parameters)
    run = Trajectory.read(folder / _RECORDS)
    return animation(model, run, system=system, facts=facts, title=plan.title)
