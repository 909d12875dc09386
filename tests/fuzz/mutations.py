"""Changes that keep the grammar of a file, so that what stands behind its reader is reached.

Every change is made by a ``Random`` of a number: the same number gives the same file.
"""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Iterable
from random import Random
from typing import Any

from hypothesis import strategies as st

TextChange = tuple[float, int, str]  # a place as a share of the length, what goes, what comes


def text_changes(pieces: Iterable[str]) -> st.SearchStrategy[list[TextChange]]:
    """For hypothesis: some changes of any text, by these pieces among others."""
    piece = st.sampled_from(list(pieces)) | st.text(max_size=5)
    change = st.tuples(st.floats(0.0, 1.0), st.integers(0, 12), piece)
    return st.lists(change, min_size=1, max_size=6)


def mutated(text: str, changes: list[TextChange]) -> str:
    """At a place (as a share of the length) some characters go and a piece comes."""
    for share, removed, piece in changes:
        place = int(share * len(text))
        text = text[:place] + piece + text[place + removed :]
    return text


NUMBER = re.compile(r"(?<![\w.])[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?(?![\w.])")
NUMBERS = (
    0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3, -7, 1e-3, 1e-9, 1e-59, 1e-300, 5e-324, 1e6, 1e12, 1e30,
    -1e30, 1e59, 1e200, 1e308, -1e308, 10**30, math.nan, math.inf, -math.inf, math.pi,
)  # fmt: skip
TEXTS = (
    "", " ", "nan", "1e999", "0 m", "1 kg", "-3 N", "2 deg", "1e308 N", "1e-300 m", "ground",
    "input", "sin(t)", "1/0", "where(t < 1, 1, 0)", "sqrt(-1)", "a.b", "../x", "x" * 300, "\0",
    "é\u2028", "~", "true", "type", "none", "[]", "{}", "[1, 2]", "0x1F", "1_000", "1,5",
    "<script>", "%s", "inf",
)  # fmt: skip
SIGNS = "'\"[]{}:,-#|>?%&*!@`~()^\\.09\t\n\r\0é=$;"


def changed_text(random: Random, text: str) -> str:
    """Some characters go, and others come in their place."""
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(text) + 1)
        piece = random.choice((random.choice(SIGNS), random.choice(TEXTS), ""))
        text = text[:place] + piece + text[place + random.randint(0, 8) :]
    return text


def changed_numbers(random: Random, text: str) -> str:
    """Some of the numbers are other ones; or lines are left out, doubled or exchanged."""
    for _ in range(random.choice((1, 1, 2, 4))):
        found = list(NUMBER.finditer(text))
        if found and random.random() < 0.75:
            one = random.choice(found)
            text = text[: one.start()] + _other_number(random, one[0]) + text[one.end() :]
            continue
        lines = text.splitlines(keepends=True)
        if lines:
            k, other = random.randrange(len(lines)), random.randrange(len(lines))
            lines[k] = random.choice(("", lines[k] * 2, lines[other], random.choice(TEXTS) + "\n"))
        text = "".join(lines)
    return text


def _other_number(random: Random, text: str) -> str:
    try:
        value = float(text.lower().replace("d", "e"))
    except ValueError:
        value = 1.0
    near = (random.gauss(1.0, 0.1), random.gauss(1.0, 1.0), 10.0 ** random.randint(-3, 3))
    far = (-1.0, 0.0, 10.0 ** random.randint(-60, 60))
    return repr(random.choice((*(value * factor for factor in near + far), random.choice(NUMBERS))))


def changed_values(random: Random, content: Any) -> Any:
    """Of what a YAML or JSON file holds, some values or keys are other ones."""
    whole = [copy.deepcopy(content)]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        places = list(_places(whole))
        holder, key = random.choice(places)
        kind = random.random()
        if kind < 0.7:
            holder[key] = _other_value(random, holder[key])
        elif kind < 0.77:
            other, name = random.choice(places)
            holder[key] = copy.deepcopy(other[name])
        elif kind < 0.82 and holder is not whole:
            del holder[key]
        elif kind < 0.9 and isinstance(holder, dict):
            name = random.choice(
                (str(key) + "x", random.choice(TEXTS), str(random.choice(places)[1]))
            )
            holder[name] = holder.pop(key)
        else:
            holder[key] = random.choice((*NUMBERS, *TEXTS, None, True, [], {}, [0.0, 0.0, 0.0]))
    return whole[0]


def _other_value(random: Random, value: Any) -> Any:
    """Of the same kind."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return float(_other_number(random, repr(value)))
    if isinstance(value, str):
        found = NUMBER.search(value)
        if found is None:
            return random.choice(TEXTS)
        return value[: found.start()] + _other_number(random, found[0]) + value[found.end() :]
    if isinstance(value, list):
        return random.sample(value, len(value)) if random.random() < 0.5 else value[:-1]
    return {key: value[key] for key in list(value)[: len(value) // 2]}


def _places(content: Any) -> Any:
    """Every value as what holds it and its key there."""
    keys = range(len(content)) if isinstance(content, list) else list(content)
    for key in keys:
        yield content, key
        if isinstance(content[key], list | dict):
            yield from _places(content[key])


def as_yaml(content: Any) -> str:
    """JSON is YAML, but for numbers that are none."""
    text = json.dumps(content, ensure_ascii=False)
    return re.sub(r"(?<![\w\"])(-?)Infinity\b", r"\1.inf", re.sub(r"\bNaN\b", ".nan", text))


def changed_bytes(random: Random, content: bytes) -> bytes:
    """Bits, numbers of four or eight bytes, pieces and the end."""
    made = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 4))):
        place = random.randrange(len(made) + 1)
        aligned = place & ~7
        kind = random.randrange(5)
        if kind == 0:
            made[place : place + 1] = bytes([random.randrange(256)])
        elif kind == 1:
            made[aligned : aligned + 8] = random.randrange(len(made) + 1).to_bytes(8, "little")
        elif kind == 2:
            size = random.choice((1, 2, 4, 8))
            number = random.choice((0, 1 << random.randrange(8 * size), (1 << 8 * size) - 1))
            made[aligned : aligned + size] = number.to_bytes(size, random.choice(("little", "big")))
        elif kind == 3:
            del made[place : place + random.randint(1, 64)]
        else:
            del made[place:]
    return bytes(made)
