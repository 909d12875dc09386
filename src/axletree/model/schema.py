"""The JSON schema of model files, made from what the components declare.

Editors complete and check a file with it as it is written. It is a first check: names that
must exist, units and bounds are the reader's.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from axletree.core.registry import load, section
from axletree.library.curve import Interpolation
from axletree.library.edge import ELECTRICAL, MECHANICAL
from axletree.library.fields import FieldKind
from axletree.library.frame import VALID_NAME
from axletree.model.declaration import RUN, RUN_TIMES, TOP_LEVEL, Declared, declared_fields
from axletree.model.draft import MANOEUVRES
from axletree.model.part_file import part_file_words
from axletree.model.plot_settings import plots_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]

NAME: Schema = {"type": "string", "pattern": f"^{VALID_NAME.pattern}$"}
QUANTITY: Schema = {"type": ["number", "string"]}  # a text is a number with its unit
INTERPOLATION: Schema = {"enum": [member.value for member in Interpolation]}


def model_schema() -> Schema:
    """The schema of a whole file."""
    words = section("COMPONENTS")
    components = {word: _component(word, load("type", word, words)) for word in words}
    parts = {
        "name": NAME,
        "description": {"type": "string"},
        "gravity": _list(QUANTITY, 3),
        "ground": _mapping({"frames": _reference("frames")}),
        "components": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": NAME,
            "additionalProperties": _any_of_them(list(components)),
        },
        "start": {"type": "object", "additionalProperties": QUANTITY},
        "tree": {"oneOf": [_names(), _mapping({d.name: _names() for d in _DOMAINS})]},
        "run": _run(),
        "manoeuvres": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"pattern": f"^{MANOEUVRES.valid_name.pattern}$"},
            "additionalProperties": _any_of_them(list(section("MANOEUVRES")), "MANOEUVRES."),
        },
    }
    parts["plots"] = plots_schema()
    described = {key: parts[key] | {"description": text} for key, text in TOP_LEVEL.items()}
    return {
        "$schema": DIALECT,
        "title": "Axletree model",
        **_mapping(described, required=["components"]),
        "$defs": {"frames": _frames(), "turns": _turns(), **components, **_parts()},
    }


_DOMAINS = (*MECHANICAL, ELECTRICAL)


def _parts() -> dict[str, Schema]:
    """Definitions of all parts that components are composed of, and of manoeuvres."""
    sections = {
        item.kind.section
        for word, place in section("COMPONENTS").items()
        for item in declared_fields(load("type", word, {word: place})).values()
        if item.kind.section
    }
    sections.add("MANOEUVRES")
    made = {
        f"{title}.{word}": _component(word, load("part", word, section(title)))
        for title in sorted(sections)
        for word in section(title)
    }
    return made | {name: _part_file(name.partition(".")[2]) for name in section("PART_FILES")}


def _part_file(word: str) -> Schema:
    """A part from a file of its own; the fields that may replace the file's are the reader's."""
    known: dict[str, Schema] = {"type": {"const": word}, "file": {"type": "string", "minLength": 1}}
    others = {"type": ["number", "string", "boolean"]}
    about = "a file beside the model or below, and fields that replace what it says"
    schema = _mapping(known, ["type", "file"]) | {"additionalProperties": others}
    return schema | {"description": about}


def _part(kind: FieldKind) -> Schema:
    words = list(section(kind.section))
    named = [*words, *part_file_words(kind.section)]
    return {"oneOf": [{"enum": words}, _any_of_them(named, prefix=f"{kind.section}.")]}


def _any_of_them(words: list[str], prefix: str = "") -> Schema:
    """The component that ``type`` names; other than ``oneOf`` this tells which key is wrong."""
    chosen = [
        {
            "if": {"properties": {"type": {"const": word}}, "required": ["type"]},
            "then": _reference(prefix + word),
        }
        for word in words
    ]
    known = {"type": "object", "properties": {"type": {"enum": words}}, "required": ["type"]}
    return known | {"allOf": chosen}


def _component(word: str, component_class: Any) -> Schema:
    fields = declared_fields(component_class)
    properties = {"type": {"const": word}} | {key: _field(item) for key, item in fields.items()}
    required = ["type", *(key for key, item in fields.items() if item.required)]
    return {"description": component_class.summary, **_mapping(properties, required)}


def _field(item: Declared) -> Schema:
    kind = item.kind
    unit = f" [{kind.unit}]" if kind.unit != "1" else ""
    schema = _BY_WORD[kind.word](kind) | {"description": f"{kind.description}{unit}"}
    default = item.default
    if isinstance(default, enum.Enum):
        default = default.value
    if isinstance(default, str | int | float) and default != "":
        schema["default"] = default
    return schema


def _run() -> Schema:
    parts: dict[str, Schema] = dict.fromkeys(RUN_TIMES, QUANTITY)
    parts["method"] = {"enum": list(section("INTEGRATORS"))}
    parts["outputs"] = _names()
    parts["inputs"] = _signals()
    return _mapping({key: parts[key] | {"description": text} for key, text in RUN.items()})


# -- kinds of field ---------------------------------------------------------------------


def _mapping(properties: dict[str, Schema], required: list[str] | None = None) -> Schema:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": required} if required else {})


def _list(items: Schema, length: int) -> Schema:
    return {"type": "array", "items": items, "minItems": length, "maxItems": length}


def _names() -> Schema:
    return {"type": "array", "items": {"type": "string"}}


def _reference(word: str) -> Schema:
    return {"$ref": f"#/$defs/{word}"}


def _frames() -> Schema:
    place = _mapping({"position": _list(QUANTITY, 3), "turn": _reference("turns")})
    return {
        "type": "object",
        "description": "frames by name: a position [m], or a position and turns",
        "propertyNames": NAME,
        "additionalProperties": {"oneOf": [_list(QUANTITY, 3), place]},
    }


def _turns() -> Schema:
    pair = _list({}, 2) | {"prefixItems": [{"enum": ["x", "y", "z"]}, QUANTITY], "items": False}
    return {
        "type": "array",
        "description": "rotations [axis, angle] that follow one another",
        "items": pair,
    }


def _points(first: str, second: str) -> Schema:
    values = {"type": "array", "items": QUANTITY, "minItems": 2}
    return _mapping({first: values, second: values, "kind": INTERPOLATION}, [first, second])


def _signal() -> Schema:
    """A number, a text (a quantity, an expression of t, or "input") or a table over time."""
    return {"anyOf": [QUANTITY, _points("times", "values")]}


def _signals() -> Schema:
    return {"type": "object", "additionalProperties": _signal()}


def _one_or_more_names() -> Schema:
    return {"oneOf": [{"type": "string"}, _names()]}


def _curve(kind: FieldKind) -> Schema:
    pairs = {"type": "array", "items": _list(QUANTITY, 2), "minItems": 2}
    return {"oneOf": [pairs, _points("x", "y")]}


def _choice(kind: FieldKind) -> Schema:
    # A word of digits alone, such as 321, is a number in YAML.
    digits = [int(word) for word in kind.choices if word.isdigit()]
    return {"enum": [*kind.choices, *digits]}


def _inertia(kind: FieldKind) -> Schema:
    return {"oneOf": [_list(QUANTITY, 3), _list(QUANTITY, 6)]}


def _axis(kind: FieldKind) -> Schema:
    words = [sign + letter for sign in ("", "-") for letter in "xyz"]
    return {"oneOf": [{"enum": words}, _list({"type": "number"}, 3)]}


def _matrix(kind: FieldKind) -> Schema:
    rows = _list(_list(QUANTITY, kind.length), kind.length)
    return {"oneOf": [_list(QUANTITY, kind.length), rows]}


_BY_WORD: dict[str, Callable[[FieldKind], Schema]] = {
    "parameter": lambda kind: dict(QUANTITY),
    "vector": lambda kind: _list(QUANTITY, 3),
    "inertia": _inertia,
    "matrix": _matrix,
    "axis": _axis,
    "choice": _choice,
    "flag": lambda kind: {"type": "boolean"},
    "frame": lambda kind: {"type": "string"},
    "component": lambda kind: dict(NAME),
    "terminal": lambda kind: dict(NAME),
    "label": lambda kind: {"type": "string"},
    "frames": lambda kind: _reference("frames"),
    "turns": lambda kind: _reference("turns"),
    "signal": lambda kind: _signal(),
    "motion": lambda kind: _signal(),
    "curve": _curve,
    "part": _part,
    "name": lambda kind: dict(NAME),
    "names": lambda kind: _names(),
    "numbers": lambda kind: {"type": "object", "additionalProperties": QUANTITY},
    "inputs": lambda kind: _one_or_more_names(),
    "outputs": lambda kind: _names(),
    "state": lambda kind: {"type": "string"},
    "signals": lambda kind: _signals(),
    "values": lambda kind: {"type": "object", "additionalProperties": QUANTITY},
}
