"""What a component is made of, declared: each field's unit, bounds and one sentence.

A component is a frozen dataclass whose fields are made by the functions of this file.
The declaration serves construction from Python, model files, the JSON schema, the
reference pages and the parameters of the equations alike.

``grid`` declares a field of rows and columns of numbers.

Parts are exchangeable pieces of a component, with parameters of their own: frozen dataclasses of
such fields. Their formulas take the parameters by name, as numbers or as the symbols that stand for
them in the equations. The catalogue has the words for parts, and for what reads parts from files of
their own.
"""

from __future__ import annotations

import dataclasses
import enum
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass
from functools import cache, partial
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from axletree.core.errors import ModelError, as_model_error, gathered
from axletree.core.problems import shown
from axletree.core.registry import file_readers, load, section
from axletree.core.units import to_si
from axletree.expr.functions import Value
from axletree.expr.vectors import unit_vector


@dataclass(frozen=True)
class FieldKind:
    """How a field is checked; ``check`` returns the value to keep or raises ModelError."""

    word: str  # what the field is, for schema and reference
    description: str
    check: Callable[[Any], Any]
    unit: str = "1"
    lower: float = -math.inf
    upper: float = math.inf
    above: bool = False  # whether the lower bound itself is excluded
    length: int = 1  # components of a vector
    choices: tuple[str, ...] = ()
    section: str = ""  # of the catalogue, for a field that holds a part
    holds: Any = None  # the class of a piece
    freedom: Any = None  # of a joint that is named: its domain


def _field(kind: FieldKind, default: Any = MISSING) -> Any:
    """A field that may be None where that is its default."""
    if default is None:
        check = kind.check
        kind = dataclasses.replace(
            kind, check=lambda value: None if value is None else check(value)
        )
    metadata = {"kind": kind}
    if default is MISSING:
        return dataclasses.field(metadata=metadata)
    if callable(default) and not isinstance(default, enum.Enum):
        return dataclasses.field(metadata=metadata, default_factory=default)
    return dataclasses.field(metadata=metadata, default=default)


def field_of(owner: Any, name: str, default: Any = MISSING) -> Any:
    """A field declared as it is in another class, with its default or another one."""
    same: dataclasses.Field[Any] = owner.__dataclass_fields__[name]
    if default is MISSING:
        default = same.default if same.default_factory is MISSING else same.default_factory
    return _field(same.metadata["kind"], default)


def kind_of(field: dataclasses.Field[Any]) -> FieldKind | None:
    kind = field.metadata.get("kind")
    return kind if isinstance(kind, FieldKind) else None


VALID_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def checked_name(name: Any) -> str:
    if isinstance(name, str) and VALID_NAME.fullmatch(name):
        return name
    raise ModelError(
        f"{name!r} is not a valid name; use letters, digits and underscores, starting with a letter"
    )


# -- numbers ----------------------------------------------------------------------------


def finite_number(value: Any, unit: str) -> float:
    """A number or a quantity of this dimension as a finite number in SI units."""
    with as_model_error():
        number = to_si(value, expected=unit)
    if not math.isfinite(number):
        raise ModelError(f"{value!r} is not a finite number")
    return number


def _checked_number(value: Any, unit: str, lower: float, upper: float, above: bool) -> float:
    number = finite_number(value, unit)
    shown = f"{number:g} {unit}" if unit != "1" else f"{number:g}"
    if above and number <= lower:
        raise ModelError(f"{shown} is not allowed, it must be greater than {lower:g}")
    if number < lower:
        raise ModelError(f"{shown} is not allowed, it must be at least {lower:g}")
    if number > upper:
        raise ModelError(f"{shown} is not allowed, it must be at most {upper:g}")
    return number


def parameter(
    unit: str,
    description: str,
    *,
    default: Any = MISSING,
    lower: float = -math.inf,
    upper: float = math.inf,
    above: bool = False,
) -> Any:
    """A number that stays a symbol in the equations; ``above`` excludes the lower bound. Plain
    numbers and bounds are in SI units; a text has a unit of its own.

    A parameter whose value is exactly zero is left out of the equations.

    Example:
    >>> from axletree.components.fields import kind_of, parameter
    >>> kind_of(parameter("m", "height of a ripple", lower=0.0)).check("50 cm")
    0.5
    """

    def check(value: Any) -> float:
        return _checked_number(value, unit, lower, upper, above)

    return _field(FieldKind("parameter", description, check, unit, lower, upper, above), default)


