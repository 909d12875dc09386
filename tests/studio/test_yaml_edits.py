"""Values change where they stand: whatever else the text has stays, letter by letter."""

from __future__ import annotations

import difflib
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from axletree.core.errors import AxletreeError
from axletree.core.problems import Problems
from axletree.core.registry import section
from axletree.core.yaml_document import read_document, resource
from axletree.studio.yaml_edits import flow_text, with_value, without_key

TEXT = """\
# A car of one's own.
base: sedan   # of the package

vehicle:
  body: {mass: 1.4 t, inertia: [500, 2300, 2500]}  # without driver
  axles:
    front: &axle
      track: 1.57 m
      points:
        # of the left side
        ball: [0 mm, 600 mm, 225 mm]   # measured
        arm: [0.1, -0.2, 3e-1]
    rear: *axle
  loads: {}
"on": "yes: no"
"""


def plain(text: str) -> Any:
    problems = Problems("text")
    found = read_document(text, problems).plain
    problems.raise_any()
    return found


def changes(before: str, after: str) -> list[str]:
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return [line for line in lines if line[:1] in "+-"]


@pytest.mark.parametrize(
    ("path", "value", "lines"),
    [
        (
            ("vehicle", "body", "mass"), "1500 kg",
            ["-   body: {mass: 1.4 t, inertia: [500, 2300, 2500]}  # without driver",
             "+   body: {mass: 1500 kg, inertia: [500, 2300, 2500]}  # without driver"],
        ),
        (
            ("vehicle", "axles", "front", "points", "ball"), ["0 mm", "605 mm", "225 mm"],
            ["-         ball: [0 mm, 600 mm, 225 mm]   # measured",
             "+         ball: [0 mm, 605 mm, 225 mm]   # measured"],
        ),
        (
            ("vehicle", "axles", "front", "points", "arm"), [0.1, -0.2, 0.35],
            ["-         arm: [0.1, -0.2, 3e-1]", "+         arm: [0.1, -0.2, 0.35]"],
        ),
        (
            ("vehicle", "axles", "rear", "track"), 1.6,  # where the anchor is
            ["-       track: 1.57 m", "+       track: 1.6"],
        ),
        (("vehicle", "axles", "front", "position"), 1.4, ["+       position: 1.4"]),
        (
            ("vehicle", "loads", "driver"), {"mass": "75 kg", "position": [0, 0.4, 0.6]},
            ["-   loads: {}", "+   loads: {driver: {mass: 75 kg, position: [0, 0.4, 0.6]}}"],
        ),
        (("run", "duration"), "3 s", ["+ run:", "+   duration: 3 s"]),
        (("on",), "no", ['- "on": "yes: no"', '+ "on": no']),
        (("vehicle", "body", "inertia"), [500, 2300, 2500], []),
    ],
)  # fmt: skip
def test_one_value_changes_its_own_line(path: list[str], value: Any, lines: list[str]) -> None:
    made = with_value(TEXT, path, value)
    assert changes(TEXT, made) == lines
    found = plain(made)
    for key in path:
        found = found[key]
    assert found == value


def test_a_value_that_goes_takes_its_line_and_nothing_else() -> None:
    made = without_key(TEXT, ("vehicle", "axles", "front", "track"))
    assert changes(TEXT, made) == ["-       track: 1.57 m"]
    made = without_key(TEXT, ("vehicle", "body", "mass"))
    assert "body: {inertia: [500, 2300, 2500]}  # without driver" in made
    made = without_key(TEXT, ("vehicle", "axles", "rear"))
    assert changes(TEXT, made) == ["-     rear: *axle"]
    assert without_key("a: 1\nb: {c: {d: 2}}\n", ("b", "c", "d")) == "a: 1\n"


@pytest.mark.parametrize(
    ("path", "value"),
    [(("base", "mass"), 1), (("vehicle", "body", "mass", "x"), 1), ((0,), 1),
     (("vehicle", "body", "inertia", 7), 1)],
)  # fmt: skip
def test_what_has_no_place_is_refused(path: Any, value: Any) -> None:
    with pytest.raises(AxletreeError):
        with_value(TEXT, path, value)
    with pytest.raises(AxletreeError):
        without_key(TEXT, (*path, "missing"))


def test_a_text_that_cannot_be_read_is_left_alone() -> None:
    for text in ("a: [1,", "a: 1\na: 2\n", "a: !!python/object:x {}\n", "\t"):
        with pytest.raises(AxletreeError):
            with_value(text, ("a",), 1)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_ends_of_lines_and_a_last_line_without_one(ends: str) -> None:
    text = f"a: 1{ends}b:{ends}  c: 2"
    assert with_value(text, ("a",), 3) == f"a: 3{ends}b:{ends}  c: 2"
    assert plain(with_value(text, ("b", "d"), 4)) == {"a": 1, "b": {"c": 2, "d": 4}}


WORDS = st.one_of(
    st.text(max_size=12), st.sampled_from(["1.5 t", "yes", "null", "~", "0x1F", "a: b", "[x]", "#"])
)
VALUES = st.recursive(
    st.one_of(WORDS, st.integers(-1000, 1000), st.floats(-1e6, 1e6), st.booleans(), st.none()),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("abc_", min_size=1, max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(VALUES)
@example(":")
@example("a:,b")
@example("- a")
@example("\x85")
def test_whatever_is_written_reads_back(value: Any) -> None:
    try:
        made = with_value(TEXT, ("vehicle", "body", "mass"), value)
    except AxletreeError:
        assert any(not c.isprintable() for c in flow_text(value)) or "\\" in flow_text(value)
        return
    assert plain(made)["vehicle"]["body"]["mass"] == value
    assert "# measured" in made


def leaves(content: Any, path: tuple[Any, ...] = ()) -> Any:
    if isinstance(content, dict):
        for key, inner in content.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(content, list):
        for k, inner in enumerate(content):
            yield from leaves(inner, (*path, k))
    else:
        yield path


@pytest.mark.parametrize("name", ["pushrod-formula-student", "tractor-semitrailer", "four-bar"])
def test_every_value_of_a_model_can_be_changed(name: str) -> None:
    """Where it stands: no other line than its own is touched."""
    text = resource(section("MODELS")[name]).read_text(encoding="utf-8")
    paths = list(leaves(plain(text)))
    for path in paths[:: max(1, len(paths) // 12)]:
        lines = changes(text, with_value(text, path, "17.25 units"))
        assert [line[:1] for line in lines] == ["-", "+"]
        assert "17.25 units" in lines[1]
