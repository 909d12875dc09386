"""The JSON schema of model files, made from what the components declare.

Editors complete and check a file with it as it is written. It is a first check: names that
must exist, units, and bounds of numbers with units are the reader's. The schema of a single field
follows from the kind of field that a class declares.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from typing import Any

from axletree.components.edges import DOMAINS
from axletree.components.fields import VALID_NAME, FieldKind
from axletree.components.file_entries import Declared, declared_fields
from axletree.components.signals import Interpolation
from axletree.core.registry import file_endings, file_readers, load, section, section_names
from axletree.model_files.declaration import RUN, RUN_TIMES, TOP_LEVEL
from axletree.model_files.drafts import MANOEUVRE_GROUP
from axletree.model_files.included_files import ABOUT_LIKE, LIKE, READY_MADE
from axletree.model_files.settings import plots_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def model_schema() -> Schema:
    """The schema of a whole file."""
    words = section("COMPONENTS")
    components = {word: _component(word, load("type", word, words)) for word in words}
    components |= {word: _ready_made(components[word], word) for word in READY_MADE}
    parts = {
        "name": NAME,
        "description": {"type": "string"},
        "gravity": list_of(QUANTITY, 3),
        "ground": mapping({"frames": reference("frames")}),
        "base": {"type": "string"},
        "components": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": NAME,
            "additionalProperties": any_of_them(list(components)),
        },
        "start": {"type": "object", "additionalProperties": QUANTITY},
        "tree": {"oneOf": [names(), mapping({d.name: names() for d in DOMAINS})]},
        "form": {"enum": list(section_names("FORMS"))},
        "run": _run(),
        "manoeuvres": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"pattern": f"^{MANOEUVRE_GROUP.valid_name.pattern}$"},
            "additionalProperties": any_of_them(list(section("MANOEUVRES")), "MANOEUVRES."),
        },
    }
    parts["plots"] = plots_schema()
    sections = section("FILE_SECTIONS")
    parts |= {key: piece_schema(load("section", key, sections).kind) for key in sections}
    described = {key: parts[key] | {"description": text} for key, text in TOP_LEVEL.items()}
    return {
        "$schema": DIALECT,
        "title": "Axletree model",
        **mapping(described),
        "anyOf": [{"required": [key]} for key in ("components", "base", *sections)],
        "$defs": {"frames": frames(), "turns": _turns(), **components, **_parts()},
    }


def _parts() -> dict[str, Schema]:
    """Definitions of all parts that components are composed of, and of manoeuvres."""
    found = {"MANOEUVRES": None} | dict.fromkeys(_sections("COMPONENTS"))
    files = section("FILE_SECTIONS")
    for key in files:
        found |= dict.fromkeys(sections_within(load("section", key, files).kind))
    waiting = list(found)
    while waiting:  # parts may hold parts of further sections
        new = [title for title in _sections(waiting.pop()) if title not in found]
        found |= dict.fromkeys(new)
        waiting += new
    made = {
        f"{title}.{word}": _component(word, load("part", word, section(title)))
        for title in sorted(found)
        for word in section(title)
    }
    return made | {name: _part_file(name.partition(".")[2]) for name in section("PART_FILES")}


def _sections(title: str) -> list[str]:
    """The sections whose parts the entries of a section hold."""
    words = section(title)
    classes = [load("part", word, words) for word in words]
    fields = [item for kind in classes for item in declared_fields(kind).values()]
    return list(dict.fromkeys(item.kind.section for item in fields if item.kind.section))


def _part_file(word: str) -> Schema:
    """A part from a file of its own; the fields that may replace the file's are the reader's."""
    known: dict[str, Schema] = {"type": {"const": word}, "file": {"type": "string", "minLength": 1}}
    others = {"type": ["number", "string", "boolean", "object"]}
    about = "a file beside the model or below, and fields that replace what it says"
    schema = mapping(known, ["type", "file"]) | {"additionalProperties": others}
    return schema | {"description": about}


def _component(word: str, component_class: Any) -> Schema:
    fields = declared_fields(component_class)
    properties = {"type": {"const": word}} | {
        key: field_schema(item) for key, item in fields.items()
    }
    required = ["type", *(key for key, item in fields.items() if item.required)]
    return {"description": component_class.summary, **mapping(properties, required)}


def _ready_made(schema: Schema, word: str) -> Schema:
    """A component that may be like a ready-made one: what that has need not be given, and of a
    part some fields suffice."""
    fields = declared_fields(load("type", word, section("COMPONENTS")))
    names = list(section(READY_MADE[word]))
    like = {"anyOf": [{"enum": names}, {"type": "string", "pattern": r"\.ya?ml$"}]}
    parts = {key for key, item in fields.items() if item.kind.section}
    references = [key for key, item in fields.items() if item.is_reference]
    known = schema["properties"] | {LIKE: like | {"description": ABOUT_LIKE}}
    loose = {
        key: {"anyOf": [known[key], {"type": "object"}], "description": known[key]["description"]}
        for key in parts
    }
    chosen = {
        "if": {"required": [LIKE]},
        "then": mapping({**known, **loose}, ["type", *references]),
        "else": mapping(schema["properties"], schema["required"]),
    }
    return {
        "description": schema["description"],
        "type": "object",
        "properties": {
            key: {"description": value.get("description", "")} for key, value in known.items()
        },
        **chosen,
    }


def _run() -> Schema:
    parts: dict[str, Schema] = dict.fromkeys(RUN_TIMES, QUANTITY)
    parts["method"] = {"enum": section_names("INTEGRATORS")}
    parts["outputs"] = names()
    parts["inputs"] = signals()
    return mapping({key: parts[key] | {"description": text} for key, text in RUN.items()})


Schema = dict[str, Any]

NAME: Schema = {"type": "string", "pattern": f"^{VALID_NAME.pattern}$"}
QUANTITY: Schema = {"type": ["number", "string"]}  # a text is a number with its unit
INTERPOLATION: Schema = {"enum": [member.value for member in Interpolation]}


def field_schema(item: Declared) -> Schema:
    """The schema of a field: its kind's, with what is known about it."""
    kind = item.kind
    unit = f" [{kind.unit}]" if kind.unit != "1" else ""
    schema = (_PLAIN.get(kind.word) or _BY_WORD[kind.word](kind)) | {
        "description": f"{kind.description}{unit}"
    }
    if kind.word in _NUMBERS:
        schema |= _bounds(kind)
    default = item.default
    if isinstance(default, enum.Enum):
        default = default.value
    if isinstance(default, str | int | float) and default != "":
        schema["default"] = default
    return schema


