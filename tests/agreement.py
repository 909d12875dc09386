"""Comparisons that the validation page lists: asserted in tests, recorded while these run.

A test that has a number of ours and one of theirs is marked and asks for the fixture:

    @pytest.mark.validation("mechanisms")
    def test_the_period(agrees: Agrees) -> None:
        agrees("period", run.period, 2.007, rel=1e-3, unit="s", source="closed form")

With ``pytest -m validation --record-agreement FILE`` all comparisons go into one JSON file, from
which docs/making/make_validation.py makes the page.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

SUBJECTS: Final = {
    "mechanisms": "Mechanisms",
    "graphs": "Linear graphs and generated code",
    "tyres": "Tyres",
    "language": "The analyst's language",
    "soils": "Soils and complementarity",
    "vehicles": "Vehicles and manoeuvres",
    "numerics": "Numerics",
}
# A difference below this share of the largest number is rounding, which machines do differently.
ROUNDING: Final = 1e-9
PROPERTY: Final = "agreement"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One row: of several numbers, the pair that is nearest to its bound.

    ``found`` and ``expected`` are texts where no numbers are compared, but equations.
    """

    subject: str  # a key of SUBJECTS
    what: str
    unit: str
    found: str
    expected: str
    deviation: float  # divided by the expected number where the tolerance is relative
    tolerance: float
    relative: bool
    least_shown: float  # of the deviation; below it only this bound is shown
    numbers: int  # that are compared; 0 for equations
    source: str
    note: str
    case: str  # rows of a test that differ by the case alone are one on the page
    test: str  # path of the file and name of the function
    place: int  # of the test among all, so that rows have an order


class Agrees:
    """Asserts that ours is theirs, and records both."""

    def __init__(self, item: pytest.Item) -> None:
        marker = item.get_closest_marker("validation")
        if marker is None or len(marker.args) != 1 or marker.args[0] not in SUBJECTS:
            raise pytest.UsageError(
                f"{item.nodeid} compares with `agrees`, but has no marker "
                f"pytest.mark.validation(subject); subjects are {', '.join(SUBJECTS)}"
            )
        self._item = item
        self._subject: str = marker.args[0]

    def __call__(
        self, what: str, found: Any, expected: Any, *,
        rel: float | None = None, abs: float | None = None,
        source: str, unit: str = "", case: str = "", note: str = "",
    ) -> None:  # fmt: skip
        """Holds if each number is within ``rel`` times the expected one, or ``abs`` of it."""
        ours, theirs = np.broadcast_arrays(np.atleast_1d(found), np.atleast_1d(expected))
        ours, theirs = ours.ravel(), theirs.ravel()
        size, gap = np.abs(theirs), np.abs(ours - theirs)
        if rel is None and abs is None:
            raise pytest.UsageError(f"{what}: give rel or abs")
        allowed = np.maximum(size * (rel or 0.0), abs or 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(gap == 0.0, 0.0, gap / allowed)
        share = np.where(np.isnan(gap), np.inf, share)
        worst = int(np.argmax(share))
        k = worst if gap[worst] > ROUNDING * size.max() else int(np.argmax(size))
        relative = bool(rel is not None and rel * size[k] >= (abs or 0.0))
        unity = float(size[k]) if relative else 1.0
        tolerance = float(allowed[k]) / unity
        assert share[worst] <= 1.0, (
            f"{what}: found {ours[worst]} {unit}, expected {theirs[worst]} {unit} ({source}); "
            f"the deviation is {gap[worst]:.3g}, allowed are {allowed[worst]:.3g}"
        )
        # Numbers that differ by rounding alone could be shown on two sides of a digit's limit.
        shown = theirs[k] if 0.0 < gap[k] <= ROUNDING * size[k] else ours[k]
        noise = ROUNDING * float(size.max()) / unity if size.max() > 0.0 else 0.1 * tolerance
        self._record(
            what=what, unit=unit, source=source, case=case, note=note,
            found=_in_digits_of(shown, size.max(), float(allowed[k])),
            expected=_in_digits_of(theirs[k], size.max(), float(allowed[k])),
            deviation=float(gap[k]) / unity, tolerance=tolerance, relative=relative,
            least_shown=min(noise, tolerance), numbers=len(ours),
        )  # fmt: skip

    def as_equations(self, what: str, same: bool, *, source: str, note: str = "") -> None:
        """Holds if equations are the same by symbolic computation, for all values."""
        assert same, f"{what}: our equations are not those of {source}"
        self._record(
            what=what, unit="", source=source, case="", note=note,
            found="derived", expected="the same",
            deviation=0.0, tolerance=0.0, relative=False, least_shown=0.0, numbers=0,
        )  # fmt: skip

    def _record(self, **fields: Any) -> None:
        path, _, name = self._item.nodeid.partition("::")
        comparison = Comparison(
            subject=self._subject,
            test=f"{path}::{name.partition('[')[0]}",
            place=self._item.session.items.index(self._item),
            **fields,
        )
        self._item.user_properties.append((PROPERTY, asdict(comparison)))


def _in_digits_of(value: Any, size: float, allowed: float) -> str:
    """To six digits of the largest number; a complex one in two parts."""
    number = value.item()
    if isinstance(number, int):
        return str(number)
    if isinstance(number, complex):
        real, imaginary = (_in_digits_of(x, size, allowed) for x in (value.real, value.imag))
        sign = "" if imaginary.startswith("-") else "+"
        return real if imaginary == "0" else f"{real}{sign}{imaginary}i"
    if size == 0.0:
        return "≈ 0" if 0.0 < abs(number) <= 0.1 * allowed else short(number, 1)
    power = math.floor(math.log10(size))
    rounded = round(number, 5 - power) + 0.0  # no minus before a zero
    if -4 <= power < 7:
        text = f"{rounded:.{max(5 - power, 0)}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return short(rounded, 6)


def short(value: float, digits: int) -> str:
    return re.sub(r"e([-+])0*", r"e\1", f"{value:.{digits}g}")


@pytest.fixture
def agrees(request: pytest.FixtureRequest) -> Agrees:
    return Agrees(request.node)


class _Collector:
    """Gathers comparisons of all workers: their reports carry the properties of tests."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self._rows += [row for name, row in report.user_properties if name == PROPERTY]

    def pytest_sessionfinish(self) -> None:
        self._rows.sort(key=lambda row: row["place"])  # those of a test stay in their order
        self._path.write_text(json.dumps(self._rows, indent=1), encoding="utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-agreement",
        type=Path,
        default=None,
        metavar="FILE",
        help="write all comparisons of tests that are marked `validation` into a JSON file",
    )


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--record-agreement")
    is_worker = hasattr(config, "workerinput")
    if path is not None and not is_worker:
        config.pluginmanager.register(_Collector(path))


def read_comparisons(path: Path) -> Iterator[Comparison]:
    for row in json.loads(path.read_text(encoding="utf-8")):
        yield Comparison(**row)