def positive(
    unit: str, description: str, *, default: Any = MISSING, upper: float = math.inf
) -> Any:
    """A parameter above zero; with None as its default it may be left out."""
    return parameter(unit, description, default=default, lower=0.0, upper=upper, above=True)


def fixed_number(
    unit: str,
    description: str,
    *,
    default: Any = MISSING,
    lower: float = -math.inf,
    upper: float = math.inf,
    above: bool = False,
    whole: bool = False,
) -> Any:
    """A number that the equations are derived with: another value gives other equations."""

    def check(value: Any) -> float:
        number = _checked_number(value, unit, lower, upper, above)
        if whole and number != int(number):
            raise ModelError(f"{number:g} is not a whole number")
        return int(number) if whole else number

    return _field(FieldKind("number", description, check, unit, lower, upper, above), default)


def optional_parameter(
    unit: str, description: str, *, lower: float = -math.inf, above: bool = False
) -> Any:
    """A number that may be left out; then it is None, and no symbol stands for it."""
    return parameter(unit, description, default=None, lower=lower, above=above)


def _sequence(value: Any, lengths: tuple[int, ...], what: str) -> tuple[Any, ...]:
    if isinstance(value, str | Mapping) or not hasattr(value, "__len__"):
        raise ModelError(f"expected {what}, got {value!r}")
    if len(value) not in lengths:
        raise ModelError(f"expected {what}, got {len(value)} numbers: {list(value)!r}")
    return tuple(value)


def vector_parameter(unit: str, description: str, *, default: Any = MISSING) -> Any:
    """Three numbers; those that are not zero stay symbols ``name.field.x`` and so on."""

    def check(value: Any) -> tuple[float, ...]:
        parts = _sequence(value, (3,), f"three numbers [{unit}]")
        return tuple(finite_number(part, unit) for part in parts)

    return _field(FieldKind("vector", description, check, unit, length=3), default)


def row_parameter(unit: str, description: str) -> Any:
    """Any number of numbers in a row: symbols in the equations, by their place from 1 on."""

    def check(value: Any) -> tuple[float, ...]:
        return tuple(finite_number(x, unit) for x in value)

    return _field(FieldKind("row", description, check, unit), MISSING)


def matrix_parameter(unit: str, description: str, size: int, *, default: Any = MISSING) -> Any:
    """A square matrix as rows, or its diagonal."""

    def check(value: Any) -> tuple[tuple[float, ...], ...]:
        rows = _sequence(value, (size,), f"{size} diagonal elements or {size} rows")
        if any(hasattr(row, "__len__") and not isinstance(row, str) for row in rows):
            rows = tuple(_sequence(row, (size,), f"a row of {size} numbers") for row in rows)
            return tuple(tuple(finite_number(x, unit) for x in row) for row in rows)
        diagonal = [finite_number(x, unit) for x in rows]
        return tuple(
            tuple(diagonal[i] if i == j else 0.0 for j in range(size)) for i in range(size)
        )

    return _field(FieldKind("matrix", description, check, unit, length=size), default)


def inertia_parameter(description: str, *, default: Any = MISSING) -> Any:
    """Ixx, Iyy, Izz or Ixx, Iyy, Izz, Ixy, Ixz, Iyz: elements of the matrix [kg m^2]."""

    def check(value: Any) -> tuple[float, ...]:
        parts = _sequence(value, (3, 6), "3 or 6 inertias (Ixx, Iyy, Izz, Ixy, Ixz, Iyz)")
        numbers = tuple(finite_number(part, "kg*m^2") for part in parts)
        return numbers if len(numbers) == 6 else (*numbers, 0.0, 0.0, 0.0)

    return _field(FieldKind("inertia", description, check, "kg*m^2", length=6), default)


# -- geometry and structure -------------------------------------------------------------

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
_AXES |= {f"-{name}": (-x, -y, -z) for name, (x, y, z) in _AXES.items()}


def _checked_axis(value: Any) -> tuple[float, float, float]:
    if isinstance(value, str):
        if value.strip() not in _AXES:
            raise ModelError(
                f"axis {value!r} is not known; expected x, y, z, -x, -y, -z or [x, y, z]"
            )
        return _AXES[value.strip()]
    parts = _sequence(value, (3,), "an axis: x, y, z or three numbers")
    numbers = tuple(finite_number(part, "1") for part in parts)
    if math.hypot(*numbers) < 1e-12:
        raise ModelError(f"axis {list(numbers)} has no length; a zero axis has no direction")
    return unit_vector(numbers)


def axis(description: str, *, default: Any = MISSING) -> Any:
    """A direction: ``x``, ``-y`` or three numbers of any length but zero."""
    return _field(FieldKind("axis", description, _checked_axis, "1", length=3), default)


