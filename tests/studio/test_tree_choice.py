"""Another tree, chosen in the studio's page; in a process of its own kind of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from reports.headless_page import chromium, wait_for
from studio.test_studio_page import Opened, project_in_page

# After other tests of the studio in the same process the graph does not come in time.
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(chromium() is None, reason="no Chromium here: the page is not opened"),
]


@pytest.fixture
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """With a server and a browser that nothing was opened in before."""
    with project_in_page(tmp_path_factory) as made:
        yield made


def test_another_tree_is_chosen_by_two_clicks(alone: Opened) -> None:
    opened = alone
    opened.open("linkage.yaml")
    opened.click("tab-graph")
    wait_for(lambda: opened.value("document.querySelectorAll('#graph .chord').length") > 0)
    opened.value("document.querySelector('#graph .chord').dispatchEvent(new MouseEvent('click'))")
    assert "Which?" in opened.value("document.querySelector('.chord-state').innerText")
    opened.value("document.querySelector('#graph .within').dispatchEvent(new MouseEvent('click'))")
    opened.settle(2)
    assert "tree: {translation: [" in opened.value("studio.file.text")
    assert opened.value("studio.seen.problems.length") == 0
    assert opened.page.complaints() == []
