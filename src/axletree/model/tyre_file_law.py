"""``read_tyre_law``: from a name, a property file or a YAML file to a tyre law."""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from axletree.core.errors import ModelError
from axletree.core.files import write_text
from axletree.core.registry import load, section, unknown_name
from axletree.library.fields import kind_of
from axletree.library.part import part, part_fields
from axletree.library.tyres.contract import TyreLaw
from axletree.model.document import LARGEST_FILE, read_document
from axletree.model.problems import Problems
from axletree.model.tyre_file import TyreFile, read_tyre_file
from axletree.model.tyre_file_format import TyreFormat

# The class of the law of each format.
_LAWS = {
    TyreFormat.MF52: "MagicFormula52",
    TyreFormat.PAC2002: "MagicFormula52",
    TyreFormat.MF61: "MagicFormula61",
    TyreFormat.MF62: "MagicFormula62",
}

# Fiala's parameters in Adams' files: UMAX is the friction at rest, UMIN that of full sliding.
_FIALA = {
    "width": ("DIMENSION", "WIDTH"),
    "slip_stiffness": ("PARAMETER", "CSLIP"),
    "cornering_stiffness": ("PARAMETER", "CALPHA"),
    "rolling_resistance": ("PARAMETER", "ROLLING_RESISTANCE"),
    "peak_friction": ("PARAMETER", "UMAX"),
    "sliding_friction": ("PARAMETER", "UMIN"),
}


def read_tyre_law(source: str | Path) -> TyreLaw:
    """The law of a ``.tir`` file, of a YAML file, or the example of a name in the catalogue.

    A YAML file is a mapping ``{type: name, ...}`` with the law's parameters, as under
    ``law`` in a model file.
    """
    text = str(source)
    suffix = Path(text).suffix.lower()
    if suffix == ".tir":
        return law_of_file(read_tyre_file(source))
    if suffix in (".yaml", ".yml"):
        return _law_of_yaml(Path(source), text)
    laws = section("TYRES")
    if text not in laws:
        error = unknown_name("tyre law", text[:100], laws, "the catalogue")
        raise ModelError(f"{error}; or give the path of a file .tir or .yaml")
    kind = load("tyre law", text, laws)
    law: TyreLaw = kind(**kind.example)
    return law


def law_of_file(file: TyreFile) -> TyreLaw:
    """The law that a property file is for, with the file's numbers."""
    format_ = file.format
    if format_ is TyreFormat.FIALA:
        return _fiala(file)
    laws = section("TYRES")
    law = _LAWS.get(format_)
    names = [name for name, entry in laws.items() if entry.rpartition(":")[2] == law]
    if not names:
        raise ModelError(
            f"{file.name}: there is no law for {format_.value}; the laws are {', '.join(laws)}"
        )
    make: Callable[[Mapping[str, float]], TyreLaw] = load(
        "tyre law", names[0], laws
    ).from_coefficients
    return _named(file.name, lambda: make(file.coefficients()))


def write_tyre_law(law: TyreLaw, path: str | Path) -> None:
    """Write a law of the catalogue as a YAML file that ``read_tyre_law`` reads."""
    laws = section("TYRES")
    names = [name for name in laws if load("tyre law", name, laws) is type(law)]
    if not names:
        raise ModelError(f"{type(law).__name__} is no law of the catalogue: {', '.join(laws)}")
    lines = [f"type: {names[0]}"]
    for name, _ in part_fields(law):
        value = getattr(law, name)
        if isinstance(value, enum.Enum):
            value = value.value
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
    return _named(file.name, lambda: _made({"type": "fiala", **values}))


def _law_of_yaml(path: Path, shown: str) -> TyreLaw:
    try:
        with path.open("rb") as stream:
            text = stream.read(LARGEST_FILE + 1).decode("utf-8-sig")
    except FileNotFoundError:
        raise ModelError(f"{shown}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{shown}: cannot be read: {error}") from None
    problems = Problems(shown)
    entry = read_document(text, problems)
    problems.raise_any()
    return _named(shown, lambda: _made(entry.plain))


def _made(value: Any) -> TyreLaw:
    """As a model file makes the law of a tyre."""
    kind = kind_of(part("TYRES", "tyre law"))
    assert kind is not None
    if not isinstance(value, Mapping):
        raise ModelError("expected a mapping {type: name, ...} with the parameters of a tyre law")
    law: TyreLaw = kind.check(value)
    return law


def _named(name: str, make: Callable[[], TyreLaw]) -> TyreLaw:
    """Problems of the law's values, with the file that they stand in."""
    try:
        return make()
    except ModelError as error:
        raise ModelError([f"{name}: {problem}" for problem in error.problems]) from None
