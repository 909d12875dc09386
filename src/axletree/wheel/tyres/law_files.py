"""``read_tyre_law``: from a name, a property file or a YAML file to a tyre law.

The law of a property file is in ISO axes and knows the side that the file is for: this is
where ``TYRESIDE`` is read, and whatever the axes of the file, they are left behind here.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import re
import warnings
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from axletree.components.fields import Part, kind_of, part, part_fields
from axletree.components.file_entries import located_part, written_part
from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelError, ModelWarning, as_model_error
from axletree.core.files import write_text
from axletree.core.problems import Problems, shown
from axletree.core.registry import load, section, unknown_name
from axletree.core.yaml_document import Entry, read_document, text_of
from axletree.wheel.axis_systems import AxisSystem, TyreSide
from axletree.wheel.contract import TyreLaw
from axletree.wheel.tyres.magic_formula import MagicFormula
from axletree.wheel.tyres.magic_formula_coefficients import SPELLINGS
from axletree.wheel.tyres.tyre_file import TyreFile, TyreFormat, read_tyre_file
from axletree.wheel.tyres.tyre_file_text import TABLE

# The class of the law of each format.
_LAWS = {
    TyreFormat.MF52: "MagicFormula52",
    TyreFormat.PAC2002: "MagicFormula52",
    TyreFormat.MF61: "MagicFormula61",
    TyreFormat.MF62: "MagicFormula62",
}

_FIALA: Mapping[str, tuple[str, str]] = TABLE["fiala"]  # where files have its parameters
# What TYRESIDE may say; a tyre that is symmetric is made so.
_SIDES = {
    "LEFT": TyreSide.LEFT,
    "RIGHT": TyreSide.RIGHT,
    "UNKNOWN": TyreSide.EITHER,
    "": TyreSide.EITHER,
}
_SYMMETRIC = "SYMMETRIC"
_MOST_KEYS = 8  # of a section that is not known, that a warning lists

_YAML = (".yaml", ".yml")


def read_tyre_law(source: str | Path, *, axes: AxisSystem = AxisSystem.ISO) -> TyreLaw:
    """The law of a ``.tir`` file, of a YAML file, or the example of a name in the catalogue.

    A YAML file is a mapping ``{type: name, ...}`` with the law's parameters, as under
    ``law`` in a model file. ``axes`` are those of a ``.tir`` file.

    Example:
    >>> import axletree as at
    >>> law = at.read_tyre_law("magic-formula-5.2")
    >>> forces = law(at.Contact(normal_load=4000.0, longitudinal_slip=0.0, slip_angle=0.05))
    >>> print(f"{forces.Fy:.0f} N")  # to the right, for the tyre drifts to the left
    -3025 N
    """
    check_arguments(read_tyre_law, locals())
    text = str(source)
    suffix = Path(text).suffix.lower()
    if suffix == ".tir":
        return law_of_file(read_tyre_file(source), axes=axes)
    if axes is not AxisSystem.ISO:
        raise ModelError(f"{text}: axes are for property files; laws of other kinds have ISO axes")
    if suffix in _YAML:
        return _law_of_yaml(Path(source), text)
    laws = section("TYRES")
    if text not in laws:
        error = unknown_name("tyre law", text[:100], laws, "the catalogue")
        raise ModelError(f"{error}; or give the path of a file .tir or .yaml")
    kind = load("tyre law", text, laws)
    law: TyreLaw = kind(**kind.example)
    return law


def property_file_law(fields: Mapping[str, Any]) -> TyreLaw:
    """The law of ``{file: my.tir, axes: iso, ...}``: further fields replace those of the file.

    A file ``.yaml`` has a law as model files have it.
    """
    given = dict(fields)
    file, axes = given.pop("file", None), given.pop("axes", AxisSystem.ISO.value)
    if not isinstance(file, str | Path):
        raise ModelError(f"file: expected the path of a property file .tir, got {shown(file)}")
    known = {system.value: system for system in AxisSystem}
    if axes not in known and not isinstance(axes, AxisSystem):
        raise ModelError(f"axes: {shown(axes)} is not one of {', '.join(known)}")
    system = known.get(axes, axes)
    if Path(file).suffix.lower() in _YAML:
        law: Any = read_tyre_law(file, axes=system)
    else:
        law = law_of_file(read_tyre_file(file), axes=system)
    own = [name for name, _ in part_fields(law)]
    unknown = sorted(set(given) - set(own))
    if unknown:
        raise ModelError(str(unknown_name("field", unknown[0], own, type(law).__name__)))
    with as_model_error(f"{file}: "):
        made: TyreLaw = dataclasses.replace(law, **given)
        return made


def law_of_file(file: TyreFile, *, axes: AxisSystem = AxisSystem.ISO) -> TyreLaw:
    """The law that a property file is for, with the file's numbers, in ISO axes."""
    format_ = file.format
    _warn_of_sections(file)
    if format_ is TyreFormat.FIALA:
        return _fiala(file)
    laws = section("TYRES")
    law = _LAWS.get(format_)
    names = [name for name, entry in laws.items() if entry.rpartition(":")[2] == law]
    if not names:
        raise ModelError(
            f"{file.format_place}: there is no law for {format_.value}: its equations are not "
            "those of 5.2, and are in no source that can be cited; ask for the tyre in version 5.2 "
            "(FITTYP 6), 6.1 or 6.2, or fit one of these to its measurements by `axletree tyre fit`"
        )
    kind: type[MagicFormula] = load("tyre law", names[0], laws)
    needed = {*kind.coefficient_names(), *SPELLINGS}
    numbers, side = file.coefficients(needed), _side(file)
    try:
        made = kind.from_coefficients(numbers, axes=axes, side=side or TyreSide.EITHER)
    except ModelError as error:
        raise ModelError([_with_line(file, text) for text in error.problems]) from None
    return made.symmetric() if side is None else made


