"""Pieces of an HTML page that needs no other file and no network; all text is escaped."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from axletree.report.picture_file import figure_bytes, figure_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCREEN = 110  # dots per inch, of pictures in a page
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #16202c; background: #fff;
       max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0.2rem; }
h2 { margin-top: 2.4rem; border-bottom: 1px solid #ccd3da; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 0.2rem 0.9rem 0.2rem 0; border-bottom: 1px solid #e3e7eb;
         vertical-align: top; }
td.number { text-align: right; }
figure { margin: 1rem 0; overflow-x: auto; }
figure img, figure svg { max-width: 100%; height: auto; }
pre { overflow-x: auto; background: #f4f6f8; padding: 0.8rem; font-size: 0.85rem; }
pre.wrapped { white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; }
.notice { border-left: 4px solid #b00; padding-left: 0.8rem; }
.wide { overflow-x: auto; }
@media print { details > * { display: block; } }
"""


def page(title: str, parts: Iterable[str]) -> str:
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style>"
    )
    body = "\n".join(part for part in parts if part)
    lines = (
        "<!DOCTYPE html>", '<html lang="en">', f"<head>{head}</head>", "<body>", body, "</body>",
        "</html>",
    )  # fmt: skip
    return "\n".join(lines) + "\n"


def heading(text: str) -> str:
    return f"<h1>{escape(text)}</h1>"


def section(title: str, *parts: str) -> str:
    """A heading and what stands under it; nothing if nothing does."""
    content = "\n".join(part for part in parts if part)
    return f"<h2>{escape(title)}</h2>\n{content}" if content else ""


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def notice(text: str) -> str:
    return f'<p class="notice">{escape(text)}</p>'


def folded(summary: str, content: str) -> str:
    """Opens on a click."""
    return f"<details><summary>{escape(summary)}</summary>\n{content}\n</details>"


def listing(text: str) -> str:
    """Text whose columns stand below one another."""
    return f"<pre>{escape(text)}</pre>"


def formulas(text: str) -> str:
    """Text whose lines may be long."""
    return f'<pre class="wrapped">{escape(text)}</pre>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells that read as numbers stand to the right."""
    rows = list(rows)
    if not rows:
        return ""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    lines = ["<tr>" + "".join(_cell(text) for text in row) + "</tr>" for row in rows]
    return f'<div class="wide"><table>\n<tr>{head}</tr>\n' + "\n".join(lines) + "\n</table></div>"


def _cell(text: str) -> str:
    try:
        float(text)
    except ValueError:
        return f"<td>{escape(text)}</td>"
    return f'<td class="number">{escape(text)}</td>'


def links(names: Iterable[str]) -> str:
    """A list of files in the folder of the page."""
    items = [f'<li><a href="{quote(name)}">{escape(name)}</a></li>' for name in names]
    return "<ul>\n" + "\n".join(items) + "\n</ul>" if items else ""


def drawing(figure: Figure, alternative: str) -> str:
    """A figure of lines, sharp at any size."""
    return f'<figure role="img" aria-label="{escape(alternative)}">{figure_svg(figure)}</figure>'


def image(figure: Figure, alternative: str) -> str:
    """A figure of many points."""
    return picture(figure_bytes(figure, "png", SCREEN), alternative)


def picture(content: bytes, alternative: str) -> str:
    """What a PNG file has in it."""
    source = f"data:image/png;base64,{base64.b64encode(content).decode()}"
    return f'<figure><img alt="{escape(alternative)}" src="{source}"></figure>'
