"""The file of an FMU: what its description says, and whether its archive can be trusted to be one.

An archive is data from elsewhere: places outside of its folder, links, sizes that fill a disk and
declarations in the XML are refused before anything is written.
"""

from __future__ import annotations

import enum
import math
import platform
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final
from xml.etree import ElementTree

from axletree.core.errors import AxletreeError
from axletree.core.files import temporary_files
from axletree.core.registry import few_names

DESCRIPTION: Final = "modelDescription.xml"
MOST_BYTES, MOST_FILES = 2**31, 20_000
_KINDS_OF_NUMBERS: Final = {
    2: ("Real", "Integer", "Boolean", "Enumeration"),
    3: ("Float64", "Float32", "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64",
        "UInt64", "Boolean", "Enumeration"),
}  # fmt: skip


class FmuError(AxletreeError):
    """A model that cannot be an FMU as it is asked for, or an FMU that does not do its part."""


class FmuKind(enum.Enum):
    """How an FMU is run: by its own steps, or by ours through its rates.

    Example:
    >>> import axletree as at
    >>> [kind.value for kind in at.FmuKind]
    ['CoSimulation', 'ModelExchange']
    """

    CO_SIMULATION = "CoSimulation"
    MODEL_EXCHANGE = "ModelExchange"


@dataclass(frozen=True)
class FmuSignal:
    """A number that an FMU takes or gives."""

    name: str
    reference: int
    number: str  # the standard's word for its type
    causality: str
    unit: str  # as its file says; "" where it says nothing
    start: float | None  # what it begins at unless another value is given


@dataclass(frozen=True)
class FmuDescription:
    """What the XML of an FMU says, as far as a run needs it."""

    name: str
    version: int
    token: str
    identifiers: Mapping[FmuKind, str]  # of the kinds that it has
    signals: Mapping[str, FmuSignal]
    states: int
    events: int


def open_archive(file: Path, folder: Path) -> FmuDescription:
    """The description of the FMU, whose files are then in the folder."""
    if file.exists() and not file.is_file():
        kind = "a folder" if file.is_dir() else "a device or a pipe"
        raise FmuError(f"{file} is {kind}; expected an FMU, which is a file")
    try:
        with zipfile.ZipFile(file) as archive:
            problems = list(_problems(archive))
            if problems:
                raise FmuError(f"{file} is not opened: {'; '.join(problems[:4])}")
            text = archive.read(DESCRIPTION)
            with temporary_files():
                archive.extractall(folder)
    except FileNotFoundError:
        raise FmuError(f"there is no file {file}; expected an FMU") from None
    except KeyError:
        raise FmuError(f"{file} has no {DESCRIPTION}: it is no FMU") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise FmuError(f"{file} is damaged, or no archive of FMI: {error}") from None
    except OSError as error:
        raise FmuError(f"{file} cannot be opened: {error.strerror or error}") from None
    return read_description(text, file)


def _problems(archive: zipfile.ZipFile) -> Iterator[str]:
    entries = archive.infolist()
    if len(entries) > MOST_FILES:
        yield f"it has {len(entries)} files; expected at most {MOST_FILES}"
    size = sum(entry.file_size for entry in entries)
    if size > MOST_BYTES:
        yield f"its files have {size / 2**30:.1f} GiB; expected at most {MOST_BYTES / 2**30:g}"
    for entry in entries:
        name = entry.orig_filename
        parts = PurePosixPath(name).parts
        if name.startswith("/") or ".." in parts or "\\" in name or "\0" in name or ":" in name:
            yield f"the file {name!r} is to be written outside of its folder"
        elif stat.S_ISLNK(entry.external_attr >> 16):
            yield f"the file {name!r} is a link"


