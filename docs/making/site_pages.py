"""Plain Markdown as pages of the site: lists of pages give its order, stubs stand for root files.

What an ``index.md`` lists is what the site's navigation has below it, so that a new page needs one
line there. On the repository's host a stub links to the file that it stands for; on the site the
text of that file takes its place, and links to the file lead to the stub.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
STUBS = {  # page of the site: file that it stands for
    "project/contributing": "CONTRIBUTING.md",
    "project/changes": "CHANGELOG.md",
    "project/expression-engines": "benchmarks/engines.md",
}
NOTEBOOKS = {path: DOCS / "notebooks" / path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
PAGE_OF = {ROOT / file: DOCS / f"{page}.md" for page, file in STUBS.items()} | NOTEBOOKS
LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(?=(?:#[^)\s]*)?\))")
LISTED = re.compile(r"^- \[([^\]]+)\]\(([^)#:\s]+)\.(?:md|ipynb)\)", re.MULTILINE)


def setup(app: Sphinx) -> dict[str, bool]:
    copy_notebooks()
    app.connect("env-get-outdated", lambda *_: ["gallery"])  # its live pages are no source
    app.connect("source-read", read_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def copy_notebooks() -> None:
    """Into this folder, outside of which Sphinx reads nothing; git leaves the copies out."""
    for page in (DOCS / "notebooks").glob("*.ipynb"):
        if page not in NOTEBOOKS.values():
            page.unlink()
    for path, page in NOTEBOOKS.items():
        if not page.exists() or page.read_bytes() != path.read_bytes():
            shutil.copyfile(path, page)


def read_page(app: Sphinx, page: str, source: list[str]) -> None:
    path = DOCS / f"{page}.md"
    if not path.exists():  # a notebook
        return
    text, folder = source[0], path.parent
    if page in STUBS:
        path = ROOT / STUBS[page]
        app.env.note_dependency(str(path), docname=page)
        text = path.read_text(encoding="utf-8")
    if page == "gallery":
        text += live_pages(Path(app.outdir))
    text = moved_links(text, path.parent, folder)
    source[0] = text + navigation(text) if path.name == "index.md" else text


def live_pages(site: Path) -> str:
    """A section with the live pages that the site has, which ``make live-pages`` leaves there."""
    pages = sorted((site / "live").glob("*.html"))
    if not pages:
        return ""
    links = "\n".join(
        f'<li><a href="live/{p.name}">{p.stem.replace("-", " ")}</a></li>' for p in pages
    )
    return (
        "\n## To drive\nThese vehicles are driven in the browser, with their physics in the page: "
        f"the arrow keys steer.\n\n```{{raw}} html\n<ul>\n{links}\n</ul>\n```\n"
    )


def moved_links(text: str, old: Path, new: Path) -> str:
    """The text of a page in the folder `old`, as it stands in the folder `new`."""

    def moved(match: re.Match[str]) -> str:
        target = Path(os.path.normpath(old / match[1]))
        if not target.exists():
            return match[1]
        return Path(os.path.relpath(PAGE_OF.get(target, target), new)).as_posix()

    return LINK.sub(moved, text)


def navigation(text: str) -> str:
    """The lists of an index as hidden trees of contents, each under the heading before it."""
    trees = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE):
        heading = section.partition("\n")[0]
        caption = "" if heading.startswith("# ") else f":caption: {heading}\n"
        pages = [f"{title} <{page}>" for title, page in LISTED.findall(section)]
        if pages:
            trees.append(f"\n```{{toctree}}\n:hidden:\n{caption}\n" + "\n".join(pages) + "\n```\n")
    return "".join(trees)
