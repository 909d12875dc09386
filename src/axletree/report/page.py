"""Pieces of an HTML page that needs no other file and no network; all text is escaped."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from axletree.plot.figure_files import colour_variables, figure_bytes, figure_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCREEN = 110  # dots per inch, of pictures in a page
WIDEST_DRAWING = 14.0  # inches, beyond which words are too small where all of it is seen at once
LONGEST_DRAWING = 600_000  # letters, beyond which a picture of points is smaller and as sharp
# Light unless the screen asks for dark; paper is always light.
_STYLE = f"""
:root {{ color-scheme: light dark; --ink: #16202c; --paper: #fff; --line: #ccd3da; --faint: #e3e7eb;
         --shade: #f4f6f8; --warn: #b5320a; --link: #005a8e; {colour_variables(dark=False)} }}
@media screen and (prefers-color-scheme: dark) {{
  :root {{ --ink: #e3e9ef; --paper: #161c23; --line: #46525e; --faint: #2b343d; --shade: #1f2730;
           --warn: #ff8a3d; --link: #7cc0f0; {colour_variables(dark=True)} }}
}}
body {{ font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
        max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }}
h1 {{ margin-bottom: 0.2rem; }}
h2 {{ margin-top: 2.4rem; border-bottom: 1px solid var(--line); }}
a {{ color: var(--link); }}
nav a {{ margin-right: 1rem; display: inline-block; }}
table {{ border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }}
th, td {{ text-align: left; padding: 0.2rem 1.2rem 0.2rem 0; vertical-align: top;
          border-bottom: 1px solid var(--faint); }}
td.number, th.number {{ text-align: right; }}
.columns {{ display: flex; flex-wrap: wrap; gap: 0 2rem; }}
.columns td {{ padding-right: 0.8rem; }}
figure {{ margin: 1rem 0; overflow-x: auto; }}
figure img, figure svg {{ max-width: 100%; height: auto; }}
figure.scrolled svg {{ max-width: none; }}
figure img {{ background: #fff; padding: 0.4rem; box-sizing: border-box; border-radius: 0.4rem; }}
iframe {{ border-radius: 0.4rem; }}
pre {{ overflow-x: auto; background: var(--shade); padding: 0.8rem; font-size: 0.85rem; }}
pre.wrapped {{ white-space: pre-wrap; overflow-wrap: anywhere; }}
summary {{ cursor: pointer; margin: 0.4rem 0; }}
.notice {{ border-left: 4px solid var(--warn); padding-left: 0.8rem; }}
.wide {{ overflow-x: auto; }}
@media (max-width: 40rem) {{
  figure svg, figure img {{ max-width: none; width: 44rem; }}
  figure.scrolled svg {{ width: auto; }}
}}
@media print {{
  body {{ max-width: none; margin: 0; font-size: 10pt; }}
  iframe, nav {{ display: none; }}
  h2 {{ break-after: avoid; }}
  tr, figure {{ break-inside: avoid; }}
  figure svg, figure.scrolled svg, figure img {{ max-width: 100%; width: auto; max-height: 21cm; }}
}}
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
    return f'<h2 id="{_anchor(title)}">{escape(title)}</h2>\n{content}' if content else ""


def contents(parts: Iterable[str]) -> str:
    """Links to the sections among the parts."""
    titles = re.findall(r'<h2 id="([^"]*)">([^<]*)</h2>', "\n".join(parts))
    links = " ".join(f'<a href="#{name}">{title}</a>' for name, title in titles)
    return f"<nav>{links}</nav>" if titles else ""


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


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
    """Columns that hold nothing but numbers stand to the right; heads that are all empty are left
    out."""
    rows = [(*row, *[""] * (len(heads) - len(row))) for row in rows]
    if not rows:
        return ""
    columns = zip(*rows, strict=True)
    kinds = [' class="number"' if all(map(_is_number, column)) else "" for column in columns]
    lines = [_row("td", row, kinds) for row in rows]
    if any(heads):
        lines.insert(0, _row("th", heads, kinds))
    return '<div class="wide"><table>\n' + "\n".join(lines) + "\n</table></div>"


def in_columns(*parts: str) -> str:
    """Beside one another where the page is wide enough."""
    return f'<div class="columns">{"".join(parts)}</div>' if any(parts) else ""


def _row(tag: str, cells: Sequence[str], kinds: Sequence[str]) -> str:
    row = (f"<{tag}{kind}>{escape(text)}</{tag}>" for text, kind in zip(cells, kinds, strict=False))
    return f"<tr>{''.join(row)}</tr>"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text in ("none", "yes", "no")
    return True


def links(names: Iterable[str]) -> str:
    """A list of files in the folder of the page."""
    items = [f'<li><a href="{quote(name)}">{escape(name)}</a></li>' for name in names]
    return "<ul>\n" + "\n".join(items) + "\n</ul>" if items else ""


def drawing(figure: Figure, alternative: str) -> str:
    """A figure of lines, sharp at any size, in the colours of the page."""
    text, wide = figure_svg(figure), is_wide(figure)
    if len(text) > LONGEST_DRAWING and not wide:  # points of a great sheet of paper are many more
        return image(figure, alternative)
    kind = ' class="scrolled"' if wide else ""
    return f'<figure{kind} role="img" aria-label="{escape(alternative)}">{text}</figure>'


def is_wide(figure: Figure) -> bool:
    """Whether a page shows it in part, at a size at which it can be read."""
    return bool(figure.get_figwidth() > WIDEST_DRAWING)


def image(figure: Figure, alternative: str) -> str:
    """A figure of many points."""
    return picture(figure_bytes(figure, "png", SCREEN), alternative)


def picture(content: bytes, alternative: str) -> str:
    """What a PNG file has in it."""
    source = f"data:image/png;base64,{base64.b64encode(content).decode()}"
    return f'<figure><img alt="{escape(alternative)}" src="{source}"></figure>'
