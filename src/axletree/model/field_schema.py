"""The JSON schema of single fields, by the kind of field that a class declares."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from axletree.core.registry import section
from axletree.library.curve import Interpolation
from axletree.library.fields import FieldKind
from axletree.library.frame import VALID_NAME
from axletree.model.declaration import Declared, declared_fields
from axletree.model.part_file import WORDS, part_file_words

Schema = dict[str, Any]

NAME: Schema = {"type": "string", "pattern": f"^{VALID_NAME.pattern}$"}
QUANTITY: Schema = {"type": ["number", "string"]}  # a text is a number with its unit
INTERPOLATION: Schema = {"enum": [member.value for member in Interpolation]}


def field_schema(item: Declared) -> Schema:
    """The schema of a field: its kind's, with what is known about it."""
    kind = item.kind
    unit = f" [{kind.unit}]" if kind.unit != "1" else ""
    schema = _BY_WORD[kind.word](kind) | {"description": f"{kind.description}{unit}"}
    default = item.default
    if isinstance(default, enum.Enum):
        default = default.value
    if isinstance(default, str | int | float) and default != "":
        schema["default"] = default
    return schema


def _part(kind: FieldKind) -> Schema:
    words = list(section(kind.section))
    named = [*words, *part_file_words(kind.section)]
    endings = [ending for title, ending in WORDS if title == kind.section]
    paths = [{"type": "string", "pattern": rf"\{ending}$"} for ending in endings]
    return {"oneOf": [{"enum": words}, any_of_them(named, prefix=f"{kind.section}."), *paths]}


def any_of_them(words: list[str], prefix: str = "") -> Schema:
    """The component that ``type`` names; other than ``oneOf`` this tells which key is wrong."""
    chosen = [
        {
            "if": {"properties": {"type": {"const": word}}, "required": ["type"]},
            "then": reference(prefix + word),
        }
        for word in words
    ]
    known = {"type": "object", "properties": {"type": {"enum": words}}, "required": ["type"]}
    return known | {"allOf": chosen}


def mapping(properties: dict[str, Schema], required: list[str] | None = None) -> Schema:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": required} if required else {})


def list_of(items: Schema, length: int) -> Schema:
    return {"type": "array", "items": items, "minItems": length, "maxItems": length}


def names() -> Schema:
    return {"type": "array", "items": {"type": "string"}}


def reference(word: str) -> Schema:
    return {"$ref": f"#/$defs/{word}"}


def frames() -> Schema:
    place = mapping({"position": list_of(QUANTITY, 3), "turn": reference("turns")})
    return {
        "type": "object",
        "description": "frames by name: a position [m], or a position and turns",
        "propertyNames": NAME,
        "additionalProperties": {"oneOf": [list_of(QUANTITY, 3), place]},
    }


def turns() -> Schema:
    pair = list_of({}, 2) | {"prefixItems": [{"enum": ["x", "y", "z"]}, QUANTITY], "items": False}
    return {
        "type": "array",
        "description": "rotations [axis, angle] that follow one another",
        "items": pair,
    }


def _points(first: str, second: str) -> Schema:
    values = {"type": "array", "items": QUANTITY, "minItems": 2}
    return mapping({first: values, second: values, "kind": INTERPOLATION}, [first, second])


def _signal() -> Schema:
    """A number, a text (a quantity, an expression of t, or "input") or a table over time."""
    return {"anyOf": [QUANTITY, _points("times", "values")]}


def signals() -> Schema:
    return {"type": "object", "additionalProperties": _signal()}


def _one_or_more_names() -> Schema:
    return {"oneOf": [{"type": "string"}, names()]}


def _curve(kind: FieldKind) -> Schema:
    pairs = {"type": "array", "items": list_of(QUANTITY, 2), "minItems": 2}
    return {"oneOf": [pairs, _points("x", "y")]}


def _choice(kind: FieldKind) -> Schema:
    # A word of digits alone, such as 321, is a number in YAML.
    digits = [int(word) for word in kind.choices if word.isdigit()]
    return {"enum": [*kind.choices, *digits]}


def _inertia(kind: FieldKind) -> Schema:
    return {"oneOf": [list_of(QUANTITY, 3), list_of(QUANTITY, 6)]}


def _axis(kind: FieldKind) -> Schema:
    words = [sign + letter for sign in ("", "-") for letter in "xyz"]
    return {"oneOf": [{"enum": words}, list_of({"type": "number"}, 3)]}


def _matrix(kind: FieldKind) -> Schema:
    rows = list_of(list_of(QUANTITY, kind.length), kind.length)
    return {"oneOf": [list_of(QUANTITY, kind.length), rows]}


def piece_schema(kind: Any) -> Schema:
    """A mapping of the fields of a part of one kind; what is missing is the reader's to say."""
    properties = {}
    for key, item in declared_fields(kind).items():
        schema = field_schema(item)
        if item.kind.section:  # some of its fields suffice where a base has the others
            about = schema.pop("description")
            made = [{"enum": list(section("READY_TYRES"))}] if item.kind.section == "TYRES" else []
            schema = {"anyOf": [schema, {"type": "object"}, *made], "description": about}
        properties[key] = schema
    return {"description": kind.summary, **mapping(properties)}


def sections_within(kind: Any) -> list[str]:
    """The sections of the catalogue whose parts stand in a part of one kind, or in its pieces."""
    found: list[str] = []
    for item in declared_fields(kind).values():
        found += [item.kind.section] if item.kind.section else []
        found += sections_within(item.kind.holds) if item.kind.holds is not None else []
    return list(dict.fromkeys(found))


def _pieces(kind: FieldKind) -> Schema:
    return {
        "type": "object",
        "minProperties": 1,
        "propertyNames": NAME,
        "additionalProperties": piece_schema(kind.holds),
    }


_BY_WORD: dict[str, Callable[[FieldKind], Schema]] = {
    "parameter": lambda kind: dict(QUANTITY),
    "vector": lambda kind: list_of(QUANTITY, 3),
    "inertia": _inertia,
    "matrix": _matrix,
    "axis": _axis,
    "choice": _choice,
    "flag": lambda kind: {"type": "boolean"},
    "frame": lambda kind: {"type": "string"},
    "component": lambda kind: dict(NAME),
    "terminal": lambda kind: dict(NAME),
    "label": lambda kind: {"type": "string"},
    "frames": lambda kind: reference("frames"),
    "turns": lambda kind: reference("turns"),
    "signal": lambda kind: _signal(),
    "motion": lambda kind: _signal(),
    "curve": _curve,
    "part": _part,
    "piece": lambda kind: piece_schema(kind.holds),
    "pieces": _pieces,
    "parts": lambda kind: {"type": "array", "items": _part(kind), "minItems": 1},
    "number": lambda kind: dict(QUANTITY),
    "ratios": lambda kind: {"type": "array", "items": dict(QUANTITY), "minItems": 1},
    "grid": lambda kind: {"type": "array", "items": {"type": "array", "items": QUANTITY}},
    "name": lambda kind: dict(NAME),
    "names": lambda kind: names(),
    "numbers": lambda kind: {"type": "object", "additionalProperties": QUANTITY},
    "inputs": lambda kind: _one_or_more_names(),
    "outputs": lambda kind: names(),
    "told outputs": lambda kind: names(),
    "state": lambda kind: {"type": "string"},
    "signals": lambda kind: signals(),
    "values": lambda kind: {"type": "object", "additionalProperties": QUANTITY},
    "parameters": lambda kind: {"type": "object", "additionalProperties": QUANTITY},
}