def choice(options: type[enum.Enum], description: str, *, default: Any = MISSING) -> Any:
    """One of the members of an enumeration, or its value as a word."""
    words = tuple(str(member.value) for member in options)

    def check(value: Any) -> enum.Enum:
        if isinstance(value, options):
            return value
        for member in options:
            if str(member.value) == str(value):
                return member
        raise ModelError(f"{value!r} is not one of {', '.join(words)}")

    return _field(FieldKind("choice", description, check, choices=words), default)


def chosen(default: enum.Enum, description: str) -> Any:
    """Likewise, with a member that is taken where none is given."""
    return choice(type(default), description, default=default)


def flag(description: str, *, default: Any = MISSING) -> Any:
    """True or false."""

    def check(value: Any) -> bool:
        if isinstance(value, bool):
            return value
        raise ModelError(f"expected true or false, got {value!r}")

    return _field(FieldKind("flag", description, check), default)


def structure(
    word: str,
    description: str,
    check: Callable[[Any], Any],
    default: Any = MISSING,
    unit: str = "1",
    section: str = "",
    holds: Any = None,
    freedom: Any = None,
) -> Any:
    """A field of another kind (a frame, a terminal, a table), with its own check."""
    kind = FieldKind(word, description, check, unit, section=section, holds=holds, freedom=freedom)
    return _field(kind, default)


Rows = tuple[tuple[float, ...], ...]


def grid(unit: str, description: str, *, default: Any = MISSING, lower: float = -np.inf) -> Any:
    """A field for rows of numbers, all of one length: lists of lists, or an array."""

    def check(value: Any) -> Rows:
        rows = _grid_rows(value, unit)
        low = min(min(row) for row in rows)
        if low < lower:
            raise ModelError(f"{low:g} is not allowed, it must be at least {lower:g}")
        return rows

    return structure("grid", description, check, default, unit)


def _grid_rows(value: Any, unit: str) -> Rows:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not _is_list(value) or not all(_is_list(row) and len(row) for row in value) or not value:
        raise ModelError(f"expected rows of numbers [[...], ...], got {shown(value)}")
    lengths = [len(row) for row in value]
    if len(set(lengths)) > 1:
        k = next(k for k, length in enumerate(lengths) if length != lengths[0])
        raise ModelError(
            f"row {k + 1} has {lengths[k]} numbers, row 1 has {lengths[0]}; "
            "expected rows of one length"
        )
    found = []
    for k, row in enumerate(value, start=1):
        with as_model_error(f"row {k}: "):
            found.append(tuple(finite_number(number, unit) for number in row))
    return tuple(found)


def _is_list(value: Any) -> bool:
    return not isinstance(value, str | Mapping) and hasattr(value, "__len__")


PART = "part"  # the word of a field that holds a part
PARTS = "parts"  # the word of a field that holds several
PIECE = "piece"  # the word of a field that holds a part of one kind
PIECES = "pieces"  # the word of a field that holds several of one kind, by name
PARAMETER = "parameter"
_P = TypeVar("_P", bound="Part")
_T = TypeVar("_T")


@dataclass(frozen=True)
class Relation:
    """Between which sums of multiples of other parameters the value of a parameter lies.

    Example:
    >>> import axletree as at
    >>> from axletree.components.fields import Relation
    >>> at.Fiala.relations == (Relation("sliding_friction", below=({"peak_friction": 1.0},)),)
    True
    """

    name: str
    above: Mapping[str, float] = dataclasses.field(default_factory=dict)  # none: above zero
    below: tuple[Mapping[str, float], ...] = ()  # all of them

    def within(self, place: str) -> Relation:
        """Of a part that is held at a place."""

        def named(terms: Mapping[str, float]) -> dict[str, float]:
            return {f"{place}.{name}": factor for name, factor in terms.items()}

        return Relation(f"{place}.{self.name}", named(self.above), tuple(map(named, self.below)))


