"""Parts: exchangeable pieces of a component, with parameters of their own.

A part is a frozen dataclass whose fields come from ``components.fields``. Its formulas take
the parameters by name, as numbers or as the symbols that stand for them in the equations.
The catalogue has the words for parts, and for what reads parts from files of their own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self, TypeVar

from axletree.components.fields import FieldKind, kind_of, structure
from axletree.components.frames import checked_name
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import file_readers, load, section
from axletree.expr.functions import Value

PART = "part"  # the word of a field that holds a part
PARTS = "parts"  # the word of a field that holds several
PIECE = "piece"  # the word of a field that holds a part of one kind
PIECES = "pieces"  # the word of a field that holds several of one kind, by name
PARAMETER = "parameter"
_P = TypeVar("_P", bound="Part")


class Part:
    """A piece that a component is composed of.

    Example:
    >>> import axletree as at
    >>> at.Flat(friction_map={"type": "uniform", "factor": 0.6}).friction_map
    UniformFriction(factor=0.6)
    """

    summary: ClassVar[str] = ""

    def __post_init__(self) -> None:
        problems: list[str] = []
        for name, kind in part_fields(self):
            try:
                object.__setattr__(self, name, kind.check(getattr(self, name)))
            except ModelError as error:
                problems += [f"{name}: {text}" for text in error.problems]
        if not problems:
            problems += self.problems()
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
            held = {name: value} if kind.word == PART and value is not None else {}
            if kind.word == PARTS:
                held = {f"{name}.{k}": one for k, one in enumerate(value, start=1)}
            for place, inner in held.items():
                for own, own_kind, number in inner.named_parameters():
                    yield f"{place}.{own}", own_kind, number

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


def part_fields(part: Any) -> Iterator[tuple[str, FieldKind]]:
    """Name and kind of every declared field."""
    for item in dataclasses.fields(part):
        kind = kind_of(item)
        if kind is not None:
            yield item.name, kind


def within(p: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Of a part's parameters by name, those of the part within it at this place."""
    prefix = f"{place}."
    return {name.removeprefix(prefix): p[name] for name in p if name.startswith(prefix)}


def part(catalogue_section: str, description: str, *, default: Any = dataclasses.MISSING) -> Any:
    """A field that holds a part: an object, a name of the catalogue's section, or a mapping
    ``{type: name, ...}`` with the part's fields, or with the file that has them."""

    def check(value: Any) -> Part | None:
        return None if value is None and default is None else _part_of(value, catalogue_section)

    return structure(PART, description, check, default, section=catalogue_section)


def parts(catalogue_section: str, description: str, *, default: Any = dataclasses.MISSING) -> Any:
    """A field that holds a list of parts, at least one unless it may be left out."""

    def check(value: Any) -> tuple[Part, ...]:
        listed = hasattr(value, "__len__") and not isinstance(value, str | Mapping | Part)
        if not listed or (not value and default is dataclasses.MISSING):
            raise ModelError(f"expected a list of parts, got {value!r}")
        found, problems = [], []
        for k, one in enumerate(value, start=1):
            try:
                found.append(_part_of(one, catalogue_section))
            except ModelError as error:
                problems += [f"{k}: {text}" for text in error.problems]
        if problems:
            raise ModelError(problems)
        return tuple(found)

    return structure(PARTS, description, check, default, section=catalogue_section)


def piece(kind: type[Part], description: str, *, default: Any = dataclasses.MISSING) -> Any:
    """A field that holds a part of one kind: an object, or a mapping of its fields."""

    def check(value: Any) -> Part | None:
        return None if value is None and default is None else piece_of(value, kind)

    return structure(PIECE, description, check, default, holds=kind)


def named_pieces(kind: type[Part], description: str, *, default: Any = dataclasses.MISSING) -> Any:
    """A field that holds parts of one kind by name; at least one, if there is no default."""

    def check(value: Any) -> dict[str, Part]:
        empty = not value and default is dataclasses.MISSING
        if not isinstance(value, Mapping) or empty:
            raise ModelError(f"expected {kind.__name__} by name, got {value!r}")
        found, problems = {}, []
        for name, one in value.items():
            try:
                found[checked_name(name)] = piece_of(one, kind)
            except ModelError as error:
                problems += [f"{name}: {text}" for text in error.problems]
        if problems:
            raise ModelError(problems)
        return found

    return structure(PIECES, description, check, default, holds=kind)


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
    try:
        kind = load("part", word, {**section(catalogue_section), **readers})
    except AxletreeError as error:
        raise ModelError(str(error)) from None
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
        raise ModelError([*problems, *_wrong_values(kind, fields)])
    return kind(**fields)


def _wrong_values(kind: Any, fields: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the fields that there are, so that all is reported at once."""
    for name, declared in part_fields(kind):
        try:
            if name in fields:
                declared.check(fields[name])
        except ModelError as error:
            yield from (f"{name}: {text}" for text in error.problems)


def part_word(held: object, catalogue_section: str) -> str:
    """The name of a part's class in a section of the catalogue."""
    place = f"{type(held).__module__}:{type(held).__name__}"
    for word, entry in section(catalogue_section).items():
        if entry == place:
            return word
    raise ModelError(f"{type(held).__name__} is not in the catalogue; a file can only name what is")


Parameters = Mapping[str, Value]
