"""What takes its time is said on a terminal, and leaves no trace there."""

from __future__ import annotations

import io
import sys

import pytest

from axletree.code.backends.c import find_compiler, load_library
from axletree.core.progress import doing


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_says_what_is_done_and_is_gone_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with doing("writing"):
        assert terminal.getvalue() == "writing ..."
    line = terminal.getvalue().split("\r")
    assert line == ["writing ...", " " * len("writing ..."), ""]


def test_a_file_or_a_pipe_gets_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with doing("writing"):
        pass
    assert capsys.readouterr() == ("", "")


def test_the_compiler_is_named_while_it_works(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler, terminal = find_compiler(), Terminal()
    if compiler is None:
        pytest.skip("there is no C compiler")
    monkeypatch.setenv("AXLETREE_CACHE", str(tmp_path))
    monkeypatch.setattr(sys, "stderr", terminal)
    for _ in range(2):  # of two loads, the first compiles
        load_library("int axl_answer(void) { return 42; }\n", compiler)
    assert terminal.getvalue().count(f"compiling the equations ({compiler.command[0]}) ...") == 1
