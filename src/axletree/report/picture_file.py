"""Figures as files and as text."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from axletree.core.errors import AxletreeError
from axletree.core.files import replaced

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("svg", "png", "pdf")
RESOLUTION = 160  # dots per inch, of PNG


class PictureFormatError(AxletreeError):
    """A kind of picture that is not known."""


def write_figure(figure: Figure, path: Path) -> Path:
    """A picture file, written whole or not at all; the same figure gives the same bytes."""
    kind = path.suffix.lstrip(".").lower()
    if kind not in FORMATS:
        raise PictureFormatError(
            f"cannot write a picture to {path}; expected a name that ends in "
            f"{', '.join('.' + word for word in FORMATS)}"
        )
    content = figure_bytes(figure, kind)
    with replaced(path) as stream:
        stream.write(content)
    return path


def figure_bytes(figure: Figure, kind: str, resolution: int = RESOLUTION) -> bytes:
    """The figure in one of the formats, without the date of making."""
    import matplotlib

    stream = io.BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    with matplotlib.rc_context({"svg.hashsalt": "axletree"}):
        figure.savefig(stream, format=kind, dpi=resolution, metadata=metadata)
    return stream.getvalue()


def figure_svg(figure: Figure) -> str:
    """The figure as an SVG element that can stand in a page."""
    text = figure_bytes(figure, "svg").decode()
    return text[text.index("<svg") :]
