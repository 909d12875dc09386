"""The pages of docs/: their Python runs and prints what they say, their links lead somewhere."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from docs.page_blocks import blocks_of

from axletree.catalogue import (
    BELTS,
    CONTACT_DYNAMICS,
    CONTACTS,
    FORMS,
    LEVERS,
    NORMAL_FORCES,
    RIMS,
    ROLLING_RADII,
    SLIPS,
    TYRES,
)
from axletree.cli.app import COMMANDS
from axletree.core.registry import load
from axletree.vehicles.vehicle import Fidelity

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))
# Their Python takes more than a second.
LONG = {
    "how-to/analyses.md", "how-to/controllers.md", "how-to/crane.md", "how-to/derivatives.md",
    "how-to/driving-cycles.md", "how-to/hydraulic-brakes.md", "how-to/identification.md",
    "how-to/integrator-and-step.md", "how-to/lap-times.md", "how-to/learning-agents.md",
    "how-to/manoeuvres.md", "how-to/many-cars.md", "how-to/measured-data.md",
    "how-to/optimal-control.md", "how-to/optimal-manoeuvres.md", "how-to/path-driver.md",
    "how-to/results.md",
    "how-to/tolerances.md", "how-to/vehicle-analyses.md", "how-to/vehicle-manoeuvres.md",
    "how-to/vehicles.md", "reference/examples.md", "theory/ideal-wheels.md",
    "theory/integrators.md", "theory/small-variables.md", "theory/vehicles.md",
    "tutorials/a-million-cars.md", "tutorials/electric-car.md", "tutorials/first-agent.md",
    "tutorials/first-lap.md", "tutorials/hydraulic-steering.md",
    "tutorials/identify-your-car.md", "tutorials/own-equations.md",
    "tutorials/own-suspension.md", "tutorials/own-topology.md", "tutorials/soft-soil.md",
    "tutorials/springs-for-a-track.md", "tutorials/stability-control.md",
}  # fmt: skip
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def marks(page: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.pages] if page in LONG else []


@pytest.mark.parametrize("page", [pytest.param(page, marks=marks(page)) for page in PAGES])
def test_the_python_of_a_page_prints_what_it_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The blocks of a page follow one another; a block of text is what the one before it prints.

    What commands print is compared by test_page_commands.py.
    """
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    printed = ""
    for block in blocks_of(f"docs/{page}"):
        if block.language == "python":
            stream = io.StringIO()
            with contextlib.redirect_stdout(stream):
                exec(compile(block.text, page, "exec", dont_inherit=True), names)
            printed = stream.getvalue()
        elif block.language == "text" and block.shown_by == "python":
            assert printed == block.text


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    folder = (DOCS / page).parent
    assert [link for link in LINK.findall(text_of(page)) if not (folder / link).exists()] == []


def test_by_task_leads_to_every_command_and_every_page() -> None:
    """A capability that nobody who comes with a task is led to is not there for them."""
    page = text_of("by-task.md")
    assert [name for name in COMMANDS if f"`axletree {name}" not in page] == []
    pages = {name for name in PAGES if name.startswith(("how-to/", "tutorials/"))}
    assert pages - set(LINK.findall(page)) == {"how-to/index.md", "tutorials/index.md"}


def test_the_glossary_has_the_words_of_models_and_of_what_is_done_with_them() -> None:
    page = text_of("glossary.md")
    rows = set(", ".join(re.findall(r"^\| ([^|]+) \|", page, re.M)).lower().split(", "))
    assert {
        "bump steer", "bushing", "controller", "environment", "fmu", "hard points",
        "kinematics and compliance (k&c)", "roll centre", "runner", "stepper", "wheel rate",
    } <= rows  # fmt: skip
    assert [one.value for one in Fidelity if f"`{one.value}`" not in page] == []
    forms = {"projected", "embedded", "Baumgarte", "partition"}
    assert [word for word in forms if word not in page or word.lower() not in FORMS] == []


PARTS = [
    TYRES, CONTACTS, SLIPS, ROLLING_RADII, NORMAL_FORCES, RIMS, BELTS, CONTACT_DYNAMICS, LEVERS,
]  # fmt: skip


@pytest.mark.parametrize("section", PARTS)
def test_the_page_on_tyres_has_every_part(section: dict[str, str]) -> None:
    """A row for each, in the order and words of the catalogue."""
    rows = re.findall(
        r"^\| `([^`]+)`(?: \(default\))? \| `(\w+)` \| (.+) \|$", text_of("theory/tyres.md"), re.M
    )
    kinds = {name: load("part", name, section) for name in section}
    expected = [(name, kind.__name__, kind.summary) for name, kind in kinds.items()]
    found = [row for row in rows if row in expected]
    assert found == expected


def test_every_picture_is_shown() -> None:
    shown = {
        (DOCS / page).parent.joinpath(target).resolve()
        for page in PAGES
        for target in LINK.findall(text_of(page))
    }
    assert {path.resolve() for path in (DOCS / "pictures").iterdir()} <= shown