class Part:
    """A piece that a component is composed of.

    Example:
    >>> import axletree as at
    >>> at.Flat(friction_map={"type": "uniform", "factor": 0.6}).friction_map
    UniformFriction(factor=0.6)
    """

    summary: ClassVar[str] = ""
    # What physics asks of parameters that are sought, those first on which others depend.
    relations: ClassVar[tuple[Relation, ...]] = ()

    def __post_init__(self) -> None:
        problems = keep_checked_fields(self, "") or self.problems()
        if problems:
            raise ModelError([f"{type(self).__name__}, {text}" for text in problems])

    def problems(self) -> list[str]:
        """What is wrong with values that are right one by one; a part that has some is not made.

        Example:
        >>> import axletree as at
        >>> at.SlalomPath(entry=5.0, spacing=18.0)  # m
        Traceback (most recent call last):
        axletree.core.errors.ModelError: SlalomPath, entry 5 m is shorter than the spacing 18 m
        """
        return []

    def named_parameters(self) -> Iterator[tuple[str, FieldKind, float]]:
        """Name, kind and value of every parameter; those of a part within as ``field.name``,
        of the second part of several within as ``field.2.name``. Values are in SI units.

        Example:
        >>> import axletree as at
        >>> law = at.ComposedFriction(at.HeldSlip(), at.ConstantRollingResistance(0.02))
        >>> [(name, kind.unit, value) for name, kind, value in law.named_parameters()]
        [('slip.adhesion_speed', 'm/s', 0.3), ('rolling_resistance.coefficient', '1', 0.02)]
        """
        for name, kind in part_fields(self):
            value = getattr(self, name)
            if kind.word == PARAMETER and value is not None:
                yield name, kind, value
            for place, inner in _parts_at(name, kind, value).items():
                for own, own_kind, number in inner.named_parameters():
                    yield f"{place}.{own}", own_kind, number

    def named_relations(self) -> Iterator[Relation]:
        """Those of the part and of the parts within it, with names as ``named_parameters`` has.

        Example:
        >>> import axletree as at
        >>> [one.name for one in at.ComposedFriction(at.DryFriction()).named_relations()]
        ['slip.adhesion_speed', 'slip.sliding_friction']
        """
        yield from self.relations
        for name, kind in part_fields(self):
            for place, inner in _parts_at(name, kind, getattr(self, name)).items():
                yield from (one.within(place) for one in inner.named_relations())

    @property
    def numbers(self) -> dict[str, float]:
        """The parameters by name."""
        return {name: value for name, _, value in self.named_parameters()}

    def with_numbers(self, values: Mapping[str, float]) -> Self:
        """The part with other values of parameters by name, in SI units.

        Example:
        >>> import axletree as at
        >>> tyre = at.LinearTyre(slip_stiffness=9e4, cornering_stiffness=7e4)  # N, N/rad
        >>> tyre.with_numbers({"cornering_stiffness": 5e4}).cornering_stiffness
        50000.0
        """
        changed: dict[str, Any] = {}
        for name, kind in part_fields(self):
            held = getattr(self, name)
            if name in values:
                changed[name] = values[name]
            elif kind.word == PART and held is not None:
                changed[name] = held.with_numbers(within(values, name))
            elif kind.word == PARTS:
                places = (f"{name}.{k}" for k in range(1, len(held) + 1))
                pairs = zip(held, places, strict=True)
                changed[name] = tuple(one.with_numbers(within(values, at)) for one, at in pairs)
        replaced: Self = dataclasses.replace(self, **changed)  # type: ignore[type-var]
        return replaced


def _parts_at(name: str, kind: FieldKind, value: Any) -> dict[str, Part]:
    """The parts that a field holds, each with its place in names of parameters."""
    if kind.word == PARTS:
        return {f"{name}.{k}": one for k, one in enumerate(value, start=1)}
    return {name: value} if kind.word == PART and value is not None else {}


def keep_checked_fields(owner: Any, prefix: str) -> list[str]:
    """Put what the checks of its fields return in the place of what was given; the problems."""
    problems: list[str] = []
    for name, kind in part_fields(owner):
        with gathered(problems, f"{prefix}{name}: "):
            object.__setattr__(owner, name, kind.check(getattr(owner, name)))
    return problems


def part_fields(part: Any) -> tuple[tuple[str, FieldKind], ...]:
    """Name and kind of every declared field, of a part or of its class."""
    return _declared(part if isinstance(part, type) else type(part))


@cache
def _declared(owner: type) -> tuple[tuple[str, FieldKind], ...]:
    """Looked for once: laws of tyres are asked for all of their numbers with each evaluation."""
    kinds = ((item.name, kind_of(item)) for item in dataclasses.fields(owner))
    return tuple((name, kind) for name, kind in kinds if kind is not None)


