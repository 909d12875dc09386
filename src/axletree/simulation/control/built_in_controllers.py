"""Reference controllers that become a part of what is driven, by their words or as objects.

What they command is added to the vehicle as it is read; its file stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

from axletree.controllers.contract import ReferenceController
from axletree.core.errors import SimulationError
from axletree.core.registry import load, section
from axletree.model.model import Model
from axletree.simulation.control.controllers import ControlLoop
from axletree.simulation.control.reference_loops import controls_changes
from axletree.system.system import System
from axletree.vehicles.vehicle import Vehicle

Driven = TypeVar("Driven", bound=Model | System)


def built_in(
    driven: Driven, controllers: Sequence[ReferenceController | str]
) -> tuple[Driven, tuple[ReferenceController, ...]]:
    """A model with what reference controllers command, and all of them, for ``with_controllers``.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.control.built_in_controllers import built_in
    >>> car, (esc,) = built_in(at.read_model("sedan"), ["esc"])
    >>> car.described["vehicle"].controls.groups, esc.interval  # s
    (('brakes',), 0.01)
    """
    for one in controllers:
        _check_is_expressions(one)
    described = driven.described.get("vehicle") if isinstance(driven, Model) else None
    changes = controls_changes(controllers, described)  # which refuses what is no controller
    if isinstance(driven, System):
        if words := [one for one in controllers if isinstance(one, str)]:
            raise SimulationError(
                f"the system {driven.name} has no description, which the controller {words[0]!r} "
                "is made for; give the model, or an object such as "
                "at.StabilityController.of(vehicle)"
            )
        return driven, tuple(one for one in controllers if isinstance(one, ReferenceController))
    model = driven.with_changes(changes) if changes else driven
    return cast("Driven", model), tuple(_made(one, model) for one in controllers)


def _check_is_expressions(given: object) -> None:
    """Objects of Python, FMUs and files of these are refused by name."""
    is_file = isinstance(given, str) and (":" in given or "." in given)
    if isinstance(given, ControlLoop) or is_file:
        name = given.name if isinstance(given, ControlLoop) else given
        raise SimulationError(
            f"the controller {name!r} is an object of Python or an FMU, which cannot become a part "
            "of the steps: only reference controllers can, which are written as expressions "
            "(`axletree list controllers`); leave it out, and set what it commands from outside, "
            "instant by instant"
        )


def _made(given: ReferenceController | str, model: Model) -> ReferenceController:
    if not isinstance(given, str):
        return given
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        raise SimulationError(
            f"{model.name} is not described as a vehicle, whose numbers the controller {given!r} "
            "needs; take a model with a section `vehicle`, or an object with numbers of your own"
        )
    kind: type[ReferenceController] = load("controller", given, section("CONTROLLERS"))
    return kind.of(vehicle)
