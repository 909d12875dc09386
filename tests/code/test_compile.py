"""The compiler, the cache, and life without a compiler."""

from __future__ import annotations

import errno
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
from axletree.code.backends.runnable import NoCompilerWarning, compile_program, warn_of_no_compiler
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
    assert {path.suffix for path in cache.iterdir()} <= {".so", ".sha256", ".lock"}


@pytest.mark.parametrize("mode", [0o777, 0o755])
def test_a_folder_that_was_there_keeps_its_mode(cache: Path, mode: int) -> None:
    cache.mkdir()
    cache.chmod(mode)
    assert cache_folder().parent == cache
    assert stat.S_IMODE(cache_folder().stat().st_mode) == 0o700
    assert stat.S_IMODE(cache.stat().st_mode) == mode


def test_a_folder_of_another_user_has_a_private_one_inside(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.mkdir(mode=0o700)
    assert cache_folder() == cache
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    # The folder inside belongs to who runs the tests: for user 4711 it is a stranger's.
    with pytest.raises(CompilerError, match="axletree-4711 inside it is not a folder of yours"):
        cache_folder()


def test_a_link_inside_an_open_folder_is_not_followed(cache: Path, tmp_path: Path) -> None:
    cache.mkdir()
    cache.chmod(0o777)
    planted = tmp_path / "planted"
    planted.mkdir()
    (cache / f"axletree-{os.getuid()}").symlink_to(planted)
    with pytest.raises(CompilerError, match="not a folder of yours"):
        cache_folder()


def test_a_folder_inside_that_was_open_to_others_is_left_alone(cache: Path) -> None:
    """Who could write there may have left links, which a lock file would follow."""
    cache.mkdir()
    cache.chmod(0o777)
    opened = cache_folder()
    opened.chmod(0o777)
    assert cache_folder().parent == cache
    assert cache_folder() != opened
    assert stat.S_IMODE(cache_folder().stat().st_mode) == 0o700
    assert stat.S_IMODE(opened.stat().st_mode) == 0o777


def test_a_cache_that_is_a_file_is_refused(cache: Path) -> None:
    cache.write_text("")
    with pytest.raises(CompilerError, match="AXLETREE_CACHE"):
        cache_folder()


def seven_fold(build, factor: float = 7.0) -> list[float]:
    model = compile_program(lower(build({"x": factor * x})))
    return list(model.rhs(0.0, [2.0], [], model.constants([])))


@pytest.mark.parametrize("kept", [0, 100, 0.5, 0.99])
def test_a_truncated_library_is_made_anew(build, cache: Path, kept: float) -> None:
    """To load one can end Python: it is mapped into memory beyond its end."""
    seven_fold(build)
    (library,) = cache.glob("*.so")
    content = library.read_bytes()
    library.unlink()  # the one that is loaded stays as it is
    library.write_bytes(content[: int(kept if kept > 1 else kept * len(content))])
    library.chmod(0o700)
    assert seven_fold(build) == [14.0]
    assert len(library.read_bytes()) == len(content)


@pytest.mark.parametrize("with_digest", [False, True])
def test_a_library_under_the_name_of_another_is_made_anew(
    build, cache: Path, with_digest: bool
) -> None:
    seven_fold(build)
    (wanted,) = cache.glob("*.so")
    seven_fold(build, 5.0)
    (other,) = set(cache.glob("*.so")) - {wanted}
    os.replace(other, wanted)
    if with_digest:
        os.replace(other.with_suffix(".sha256"), wanted.with_suffix(".sha256"))
    assert seven_fold(build) == [14.0]


def test_a_library_that_others_can_write_is_made_anew(build, cache: Path) -> None:
    seven_fold(build)
    (library,) = cache.glob("*.so")
    before = library.stat().st_ino
    library.chmod(0o777)
    held = library.open("rb")  # so that its number is not given again
    assert seven_fold(build) == [14.0]
    assert library.stat().st_ino != before
    assert stat.S_IMODE(library.stat().st_mode) == 0o700
    held.close()


def test_a_library_is_on_the_disk_before_it_has_its_name(
    build, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    synchronise, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda number: (steps.append("sync"), synchronise(number)))
    monkeypatch.setattr(
        os, "replace", lambda old, new: (steps.append(Path(new).suffix), replace(old, new))
    )
    seven_fold(build)
    assert steps == ["sync", ".so", "sync", ".sha256"]


def test_what_a_killed_compilation_left_is_removed(build, cache: Path) -> None:
    seven_fold(build)
    (library,) = cache.glob("*.so")
    library.unlink()
    left = library.with_suffix(".0123abcd.making")
    left.mkdir()
    (left / "model.c").write_text("half")
    assert seven_fold(build) == [14.0]
    assert not left.exists()


def test_a_compiler_that_outlives_its_program_writes_elsewhere(
    build, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is killed while it compiles leaves a compiler that goes on writing to its own place."""
    places: list[str] = []
    usual = Compiler.build

    def watched(self: Compiler, source: str, target: str) -> None:
        places.append(target)
        usual(self, source, target)

    monkeypatch.setattr(Compiler, "build", watched)
    seven_fold(build)
    (library,) = cache.glob("*.so")
    library.unlink()
    assert seven_fold(build) == [14.0]
    assert len(set(places)) == 2


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_takes_nothing_is_a_message(
    build, cache: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(CompilerError, match=f"{os.strerror(number)}.*AXLETREE_CACHE"):
        seven_fold(build)
    assert not [path for path in cache.iterdir() if path.suffix != ".lock"]


def test_a_compiler_that_finds_the_disk_full_is_no_fault_of_the_code(
    build, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "cc"
    script.write_text(
        "#!/bin/sh\necho 'ld: final link failed: No space left on device' >&2; exit 1"
    )
    script.chmod(0o755)
    monkeypatch.setenv("AXLETREE_CC", shlex.quote(str(script)))
    with pytest.raises(CompilerError, match="No space left on device.*temporary.*AXLETREE_CACHE"):
        seven_fold(build)


def test_a_compiler_that_makes_nothing_is_named(
    build, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AXLETREE_CC", "true")
    with pytest.raises(CompilerError, match="(?s)'true' failed.*without an error, and made no"):
        seven_fold(build)


def test_a_cache_of_nobody_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AXLETREE_CACHE", "~no-such-user/cache")
    with pytest.raises(CompilerError, match="AXLETREE_CACHE"):
        cache_folder()


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
        "AXLETREE_CC": shlex.quote(str(watched)),
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


def test_a_compiler_with_an_open_quote_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AXLETREE_CC", "gcc 'x")
    with pytest.raises(CompilerError, match="No closing quotation"):
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
    warn_of_no_compiler.cache_clear()
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
