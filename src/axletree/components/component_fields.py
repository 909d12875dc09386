"""A component by its fields: they are checked when it is made, and are symbols in its equations.

``flat_parameters`` gives its parameters as named quantities, one per number of its fields.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from axletree.components.exchange import NamedOutput
from axletree.components.fields import FieldKind, kind_of
from axletree.components.frames import checked_name
from axletree.components.parts import PARAMETER, PART
from axletree.components.signals import (
    Constant,
    MotionCourse,
    motion_course,
    signal_inputs,
    signal_value,
    time_functions,
)
from axletree.core.errors import ModelError
from axletree.expr import Expr
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantity, Role
from axletree.expr.vectors import Vector


@dataclass(frozen=True, eq=False)
class ComponentFields:
    """A frozen dataclass whose fields come from ``components.fields``, but for its name."""

    name: str

    def __post_init__(self) -> None:
        problems: list[str] = []
        _keep(self, "name", checked_name, problems, str(self.name))
        for item in dataclasses.fields(self):
            kind = kind_of(item)
            if kind is not None:
                _keep(self, item.name, kind.check, problems, f"{self.name}.{item.name}")
        if not problems:
            problems += [f"{self.name}: {text}" for text in self.problems()]
        if problems:
            raise ModelError(problems)

    def problems(self) -> list[str]:
        """What is wrong with values that are right one by one; a component that has some is not
        made.

        Example:
        >>> import axletree as at
        >>> at.Resistor("lamp", "a", "b", resistance="5 Ohm").problems()
        []
        >>> at.Resistor("lamp", "a", "a", resistance="5 Ohm")
        Traceback (most recent call last):
        axletree.core.errors.ModelError: lamp: positive and negative are the same terminal, a
        """
        return []

    def cautions(self) -> list[str]:
        """What is allowed, but may not be what is meant; a model warns of it once.

        Example:
        >>> import dataclasses
        >>> import axletree as at
        >>> waves = at.Sine(amplitude="10 cm", wavelength="1 m")
        >>> tyre = dataclasses.replace(at.read_model("quarter-car")["tyre"], surface=waves)
        >>> print(tyre.cautions()[0].partition(":")[0])
        the ground is curved by a radius of 0.253 m, less than that of the tyre, 0.31 m
        """
        return []

    # -- parameters --------------------------------------------------------------------
    def parameters(self) -> tuple[Quantity, ...]:
        """The fields that are numbers and not zero, as quantities in SI units.

        Example:
        >>> import axletree as at
        >>> block = at.RigidBody("block", "500 g", centre_of_mass=(0, 0, 0.2))
        >>> [f"{q.name} = {q.default} {q.unit}" for q in block.parameters()]
        ['block.mass = 0.5 kg', 'block.centre_of_mass.z = 0.2 m']
        """
        return tuple(quantity for _, quantity in flat_parameters(self) if quantity.default)

    def symbol(self, name: str) -> Expr:
        """The symbol of a scalar field, in the field's SI unit, or 0 if its value is exactly zero.

        Example:
        >>> import axletree as at
        >>> sphere = at.BodyOfRevolution("ball", 2.0, axial_inertia=0.1, transverse_inertia=0.1)
        >>> print(9.81 * sphere.symbol("mass"))  # its weight [N]
        9.81*ball.mass
        """
        return self.numbers(name)[0]

    def numbers(self, name: str) -> list[Expr]:
        """The symbols of a field's numbers, in order; 0 where a value is exactly zero.

        Example:
        >>> import axletree as at
        >>> block = at.RigidBody("block", 1.0, inertia=(2, 2, 3))
        >>> block.numbers("inertia")[1:4]  # Iyy, Izz, Ixy [kg m^2]
        [block.inertia.yy, block.inertia.zz, 0]
        """
        return list(self._numbers.get(name, ()))

    @cached_property
    def _numbers(self) -> dict[str, list[Expr]]:
        found: dict[str, list[Expr]] = {}
        for name, quantity in flat_parameters(self):
            value = quantity.symbol if quantity.default else ZERO
            found.setdefault(name, []).append(value)
        return found

    def vector(self, name: str) -> Vector:
        """The symbols of a field of three numbers, in the axes of the field.

        Example:
        >>> import axletree as at
        >>> block = at.RigidBody("block", 1.0, centre_of_mass=(0.1, 0, 0.2))  # m
        >>> block.vector("centre_of_mass")  # in the main frame
        (block.centre_of_mass.x, 0, block.centre_of_mass.z)
        """
        return Vector(self.numbers(name))

    # -- signals -----------------------------------------------------------------------
    def inputs(self) -> tuple[Quantity, ...]:
        """The signals that are left open, and the rates of those that are motions.

        Example:
        >>> import axletree as at
        >>> motor = at.RotationDriver("motor", at.read_model("pendulum")["pin"])
        >>> [f"{q.name} [{q.unit}]" for q in motor.inputs()]
        ['motor.angle [rad]', 'motor.angle_rate [rad/s]', 'motor.angle_acceleration [rad/s^2]']
        """
        return signal_inputs(self)

    def followed(self) -> tuple[Quantity, ...]:
        """What signals of other components may follow, with rates: inputs, or states.

        Example:
        >>> import axletree as at
        >>> hands = at.DriverControls("driver")
        >>> [f"{q.name} [{q.unit}]" for q in hands.followed()][:2]
        ['driver.steering [rad]', 'driver.steering_rate [rad/s]']
        """
        return self.inputs()

    def signal(self, name: str) -> Expr:
        """The value of a signal field, in the field's SI unit.

        Example:
        >>> import axletree as at
        >>> motor = at.JointTorque("motor", at.read_model("pendulum")["pin"], torque="2*sin(3*t)")
        >>> print(motor.signal("torque"))  # N m
        2*sin(3*time)
        """
        return signal_value(self, name)

    def course(self, name: str) -> MotionCourse:
        """The value of a motion field and its two derivatives with respect to time.

        Example:
        >>> import axletree as at
        >>> pin = at.read_model("pendulum")["pin"]
        >>> course = at.RotationDriver("motor", pin, angle="0.5*t^2").course("angle")  # rad
        >>> print(course.rate, course.acceleration)  # rad/s, rad/s^2
        time 1
        """
        return motion_course(self, name)

    def signal_outputs(self) -> tuple[NamedOutput, ...]:
        """The signals that are functions of time, each under the name of its field.

        Example:
        >>> import axletree as at
        >>> motor = at.JointTorque("motor", at.read_model("pendulum")["pin"], torque="3*t")
        >>> [(output.suffix, output.unit, output.expression) for output in motor.signal_outputs()]
        [('torque', 'N*m', 3*time)]
        """
        return tuple(NamedOutput(*found) for found in time_functions(self))


def _keep(component: Any, name: str, check: Any, problems: list[str], where: str) -> None:
    try:
        object.__setattr__(component, name, check(getattr(component, name)))
    except ModelError as error:
        problems += [f"{where}: {text}" for text in error.problems]


_SUFFIXES = {
    "vector": ("x", "y", "z"),
    "inertia": ("xx", "yy", "zz", "xy", "xz", "yz"),
}
_INERTIA_ORIGIN = "centre of mass, or inertia_frame"


def flat_parameters(component: Any) -> Iterator[tuple[str, Quantity]]:
    """(field name, quantity) of every number among the component's fields."""
    for item in dataclasses.fields(component):
        kind = kind_of(item)
        value = getattr(component, item.name)
        if kind is None or value is None:
            continue
        if kind.word == PARAMETER:
            yield item.name, _quantity(component.name, item.name, kind, value)
        elif kind.word == PART:
            for name, part_kind, number in value.named_parameters():
                full = f"{item.name}.{name}"
                yield full, _quantity(component.name, full, part_kind, number)
        elif isinstance(value, Constant):
            yield item.name, _quantity(component.name, item.name, kind, value.value)
        elif kind.word in _SUFFIXES:
            for suffix, number in zip(_SUFFIXES[kind.word], value, strict=True):
                one = _element(kind, suffix)
                yield item.name, _quantity(component.name, f"{item.name}.{suffix}", one, number)
        elif kind.word == "matrix":
            for i, row in enumerate(value, start=1):
                for j, number in enumerate(row, start=1):
                    name = f"{item.name}.{i}{j}"
                    yield item.name, _quantity(component.name, name, kind, number)


def _element(kind: FieldKind, suffix: str) -> FieldKind:
    """What one number of a vector or of an inertia is."""
    if kind.word != "inertia":
        return kind
    text = f"inertia about {suffix[0]}"
    if suffix[0] != suffix[1]:
        text = f"element {suffix} of the inertia matrix, minus the product of inertia"
    return dataclasses.replace(kind, description=f"{text} ({_INERTIA_ORIGIN})")


def _quantity(owner: str, name: str, kind: FieldKind, value: float) -> Quantity:
    return Quantity(
        name=f"{owner}.{name}",
        unit=kind.unit,
        description=kind.description,
        role=Role.PARAMETER,
        default=value,
        lower=kind.lower,
        upper=kind.upper,
        above=kind.above,
    )
