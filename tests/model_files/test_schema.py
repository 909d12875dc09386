"""The JSON schema against the reader: what it lets through, and what it refuses."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from model_files.schema_check import validator

import axletree
from axletree import catalogue
from axletree.core.problems import Problems
from axletree.core.yaml_document import read_document
from axletree.model_files.schema import model_schema

FOLDER = Path(axletree.__file__).parent / "data" / "models"
SCHEMA = model_schema()


def problems(document: Any) -> list[str]:
    return [error.message for error in validator().iter_errors(document)]


def shipped(name: str) -> Any:
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    return read_document(text, Problems(name)).plain


def test_it_is_a_schema_and_can_be_written_as_json() -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(json.dumps(SCHEMA)))
    assert set(catalogue.COMPONENTS) <= set(SCHEMA["$defs"])


@pytest.mark.parametrize("name", catalogue.MODELS)
def test_every_shipped_model_is_valid(name: str) -> None:
    assert problems(shipped(name)) == []


@pytest.mark.parametrize("word", catalogue.COMPONENTS)
def test_every_field_of_a_component_is_described(word: str) -> None:
    for name, field in SCHEMA["$defs"][word]["properties"].items():
        assert name == "type" or field["description"], f"{word}.{name}"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("components", "rod", "mas"), 1),
        (("components", "rod", "type"), "rigid-bodie"),
        (("components", "rod", "mass"), [1]),
        (("components", "rod", "inertia"), [1, 1, 1, 1]),
        (("components", "rod", "frames", "top"), [1, 2]),
        (("components", "rod", "orientation"), 123),
        (("components", "pin", "axis"), "w"),
        (("components", "2nd"), {"type": "massless-body"}),
        (("components", "pin", "tail"), 5),
        (("gravity",), [0, 1]),
        (("name",), "my model"),
        (("runs",), {}),
        (("run", "method"), "rk5"),
        (("tree",), "pin"),
        (("start",), [1]),
    ],
)
def test_mistakes_are_refused(path: tuple[str, ...], value: Any) -> None:
    document = copy.deepcopy(shipped("pendulum"))
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert problems(document) != []


def test_what_is_missing_is_refused() -> None:
    assert problems({"name": "a"}) != []
    assert problems({"components": {"rod": {"type": "rigid-body"}}}) != []
    assert problems({"components": {"rod": {"mass": 1}}}) != []
