"""Reference controllers in a run: by their words, or as objects, beside control loops of one's own.

What they command is added to the vehicle as it is read; its file stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from axletree.controllers.contract import ReferenceController
from axletree.controllers.discrete_system import RunningController
from axletree.core.errors import SimulationError
from axletree.core.registry import load, section
from axletree.model.model import Model
from axletree.simulation.control.controllers import ControlLoop
from axletree.vehicles.vehicle import Vehicle

GivenController = ControlLoop | ReferenceController | str


def controller_class(word: str) -> type[ReferenceController]:
    """Of the catalogue, by its word.

    Example:
    >>> from axletree.simulation.control.reference_loops import controller_class
    >>> controller_class("esc").__name__
    'StabilityController'
    """
    found: type[ReferenceController] = load("controller", word, section("CONTROLLERS"))
    return found


def needed_controls(controllers: Iterable[GivenController]) -> dict[str, bool]:
    """The groups of actuators that reference controllers need of a vehicle.

    An anti-lock system takes the place of the ideal one, whatever others need.

    Example:
    >>> from axletree.simulation.control.reference_loops import needed_controls
    >>> needed_controls(["abs", "esc"])
    {'brakes': True, 'anti_lock': False}
    """
    found: dict[str, bool] = {}
    for one in controllers:
        if isinstance(one, ControlLoop):
            continue
        if not isinstance(one, str | ReferenceController):
            raise SimulationError(
                f"a controller is {one!r}; expected a word such as 'esc', a reference controller "
                "such as at.StabilityController.of(vehicle), or an at.ControlLoop"
            )
        kind = controller_class(one) if isinstance(one, str) else type(one)
        for group, wanted in kind.controls.items():
            keeps = group == "anti_lock" and found.get(group) is False
            found[group] = wanted and not keeps
    return found


def controls_changes(controllers: Iterable[GivenController]) -> dict[str, Any]:
    """What of the vehicle's file has to be changed for them.

    Example:
    >>> from axletree.simulation.control.reference_loops import controls_changes
    >>> controls_changes(["esc"]), controls_changes(["cruise"])
    ({'vehicle': {'controls': {'brakes': True}}}, {})
    """
    controls = needed_controls(controllers)
    return {"vehicle": {"controls": controls}} if controls else {}


def controlled(
    model: Model, controllers: Sequence[GivenController]
) -> tuple[Model, tuple[ControlLoop, ...]]:
    """A model with what reference controllers command, and all of them as loops.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.control.reference_loops import controlled
    >>> car, loops = controlled(at.read_model("sedan"), ["esc"])
    >>> car.described["vehicle"].controls.groups, loops[0].name, loops[0].interval  # s
    (('brakes',), 'esc', 0.01)
    """
    if all(isinstance(one, ControlLoop) for one in controllers):
        return model, tuple(one for one in controllers if isinstance(one, ControlLoop))
    changes = controls_changes(controllers)
    model = model.with_changes(changes) if changes else model
    return model, tuple(_loop(one, model) for one in controllers)


def _loop(given: GivenController, model: Model) -> ControlLoop:
    if isinstance(given, ControlLoop):
        return given
    if isinstance(given, ReferenceController):
        return reference_loop(given)
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        raise SimulationError(
            f"{model.name} is not described as a vehicle, whose numbers the controller {given!r} "
            "needs; take a model with a section `vehicle`, or give an at.ControlLoop"
        )
    return reference_loop(controller_class(given).of(vehicle))


def reference_loop(controller: ReferenceController) -> ControlLoop:
    """With ideal sensors and actuators.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.control.reference_loops import reference_loop
    >>> cruise = at.CruiseController.of(at.read_model("sedan").described["vehicle"], speed=20.0)
    >>> list(reference_loop(cruise).sets)
    ['driver.throttle', 'driver.brake']
    """
    runs = RunningController(controller)
    rules = {name: controller.rules.get(name.rpartition(".")[2], "first") for name in runs.sets}
    return ControlLoop(
        runs, controller.interval, reads=runs.reads, sets=runs.sets, name=controller.word,
        rules=rules,
    )  # fmt: skip
