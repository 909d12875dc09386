"""Settings of the whole test run: hypothesis profiles and the time budget of slow tests."""

from __future__ import annotations

import time

import pytest
from hypothesis import settings

# No deadline: the first example of a test pays for imports and compilation.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("local")

_START = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--time-budget",
        type=float,
        default=None,
        metavar="SECONDS",
        help="tests that have not started when this time has passed fail",
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    budget = item.config.getoption("--time-budget")
    if budget is not None and time.monotonic() - _START > budget:
        pytest.fail(
            f"not run: the time budget of {budget:g} s was used up; "
            "raise it with `make test SLOW_BUDGET=...`, or make the slow tests quicker",
            pytrace=False,
        )
