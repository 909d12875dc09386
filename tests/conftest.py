"""Settings of the whole test run: hypothesis profiles and compiled code."""

from __future__ import annotations

import gc
import io
import signal
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import equation_cache
import pytest
from hypothesis import HealthCheck, settings
from matplotlib.figure import Figure

from axletree.code.backends import c as compiler

# No deadline: the first example of a test pays for imports and compilation. Nor is it a fault if a
# busy machine takes long to think of examples.
PATIENT: Final = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("local", **PATIENT)
settings.register_profile("ci", **PATIENT, derandomize=True, print_blob=True)
settings.load_profile("local")

pytest_plugins = ("agreement",)
equation_cache.remember()  # before others import what it replaces

from axletree.reports import run_report  # noqa: E402
from axletree.simulation import simulate  # noqa: E402

# Shipped flags make the same numbers, but for the rounding of vector functions, and code that runs
# faster; most tests wait longer for the compiler than for its code. Tests about code, and those
# that are marked, compile as a user does.
_SHIPPED: Final = compiler.FLAGS
_QUICK: Final = ("-O0", *(flag for flag in _SHIPPED if flag != "-O2"))
_NATIVE: Final = compiler.NATIVE  # to look at the processor takes a quarter of a small compilation
# SymPy prints the equations of a car in seconds, for every report of a run that a test asks for.
# Reports with all of theirs are those of tests/reports.
_READABLE: Final = run_report.MOST_OPERATIONS
_SHORT: Final = 40
# Half the time of a run with its report goes into drawing its figures. They are put together
# everywhere; tests of figures, reports and pictures of the pages draw them.
_DRAWN: Final = Figure.savefig
_WATCH: Final = simulate.watched_steps
# Expressions are many small objects that live long: looking through all of them for cycles as
# often as Python does by default takes a sixth of the time.
_ALLOCATIONS_PER_COLLECTION: Final = 1_000_000


def pytest_configure(config: pytest.Config) -> None:
    gc.set_threshold(_ALLOCATIONS_PER_COLLECTION, 10, 10)
    # A shell starts what runs in the background deaf to Ctrl-C, which tests send and wait for.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The stage of the slow tests reads the files that have some; most have none."""
    if config.getoption("markexpr") != "slow" or collection_path.suffix != ".py":
        return None
    text = collection_path.read_text("utf-8")
    return None if "pytest.mark.slow" in text or "models_in_stages" in text else True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test that is marked ``sampled(k)`` every k-th case; the others are long ones."""
    counts: Counter[str] = Counter()
    for item in items:
        marks = list(item.iter_markers("sampled"))
        if marks:
            name = item.nodeid.partition("[")[0]
            if counts[name] % marks[0].args[0]:
                item.add_marker(pytest.mark.long)
            counts[name] += 1


def pytest_collection_finish() -> None:
    """What collecting leaves lives to the end: nobody need look through it for cycles."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def compiled_code(pytestconfig: pytest.Config) -> Iterator[None]:
    """A cache that both workers and both stages share, and that is not the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AXLETREE_CACHE", str(pytestconfig.rootpath / ".pytest_cache" / "compiled"))
        patch.setattr("os.fsync", lambda descriptor: None)  # no power cut is to be outlasted
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    as_shipped = item.get_closest_marker("shipped_flags") is not None or _is_of(item, "code")
    compiler.FLAGS = _SHIPPED if as_shipped else _QUICK  # type: ignore[misc]
    compiler.NATIVE = _NATIVE if as_shipped else "-O0"  # type: ignore[misc]
    run_report.MOST_OPERATIONS = _READABLE if _is_of(item, "reports") else _SHORT
    # Further runs of all that tests run would take longer than they do; make step-watch has them.
    is_watched = item.path.name in ("test_controllers.py", "test_pages.py", "test_step_watch.py")
    simulate.watched_steps = _WATCH if is_watched else _unwatched  # type: ignore[assignment]
    is_drawn = any(_is_of(item, room) for room in ("plot", "reports"))
    is_drawn |= item.get_closest_marker("pages") is not None
    Figure.savefig = _DRAWN if is_drawn else _left_blank  # type: ignore[method-assign]


def _unwatched(*_: Any, further_runs: bool = True) -> None:
    return None


def _left_blank(figure: Figure, target: Any, *, format: str | None = None, **_: Any) -> None:
    content = _blank(format or Path(target).suffix.lstrip("."))
    if hasattr(target, "write"):
        target.write(content)
    else:
        Path(target).write_bytes(content)


@cache
def _blank(kind: str) -> bytes:
    stream = io.BytesIO()
    _DRAWN(Figure(), stream, format=kind, metadata={"Date": None} if kind == "svg" else {})
    return stream.getvalue()


def _is_of(item: pytest.Item, room: str) -> bool:
    return item.path.is_relative_to(item.config.rootpath / "tests" / room)
