"""A model: components on frames and terminals, in the order they were added.

It carries what it proposes beside its equations: the run that is made where nothing else is asked
for, the plots of its report and approximate first values of coordinates, speeds and states.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Self, TypeVar

from axletree.components.bodies import FramedBody, Ground
from axletree.components.contract import Component
from axletree.components.edges import MotionLaw, NetworkLaw
from axletree.components.fields import Part, checked_name
from axletree.components.frames import Frame, checked_acceleration
from axletree.components.signals import followed_inputs
from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelError
from axletree.core.files import write_text
from axletree.core.problems import shown
from axletree.core.registry import few_names, unknown_name
from axletree.core.units import UnitError, to_si
from axletree.core.yaml_document import Entry
from axletree.expr import Expr
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.expr.vectors import Vector
from axletree.flow import ModelFlow
from axletree.model.manoeuvre import Manoeuvre

_C = TypeVar("_C", bound=Component)

STANDARD_GRAVITY = 9.80665  # [m/s^2]
_MOST_NAMED = 6  # of a kind, where a model is shown in a few lines
_SETTABLE = (
    "name", "gravity", "description", "ground", "start", "tree", "form", "run", "plots",
    "manoeuvres", "described", "source", "_components",
)  # fmt: skip


class Model(ModelFlow):
    """A mechanism (with electrical parts if any), built up component by component.

    Example:
    >>> import axletree as at
    >>> model = at.Model("cart")
    >>> cart = model.add(at.RigidBody("cart", mass=2.0))  # kg
    >>> way = model.add(at.Prismatic("way", model.ground, cart, axis="x"))
    >>> spring = model.add(at.SlideSpringDamper("spring", way, stiffness=50.0))  # N/m
    >>> print(model.formulate().derivatives[0])  # of way.speed, m/s^2
    -way.position*spring.stiffness/cart.mass
    """

    def __init__(
        self, name: str = "model", gravity: Sequence[Any] = (0.0, 0.0, -STANDARD_GRAVITY)
    ) -> None:
        self.name = checked_name(name)
        self.gravity = checked_acceleration(gravity)  # [m/s^2], ground components
        self.description = ""  # one sentence
        self.ground = Ground()
        # First values by name, in any coordinates: SI, or texts with units.
        self.start: dict[str, Any] = {}
        self.tree: Sequence[str] | Mapping[str, Sequence[str]] | None = None  # None: the default
        self.form: str | None = None  # by its name in the catalogue; None: what is cheapest
        self.run = Run()
        self.plots: tuple[Plot, ...] = ()  # what its report shows
        self.manoeuvres = Manoeuvres(self.name)
        self.described: dict[str, Part] = {}  # sections of its file that made components
        self.source: ModelSource | None = None  # what it was read from, if from a file
        self._components: dict[str, Component] = {}

    def __setattr__(self, name: str, value: Any) -> None:
        """Only what a model has can be set: a misspelt name would leave the model as it is."""
        if name not in _SETTABLE:
            known = [known for known in _SETTABLE if not known.startswith("_")]
            meant = "start" if name == "initial" else ""  # as runs call what a model starts from
            raise unknown_name("attribute", name, known, "a model", renamed=meant)
        if name == "name":
            value = checked_name(value)
        elif name == "gravity":
            value = checked_acceleration(value)
        elif name == "form" and not (value is None or isinstance(value, str)):
            raise ModelError(
                f"model.form is {shown(value)}; expected the name of a form, such as 'embedded'; a "
                "form with settings of its own is given to formulate(form=...)"
            )
        elif name in _KINDS and not isinstance(value, _KINDS[name]):
            expected = _KINDS[name].__name__
            raise ModelError(f"model.{name} is {shown(value)}; expected a {expected}")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        """What it is and what it has, in a few lines."""
        lines = [f"Model {self.name!r}{f': {self.description}' if self.description else ''}"]
        names = few_names(self._components, _MOST_NAMED)
        lines.append(f"  {len(self._components)} components{': ' if names else ''}{names}")
        if self.manoeuvres:
            names = few_names(self.manoeuvres, _MOST_NAMED)
            lines.append(f"  {len(self.manoeuvres)} manoeuvres: {names}")
        return "\n".join(lines)

    def add(self, component: _C) -> _C:
        """Add a component and hand it back; its frames must belong to bodies added before.

        Example:
        >>> import axletree as at
        >>> at.Model().add(at.RigidBody("rod", mass="500 g")).mass  # kg
        0.5
        """
        if not isinstance(component, Component):
            raise ModelError(f"{self.name}: expected a component, got {component!r}")
        problems = []
        if component.name == "ground":
            problems.append("the name 'ground' belongs to the inertial frame; choose another")
        if component.name in self._components:
            problems.append(f"the name {component.name!r} is taken by another component")
        for frame in component.frames():
            known = frame.body in ("ground", component.name) or frame.body in self._components
            if not known:
                problems.append(
                    f"{component.name} is joined to {frame.name}, but {frame.body!r} is not in the "
                    f"model{self._suggestion(frame.body, FramedBody)}; add the body first"
                )
        for other in component.references():
            if self._components.get(other.name) is not other:
                problems.append(
                    f"{component.name} names {other.name}, which is not in the model; add it first"
                )
        problems += self._unknown_inputs(component)
        if problems:
            raise ModelError(problems)
        self._components[component.name] = component
        return component

    def extended(self, component: Component) -> Self:
        """The model with one component more; this one is left as it is.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum")
        >>> driven = pendulum.extended(at.JointTorque("motor", pendulum["pin"]))
        >>> "motor" in driven, "motor" in pendulum
        (True, False)
        """
        other = copy(self)
        other._components = dict(self._components)
        other.add(component)
        return other

    def exchanged(self, change: Callable[[Component], Component]) -> Self:
        """The model with other components in place of its own, each of the same name and with
        frames of the same names; this one is left as it is.

        Example:
        >>> import axletree as at
        >>> from dataclasses import replace
        >>> pendulum = at.read_model("pendulum")
        >>> def turned(one):
        ...     return replace(one, axis=(1, 0, 0)) if one.name == "pin" else one
        >>> pendulum.exchanged(turned)["pin"].axis, pendulum["pin"].axis
        ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
        """
        other = copy(self)
        other._components = {name: change(one) for name, one in self._components.items()}
        return other

    def _unknown_inputs(self, component: Component) -> list[str]:
        """What is wrong with the inputs that signals of a component follow, its own among them."""
        wanted = followed_inputs(component)
        if not wanted:
            return []
        known = {q.name: q for other in (*self, component) for q in other.followed()}
        rates = {q.derivative_of for q in known.values()}
        open_inputs = [name for name, q in known.items() if not q.derivative_of]
        found = []
        for name in wanted:
            if name not in open_inputs:
                problem = unknown_name("input", name, open_inputs, "the model so far")
                found.append(f"{component.name} follows {name}: {problem}")
        for name in followed_inputs(component, of_motions=True):
            if name in open_inputs and name not in rates:
                found.append(
                    f"{component.name} follows {name}, which has no rate; a prescribed motion can "
                    "only follow another one"
                )
        return found

    def __getitem__(self, name: str) -> Component:
        if name not in self._components:
            near = self._suggestion(name, Component)
            raise ModelError(f"{self.name} has no component {name!r}{near}")
        return self._components[name]

    def __iter__(self) -> Iterator[Component]:
        return iter(self._components.values())

    def __contains__(self, name: object) -> bool:
        return name in self._components

    def manoeuvre(self, name: str) -> Manoeuvre:
        """The manoeuvre of this name; its error says why there is none.

        Example:
        >>> import axletree as at
        >>> at.read_model("bicycle-car").manoeuvre("step-steer").speed  # m/s
        20.0
        """
        return self.manoeuvres[name]

    def with_changes(self, changes: Mapping[str, Any]) -> Model:
        """The model of the same file with other values of its keys, as ``read_model`` takes them.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum")
        >>> pendulum.with_changes({"components": {"rod": {"mass": "2 kg"}}})["rod"].mass  # kg
        2.0
        """
        check_arguments(Model.with_changes, locals())
        keys = ", ".join(changes)
        if self.source is None:
            raise ModelError(
                f"{self.name} was not read from a model file, of which {keys} could be changed; "
                "build it with what is to be changed"
            )
        if not self.source.is_as_read(self):
            raise ModelError(
                f"{self.name} is no longer as {self.source.name} says, and would lose what was "
                f"changed since when it is read again for {keys}; give the changes to read_model, "
                "then change the rest"
            )
        return self.source.read(changes)

    @property
    def components(self) -> tuple[Component, ...]:
        """In the order in which they were added."""
        return tuple(self._components.values())

    @property
    def frames(self) -> dict[str, Frame]:
        """Every frame of the model by name, the ground's first."""
        found: dict[str, Frame] = {}
        for component in (self.ground, *self.components):
            for frame in component.frames():
                found.setdefault(frame.name, frame)
        return found

    @property
    def gravity_vector(self) -> Vector:
        """Gravity as expressions: a symbol for each component that is not always 0."""
        is_open = self._felt_gravity()
        return Vector(q.symbol if q in is_open else 0.0 for q in self.gravity_quantities)

    @property
    def parameters(self) -> Quantities:
        """Every number that stays a symbol in the equations, with its unit and its value."""
        found = self._felt_gravity()
        for component in self.components:
            found += component.parameters()
        for frame in self.frames.values():
            found += frame.parameters
        return Quantities(found)

    def _felt_gravity(self) -> list[Quantity]:
        """Components of gravity that are not 0, or that a manoeuvre changes."""
        changed = {name for one in self.manoeuvres.values() for name in one.changed_parameters}
        return [q for q in self.gravity_quantities if q.default or q.name in changed]

    @property
    def gravity_quantities(self) -> tuple[Quantity, ...]:
        """The components of gravity [m/s^2] in the ground's axes."""
        return tuple(
            Quantity(
                f"gravity.{axis}", "m/s^2", f"{axis} component of gravity in the ground's axes",
                Role.PARAMETER, value,
            )
            for axis, value in zip("xyz", self.gravity, strict=True)
        )  # fmt: skip

    def _suggestion(self, name: str, kind: type[Component]) -> str:
        names = [c.name for c in self if isinstance(c, kind)]
        close = difflib.get_close_matches(str(name), names, n=1)
        return f" (did you mean {close[0]!r}?)" if close else ""