def within(p: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Of a part's parameters by name, those of the part within it at this place."""
    prefix = f"{place}."
    return {name.removeprefix(prefix): p[name] for name in p if name.startswith(prefix)}


def part(catalogue_section: str, description: str, *, default: Any = dataclasses.MISSING) -> Any:
    """A field that holds a part: an object, a name of the catalogue's section, or a mapping
    ``{type: name, ...}`` with the part's fields, or with the file that has them."""
    check = partial(_part_of, catalogue_section=catalogue_section)
    return structure(PART, description, check, default, section=catalogue_section)


def parts(catalogue_section: str, description: str, *, default: Any = dataclasses.MISSING) -> Any:
    """A field that holds a list of parts, at least one unless it may be left out."""

    def check(value: Any) -> tuple[Part, ...]:
        listed = hasattr(value, "__len__") and not isinstance(value, str | Mapping | Part)
        if not listed or (not value and default is dataclasses.MISSING):
            raise ModelError(f"expected a list of parts, got {value!r}")
        found = checked_each(
            enumerate(value, start=1), lambda _, one: _part_of(one, catalogue_section)
        )
        return tuple(found.values())

    return structure(PARTS, description, check, default, section=catalogue_section)


def piece(kind: type[Part], description: str, *, default: Any = dataclasses.MISSING) -> Any:
    """A field that holds a part of one kind: an object, or a mapping of its fields."""
    return structure(PIECE, description, partial(piece_of, kind=kind), default, holds=kind)


def named_pieces(kind: type[Part], description: str, *, default: Any = dataclasses.MISSING) -> Any:
    """A field that holds parts of one kind by name; at least one, if there is no default."""

    def check(value: Any) -> dict[str, Part]:
        empty = not value and default is dataclasses.MISSING
        if not isinstance(value, Mapping) or empty:
            raise ModelError(f"expected {kind.__name__} by name, got {value!r}")
        return checked_each(value.items(), check_one)

    def check_one(name: Any, one: Any) -> Part:
        checked_name(name)
        return piece_of(one, kind)

    return structure(PIECES, description, check, default, holds=kind)


def checked_each(
    values: Iterable[tuple[Any, Any]], check: Callable[[Any, Any], _T]
) -> dict[Any, _T]:
    """By name, each as its check returns it; the problems of all, each after its name, at once."""
    found: dict[Any, _T] = {}
    problems: list[str] = []
    for name, value in values:
        with gathered(problems, f"{name}: "):
            found[name] = check(name, value)
    if problems:
        raise ModelError(problems)
    return found


def piece_of(value: Any, kind: type[_P]) -> _P:
    """A part of a kind, from an object or from a mapping of its fields."""
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        names = ", ".join(item.name for item in dataclasses.fields(kind))  # type: ignore[arg-type]
        raise ModelError(f"expected a mapping of {names}; got {value!r}")
    made: _P = _with_fields(kind, kind.__name__, dict(value))
    return made


def _part_of(value: Any, catalogue_section: str) -> Part:
    if isinstance(value, Part):
        return value
    fields = dict(value) if isinstance(value, Mapping) else {"type": value}
    word = fields.pop("type", None)
    if not isinstance(word, str):
        names = ", ".join(section(catalogue_section))
        raise ModelError(f"expected {{type: name, ...}} with a name of: {names}; got {value!r}")
    return _made(word, fields, catalogue_section)


def _made(word: str, fields: dict[str, Any], catalogue_section: str) -> Part:
    readers = file_readers(catalogue_section)
    with as_model_error():
        kind = load("part", word, {**section(catalogue_section), **readers})
    if word in readers:
        read: Part = kind(fields)
        return read
    made: Part = _with_fields(kind, word, fields)
    return made


def _with_fields(kind: Any, word: str, fields: dict[str, Any]) -> Any:
    declared = {item.name: item for item in dataclasses.fields(kind) if item.init}
    unknown = sorted(set(fields) - set(declared))
    missing = [
        name
        for name, item in declared.items()
        if name not in fields
        and item.default is dataclasses.MISSING
        and item.default_factory is dataclasses.MISSING
    ]
    problems = [f"{word} has no {name!r}; it has {', '.join(declared)}" for name in unknown]
    problems += [f"{word} needs {name!r}" for name in missing]
    if problems:
        # So that all is reported at once, what is wrong with the fields that there are, too.
        for name, declared_kind in part_fields(kind):
            with gathered(problems, f"{name}: "):
                if name in fields:
                    declared_kind.check(fields[name])
        raise ModelError(problems)
    return kind(**fields)


def part_word(held: object, catalogue_section: str) -> str:
    """The name of a part's class in a section of the catalogue."""
    place = f"{type(held).__module__}:{type(held).__name__}"
    for word, entry in section(catalogue_section).items():
        if entry == place:
            return word
    raise ModelError(f"{type(held).__name__} is not in the catalogue; a file can only name what is")


Parameters = Mapping[str, Value]
