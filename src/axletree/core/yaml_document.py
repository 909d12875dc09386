"""The text of a model file as entries that know their lines.

YAML 1.2, read event by event, so that nothing is built from a file that is too deep, too
large or blown up by aliases. No tag makes an object: a value is a mapping, a list, a number,
true, false, null or a text (the core schema of YAML 1.2).

Files are those of the package (``resource``) or of a user.
"""

from __future__ import annotations

import math
import re
import stat
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from axletree.core.errors import ModelError
from axletree.core.problems import KeyPath, Problems, shortened, shown

LARGEST_FILE = 256 * 1024  # bytes; a chain of a thousand bodies has fewer
MOST_VALUES = 20_000  # with aliases written out
_DEEPEST = 12  # mappings and lists within one another
LONGEST_KEY = 100  # characters

_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(inf|Inf|INF)")
_WORDS: dict[str, bool | float | None] = dict.fromkeys(("", "~", "null", "Null", "NULL"))
_WORDS |= dict.fromkeys(("true", "True", "TRUE"), True)
_WORDS |= dict.fromkeys(("false", "False", "FALSE"), False)
_WORDS |= dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan)


@dataclass(frozen=True)
class Entry:
    """A value of the file: ``content`` is a scalar, a list of entries or a dict of them."""

    content: Any
    line: int
    size: int = 1  # values in it, itself included
    depth: int = 0  # mappings and lists within one another, itself included

    @property
    def plain(self) -> Any:
        """The value without lines."""
        if isinstance(self.content, dict):
            return {key: entry.plain for key, entry in self.content.items()}
        if isinstance(self.content, list):
            return [entry.plain for entry in self.content]
        return self.content


# Cars have one tyre four times, and many models one base; nothing changes an entry.
_known: OrderedDict[str, Entry] = OrderedDict()
_MOST_KNOWN = 32  # texts without a problem, those that were read last


def read_document(text: str, problems: Problems) -> Entry:
    """The one document of a text; duplicate keys go to ``problems``, worse ones stop."""
    found = _known.pop(text, None)
    if found is None:
        before = problems.count
        found = _read(text, problems)
        if problems.count > before:
            return found
    _known[text] = found
    while len(_known) > _MOST_KNOWN:
        _known.popitem(last=False)
    return found


def _read(text: str, problems: Problems) -> Entry:
    if len(text) > LARGEST_FILE:
        problems.stop(0, (), f"the file is too large; the limit is {LARGEST_FILE // 1024} KiB")
    builder = _Builder(problems)
    for event in _events(text, problems):
        builder.take(event)
    if builder.root is None:
        wanted = "a mapping with the key 'components' or 'vehicle'"
        problems.stop(0, (), f"the file is empty; expected {wanted}")
    return builder.root


_ADVICE = {  # by what the parser says
    "'\\t'": "; indent with spaces, not with tabs",
    "escape character": "; a backslash in double quotes begins an escape: write paths with /, or "
    "in single quotes",
}


