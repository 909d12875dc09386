"""The JSON schema of model files, made from what the components declare.

Editors complete and check a file with it as it is written. It is a first check: names that
must exist, units and bounds are the reader's.
"""

from __future__ import annotations

from typing import Any

from axletree.core.registry import load, section
from axletree.library.edge import ELECTRICAL, MECHANICAL
from axletree.model.declaration import RUN, RUN_TIMES, TOP_LEVEL, declared_fields
from axletree.model.draft import MANOEUVRES
from axletree.model.field_schema import (
    NAME,
    QUANTITY,
    Schema,
    any_of_them,
    field_schema,
    frames,
    list_of,
    mapping,
    names,
    piece_schema,
    reference,
    sections_within,
    signals,
    turns,
)
from axletree.model.plot_settings import plots_schema
from axletree.model.ready_made import ABOUT_LIKE, LIKE, READY_MADE

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
        "tree": {"oneOf": [names(), mapping({d.name: names() for d in _DOMAINS})]},
        "run": _run(),
        "manoeuvres": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"pattern": f"^{MANOEUVRES.valid_name.pattern}$"},
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
        "$defs": {"frames": frames(), "turns": turns(), **components, **_parts()},
    }


_DOMAINS = (*MECHANICAL, ELECTRICAL)


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
    parts["method"] = {"enum": list(section("INTEGRATORS"))}
    parts["outputs"] = names()
    parts["inputs"] = signals()
    return mapping({key: parts[key] | {"description": text} for key, text in RUN.items()})
