"""Pages of HTML from the folder ``templates``: each needs no other file and no network.

All text is escaped. ``page.html.jinja`` is the frame of a page, ``pieces.html.jinja`` has what
pages are made of: sections, tables, figures.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from axletree.core.units import UnitError, parse_unit, printed_unit
from axletree.metrics.findings import unit_in_words, value_in_words
from axletree.metrics.verdict import VERDICT_DIGITS
from axletree.plot.figure_files import colour_variables, figure_bytes, figure_svg
from axletree.plot.style import plotted_label

if TYPE_CHECKING:
    from jinja2 import Environment
    from matplotlib.figure import Figure

SCREEN = 110  # dots per inch, of pictures in a page
WIDEST_DRAWING = 14.0  # inches, beyond which words are too small where all of it is seen at once
LONGEST_DRAWING = 600_000  # letters, beyond which a picture of points is smaller and as sharp


def render(template: str, **values: Any) -> str:
    """The text of a page; ``contents`` gathers the titles of its sections."""
    return templates().get_template(f"{template}.html.jinja").render(contents=[], **values)


@cache
def templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("axletree.reports"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.do"],
    )  # fmt: skip
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    made.globals |= {
        "light_colours": colour_variables(dark=False), "dark_colours": colour_variables(dark=True)
    }  # fmt: skip
    made.filters |= {
        "anchor": lambda title: re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-"),
        "base64": lambda content: base64.b64encode(content).decode(),
        "few_digits": lambda found: _few_digits(found.value, found.unit),
        "number_columns": _number_columns,
        "printed_label": plotted_label,
        "printed_unit": printed_unit,
        "svg": _svg,
        "png": lambda figure: figure_bytes(figure, "png", SCREEN),
    }
    made.tests["wide"] = _is_wide
    return made


def _few_digits(value: float, unit: str) -> str:
    printed = printed_unit(unit_in_words(unit) or "1")
    said = value_in_words(value, unit, VERDICT_DIGITS)
    return said if said == "none" else f"{said} {printed}".removesuffix(" 1")


def _number_columns(rows: Sequence[Sequence[str]], count: int) -> list[bool]:
    """Which of so many columns hold nothing but numbers, with their units or without; some cells
    may be empty."""
    columns = zip_longest(*rows, [""] * count, fillvalue="")
    filled = ([text for text in column[:-1] if text] for column in columns)
    return [bool(texts) and all(map(_is_number, texts)) for texts in filled]


def _is_number(text: str) -> bool:
    number, _, unit = text.partition(" ")
    try:
        float(number)
    except ValueError:
        return text in ("none", "yes", "no", "equal")
    return unit in ("", "%") or _is_unit(unit)


def _is_unit(text: str) -> bool:
    try:
        parse_unit(text)
    except UnitError:
        return False
    return True


def _svg(figure: Figure) -> str:
    """Empty where points are fewer: those of a great sheet of paper never are."""
    text = figure_svg(figure)
    return text if len(text) <= LONGEST_DRAWING or _is_wide(figure) else ""


def _is_wide(figure: Figure) -> bool:
    """Whether a page shows it in part, at a size at which it can be read."""
    return bool(figure.get_figwidth() > WIDEST_DRAWING)
