"""The page and the icon that an FMU carries."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib.metadata import version

from axletree.export.fmu.fmu_model import FmuModel
from axletree.export.folder import fill
from axletree.model.model import Model
from axletree.plot.mechanism import draw_icon, poses_at_start
from axletree.system.system import System


def fmu_page(model: FmuModel, icon: str) -> str:
    """``documentation/index.html``; ``icon`` is where the icon stands, "" for none."""
    variables = model.variables
    first, rates = model.references["states"], model.references["rates"]
    tables = {
        "Inputs": [v for v in variables if v.causality == "input"],
        "Outputs": [v for v in variables if v.causality == "output"],
        "States": [v for v in variables if first <= v.reference < rates],
        "Parameters": [v for v in variables if v.causality == "parameter"],
    }
    return fill(
        "fmu.html.jinja",
        name=model.name,
        description=model.description,
        icon=icon,
        kinds="model exchange and co-simulation" if model.has_exchange else "co-simulation",
        version=version("axletree"),
        notes=list(_notes(model)),
        tables=[(title, rows) for title, rows in tables.items() if rows],
    )


def _notes(model: FmuModel) -> Iterator[str]:
    yield (
        f"Co-simulation takes steps of at most {model.step:g} s (fmu.step) by "
        f"{model.prepared.method.name}, as many equal ones as a communication step needs. Inputs "
        "are held in between."
    )
    if model.filter_count:
        yield (
            "Inputs whose rates the model needs go through a filter of second order with two "
            "equal time constants (..._filter_time): 1/(1 + T s)^2. Its value and its rate are "
            "states in model exchange."
        )
    if model.is_projected:
        yield (
            "The states have constraints. Start values are moved onto them. Co-simulation "
            "projects after each step; in model exchange completedIntegratorStep asks for an event "
            "where they have drifted by more than fmu.projection_tolerance, and the event moves "
            "them back."
        )
    if model.has_derivatives:
        yield "Derivatives of rates and outputs by states and inputs are exact."
    if not model.has_exchange:
        yield (
            "Forces of this model are set-valued (dry friction, contact, soil): each step is "
            "solved for them, so that they are no functions of the states, and there is no model "
            "exchange and no derivative."
        )
    if model.events:
        several = f"{model.events} event indicators change their"
        yield (
            f"{several if model.events > 1 else 'An event indicator changes its'} sign where rates "
            "may jump. Between events rates are not frozen on one side of a jump."
        )


def fmu_icon(system: System, model: Model | None) -> bytes | None:
    """The model at its start, as PNG; None for what has no shape."""
    poses = None if model is None else poses_at_start(system, model)
    if poses is None:
        return None
    stream = io.BytesIO()
    draw_icon(poses).savefig(stream, format="png", dpi=128, metadata={"Software": None})
    return stream.getvalue()
