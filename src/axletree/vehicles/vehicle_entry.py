"""From an entry of a model file to a vehicle: files of its parts located, tyre laws spelled out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from axletree.components.parts import piece_of
from axletree.core.errors import ModelError
from axletree.core.registry import section, unknown_name
from axletree.model.yaml.document import Entry
from axletree.model.yaml.included_files import (
    READY_MADE,
    located_file,
    on_line,
    read_ready_made,
    spelled_out,
)
from axletree.vehicles.vehicle import Vehicle

KINDS = re.compile(r"\b[A-Z]\w*, (?=[a-z])")  # names of classes before fields of theirs


def vehicle_of_entry(entry: Entry, folder: Path | None) -> Vehicle:
    """Problems with files and names of laws are reported with all others."""
    strays: dict[str, str] = {}
    found = _with_files(entry, folder, strays)
    problems = [f"{place}: {text}" for place, text in strays.items()]
    try:
        vehicle = piece_of(found.plain, Vehicle)
    except ModelError as error:
        rest = [t for t in error.problems if not KINDS.sub("", t).startswith(tuple(strays))]
        raise ModelError([*problems, *rest]) from None
    if problems:
        raise ModelError(problems)
    return vehicle


def _with_files(
    entry: Entry, folder: Path | None, strays: dict[str, str], place: tuple[str, ...] = ()
) -> Entry:
    """The entry, with every ``file`` of a part in it led back to the folder of its file.

    What is not there, and laws of tyres that nothing is called, go to ``strays`` by their place.
    """
    if isinstance(entry.content, list):
        parts = enumerate(entry.content)
        return replace(
            entry, content=[_with_files(one, folder, strays, (*place, str(k))) for k, one in parts]
        )
    if not isinstance(entry.content, dict):
        return entry
    content = {
        key: _with_files(_law(value) if key == "law" else value, folder, strays, (*place, key))
        for key, value in entry.content.items()
    }
    word = content["law"].content if place[-1:] == ("tyre",) and "law" in content else None
    if isinstance(word, str) and word not in section("TYRES"):
        strays[": ".join((*place, "law"))] = _unknown_law(word)
    if "type" in content and "file" in content:
        file = content["file"]
        try:
            content["file"] = replace(file, content=str(located_file(file.plain, folder)))
        except ModelError as error:
            strays[": ".join(place)] = str(error)
            content["file"] = replace(file, content="")
    return replace(entry, content=content)


def _unknown_law(word: str) -> str:
    """What is wrong with the name of a law."""
    names = [*section("TYRES"), *section(READY_MADE["tyre"])]
    error = unknown_name("part", word, names, "the catalogue")
    return f"{error}; or give the path of a property file, such as law: my.tir"


def _law(entry: Entry) -> Entry:
    """A tyre law by the path of a property file or the name of a ready-made tyre, in full."""
    if isinstance(entry.content, str) and entry.content in section(READY_MADE["tyre"]):
        made = read_ready_made(entry.content, READY_MADE["tyre"])
        return on_line(made.entry.content["law"], entry.line)
    return spelled_out(entry, "TYRES")