class UnknownManoeuvreError(ModelError, KeyError):
    """A manoeuvre that a model does not drive."""

    def __str__(self) -> str:
        return self.problems[0]


class Manoeuvres(dict[str, Manoeuvre]):
    """What a model drives, by name; an error says why it does not drive another.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("bicycle-car")
    >>> car.manoeuvres["step-steer"].speed  # m/s
    20.0
    >>> car.manoeuvres["step-stere"]
    Traceback (most recent call last):
    axletree.model.model.UnknownManoeuvreError: unknown manoeuvre 'step-stere' in bicycle_car; \
did you mean 'step-steer' or 'sine-steer'? Known: sine-steer, step-steer, braking, coasting
    """

    def __init__(self, model: str) -> None:
        super().__init__()
        self.model = model
        self.left_out: dict[str, str] = {}  # what it cannot drive, with the reason

    def __repr__(self) -> str:
        """The names: what each is, is its entry."""
        return f"{len(self)} manoeuvres of {self.model!r}: {', '.join(self)}"

    def __missing__(self, name: str) -> Manoeuvre:
        if name in self.left_out:
            raise UnknownManoeuvreError(
                f"{self.model} does not drive {name!r}: {self.left_out[name]}"
            )
        raise UnknownManoeuvreError(str(unknown_name("manoeuvre", name, self, self.model)))

    def copy(self) -> Manoeuvres:
        """Another one with the same entries."""
        other = Manoeuvres(self.model)
        other.update(self)
        other.left_out.update(self.left_out)
        return other

    __copy__ = copy