_NUMBERS = ("parameter", "number")


def _bounds(kind: FieldKind) -> Schema:
    """Of a plain number, which is in SI units; a text has a unit of its own."""
    lowest = "exclusiveMinimum" if kind.above else "minimum"
    found = {lowest: kind.lower, "maximum": kind.upper}
    return {word: bound for word, bound in found.items() if math.isfinite(bound)}


def _part(kind: FieldKind) -> Schema:
    words = list(section(kind.section))
    named = [*words, *file_readers(kind.section)]
    endings = file_endings(kind.section)
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


def _turns() -> Schema:
    pair = list_of({}, 2) | {"prefixItems": [{"enum": ["x", "y", "z"]}, QUANTITY], "items": False}
    return {
        "type": "array",
        "description": "rotations [axis, angle] that follow one another",
        "items": pair,
    }


def _points(first: str, second: str) -> Schema:
    values = {"type": "array", "items": QUANTITY, "minItems": 2}
    return mapping({first: values, second: values, "kind": INTERPOLATION}, [first, second])


# A number, a text (a quantity, an expression of t, or "input") or a table over time.
_SIGNAL: Schema = {"anyOf": [QUANTITY, _points("times", "values")]}


def signals() -> Schema:
    return {"type": "object", "additionalProperties": _SIGNAL}


def _curve(kind: FieldKind) -> Schema:
    pairs = {"type": "array", "items": list_of(QUANTITY, 2), "minItems": 2}
    return {"oneOf": [pairs, _points("x", "y")]}


def _choice(kind: FieldKind) -> Schema:
    # A word of digits alone, such as 321, is a number in YAML.
    digits = [int(word) for word in kind.choices if word.isdigit()]
    return {"enum": [*kind.choices, *digits]}


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


_TEXT: Schema = {"type": "string"}
_VALUES: Schema = {"type": "object", "additionalProperties": QUANTITY}
_PLAIN: dict[str, Schema] = {  # kinds of which all fields are alike
    **dict.fromkeys(("parameter", "number"), QUANTITY),
    **dict.fromkeys(("component", "terminal", "name"), NAME),
    **dict.fromkeys(("frame", "label", "state"), _TEXT),
    **dict.fromkeys(("names", "outputs", "output names"), names()),
    **dict.fromkeys(("numbers", "values", "parameters"), _VALUES),
    **dict.fromkeys(("signal", "motion"), _SIGNAL),
    **{word: reference(word) for word in ("frames", "turns")},
    "vector": list_of(QUANTITY, 3),
    "inertia": {"oneOf": [list_of(QUANTITY, 3), list_of(QUANTITY, 6)]},
    "flag": {"type": "boolean"},
    "ratios": {"type": "array", "items": QUANTITY, "minItems": 1},
    "grid": {"type": "array", "items": {"type": "array", "items": QUANTITY}},
    "inputs": {"oneOf": [_TEXT, names()]},
    "signals": signals(),
}
_BY_WORD: dict[str, Callable[[FieldKind], Schema]] = {
    "matrix": _matrix,
    "axis": _axis,
    "choice": _choice,
    "curve": _curve,
    "part": _part,
    "piece": lambda kind: piece_schema(kind.holds),
    "pieces": _pieces,
    "parts": lambda kind: {"type": "array", "items": _part(kind), "minItems": 1},
}
