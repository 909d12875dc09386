"""``write_card``: a folder from which a CUDA card steps many vehicles of a system."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from axletree.code.printers.dialect import packaged_text
from axletree.core.arguments import check_arguments
from axletree.core.errors import SimulationError
from axletree.export.folder import write_files
from axletree.simulation.batch.batch import equal_steps
from axletree.simulation.batch.card_code import card_layout, card_source
from axletree.simulation.batch.lane_code import lane_program
from axletree.simulation.problem import state_problem
from axletree.system.system import System


def write_card(
    system: System,
    folder: str | Path,
    *,
    method: str = "rk4",
    outputs: Sequence[str] = (),
    equal_laws: bool = False,
) -> Path:
    """Write ``vehicles.cu``, ``layout.json`` and ``card_batch.py`` into a folder.

    ``method`` is explicit-euler, semi-implicit-euler or rk4, or of stiff models ros2, row3 or row4,
    as for ``batch``; those that solve for set-valued forces are refused. ``outputs`` are what the
    batch has as ``outputs``. With ``equal_laws`` laws that are equal in the model, such as those of
    four tyres, are one law for each vehicle, whose constants are read once.

    Example:
    >>> import axletree as at
    >>> folder = at.write_card(at.read_model("pendulum").formulate(), "on_card")
    >>> sorted(file.name for file in folder.iterdir())
    ['card_batch.py', 'layout.json', 'vehicles.cu']
    """
    check_arguments(write_card, locals())
    chosen = equal_steps(system, method)
    if chosen.solves:
        raise SimulationError(
            f"steps of {chosen.name!r} solve for what is at rest with rows and matrices of every "
            "vehicle, which have no room in the registers of a card; at.batch takes them on the "
            "processor, and a card takes explicit-euler, semi-implicit-euler, rk4, ros2, row3, row4"
        )
    program = lane_program(system, chosen, tuple(outputs), equal_laws=equal_laws)
    layout = card_layout(program, chosen)
    for quantity, first in zip(layout["states"], state_problem(system).states, strict=True):
        quantity["start"] = float(first)
    texts = {
        "vehicles.cu": card_source(program, chosen),
        "layout.json": json.dumps(layout, indent=1) + "\n",
        "card_batch.py": packaged_text("axletree.export.card", "card_batch.py"),
    }
    return write_files(folder, texts, "the text for a card")
