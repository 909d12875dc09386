"""Figures as files and as text."""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from axletree.core.errors import AxletreeError
from axletree.core.files import whole_file
from axletree.plot.style import DARK

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURE_FORMATS = ("svg", "png", "pdf")
RESOLUTION = 160  # dots per inch, of PNG


class PictureFormatError(AxletreeError):
    """A kind of picture that is not known."""


def write_figure(figure: Figure, path: Path) -> Path:
    """A picture file, written whole or not at all; the same figure gives the same bytes.

    Example:
    >>> from pathlib import Path
    >>> from matplotlib.figure import Figure
    >>> from axletree.plot.figure_files import write_figure
    >>> write_figure(Figure(figsize=(1.0, 1.0)), Path("empty.svg")).name
    'empty.svg'
    """
    kind = path.suffix.lstrip(".").lower()
    if kind not in FIGURE_FORMATS:
        raise PictureFormatError(
            f"cannot write a picture to {path}; expected a name that ends in "
            f"{', '.join('.' + word for word in FIGURE_FORMATS)}"
        )
    content = figure_bytes(figure, kind)
    with whole_file(path) as stream:
        stream.write(content)
    return path


def figure_bytes(figure: Figure, kind: str, resolution: int = RESOLUTION) -> bytes:
    """The figure in one of the formats, without the date of making."""
    import matplotlib

    stream = io.BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    with matplotlib.rc_context({"svg.hashsalt": "axletree"}), warnings.catch_warnings():
        # A letter that the font does not have is seen to be a box.
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        figure.savefig(stream, format=kind, dpi=resolution, metadata=metadata)
    return stream.getvalue()


def figure_svg(figure: Figure) -> str:
    """The figure as an SVG element that can stand in a page.

    Words are words that can be searched for, and colours are variables that the page sets: see
    ``colour_variables``.
    """
    import matplotlib

    with matplotlib.rc_context({"svg.fonttype": "none"}):
        text = figure_bytes(figure, "svg").decode()
    text = text[text.index("<svg") :]
    name = hashlib.sha256(text.encode()).hexdigest()[:8]
    # Several elements of one page would have the same names.
    text = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)
    text = re.sub(r"<[^>]*>", _rounded, text)  # places, and no words
    text = re.sub(r"'DejaVu Sans'[^;\"]*", "'DejaVu Sans', sans-serif", text)
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text, flags=re.DOTALL)
    for number, colour in enumerate(DARK):
        text = text.replace(colour, f"var(--plot-{number})")
    return text


def _rounded(tag: re.Match[str]) -> str:
    """Numbers of a tag to a hundredth of a point."""
    return re.sub(r"\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}", tag[0])


def colour_variables(*, dark: bool) -> str:
    """What a style sheet sets for elements of ``figure_svg``."""
    variables = (f"--plot-{k}: {DARK[one] if dark else one};" for k, one in enumerate(DARK))
    return " ".join(variables)
