"""The site of docs/: built without a warning, with links that lead somewhere, and no network."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from reports.headless_page import chromium, headless_page

DOCS = Path(__file__).parent.parent.parent / "docs"
WITH_FORMULAS = "theory/linear-graphs.html"


@dataclass
class Document(HTMLParser):
    """What a page links to, loads and can be linked to at."""

    path: Path
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.tags.add(tag)
        self.anchors |= {given[key] for key in ("id", "name") if key in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag == "link" and "href" in given:
            self.loaded.append(given["href"])
        elif "src" in given:
            self.loaded.append(given["src"])


@dataclass(frozen=True)
class Site:
    folder: Path

    @cached_property
    def documents(self) -> dict[Path, Document]:
        return {path: Document(path) for path in sorted(self.folder.rglob("*.html"))}

    def lost_links(self) -> list[str]:
        """Links to pages, places on pages and files that are not there, each with its page."""
        return [
            f"{document.path.relative_to(self.folder)}: {link}"
            for document in self.documents.values()
            for link in [*document.links, *document.loaded]
            if not self._leads_somewhere(document, link)
        ]

    def _leads_somewhere(self, document: Document, link: str) -> bool:
        parts = urlsplit(link)
        if parts.scheme:
            return True
        target = document.path
        if parts.path:
            target = (document.path.parent / unquote(parts.path)).resolve()
        if target not in self.documents:
            return target.is_file()
        return not parts.fragment or unquote(parts.fragment) in self.documents[target].anchors


def build(folder: Path) -> Site:
    options = ["-W", "--keep-going", "-n", "-q", "-d", folder / "trees"]
    command = [sys.executable, "-m", "sphinx", *options, DOCS, folder / "site"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (made.returncode, made.stderr) == (0, ""), made.stderr
    return Site(folder / "site")


def loaded_from_elsewhere(site: Site) -> list[str]:
    loaded = {link for document in site.documents.values() for link in document.loaded}
    assert loaded
    sheets = [path for path in site.folder.rglob("*.css") if "url(http" in path.read_text("utf-8")]
    return [link for link in loaded if urlsplit(link).netloc] + [str(path) for path in sheets]


def test_no_two_pages_have_one_title() -> None:
    titles = [path.read_text(encoding="utf-8").partition("\n")[0] for path in DOCS.rglob("*.md")]
    assert sorted(set(titles)) == sorted(titles)


@pytest.mark.pages
def test_the_site_is_whole_and_stands_by_itself(tmp_path: Path) -> None:
    """In one test, since building takes most of its time."""
    site = build(tmp_path.resolve())
    pages = {path.relative_to(DOCS).with_suffix("") for path in DOCS.rglob("*.md")}
    assert pages <= {path.relative_to(site.folder).with_suffix("") for path in site.documents}
    assert site.lost_links() == []
    assert loaded_from_elsewhere(site) == []
    formulas = site.folder / WITH_FORMULAS
    assert {"math", "mtable", "msub"} <= site.documents[formulas].tags
    assert "$$" not in formulas.read_text(encoding="utf-8")
    if chromium() is None:
        pytest.skip("the site is sound; there is no Chromium to open it in")
    look(formulas, tmp_path / "browser")


def look(path: Path, folder: Path) -> None:
    """A browser shows formulas, and light and dark as it is asked to, from files alone."""
    grounds = {}
    with headless_page(folder) as page:
        for scheme in ("light", "dark"):
            feature = {"name": "prefers-color-scheme", "value": scheme}
            page.call("Emulation.setEmulatedMedia", features=[feature])
            page.open(path.as_uri())
            size = "document.querySelector('math[display=block]').getBoundingClientRect().height"
            assert page.value(size) > 15  # px
            assert page.value("document.fonts.check('16px \\'STIX Two Math\\'')")
            colour = page.value("getComputedStyle(document.body).backgroundColor")
            grounds[scheme] = sum(map(int, colour.strip("rgb()").split(",")))
        assert page.complaints() == []
        asked = [address for address in page.requests() if address != "about:blank"]
    assert asked
    assert [address for address in asked if not address.startswith(("file:", "data:"))] == []
    assert grounds["dark"] < 200 < 600 < grounds["light"]  # sums of three, each up to 255
