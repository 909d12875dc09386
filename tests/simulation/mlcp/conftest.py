"""Each test with this fixture runs in C and in Python."""

from __future__ import annotations

import pytest

from axletree.code.backends.c import NO_COMPILER, find_compiler


@pytest.fixture(params=["C", "Python"])
def language(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "Python":
        monkeypatch.setenv("AXLETREE_CC", NO_COMPILER)
    elif find_compiler() is None:
        pytest.skip("there is no C compiler on this machine")
    return str(request.param)
