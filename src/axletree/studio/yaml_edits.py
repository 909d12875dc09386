"""Values of a YAML text, changed where they stand: all else stays, letter by letter.

A text is not written anew, which would lose how its author laid it out. The place of a value is
found in the text, and what stands there is replaced; a key that is not there yet is added below
its siblings. After that the text is read again: it has to say the new value and, apart from it,
what it said before. A value behind an alias stands where its anchor is.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from axletree.core.problems import Problems, shown
from axletree.core.yaml_document import read_document, scalar_value
from axletree.studio.project import StudioError

if TYPE_CHECKING:
    from ruamel.yaml.nodes import MappingNode

ValuePath = Sequence[str | int]  # keys of mappings, places in lists
_PLAIN: Final = re.compile(r"(?:[\w./+]|-(?! ))[\w ./+*^()%°²³·-]*")  # of a text as people write it
_STEP: Final = "  "  # of the indentation of what is added


def with_value(text: str, path: ValuePath, value: Any) -> str:
    """The text with another value at a path, or with one where there was none.

    Example:
    >>> from axletree.studio.yaml_edits import with_value
    >>> text = "vehicle:\\n  body: {mass: 1.4 t}  # without driver\\n"
    >>> print(with_value(text, ("vehicle", "body", "mass"), "1.5 t"), end="")
    vehicle:
      body: {mass: 1.5 t}  # without driver
    """
    root = _composed(text)
    node, rest = _found(root, path)
    expected = _with(_plain(root), path, value)
    made = _replaced(text, node, root, path, value) if not rest else _added(text, node, rest, value)
    return _checked(made, expected, path)


def without_key(text: str, path: ValuePath) -> str:
    """The text without a key; a mapping that would be left empty goes with it.

    Example:
    >>> from axletree.studio.yaml_edits import without_key
    >>> text = "base: sedan\\nvehicle:\\n  body: {mass: 1.4 t}\\n"
    >>> without_key(text, ("vehicle", "body", "mass"))
    'base: sedan\\n'
    """
    root = _composed(text)
    node, rest = _found(root, path)
    if rest:
        raise StudioError(f"{_in_words(path)} does not stand in this file")
    parent, _ = _found(root, path[:-1])
    while len(path) > 1 and _is_mapping(parent) and len(parent.value) == 1:
        path = path[:-1]
        parent, _ = _found(root, path[:-1])
    if not _is_mapping(parent):
        raise StudioError(f"{_in_words(path)} is an item of a list, which is changed as a whole")
    expected = _plain(root)
    holder = expected
    for key in path[:-1]:
        holder = holder[key]
    del holder[path[-1]]
    return _checked(_cut(text, parent, str(path[-1])), expected, path)


def _composed(text: str) -> Any:
    """The nodes of the text, each of which knows where it stands; what model files must not have
    is refused first."""
    from ruamel.yaml import YAML

    problems = Problems("the file")
    read_document(text, problems)
    problems.raise_any()
    return YAML(typ="safe", pure=True).compose(text)


def _is_mapping(node: Any) -> bool:
    return type(node).__name__ == "MappingNode"


def _is_list(node: Any) -> bool:
    return type(node).__name__ == "SequenceNode"


def _found(root: Any, path: ValuePath) -> tuple[Any, ValuePath]:
    """The node at the path, or the last one on the way to it, with what is left of the way."""
    node = root
    for k, key in enumerate(path):
        if _is_mapping(node):
            inner = next((value for name, value in node.value if name.value == str(key)), None)
        elif _is_list(node) and isinstance(key, int) and 0 <= key < len(node.value):
            inner = node.value[key]
        else:
            inner = None
        if inner is None:
            return node, path[k:]
        node = inner
    return node, ()


# -- what a text says -------------------------------------------------------------------


def _plain(root: Any) -> Any:
    """Values of nodes; what is shared by an alias is one object."""
    known: dict[int, Any] = {}

    def value(node: Any) -> Any:
        if id(node) in known:
            return known[id(node)]
        made: Any
        if _is_mapping(node):
            made = {key.value: value(inner) for key, inner in node.value}
        elif _is_list(node):
            made = [value(inner) for inner in node.value]
        else:
            return node.value if node.style is not None else scalar_value(node.value)
        known[id(node)] = made
        return made

    return value(root)


def _with(content: Any, path: ValuePath, value: Any) -> Any:
    """Values with another one at a path; mappings on the way are made."""
    if not path:
        return value
    key = path[0]
    if isinstance(content, list):
        if not isinstance(key, int) or not 0 <= key < len(content):
            raise StudioError(f"a list of {len(content)} has no item {key!r}")
        content[key] = _with(content[key], path[1:], value)
        return content
    if not isinstance(content, dict):
        if content not in (None, ""):
            raise StudioError(f"{shown(content)} has no {key!r}; change it in the text")
        content = {}
    content[str(key)] = _with(content.get(str(key)), path[1:], value)
    return content


def _checked(text: str, expected: Any, path: ValuePath) -> str:
    """The text, if it says what is expected."""
    try:
        found = _plain(_composed(text))
    except Exception:  # whatever makes it no valid YAML: the change is given up
        found = None
    if not _same(found, expected):
        raise StudioError(f"{_in_words(path)} cannot be changed here; change it in the text")
    return text


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return type(one) is type(other) and bool(one == other) or _is_equal_number(one, other)


def _is_equal_number(one: Any, other: Any) -> bool:
    numbers = (int, float)
    are = isinstance(one, numbers) and isinstance(other, numbers)
    return are and not isinstance(one, bool) and not isinstance(other, bool) and one == other


def _in_words(path: ValuePath) -> str:
    return ".".join(map(str, path))


# -- where it stands --------------------------------------------------------------------


def _start(text: str, node: Any) -> int:
    """Of the value itself, behind its anchor."""
    at = int(node.start_mark.index)
    if text[at : at + 1] == "&":
        while at < len(text) and not text[at].isspace():
            at += 1
        while at < len(text) and text[at] in " ":
            at += 1
    return at


def _end(text: str, node: Any) -> int:
    """Of the last letter: that of a block is the end of its last value."""
    is_block = (_is_mapping(node) or _is_list(node)) and not node.flow_style
    if not is_block or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _value_end(text, *last) if _is_mapping(node) else _end(text, last)


def _value_end(text: str, key: Any, node: Any) -> int:
    """Of what stands behind a key; the node of an alias stands where its anchor is, before it."""
    if node.start_mark.index > key.start_mark.index:
        return _end(text, node)
    at = text.index("*", int(key.end_mark.index))
    while at < len(text) and not text[at].isspace() and text[at] not in ",]}":
        at += 1
    return at


def _replaced(text: str, node: Any, root: Any, path: ValuePath, value: Any) -> str:
    if _is_list(node) and isinstance(value, Sequence) and not isinstance(value, str):
        return _with_items(text, node, value)
    if (_is_mapping(node) or _is_list(node)) and not node.flow_style:
        parent, _ = _found(root, path[:-1])
        if not _is_mapping(parent):
            raise StudioError(f"{_in_words(path)} is changed in the text")
        key = next(name for name, _ in parent.value if name.value == str(path[-1]))
        colon = text.index(":", int(key.end_mark.index))
        return f"{text[: colon + 1]} {flow_text(value)}{text[_end(text, node) :]}"
    start = _start(text, node)
    space = " " if start and text[start - 1] == ":" else ""
    return f"{text[:start]}{space}{flow_text(value)}{text[_end(text, node) :]}"


def _with_items(text: str, node: Any, value: Sequence[Any]) -> str:
    """A list, of which items that stay are left as they are written."""
    if len(value) != len(node.value):
        return f"{text[: _start(text, node)]}{flow_text(value)}{text[_end(text, node) :]}"
    known = [_plain(item) for item in node.value]
    for k in reversed(range(len(value))):
        if _same(known[k], value[k]):
            continue
        item = node.value[k]
        if _is_list(item) and isinstance(value[k], Sequence) and not isinstance(value[k], str):
            text = _with_items(text, item, value[k])
        else:
            text = f"{text[: _start(text, item)]}{flow_text(value[k])}{text[_end(text, item) :]}"
    return text


def _added(text: str, node: Any, rest: ValuePath, value: Any) -> str:
    if not _is_mapping(node) or not all(isinstance(key, str) for key in rest):
        raise StudioError(f"{_in_words(rest)} has no place in this text; write it there")
    if node.flow_style or not node.value:
        return _added_in_flow(text, node, rest, value)
    column = int(node.value[0][0].start_mark.column)
    lines = _block_lines(rest, value, " " * column)
    end = text.find("\n", _end(text, node))
    if end < 0:
        return f"{text}\n{lines}\n"
    return f"{text[:end]}\n{lines}{text[end:]}"


def _added_in_flow(text: str, node: MappingNode, rest: ValuePath, value: Any) -> str:
    for key in reversed(rest[1:]):
        value = {key: value}
    entry = f"{flow_text(rest[0])}: {flow_text(value)}"
    if node.value:
        at = _value_end(text, *node.value[-1])
        return f"{text[:at]}, {entry}{text[at:]}"
    at = int(node.end_mark.index) - 1
    return f"{text[:at]}{entry}{text[at:]}"


def _block_lines(rest: ValuePath, value: Any, indent: str) -> str:
    lines = []
    for key in rest[:-1]:
        lines.append(f"{indent}{flow_text(key)}:")
        indent += _STEP
    lines.append(f"{indent}{flow_text(rest[-1])}: {flow_text(value)}")
    return "\n".join(lines)


def _cut(text: str, parent: Any, key: str) -> str:
    k = next(k for k, (name, _) in enumerate(parent.value) if name.value == key)
    name, node = parent.value[k]
    start, end = int(name.start_mark.index), _value_end(text, name, node)
    if not parent.flow_style:
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        return text[:first] + ("" if last < 0 else text[last + 1 :])
    if k + 1 < len(parent.value):
        return text[:start] + text[int(parent.value[k + 1][0].start_mark.index) :]
    if k:
        start = text.rindex(",", 0, start)
    return text[:start] + text[end:]


# -- how it is written ------------------------------------------------------------------


def flow_text(value: Any) -> str:
    """A value as a person writes it on a line.

    Example:
    >>> from axletree.studio.yaml_edits import flow_text
    >>> flow_text({"type": "fiala", "friction": 1.0, "points": ["0 mm", "yes", ""]})
    '{type: fiala, friction: 1.0, points: [0 mm, yes, ""]}'
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow_text(k)}: {flow_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(flow_text, value)) + "]"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise StudioError(f"{value} is no number for a model file")
    if isinstance(value, int | float):
        return repr(value)
    return _scalar_text(str(value))


def _scalar_text(text: str) -> str:
    """Plain where nothing in it means anything to YAML, in quotes elsewhere."""
    is_plain = _PLAIN.fullmatch(text) and text == text.strip() and scalar_value(text) == text
    return text if is_plain else json.dumps(text, ensure_ascii=not text.isprintable())
