"""A reference controller as a system, and as an object with ``reset`` and ``update``.

Its memory m is the state of the system, whose rate is (m+ - m) / interval: a step of explicit Euler
over one interval gives m+, and every program of the system, in whatever language, the controller.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

import numpy as np

from axletree.code.backends.runnable import Runnable
from axletree.code.lowering import lower
from axletree.controllers.contract import OnboardController, ReferenceController
from axletree.core.errors import FormulationError, ModelError
from axletree.expr import as_expr, symbol
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.system.system import Definition, System


def discrete_system(controller: OnboardController) -> System:
    """The system of a controller: measured values are its inputs, commands its outputs.

    Example:
    >>> import axletree as at
    >>> from axletree.controllers.discrete_system import discrete_system
    >>> car = at.read_model("sedan").described["vehicle"]
    >>> system = discrete_system(at.CruiseController.of(car))
    >>> [q.name for q in system.states], [one.quantity.name for one in system.outputs]
    (['cruise.integral'], ['driver.throttle', 'driver.brake'])
    """
    word = controller.word
    if not isinstance(controller, ReferenceController):
        raise FormulationError(
            f"the controller {word!r} solves for its commands in every instant, and is no system: "
            "it runs in Python alone, in a run or a procedure"
        )
    numbers = {
        name: Quantity(f"{word}.{name}", kind.unit, kind.description, Role.PARAMETER, value)
        for name, kind, value in controller.named_parameters()
    }
    given = (*controller.measured, *controller.memory)
    names = [one.name for one in (*given, *controller.commanded, *numbers.values())]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise FormulationError(
            f"the controller {word!r} has {', '.join(twice)} more than once among what it "
            "measures, keeps and commands and its numbers; give each a name of its own"
        )
    law = controller.law(
        {one.name: one.symbol for one in given},
        {name: symbol(quantity.name) for name, quantity in numbers.items()},
    )
    interval = symbol(f"{word}.interval")
    return System(
        name=word,
        time=Quantity("time", "s", "time", Role.TIME),
        states=Quantities(controller.memory),
        inputs=Quantities(controller.measured),
        parameters=Quantities(numbers.values()),
        derivatives=tuple(
            (as_expr(law.memory[one.name]) - one.symbol) / interval for one in controller.memory
        ),
        outputs=tuple(
            Definition(one, as_expr(law.commands[one.name])) for one in controller.commanded
        ),
        intermediates=(),
        projection=None,
    )


class RunningController:
    """A reference controller that runs, by the program of its system.

    Example:
    >>> import axletree as at
    >>> from axletree.controllers.discrete_system import RunningController
    >>> car = at.read_model("sedan").described["vehicle"]
    >>> cruise = RunningController(at.CruiseController.of(car, speed=20.0))
    >>> standing = dict.fromkeys(cruise.reads, 0.0)  # rad/s
    >>> cruise.reset()
    >>> cruise.update(0.0, standing)
    {'driver.throttle': 1.0, 'driver.brake': 0.0}
    """

    def __init__(self, controller: ReferenceController, program: Runnable | None = None) -> None:
        """``program`` runs the system; generated Python, unless it is given."""
        system = discrete_system(controller)
        self.controller = controller
        self.reads = tuple(one.name for one in system.inputs)
        self.sets = tuple(one.quantity.name for one in system.outputs)
        self._program = program or Runnable(lower(system), None, "model")
        self._constants = self._program.constants([one.default for one in system.parameters])
        self._first = np.array([one.default for one in system.states])
        self.reset()

    def reset(self) -> None:
        """The memory is as at the beginning.

        Example:
        >>> import axletree as at
        >>> from axletree.controllers.discrete_system import RunningController
        >>> car = at.read_model("sedan").described["vehicle"]
        >>> cruise = RunningController(at.CruiseController.of(car, speed=1.0))
        >>> slow = dict.fromkeys(cruise.reads, 0.0)  # rad/s
        >>> before = cruise.update(0.0, slow), cruise.update(0.02, slow)
        >>> cruise.reset()
        >>> before[0] == cruise.update(0.0, slow) != before[1]
        True
        """
        self._memory = self._first.copy()

    def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
        """Commands at t [s], in SI units; a ``ModelError`` if what is measured is no finite number.

        Example:
        >>> import axletree as at
        >>> from axletree.controllers.discrete_system import RunningController
        >>> car = at.read_model("sedan").described["vehicle"]
        >>> abs_ = RunningController(at.AntiLockController.of(car))
        >>> rolling = dict.fromkeys(abs_.reads, 60.0)  # rad/s; m/s^2
        >>> abs_.update(0.0, rolling)["front_left_modulator.share"]
        1.0
        """
        seen = [measured[name] for name in self.reads]
        if lost := [n for n, value in zip(self.reads, seen, strict=True) if not isfinite(value)]:
            raise ModelError(f"it is given {measured[lost[0]]} for {lost[0]!r}, which is no number")
        at = (t, self._memory, seen, self._constants)
        commands = self._program.outputs(*at)
        self._memory = self._memory + self.controller.interval * self._program.rhs(*at)
        return dict(zip(self.sets, commands.tolist(), strict=True))
