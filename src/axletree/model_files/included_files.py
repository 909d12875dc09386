"""What a model file takes from other files: ready-made tyres and base models.

- ``like`` names a ready-made tyre, or a file of one beside the model, whose fields a tyre starts
  from.
- ``base`` names a model file that another one starts from, which says what differs.
- ``source_files`` are all files that a model is read from, for a copy of them beside its results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from axletree.components.fields import Part
from axletree.components.file_entries import located_file
from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelError
from axletree.core.problems import KeyPath, Problems, shown
from axletree.core.registry import section, unknown_name
from axletree.core.yaml_document import Entry, read_document, resource, text_of

# Ready-made tyres: the fields that a tyre starts from, each of which may be replaced.
#
# In a model file ``like`` names a ready-made tyre, or a file of one beside the model:
#
#     front_tyre: {type: tyre, like: belted-advanced, joint: axle, road: ground,
#                  normal_force: {stiffness: 2e6}}
#
# What the model says goes before what the ready-made tyre says. Parts are merged field by field,
# parts within them too; a part of another type replaces the one that was there.

LIKE = "like"
READY_MADE = {"tyre": "READY_TYRES"}  # sections of the catalogue, by the type of component
ABOUT_LIKE = "ready-made tyre whose fields hold where none are given, or a file of one"
SUFFIXES = (".yaml", ".yml")
LONGEST_CHAIN = 8  # of files that are like one another


@dataclass(frozen=True)
class ReadyMade:
    """A ready-made component: fields by name, as a model file has them."""

    description: str
    entry: Entry


def ready_tyre(source: str | Path, **fields: Any) -> dict[str, Any]:
    """The fields of a ready-made tyre, for ``Tyre(name, joint, road, **fields)``.

    ``source`` is a name of the catalogue or the path of a YAML file. ``fields`` replace those
    of the tyre; parts given as mappings are merged field by field:
    ``ready_tyre("belted-advanced", normal_force={"stiffness": 2e6})``.

    Example:
    >>> import axletree as at
    >>> tyre = at.ready_tyre("slim-advanced")
    >>> tyre["unloaded_radius"], tyre["normal_force"]["stiffness"]  # m, N/m
    (0.3556, 1000000.0)
    """
    check_arguments(ready_tyre, locals())
    made = read_ready_made(source, "READY_TYRES")
    own = entry_of(fields)
    found: dict[str, Any] = merged(own, made.entry).plain
    return found


def read_ready_made(
    source: str | Path, title: str, folder: Path | None = None, chain: int = LONGEST_CHAIN
) -> ReadyMade:
    """What a name of a section or a file describes; ``folder`` is where the file must be, and
    ``chain`` how many files may still be like one another."""
    name, names = str(source), section(title)
    if name in names:
        file = resource(names[name])
        return _read_ready_made(text_of(file, file.name), file.name, title, None, chain)
    if not name.endswith(SUFFIXES):
        error = unknown_name("ready-made tyre", name[:100], names, "the catalogue")
        raise ModelError(f"{error}; or give a file {' or '.join(SUFFIXES)}")
    path = Path(source) if folder is None else located_file(name, folder)
    return _read_ready_made(text_of(path, name), name, title, path.parent, chain)


def with_ready_made(
    entry: Entry, word: str, folder: Path | None, place: KeyPath, problems: Problems
) -> Entry | None:
    """A component's entry, merged with what it is ``like``; None if that cannot be read."""
    title = READY_MADE.get(word)
    if title is None or LIKE not in entry.content:
        return entry
    given = entry.content[LIKE]
    own = {key: value for key, value in entry.content.items() if key != LIKE}
    with problems.gathered(given.line, (*place, LIKE)):
        made = _likened(given, title, folder)
        return merged(replace(entry, content=own), on_line(made.entry, given.line))
    return None


def _likened(given: Entry, title: str, folder: Path | None) -> ReadyMade:
    if not isinstance(given.plain, str):
        raise ModelError(f"expected the name of a ready-made tyre, got {shown(given.plain)}")
    if given.plain.endswith(SUFFIXES) and folder is None:
        raise ModelError(f"{shown(given.plain)} cannot be found: this model has no folder")
    return read_ready_made(given.plain, title, folder)


def _read_ready_made(
    text: str, file: str, title: str, folder: Path | None, chain: int
) -> ReadyMade:
    problems = Problems(file)
    entry = read_document(text, problems)
    if not isinstance(entry.content, dict):
        problems.stop(entry.line, (), f"expected fields of a tyre, got {shown(entry.plain)}")
    problems.raise_any()
    fields = dict(entry.content)
    about = fields.pop("description", None)
    description = "" if about is None else str(about.plain)
    if LIKE not in fields:
        return ReadyMade(description, replace(entry, content=fields))
    if chain == 0:
        raise ModelError(f"{file}: files that are like one another never come to an end")
    ancestor = read_ready_made(str(fields.pop(LIKE).plain), title, folder, chain - 1)
    whole = merged(replace(entry, content=fields), ancestor.entry)
    return ReadyMade(description or ancestor.description, whole)


def merged(own: Entry, ready: Entry) -> Entry:
    """``own``, and what it leaves open as it is ready-made."""
    if not isinstance(ready.content, dict):
        return own
    kind = ready.content.get("type")
    if isinstance(own.content, str):
        return on_line(ready, own.line) if kind and own.content == kind.content else own
    if not isinstance(own.content, dict):
        return own
    other = own.content.get("type", kind)
    if kind is not None and other is not None and other.content != kind.content:
        return own
    both = {
        key: merged(value, ready.content[key]) if key in ready.content else value
        for key, value in own.content.items()
    }
    return replace(own, content={**ready.content, **both})