def _warn_of_sections(file: TyreFile) -> None:
    """A coefficient that stands in a section of another name has its default, or is missing."""
    for name, keys in file.passed_over().items():
        near = get_close_matches(name, TABLE["formula_sections"], 1)
        text = (
            f"{file.name}: the section [{name}] is not known, and its numbers are passed over: "
            f"{', '.join(keys[:_MOST_KEYS])}"
            f"{', ...' if len(keys) > _MOST_KEYS else ''}"
            f"{f'; did you mean [{near[0]}]?' if near else ''}"
        )
        warnings.warn(text, ModelWarning, stacklevel=3)


def _side(file: TyreFile) -> TyreSide | None:
    """The side that the file is for; None for a tyre that is to be alike on both."""
    entry = file.content.entries.get(("MODEL", "TYRESIDE"))
    word = "" if entry is None else str(entry.value).strip().upper()
    if word == _SYMMETRIC:
        return None
    if word not in _SIDES and entry is not None:
        raise ModelError(
            f"{file.name}, line {entry.line}: TYRESIDE = {shown(entry.value)} is not known; "
            f"expected {', '.join(filter(None, _SIDES))} or {_SYMMETRIC}"
        )
    return _SIDES[word]


def _with_line(file: TyreFile, problem: str) -> str:
    """A problem of a coefficient, with the line that has it if there is one."""
    text = re.sub(r"^MagicFormula\d+, ", "", problem)
    key = re.match(r"\w*", text)
    lines = [e.line for (_, name), e in file.content.entries.items() if key and name == key[0]]
    return f"{file.name}, line {lines[0]}: {text}" if lines else f"{file.name}: {text}"


def write_tyre_law(law: TyreLaw, path: str | Path) -> None:
    """Write a law of the catalogue as a YAML file that ``read_tyre_law`` reads."""
    laws = section("TYRES")
    names = [name for name in laws if load("tyre law", name, laws) is type(law)]
    if not names:
        raise ModelError(f"{type(law).__name__} is no law of the catalogue: {', '.join(laws)}")
    lines = [f"type: {names[0]}"]
    for name, kind in part_fields(law):
        value = getattr(law, name)
        if isinstance(value, enum.Enum):
            value = value.value
        elif isinstance(value, Part):
            value = written_part(value, name, kind.section)
        lines.append(f"{name}: {json.dumps(value)}")
    write_text(path, "\n".join(lines) + "\n")


def with_parameters(file: TyreFile, values: Mapping[str, float]) -> TyreFile:
    """The file with other values of a law's parameters, each where the file has it."""
    places = {key: (section_, key) for section_, key in file.content.entries if section_ != "UNITS"}
    if file.format is TyreFormat.FIALA:
        places = dict(_FIALA)
    for name, value in values.items():
        place = places.get(name) or (_section_of(name), name)
        file = file.with_value(*place, value)
    return file


def _section_of(coefficient: str) -> str:
    """Where property files have a coefficient of the Magic Formula, by its name."""
    if re.fullmatch(r"[PQ]..P[0-9]", coefficient):
        return "TURNSLIP_COEFFICIENTS"
    if coefficient.startswith("QSY"):
        return "ROLLING_COEFFICIENTS"
    if coefficient.startswith(("QSX", "PPMX")):
        return "OVERTURNING_COEFFICIENTS"
    letter = coefficient[2:3]
    sections = {"X": "LONGITUDINAL_COEFFICIENTS", "Y": "LATERAL_COEFFICIENTS"}
    return sections.get(letter, "ALIGNING_COEFFICIENTS")


def _fiala(file: TyreFile) -> TyreLaw:
    values: dict[str, Any] = {name: file.number(*place) for name, place in _FIALA.items()}
    with as_model_error(f"{file.name}: "):
        return _made({"type": "fiala", **values})


def _law_of_yaml(path: Path, name: str) -> TyreLaw:
    problems = Problems(name)
    entry = read_document(text_of(path, name), problems)
    problems.raise_any()
    if isinstance(entry.content, dict):
        _refuse_another_law_file(entry, name)
        entry = located_part(entry, "TYRES", path.parent)
    with as_model_error(f"{name}: "):
        return _made(entry.plain)


def _refuse_another_law_file(entry: Entry, name: str) -> None:
    """Files that name one another would have no end."""
    file = entry.content.get("file")
    path = file.plain if file is not None else None
    if isinstance(path, str) and Path(path).suffix.lower() in _YAML:
        raise ModelError(
            f"{name}: a file of a law has the law itself or names a property file .tir, but "
            f"{shown(path)} is another file of a law; name that one instead"
        )


def _made(value: Any) -> TyreLaw:
    """As a model file makes the law of a tyre."""
    kind = kind_of(part("TYRES", "tyre law"))
    assert kind is not None
    if not isinstance(value, Mapping):
        raise ModelError("expected a mapping {type: name, ...} with the parameters of a tyre law")
    law: TyreLaw = kind.check(value)
    return law
