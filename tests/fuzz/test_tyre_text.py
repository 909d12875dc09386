"""Whatever happens to the text of a tyre file: it reads, or it is refused in words."""

from __future__ import annotations

import contextlib

from fuzz.mutations import TextChange, mutated, text_changes
from hypothesis import given, settings
from hypothesis import strategies as st

from axletree.core.errors import ModelError
from axletree.wheel.tyres.tyre_file import TyreFile, TyreFormat, tyre_file_from_bytes

TEXT = """[MDI_HEADER]
FILE_TYPE                = 'tir'
$---units
[UNITS]
LENGTH = 'mm'
ANGLE  = 'degrees'
MASS   = 'kg'
[MODEL]
PROPERTY_FILE_FORMAT = 'PAC2002'
FITTYP = 6          $Version
[DIMENSION]\r
UNLOADED_RADIUS = 331.0  ! mm\r
[SHAPE]
{radial width}
 1.0  0.0
 0.9  1.0
[VERTICAL]
FNOMIN = 4.1D+3
[LATERAL_COEFFICIENTS]
PCY1 = 1.2
PDY1 = -0.9E0
"""
SIGNS = "[]{}=$!'\"+-.eEdD019 \t\n\r\0\x0b\x85é\ufeff\u2028"
WORDS = ("1e999", "nan", "[UNITS]\n", "FORCE = 'x'\n", "= =", "PCY1 = 2\n", "1 2 3\n", "[SHAPE]\n")
MUTATIONS = text_changes([*SIGNS, *WORDS])


def check(content: bytes) -> None:
    problems: tuple[str, ...] = ()
    try:
        check_access(tyre_file_from_bytes(content, "fuzzed.tir"), content)
    except ModelError as error:
        problems = error.problems
    assert all("fuzzed.tir" in problem for problem in problems)


def check_access(file: TyreFile, content: bytes) -> None:
    """Nothing is lost; each value can be had, and changed without a change of the others."""
    assert file.text.encode(file.encoding) == content
    for place in file.content.entries:
        with contextlib.suppress(ModelError):  # a number that is too large in SI units
            new = "new" if isinstance(file.value(*place), str) else 0.25
            places = file.with_value(*place, new).content.entries
            assert list(places) == list(file.content.entries)
    assert "FNOMIN" not in file.coefficients() or file.format in TyreFormat


@settings(max_examples=300)
@given(MUTATIONS)
def test_a_mutated_file_reads_or_is_refused(mutations: list[TextChange]) -> None:
    check(mutated(TEXT, mutations).encode("utf-8", "surrogatepass"))


@settings(max_examples=150)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace")))
def test_any_bytes_read_or_are_refused(content: bytes) -> None:
    check(content)
    check(b"[A]\n" + content)


def test_long_lines_and_many_lines_take_linear_time() -> None:
    """300 kB of each; a quadratic reader would not end while the test is watched."""
    for piece in (b"[", b"'", b"=", b" ", b"1 ", b"A=1 ", b"[A]\n", b"\r", b"{}\n", b"1\n", b"1e"):
        check(b"[A]\n" + piece * (300_000 // len(piece)))