def read_description(text: bytes, file: Path) -> FmuDescription:
    if re.search(rb"<!(DOCTYPE|ENTITY)", text):
        raise FmuError(f"{file}: {DESCRIPTION} has a document type; expected none")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise FmuError(f"{file}: {DESCRIPTION} is no XML: {error}") from None
    said = root.get("fmiVersion", "none")
    if root.tag != "fmiModelDescription" or said[:2] not in ("2.", "3."):
        raise FmuError(f"{file}: the version of FMI is {said}; expected 2.0 or 3.0")
    version = int(said[0])
    try:
        signals = dict(_signals(root, version))
        found = {kind: root.find(kind.value) for kind in FmuKind}
        identifiers = {
            kind: _identifier(one.get("modelIdentifier", "")) for kind, one in found.items()
            if one is not None
        }  # fmt: skip
        events = int(root.get("numberOfEventIndicators", "0"))
    except (ValueError, TypeError, IndexError) as error:
        raise FmuError(f"{file}: {DESCRIPTION} is not understood: {error}") from None
    if not identifiers:
        raise FmuError(f"{file} is neither for co-simulation nor for model exchange")
    rates = "ModelStructure/Derivatives/Unknown"
    states = root.findall(rates if version == 2 else "ModelStructure/ContinuousStateDerivative")
    if version == 3:
        events = len(root.findall("ModelStructure/EventIndicator"))
    token = root.get("guid" if version == 2 else "instantiationToken", "")
    name = root.get("modelName", file.stem)
    return FmuDescription(name, version, token, identifiers, signals, len(states), events)


def _identifier(text: str) -> str:
    """The name of the binary, which is part of a path."""
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.\-]*", text):
        raise ValueError(f"the modelIdentifier is {text!r}")
    return text


def _signals(root: ElementTree.Element, version: int) -> Iterator[tuple[str, FmuSignal]]:
    for variable in root.findall("ModelVariables/*"):
        if version == 2:
            kinds = [child for child in variable if child.tag in _KINDS_OF_NUMBERS[2]]
            number = kinds[0] if kinds else None
        else:
            is_array = variable.find("Dimension") is not None
            number = None if is_array or variable.tag not in _KINDS_OF_NUMBERS[3] else variable
        if number is None:  # texts, clocks and arrays
            continue
        name = variable.get("name", "")
        yield name, FmuSignal(
            name, int(variable.get("valueReference", "")), number.tag,
            variable.get("causality", "local"), number.get("unit", ""),
            _start(number.get("start")),
        )  # fmt: skip


def _start(text: str | None) -> float | None:
    if text is None:
        return None
    words = {"true": 1.0, "false": 0.0}
    value = words[text.strip()] if text.strip() in words else float(text.split()[0])
    if not math.isfinite(value):
        raise ValueError(f"a start value is {text}")
    return value


_ENDINGS: Final = {"Linux": "so", "Darwin": "dylib", "Windows": "dll"}
_FOLDERS: Final = {
    ("Linux", "x86_64"): ("linux64", "x86_64-linux"),
    ("Linux", "aarch64"): ("aarch64-linux", "aarch64-linux"),
    ("Darwin", "x86_64"): ("darwin64", "x86_64-darwin"),
    ("Darwin", "arm64"): ("darwin64", "aarch64-darwin"),
    ("Windows", "AMD64"): ("win64", "x86_64-windows"),
}


def binary_of(description: FmuDescription, kind: FmuKind, folder: Path, file: Path) -> Path:
    """The compiled code for this machine."""
    machine = (platform.system(), platform.machine())
    own = _FOLDERS.get(machine, ("", ""))[description.version == 3]
    ending = _ENDINGS.get(machine[0], "so")
    found = folder / "binaries" / own / f"{description.identifiers[kind]}.{ending}"
    if own and found.is_file():
        return found
    there = sorted(one.name for one in (folder / "binaries").glob("*") if one.is_dir())
    known = few_names(there) if there else "none; its C sources can be compiled by other tools"
    raise FmuError(
        f"{file} has no code for this machine ({own or '-'.join(machine)}); it has: {known}"
    )