def _events(text: str, problems: Problems) -> Iterator[Any]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        yield from YAML(typ="safe", pure=True).parse(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        advice = next((text for sign, text in _ADVICE.items() if sign in str(error.problem)), "")
        line = mark.line + 1 if mark is not None else 0
        problems.stop(line, (), f"no valid YAML: {error.problem or error.context}{advice}")
    except (YAMLError, ValueError, OverflowError) as error:
        reason = " ".join(shortened(str(error), 200).split())
        problems.stop(0, (), f"no valid YAML: {reason}")


@dataclass
class _Open:
    """A mapping or list whose end has not been met yet."""

    content: Any
    line: int
    anchor: str | None
    size: int = 1
    depth: int = 1
    key: str | None = None  # of the value that comes next in a mapping
    key_line: int = 0


@dataclass
class _Builder:
    """Puts entries together from events."""

    problems: Problems
    root: Entry | None = None
    _open: list[_Open] = field(default_factory=list)
    _anchors: dict[str, Entry] = field(default_factory=dict)

    def take(self, event: Any) -> None:
        line = event.start_mark.line + 1
        match type(event).__name__:
            case "DocumentStartEvent" if self.root is not None:
                self._stop(line, "a second document begins here; a model file holds one")
            case "MappingStartEvent" | "SequenceStartEvent" as name:
                self._begin(event, line, {} if name.startswith("Mapping") else [])
            case "MappingEndEvent" | "SequenceEndEvent":
                done = self._open.pop()
                self._place(Entry(done.content, done.line, done.size, done.depth), done.anchor)
            case "ScalarEvent":
                self._scalar(event, line)
            case "AliasEvent":
                self._alias(str(event.anchor), line)

    def _begin(self, event: Any, line: int, content: Any) -> None:
        self._refuse_tag(event, line)
        if self._wants_key():
            self._stop(line, "a key must be a word, not a mapping or a list")
        self._refuse_depth(1, line)
        self._open.append(_Open(content, self._line_of_value(line), event.anchor))

    def _scalar(self, event: Any, line: int) -> None:
        self._refuse_tag(event, line)
        if self._wants_key():
            self._key(event.value, line)
        else:
            value = scalar_value(event.value) if event.implicit[0] else event.value
            self._place(Entry(value, self._line_of_value(line)), event.anchor)

    def _alias(self, anchor: str, line: int) -> None:
        if self._wants_key():
            self._stop(line, f"the alias *{shortened(anchor, 40)} cannot be a key")
        if anchor not in self._anchors:
            self._stop(
                line, f"the alias *{shortened(anchor, 40)} has no anchor that ends before it"
            )
        known = self._anchors[anchor]
        self._refuse_depth(known.depth, line)
        self._place(Entry(known.content, self._line_of_value(line), known.size, known.depth), None)

    def _key(self, text: str, line: int) -> None:
        if len(text) > LONGEST_KEY:
            self._stop(line, f"a key of {len(text)} characters is too long")
        if text == "<<":
            self._stop(line, "merge keys '<<' are no part of YAML 1.2; write the fields out")
        inner = self._open[-1]
        inner.key, inner.key_line = text, line
        if text in inner.content:
            first = inner.content[text].line
            self.problems.add(
                line, self._where(), f"the key {text!r} appears twice, first on line {first}"
            )

    def _place(self, entry: Entry, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = entry
        if not self._open:
            self.root = entry
            return
        inner = self._open[-1]
        inner.size += entry.size
        inner.depth = max(inner.depth, entry.depth + 1)
        if inner.size > MOST_VALUES:
            self._stop(
                entry.line, f"more than {MOST_VALUES} values, with aliases written out; too many"
            )
        if isinstance(inner.content, list):
            inner.content.append(entry)
        elif inner.key is not None:
            inner.content.setdefault(inner.key, entry)
            inner.key = None

    def _wants_key(self) -> bool:
        inner = self._open[-1] if self._open else None
        return inner is not None and inner.key is None and isinstance(inner.content, dict)

    def _line_of_value(self, line: int) -> int:
        """A value is where its key is, which may be lines above it."""
        inner = self._open[-1] if self._open else None
        return inner.key_line if inner is not None and inner.key is not None else line

    def _refuse_tag(self, event: Any, line: int) -> None:
        tag = getattr(event, "tag", None)
        if tag:
            short = shown(str(tag).replace("tag:yaml.org,2002:", "!!"))
            self._stop(line, f"tags such as {short} are not allowed in a model file")

    def _refuse_depth(self, added: int, line: int) -> None:
        if len(self._open) + added > _DEEPEST:
            self._stop(line, f"nested too deep; the limit is {_DEEPEST} levels")

    def _where(self) -> KeyPath:
        return tuple(inner.key for inner in self._open if inner.key is not None)

    def _stop(self, line: int, text: str) -> None:
        self.problems.stop(line, self._where(), text)


def scalar_value(text: str) -> Any:
    """A plain scalar by the core schema of YAML 1.2."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text) and len(text) < 300:
        return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _INFINITE.fullmatch(text):
        return -math.inf if text.startswith("-") else math.inf
    return text


def resource(entry: str) -> Traversable:
    """The file of a catalogue's entry, given as ``"package:file"``."""
    package, _, file = entry.partition(":")
    root, *folders = package.split(".")
    return files(root).joinpath(*folders, file)


def text_of(path: Path | Traversable, shown: str, largest: int = LARGEST_FILE) -> str:
    """The text of a file, which messages call as ``shown``; ``largest`` is a number of bytes."""
    content = bytes_of(path, shown, largest)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ModelError(f"{shown}, line {line}: no text in UTF-8; is it a binary file?") from None


def bytes_of(path: Path | Traversable, shown: str, largest: int) -> bytes:
    """The content of a file that is not too large."""
    try:
        if isinstance(path, Path) and stat.S_ISFIFO(path.stat().st_mode):  # would be waited for
            raise ModelError(f"{shown}: this is a pipe; expected a file")
        with path.open("rb") as stream:
            content = stream.read(largest + 1)
    except FileNotFoundError:
        raise ModelError(f"{shown}: there is no such file") from None
    except IsADirectoryError:
        raise ModelError(f"{shown}: this is a folder; expected a file") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{shown}: cannot be read: {error}") from None
    check_size(content, shown, largest)
    return content


def check_size(content: bytes, shown: str, largest: int) -> None:
    if len(content) > largest:
        limit = f"{largest >> 20} MiB" if largest > 1 << 20 else f"{largest >> 10} KiB"
        raise ModelError(f"{shown}: the file is too large; the limit is {limit}")
