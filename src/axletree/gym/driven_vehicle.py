"""The vehicle that an environment drives: its steppers, where they start, what is drawn anew."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping, Sequence
from ctypes import CDLL
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from axletree.analysis.steady_start import steady_start
from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.core.registry import section_names
from axletree.gym.stepper_array import array_library
from axletree.model.model import Model
from axletree.model_files.read import read_model
from axletree.simulation.problem import SettingsError
from axletree.simulation.stepper.shaping import LinearInput
from axletree.simulation.stepper.step_program import StartPoint, StepProgram, step_program
from axletree.system.formulation import formulate
from axletree.vehicles.vehicle import Vehicle

STEP_METHOD: Final = "semi-implicit-euler"  # one evaluation a step
CONTROLS: Final = ("driver.steering", "driver.throttle", "driver.brake")  # rad, 1, 1
# What a friction factor is a parameter of; 1 is the ground that tyres are described on.
DRY_ROAD: Final = {"type": "flat", "friction_map": {"type": "uniform", "factor": 1.0}}

# What may be drawn for each episode by one word: factors of these parameters. Springs are
# preloaded for the mass, so that a heavier vehicle stands at the same height.
FACTORS: Final[Mapping[str, tuple[str, ...]]] = {
    "mass": ("body.mass", "body.inertia.*", "load_*.mass", "*_spring.preload"),
    "friction": ("*_tyre.surface.friction_map.factor",),
    "damping": ("*_spring.damping",),
    "soil": ("*_soil.law.*cone_index",),
}


@dataclass(frozen=True)
class Pose:
    """Where a vehicle begins an episode."""

    x: float  # [m]
    y: float  # [m]
    heading: float  # [rad]
    speed: float  # [m/s]


@dataclass(frozen=True, eq=False)
class DrivenVehicle:
    """Steppers of a vehicle that goes straight on at a speed when they start."""

    program: StepProgram
    description: Vehicle
    speed: float  # [m/s]
    start: StartPoint

    @cached_property
    def library(self) -> CDLL | None:
        """The compiled code of its steppers."""
        return array_library(self.program)

    @cached_property
    def throttle(self) -> float:
        """That keeps the speed."""
        names = [q.name for q in self.program.system.inputs]
        return float(self.start.inputs[names.index(CONTROLS[1])])

    @property
    def parameters(self) -> FloatArray:
        """The vehicle's own, in the order of the program."""
        return np.array([q.default for q in self.program.program.parameters], dtype=float)

    @property
    def footprint(self) -> tuple[float, float, float]:
        """How far it reaches ahead of its centre of mass and behind it, and its width [m].

        Overhangs are 0.8 m in front and 0.7 m behind the axles; the width is that over the tyres.
        """
        front, rear = self.description.ends
        axles = self.description.axles.values()
        width = max(axle.track + (axle.wheel.width or 0.2) for axle in axles)
        return front + 0.8, 0.7 - rear, width

    def states_at(self, pose: Pose) -> FloatArray:
        """As at its speed, but elsewhere and at another one, for which wheels turn as fast."""
        ratio = pose.speed / self.speed
        states = self.start.states.copy()
        for k, quantity in enumerate(self.program.program.states):
            name = quantity.name
            if name == "chassis.vx" or name.endswith("_axle.rate"):
                states[k] *= ratio
            elif name in ("chassis.yaw", "chassis.angle"):
                states[k] = pose.heading
            elif name in ("chassis.x", "chassis.y"):
                states[k] = pose.x if name.endswith("x") else pose.y
        return states

    def places_of(self, patterns: Sequence[str]) -> list[int]:
        """Of the parameters whose names match any of these."""
        names = [q.name for q in self.program.program.parameters]
        return [
            k
            for k, name in enumerate(names)
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
        ]

    def ranges(
        self, randomise: Mapping[str, tuple[float, float]]
    ) -> dict[str, tuple[list[int], float, float]]:
        """Places of parameters and the range of their common factor, by what is to be drawn."""
        found: dict[str, tuple[list[int], float, float]] = {}
        problems = []
        for name, between in randomise.items():
            places = self.places_of(FACTORS.get(name, (name,)))
            if not places:
                problems.append(
                    f"randomise: {name!r} is no parameter of {self.program.system.name!r}; "
                    f"expected one of {', '.join(FACTORS)}, a parameter, or a pattern such as "
                    "'*_spring.damping'"
                )
            elif not _is_range(between):
                problems.append(
                    f"randomise: {name!r} is {between!r}; expected the lowest and the highest "
                    "factor, such as (0.8, 1.2)"
                )
            else:
                found[name] = (places, float(between[0]), float(between[1]))
        if problems:
            raise SettingsError(*problems)
        return found


def _is_range(between: Any) -> bool:
    try:
        low, high = (float(one) for one in between)
    except (TypeError, ValueError):
        return False
    return 0.0 < low <= high < np.inf


def driven_vehicle(
    name: str,
    changes: Mapping[str, Any],
    *,
    speed: float,
    outputs: Sequence[str],
    control_interval: float,
) -> DrivenVehicle:
    """A vehicle of a model file, with what is changed of its section ``vehicle``.

    Steering goes in a straight line, within ``control_interval`` [s], to what is asked for; pedals
    are where they are asked for at once. A vehicle of the catalogue is made once in a program and
    then found again; one of a file is read anew each time, for it may have changed.
    """
    make = _made if name in section_names("MODELS") else _made.__wrapped__
    kept = _Changes(repr(sorted(changes.items())), changes)
    return make(name, kept, speed, tuple(outputs), control_interval)


@dataclass(frozen=True)
class _Changes:
    """Changes by which a vehicle that is made already is found."""

    text: str
    values: Mapping[str, Any]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Changes) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)


@lru_cache(maxsize=16)
def _made(
    name: str, changes: _Changes, speed: float, outputs: tuple[str, ...], interval: float
) -> DrivenVehicle:
    model = read_model(name, {"vehicle": dict(changes.values)})
    described = _description(model, name)
    system = formulate(model)
    program = step_program(
        system, STEP_METHOD, outputs=outputs, shapes={CONTROLS[0]: LinearInput(interval)},
        fixed_cost=False,  # agents wait for the mean of many steps, not for the longest
    )  # fmt: skip
    start = steady_start(system, {"speed": speed})
    return DrivenVehicle(program, described, speed, start)


def _description(model: Model, name: str) -> Vehicle:
    described = model.described["vehicle"]
    assert isinstance(described, Vehicle)
    if described.driver is not None or described.posts:
        raise ModelError(f"{name} has a driver of its own, or stands on posts; leave them out")
    return described


def magic_formula_sedan() -> dict[str, Any]:
    """Changes of the sedan: 14 degrees of freedom, on the Magic Formula 5.2 tyres of Morency 2007.

    Its steering column is rigid. Slip follows the stretched string of the same tyres, for which
    the law is evaluated once a step.
    """
    tyre = next(c for c in read_model("car").components if c.name == "front_left_tyre")
    own = _description(read_model("sedan"), "sedan").axles["front"].steering
    assert own is not None
    rigid = replace(own, column_stiffness=None, column_damping=0.0)
    shod = {"tyre": {"law": tyre.law, "slip": tyre.slip}}  # type: ignore[attr-defined]
    return {
        "fidelity": "14-dof", "road": DRY_ROAD,
        "axles": {"front": {**shod, "steering": rigid}, "rear": shod},
    }  # fmt: skip
