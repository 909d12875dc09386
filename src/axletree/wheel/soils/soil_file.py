"""Soils of one's own in a YAML file: names, and under each what a model file has under ``soil``.

ploughed-field: {type: sandy-loam-lll-15, cohesion: 1.2 kPa, friction_angle: 27 deg}
test-track: {type: bekker, cohesive_modulus: 1e3, frictional_modulus: 2e6, ...}
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from axletree.components.fields import kind_of, part, part_fields
from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelError
from axletree.core.problems import Problems, shown
from axletree.core.registry import file_readers, unknown_name
from axletree.core.yaml_document import Entry, read_document, text_of
from axletree.wheel.soils.soil import Soil


def read_soils(path: str | Path) -> dict[str, Soil]:
    """The soils of a file by name; every problem of it is reported with its line, in one error.

    Example:
    >>> import axletree as at
    >>> from pathlib import Path
    >>> _ = Path("own.yaml").write_text("field: {type: dry-sand-lll, cohesion: 1.2 kPa}")
    >>> at.read_soils("own.yaml")["field"].cohesion  # Pa
    1200.0
    """
    check_arguments(read_soils, locals())
    problems = Problems(str(path))
    entry = read_document(text_of(Path(path), str(path)), problems)
    if not isinstance(entry.content, dict):
        problems.stop(entry.line, (), f"expected soils by name, got {shown(entry.plain)}")
    found = {}
    for name, own in entry.content.items():
        with problems.gathered(own.line, (name,)):
            found[name] = _soil(own)
    problems.raise_any()
    return found


def soil_of_file(fields: Mapping[str, Any]) -> Soil:
    """The soil of ``{file: soils.yaml, soil: ploughed-field, ...}``: further fields replace
    those of the file."""
    given = dict(fields)
    file, name = given.pop("file", None), given.pop("soil", None)
    if not isinstance(file, str | Path):
        raise ModelError(f"file: expected the path of a file of soils .yaml, got {shown(file)}")
    soils = read_soils(file)
    if not isinstance(name, str):
        raise ModelError(f"expected the name of a soil of {file}, got {shown(name)}")
    if name not in soils:
        raise ModelError(str(unknown_name("soil", name[:100], soils, str(file))))
    own = [field for field, _ in part_fields(soils[name])]
    unknown = sorted(set(given) - set(own))
    if unknown:
        raise ModelError(str(unknown_name("field", unknown[0], own, "a soil")))
    return dataclasses.replace(soils[name], **given)


def _soil(entry: Entry) -> Soil:
    spec = entry.plain
    word = spec.get("type") if isinstance(spec, dict) else spec
    if word in list(file_readers("SOILS")):
        raise ModelError(f"type: {shown(word)} leads to a further file; write the soil's fields")
    kind = kind_of(part("SOILS", "a soil"))
    assert kind is not None
    soil: Soil = kind.check(spec)
    return soil
