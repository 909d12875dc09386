"""The compiler, the cache, and life without a compiler."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from axletree.code.backends.c import Compiler, cache_folder, find_compiler, load_library
from axletree.code.backends.runnable import NoCompilerWarning, _warn_once, compile_program
from axletree.code.lowering import lower
from axletree.core.errors import CompilerError
from axletree.expr import sin, symbol

x = symbol("x")
COMPILE_ALIKE = """
from axletree.code.backends.c import load_library
from axletree.code.backends.c import find_compiler
import ctypes
body = "".join(f"    x = x * {k}.5 + 1.0;\\n" for k in range(3000))
library = load_library("double f(double x)\\n{\\n" + body + "    return x;\\n}\\n", find_compiler())
library.f.restype = ctypes.c_double
library.f.argtypes = [ctypes.c_double]
print(library.f(0.0) > 1.0)
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AXLETREE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_cache_is_private_and_keyed_by_content(build, cache: Path) -> None:
    for factor in (1.0, 2.0, 1.0):
        compile_program(lower(build({"x": factor * sin(x)})))
    libraries = list(cache.glob("*.so"))
    assert len(libraries) == 2
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in libraries)
    assert {path.suffix for path in cache.iterdir()} <= {".so", ".lock"}


def test_an_open_cache_folder_is_closed(cache: Path) -> None:
    cache.mkdir(mode=0o777)
    cache.chmod(0o777)
    assert stat.S_IMODE(cache_folder().stat().st_mode) == 0o700


def test_a_cache_that_is_a_file_is_refused(cache: Path) -> None:
    cache.write_text("")
    with pytest.raises(CompilerError, match="AXLETREE_CACHE"):
        cache_folder()


def test_a_broken_library_is_made_anew(build, cache: Path) -> None:
    compile_program(lower(build({"x": 7.0 * x})))
    (library,) = cache.glob("*.so")
    library.unlink()
    library.write_bytes(b"no library")
    model = compile_program(lower(build({"x": 7.0 * x})))
    assert model.rhs(0.0, [2.0], [], model.constants([])) == [14.0]


def test_a_library_that_cannot_be_loaded_is_a_message(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = find_compiler()
    assert compiler is not None

    def write_nonsense(self: Compiler, source: str, target: str) -> None:
        Path(target).write_bytes(b"no library")

    monkeypatch.setattr(Compiler, "build", write_nonsense)
    with pytest.raises(CompilerError, match="cannot be loaded.*AXLETREE_CACHE"):
        load_library("double f(double x) { return x; }", compiler)


def test_several_processes_compile_the_same_program_at_once(cache: Path, tmp_path: Path) -> None:
    """All get the library, and one of them did the work: the compiler is watched."""
    usual = find_compiler()
    assert usual is not None
    log, watched = tmp_path / "log", tmp_path / "watched"
    call = shlex.join(usual.command)
    watched.write_text(
        f'#!/bin/sh\ncase "$*" in *-shared*) echo built >> "{log}" ;; esac\nexec {call} "$@"\n'
    )
    watched.chmod(0o755)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "AXLETREE_CC": str(watched),
    }
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", COMPILE_ALIKE],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(5)
    ]
    results = [process.communicate() for process in processes]
    assert [out.strip() for out, _ in results] == ["True"] * 5, results
    assert log.read_text() == "built\n"
    assert len(list(cache.glob("*.so"))) == 1
    assert not [path for path in cache.iterdir() if path.is_dir()]


def test_a_compiler_failure_shows_its_output_and_keeps_the_source(cache: Path) -> None:
    compiler = find_compiler()
    assert compiler is not None
    with pytest.raises(CompilerError, match="error: ") as caught:
        load_library("int f(void) { return undeclared; }", compiler)
    (kept,) = cache.glob("*.c")
    assert str(kept) in str(caught.value)
    assert "undeclared" in kept.read_text()
    assert not list(cache.glob("*.so"))


def test_a_wrong_compiler_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AXLETREE_CC", "no-such-compiler -O9")
    with pytest.raises(CompilerError, match="no-such-compiler"):
        find_compiler()


def test_cc_comes_before_the_usual_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AXLETREE_CC", raising=False)
    usual = find_compiler()
    assert usual is not None
    monkeypatch.setenv("CC", f"{usual.command[0]} -g")
    chosen = find_compiler()
    assert chosen is not None
    assert (chosen.origin, chosen.command) == ("$CC", (usual.command[0], "-g"))


def test_without_a_compiler_python_runs_and_says_so_once(
    build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AXLETREE_CC", "none")
    _warn_once.cache_clear()
    program = lower(build({"x": sin(x)}))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        models = [compile_program(program) for _ in range(3)]
    assert [w.category for w in caught] == [NoCompilerWarning]
    assert {model.language for model in models} == {"Python"}
    assert models[0].rhs(0.0, [0.5], [], np.empty(0)) == pytest.approx([np.sin(0.5)], rel=1e-15)


def test_wrong_lengths_never_reach_c(build) -> None:
    model = compile_program(lower(build({"x": sin(x)})))
    with pytest.raises(CompilerError, match=r"expected 1 states, got an array of shape \(2,\)"):
        model.rhs(0.0, [1.0, 2.0], [], model.constants([]))


def test_a_routine_that_was_not_lowered_is_named(build) -> None:
    model = compile_program(lower(build({"x": sin(x)})))
    with pytest.raises(CompilerError, match=r"Extra\.JACOBIAN"):
        model.jacobian(0.0, [1.0], [], model.constants([]))
