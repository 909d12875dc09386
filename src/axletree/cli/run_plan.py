"""What a command runs: a model as it proposes, or a manoeuvre from its steady motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import typer

from axletree.analysis.drive import drive_start, recorded
from axletree.analysis.sweep.plan import joined
from axletree.cli.assignment import AssignmentError
from axletree.cli.trim import in_words
from axletree.core.units import to_si
from axletree.library.drivers.speed_keeper import SpeedKeeper
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.plot import Plot
from axletree.pipeline import Model, System, read_model
from axletree.report.plot_panels import plotted_units

FALLBACK_METHOD = "rk4"
FALLBACK_STEP = 1e-3  # s


def described_model(source: str, changes: Mapping[str, Any], manoeuvre: str | None) -> Model:
    """The model with changes, and with what its manoeuvre of this name changes."""
    model = read_model(source, changes or None)
    wanted = {} if manoeuvre is None else model.manoeuvre(manoeuvre).changes
    return read_model(source, joined(changes, wanted)) if wanted else model


@dataclass(frozen=True)
class RunPlan:
    """What is to be run."""

    title: str
    duration: float | None
    inputs: Mapping[str, Any]
    outputs: Sequence[str] | None
    parameters: Mapping[str, Any]
    initial: Mapping[str, Any] = field(default_factory=dict)
    manoeuvre: Manoeuvre | None = None  # as it is driven
    plots: Sequence[Plot] = ()  # that the report shows

    @property
    def fallback_step(self) -> float | None:
        """[s], that of ``drive``; a model without manoeuvres has to say its own."""
        return None if self.manoeuvre is None else FALLBACK_STEP

    def recorded(self, system: System, chosen: Sequence[str]) -> Sequence[str] | None:
        """The outputs to record: those chosen, or what is proposed and what plots show."""
        outputs = chosen or self._proposed(system)
        return outputs if self.manoeuvre is None else recorded(system, self.manoeuvre, outputs)

    def _proposed(self, system: System) -> Sequence[str] | None:
        told = [one.quantity.name for one in system.outputs]
        known = {*told, *(quantity.name for quantity in system.inputs)}
        shown = [name for name in plotted_units(system, self.plots) if name in known]
        if not shown:
            return self.outputs
        return tuple(dict.fromkeys([*(told if self.outputs is None else self.outputs), *shown]))


def run_plan(
    model: Model,
    system: System,
    name: str | None,
    speed: str | None,
    signals: Mapping[str, Any],
    parameters: Mapping[str, float],
) -> RunPlan:
    """The model's own run, or a manoeuvre from its steady motion."""
    given, title = model.run, model.name.replace("_", " ")
    if name is None:
        if speed is not None:
            raise AssignmentError(
                "--speed is that of a manoeuvre; name one: axletree run MODEL MANOEUVRE"
            )
        inputs = {**given.inputs, **signals}
        return RunPlan(title, given.duration, inputs, given.outputs, parameters, plots=model.plots)
    manoeuvre = model.manoeuvre(name)
    manoeuvre = replace(manoeuvre, inputs={**manoeuvre.inputs, **signals})
    if speed is not None:
        manoeuvre = replace(manoeuvre, speed=to_si(speed, expected="m/s"))
    start = drive_start(system, manoeuvre, parameters)
    kept = any(isinstance(component, SpeedKeeper) for component in model)
    typer.echo(f"start: {in_words(system, start.trim, is_kept=kept)}")
    outputs = given.outputs if manoeuvre.outputs is None else manoeuvre.outputs
    return RunPlan(
        f"{title}: {name}", manoeuvre.span, start.inputs, outputs, start.parameters,
        start.initial, start.manoeuvre, model.plots,
    )  # fmt: skip


def seconds(option: str, text: str | None, proposed: float | None) -> float:
    """What an option says or the model proposes [s]; an error where neither does."""
    found = optional_seconds(text, proposed)
    if found is None:
        name = option.removeprefix("--")
        raise AssignmentError(f"the model proposes no {name}; give one, for example {option} 10")
    return found


def optional_seconds(text: str | None, proposed: float | None) -> float | None:
    """[s]."""
    return proposed if text is None else to_si(text, expected="s")
