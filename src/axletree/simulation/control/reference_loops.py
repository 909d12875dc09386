"""Reference controllers in a run: by their words, or as objects, beside control loops of one's own.

What they command is added to the vehicle as it is read; its file stays as it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from axletree.controllers.contract import (
    ControlledVehicle,
    OnboardController,
    ReferenceController,
    Running,
    SolvingController,
)
from axletree.controllers.discrete_system import RunningController
from axletree.controllers.path_following import FollowsPath
from axletree.core.errors import SimulationError
from axletree.core.registry import load, section
from axletree.model.model import Model
from axletree.simulation.control.controllers import ControlLoop
from axletree.vehicles.vehicle import Vehicle

_MOST_TOLD = 3  # differences between two vehicles
GivenController = ControlLoop | OnboardController | str


def controller_class(word: str) -> type[OnboardController]:
    """Of the catalogue, by its word.

    Example:
    >>> from axletree.simulation.control.reference_loops import controller_class
    >>> controller_class("esc").__name__
    'StabilityController'
    """
    found: type[OnboardController] = load("controller", word, section("CONTROLLERS"))
    return found


def needed_controls(
    controllers: Iterable[GivenController], vehicle: object = None
) -> dict[str, bool]:
    """The groups of actuators that reference controllers need, of a vehicle if it is known.

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
        if not isinstance(one, str | OnboardController):
            raise SimulationError(
                f"a controller is {one!r}; expected a word such as 'esc', a reference controller "
                "such as at.StabilityController.of(vehicle), or an at.ControlLoop"
            )
        kind = controller_class(one) if isinstance(one, str) else type(one)
        needed = kind.needs(vehicle) if isinstance(vehicle, Vehicle) else kind.controls
        for group, wanted in needed.items():
            keeps = group == "anti_lock" and found.get(group) is False
            found[group] = wanted and not keeps
    return found


def controls_changes(
    controllers: Iterable[GivenController], vehicle: object = None
) -> dict[str, Any]:
    """What of the vehicle's file has to be changed for them.

    Example:
    >>> from axletree.simulation.control.reference_loops import controls_changes
    >>> controls_changes(["esc"]), controls_changes(["cruise"])
    ({'vehicle': {'controls': {'brakes': True}}}, {})
    """
    controls = needed_controls(controllers, vehicle)
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
    model = with_actuators(model, controllers)
    return model, loops_of(model, controllers)


def with_actuators(model: Model, controllers: Iterable[GivenController]) -> Model:
    """A model with what reference controllers command.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.control.reference_loops import with_actuators
    >>> with_actuators(at.read_model("sedan"), ["esc"]).described["vehicle"].controls.groups
    ('brakes',)
    """
    changes = controls_changes(controllers, model.described.get("vehicle"))
    return model.with_changes(changes) if changes else model


def loops_of(model: Model, controllers: Iterable[GivenController]) -> tuple[ControlLoop, ...]:
    """Controllers as loops, made for a model that has what they command.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.control.reference_loops import loops_of
    >>> loops_of(at.read_model("sedan"), ["cruise"])[0].interval  # s
    0.02
    """
    return tuple(_loop(one, model) for one in controllers)


def follower_words(controllers: Iterable[GivenController]) -> tuple[str, ...]:
    """Those that follow the path of a manoeuvre: by their words they have none of their own.

    Example:
    >>> from axletree.simulation.control.reference_loops import follower_words
    >>> follower_words(["esc", "stanley"])
    ('stanley',)
    """
    words = (one for one in controllers if isinstance(one, str))
    return tuple(one for one in words if issubclass(controller_class(one), FollowsPath))


def follower_names(controllers: Iterable[GivenController]) -> tuple[str, ...]:
    """Those that steer in place of a driver who follows a path, with words or paths of their own.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.control.reference_loops import follower_names
    >>> car = at.read_model("sedan").described["vehicle"]
    >>> follower_names(["mpc", at.StanleyController.of(car, at.StraightPath()), "esc"])
    ('mpc', 'stanley')
    """
    found: list[str] = []
    for one in controllers:
        if isinstance(one, str):
            found += follower_words([one])
        elif isinstance(made := _made_for(one), FollowsPath):
            found.append(made.word)
    return tuple(found)


def _loop(given: GivenController, model: Model) -> ControlLoop:
    vehicle = model.described.get("vehicle")
    if not isinstance(given, str):
        made = _made_for(given)
        if made is not None and isinstance(vehicle, Vehicle):
            _tell_of_another(made, vehicle, model.name)
        if isinstance(given, ControlLoop):
            return given
        return reference_loop(_beside_driver(given, vehicle))
    if not isinstance(vehicle, Vehicle):
        raise SimulationError(
            f"{model.name} is not described as a vehicle, whose numbers the controller {given!r} "
            "needs; take a model with a section `vehicle`, or give an at.ControlLoop"
        )
    return reference_loop(controller_class(given).of(vehicle))


def _beside_driver(given: OnboardController, vehicle: object) -> OnboardController:
    """A follower with a path of its own takes the hands of a driver off the wheel who has one, too;
    the two would both steer."""
    if not isinstance(given, FollowsPath) or not isinstance(vehicle, Vehicle):
        return given
    is_driven = vehicle.driver is not None and vehicle.driver.path is not None
    return given if given.driven == is_driven else replace(given, driven=is_driven)


def _made_for(given: ControlLoop | OnboardController) -> OnboardController | None:
    """The controller of the catalogue that is given, or that a loop has been made of."""
    if isinstance(given, OnboardController):
        return given
    return given.controller.controller if isinstance(given.controller, RunningController) else None


def _tell_of_another(made: OnboardController, vehicle: Vehicle, name: str) -> None:
    """What a controller believes of the vehicle and is not so: it acts by wrong numbers."""
    if wrong := made.vehicle.differences(ControlledVehicle.of(vehicle)):
        kind = type(made).__name__
        warnings.warn(
            f"the controller {made.word!r} is made for another vehicle than {name}: it knows "
            f"{'; '.join(wrong[:_MOST_TOLD])}; make it for this one by at.{kind}.of(vehicle, ...)",
            stacklevel=5,
        )


def reference_loop(controller: OnboardController) -> ControlLoop:
    """With ideal sensors and actuators.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.control.reference_loops import reference_loop
    >>> cruise = at.CruiseController.of(at.read_model("sedan").described["vehicle"], speed=20.0)
    >>> list(reference_loop(cruise).sets)
    ['driver.throttle', 'driver.brake']
    """
    reads, sets = ([one.name for one in which] for which in (controller.measured,
                                                             controller.commanded))  # fmt: skip
    return ControlLoop(
        _running(controller), controller.interval, reads=reads, sets=sets, name=controller.word,
        rules={name: controller.rules.get(name.rpartition(".")[2], "first") for name in sets},
    )  # fmt: skip


def _running(controller: OnboardController) -> Running:
    if isinstance(controller, SolvingController):
        return controller.running()
    assert isinstance(controller, ReferenceController)
    return RunningController(controller)