@dataclass(frozen=True, eq=False)
class ModelSource:
    """The file that a model was read from, and what it was then."""

    name: str
    read: Callable[[Mapping[str, Any]], Model]  # with these changes beside those of before
    entries: Callable[[], Entry]  # what the file says, with the changes it was read with
    base: str  # as another model file names it: in the package by its name, else the path
    as_read: tuple[object, ...]

    def is_as_read(self, model: Model) -> bool:
        """Whether nothing was added to a model or changed in it since."""
        return self.as_read == what_files_say(model)


def what_files_say(model: Model) -> tuple[object, ...]:
    """What of a model can be changed after it is read."""
    return model.components, model.gravity, dict(model.start), model.tree, model.form


@dataclass(frozen=True)
class Run:
    """The run that a model proposes; what is None is left to the caller."""

    duration: float | None = None  # [s]
    step: float | None = None  # [s]
    method: str | None = None  # a name of the catalogue's integrators
    record_interval: float | None = None  # [s]
    outputs: tuple[str, ...] | None = None
    inputs: Mapping[str, float | Expr] = field(default_factory=dict)  # by name, of time, in SI


@dataclass(frozen=True)
class Plot:
    """One set of axes of a report."""

    title: str
    y: tuple[str, ...]  # names of quantities or patterns of names
    x: str = ""  # name of a quantity; empty for time
    unit: str = ""  # of y; empty for SI units, with angles in degrees

    def matches(self, names: Sequence[str]) -> list[str]:
        """The names that y stands for, in the order of y; a pattern's in the order of names."""
        found = [name for pattern in self.y for name in names if fnmatchcase(name, pattern)]
        return list(dict.fromkeys(found))

    def unmatched(self, names: Sequence[str]) -> list[str]:
        """Names and patterns that stand for none of these."""
        shown = (*self.y, self.x) if self.x else self.y
        return [wanted for wanted in shown if not any(fnmatchcase(n, wanted) for n in names)]