def on_line(entry: Entry, line: int) -> Entry:
    """An entry that stands in another file, shown on a line of this one."""
    content = entry.content
    if isinstance(content, dict):
        content = {key: on_line(value, line) for key, value in content.items()}
    elif isinstance(content, list):
        content = [on_line(value, line) for value in content]
    return replace(entry, content=content, line=line)


def entry_of(value: Any) -> Entry:
    """A value of Python as an entry without a line; objects stay what they are."""
    if isinstance(value, Mapping) and not isinstance(value, Part):
        return Entry({str(key): entry_of(inner) for key, inner in value.items()}, 0)
    if isinstance(value, list):
        return Entry([entry_of(inner) for inner in value], 0)
    return Entry(value, 0)


BASE = "base"
NOT_INHERITED = ("name", "description")  # keys that a file does not take over
LONGEST_BASE_CHAIN = 8


def with_base(
    document: Entry, folder: Path | None, problems: Problems, chain: Sequence[str] = ()
) -> Entry:
    """The document, merged key by key with what it is based on; shown on the line of ``base``.

    ``folder`` is where the file is: a base is one of the package, or stands there or below.
    """
    if not isinstance(document.content, dict) or BASE not in document.content:
        return document
    given = document.content[BASE]
    own = replace(document, content={k: v for k, v in document.content.items() if k != BASE})
    name = given.plain
    try:
        if name in chain:
            raise ModelError(f"the files run in a circle: {' - '.join([*chain, name])}")
        if len(chain) >= LONGEST_BASE_CHAIN:
            raise ModelError(f"more than {LONGEST_BASE_CHAIN} files, each based on the next")
        text, below = _base_text(name, folder)
    except ModelError as error:
        problems.stop(given.line, (BASE,), "; ".join(error.problems))
    inner = Problems(str(name))
    other = read_document(text, inner)
    inner.raise_any()
    if not isinstance(other.content, dict):
        problems.stop(given.line, (BASE,), f"{shown(name)} is no model file")
    kept = {key: value for key, value in other.content.items() if key not in NOT_INHERITED}
    whole = with_base(replace(other, content=kept), below, problems, [*chain, name])
    return merged(own, on_line(whole, given.line))


def _base_text(name: object, folder: Path | None) -> tuple[str, Path | None]:
    """The text of a base, and the folder of its own files."""
    models = section("MODELS")
    if isinstance(name, str) and name in models:
        file = resource(models[name])
        return text_of(file, file.name), None
    if not isinstance(name, str) or not name.endswith(SUFFIXES):
        error = unknown_name("model", str(name)[:100], models, "the catalogue")
        raise ModelError(f"{error}; or give a file {' or '.join(SUFFIXES)}")
    path = located_file(name, folder)
    if path.stem in models and not path.exists():
        advice = f"{path.stem!r} of the package is `base: {path.stem}`"
        raise ModelError(f"{name}: there is no such file; {advice}")
    return text_of(path, name), path.parent


FILE_KEY = "file"  # the key of parts that stand in files of their own
LAW_KEY = "law"  # the key of a tyre law, which may be the path of a property file alone
LIBRARY_FOLDER = "library/"  # where copies of files of the user's libraries are
PACKAGE_FOLDER = "package/"  # where copies of the package's models are, beside a user's own


def source_files(source: str | Path) -> dict[str, bytes]:
    """Their contents by name: the model's own first, then those that it names.

    Names are relative to the folder of the model. Models of the package that it is based on are in
    the folder ``package``, files of the user's libraries in ``library``. What else belongs to the
    package is known by its version.
    """
    text = str(source)
    if text.endswith(SUFFIXES):
        path = Path(source)
        return dict(_files_of(path, path.parent))
    if text in section("MODELS"):
        return dict(_shipped(text))
    path = Path(text.rpartition(":")[0] or text)
    return {path.name: path.read_bytes()}


def _files_of(path: Path, top: Path) -> Iterator[tuple[str, bytes]]:
    content = path.read_bytes()
    is_own = path.resolve().is_relative_to(top.resolve())
    yield path.relative_to(top).as_posix() if is_own else f"{LIBRARY_FOLDER}{path.name}", content
    if path.suffix not in SUFFIXES:
        return
    document = read_document(content.decode("utf-8-sig"), Problems(path.name)).plain
    for name in _named_files(document):
        if name in section("MODELS"):
            yield from ((PACKAGE_FOLDER + key, found) for key, found in _shipped(name))
            continue
        try:
            further = located_file(name, path.parent)
        except ModelError:
            continue  # a name of the catalogue, or what is no path at all
        if further.is_file():
            yield from _files_of(further, top)


_BASE_LINE = re.compile(rb"^base:\s*([\w-]+)\s*(?:#.*)?$", re.MULTILINE)


def _shipped(name: str) -> Iterator[tuple[str, bytes]]:
    """A model of the package, and those that it is based on."""
    file = resource(section("MODELS")[name])
    content = file.read_bytes()
    yield file.name, content
    named = _BASE_LINE.search(content)  # a file of the package names no others
    if named is not None:
        yield from _shipped(named[1].decode())


def _named_files(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in (BASE, LIKE, FILE_KEY, LAW_KEY) and isinstance(inner, str):
                yield inner
            yield from _named_files(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _named_files(inner)