def units_of_states(model: Model) -> dict[str, str]:
    """The unit of everything that some choice of tree makes a state, by name."""
    units: dict[str, str] = {}
    for component in model:
        variables = list(component.states())
        for edge in component.edges():
            if isinstance(edge.law, MotionLaw):
                variables += [*edge.law.coordinates, *edge.law.speeds]
            elif isinstance(edge.law, NetworkLaw) and edge.law.state is not None:
                variables.append(edge.law.state)
        units |= {f"{component.name}.{variable.suffix}": variable.unit for variable in variables}
    return units


MOTION_UNITS = {"position": "m", "velocity": "m/s", "angular_velocity": "rad/s"}  # of a frame


def units_of_start(model: Model) -> dict[str, str]:
    """The unit of everything that a first value can be given of, by name.

    Beside what can be a state it is the motion of frames in the ground, in its axes, such as
    ``rod.end.position.z``.
    """
    frames = [name for name, frame in model.frames.items() if frame.body != "ground"]
    return units_of_states(model) | {
        f"{frame}.{kind}.{axis}": unit
        for frame in frames
        for kind, unit in MOTION_UNITS.items()
        for axis in "xyz"
    }


def unknown_start_text(name: str, units: Mapping[str, str]) -> str:
    """The sentence for a name that no state, and nothing that states follow from, can have."""
    return str(unknown_name("coordinate, speed or state", name, units, "this model"))


def checked_start(model: Model) -> dict[str, float]:
    """First values in SI units; an error says which ones nothing can take, or are no numbers.

    Those outside the tree in use are allowed.
    """
    units, numbers, problems = units_of_start(model), {}, []
    for name, value in model.start.items():
        if name not in units:
            problems.append(f"start.{name}: {unknown_start_text(name, units)}")
            continue
        try:
            numbers[name] = _number_of_start(value, units[name])
        except (UnitError, ValueError) as error:
            problems.append(f"start.{name}: {error}")
    if problems:
        raise ModelError(problems)
    return numbers


def _number_of_start(value: Any, unit: str) -> float:
    if isinstance(value, str):
        return to_si(value, expected=unit)
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(
            f"expected a finite number in {unit}, or a text with a unit, got {value!r}"
        )
    return number


def write_start(values: Mapping[str, float], path: str | Path) -> None:
    """Write values of states as the section ``start`` of a model file; zeros are left out."""
    lines = [f"  {name}: {value!r}\n" for name, value in values.items() if value]
    write_text(Path(path), "start:\n" + "".join(lines) if lines else "start: {}\n")


# Of what can be set: the kinds of those that no other check looks at.
_KINDS: Mapping[str, type] = {"description": str, "start": Mapping, "run": Run}
