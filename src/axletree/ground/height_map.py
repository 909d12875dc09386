"""Height maps: grids of heights from CSV files, NumPy files and grey images.

In a CSV or NumPy file a row belongs to one x and a column to one y, as in the field
``heights`` of bicubic patches. An image is seen from above, x to the right and y upwards.
"""

from __future__ import annotations

import math
import stat
import struct
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.lib import format

from axletree.components.fields import finite_number, part_fields
from axletree.core.errors import ModelError, as_model_error
from axletree.core.problems import shown
from axletree.core.registry import unknown_name
from axletree.ground.grid_surfaces import LARGEST_GRID, Bicubic, SlopeRule

LARGEST_MAP_FILE = 64 * 1024 * 1024  # bytes
_OWN = ("spacing", "low", "high")  # fields that the patches do not have
_PNG: Final = b"\x89PNG\r\n\x1a\n"


def height_map_surface(fields: Mapping[str, Any]) -> Bicubic:
    """The surface of ``{file: ground.png, spacing: 0.1, low: 0, high: 0.3, ...}``.

    ``spacing`` is the distance of neighbouring heights; ``length_x`` and ``length_y`` may be
    given instead. ``low`` and ``high`` are the heights of black and of white. Further fields
    are those of bicubic patches; slopes are central differences unless they say otherwise.
    """
    given = dict(fields)
    path = file_of(given, "a height map .csv, .npy or .png")
    own = {name: checked_length(given.pop(name), name) for name in _OWN if name in given}
    heights = read_heights(path, own.get("low"), own.get("high"))
    if min(heights.shape) < 2:
        found = " x ".join(str(n) for n in heights.shape)
        raise ModelError(
            f"{path}: {found} heights make no surface; a height map needs at least two rows "
            "and two columns"
        )
    if "spacing" in own:
        if own["spacing"] <= 0.0:
            raise ModelError(not_positive("spacing", own["spacing"]))
        wanted = {
            f"length_{a}": own["spacing"] * (n - 1)
            for a, n in zip("xy", heights.shape, strict=True)
        }
        twice = sorted(set(wanted) & set(given))
        if twice:
            raise ModelError(f"spacing and {twice[0]} say the same; give one of them")
        given |= wanted
    return patches(path, heights, given, _OWN)


def checked_length(value: Any, name: str) -> float:
    """A field in metres."""
    with as_model_error(f"{name}: "):
        return finite_number(value, "m")


def not_positive(name: str, value: float) -> str:
    return f"{name}: {value:g} m is not allowed, it must be greater than 0"


def file_of(fields: dict[str, Any], what: str) -> Path:
    """The path among the fields, which it leaves."""
    file = fields.pop("file", None)
    if not isinstance(file, str | Path):
        raise ModelError(f"file: expected the path of {what}, got {shown(file)}")
    return Path(file)


def patches(
    path: Path, heights: np.ndarray, fields: Mapping[str, Any], own: tuple[str, ...]
) -> Bicubic:
    """Patches between the heights of a file, with further fields of the model file."""
    known = [name for name, _ in part_fields(Bicubic) if name != "heights"]
    unknown = sorted(set(fields) - set(known))
    if unknown:
        raise ModelError(str(unknown_name("field", unknown[0], [*own, *known], path.name)))
    missing = [name for name in ("length_x", "length_y") if name not in fields]
    if missing:
        raise ModelError(f"{missing[0]} is missing: give it, or the spacing of the heights [m]")
    with as_model_error(f"{path}: "):
        return Bicubic(heights.tolist(), **{"slope_rule": SlopeRule.CENTRAL, **fields})


def read_heights(path: Path, low: float | None = None, high: float | None = None) -> np.ndarray:
    """Heights [m] of a file, a row for each x; ``low`` and ``high`` are for images."""
    suffix = path.suffix.lower()
    if suffix not in _READERS:
        kinds = ", ".join(_READERS)
        raise ModelError(f"{path}: unknown kind of file; expected {kinds}")
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):  # a pipe would be waited for
            raise ModelError(f"{path}: this is no plain file, but a folder, a pipe or a device")
        if about.st_size > LARGEST_MAP_FILE:
            raise ModelError(
                f"{path}: the file is too large; the limit is {LARGEST_MAP_FILE >> 20} MiB"
            )
    except FileNotFoundError:
        raise ModelError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read: {error}") from None
    if suffix == ".png":
        if high is None:
            raise ModelError("high: the height of white is missing; give it in metres")
        return low_to_high(_grey(path), low or 0.0, high)
    if low is not None or high is not None:
        raise ModelError(f"low and high are for images; {path.name} has heights in metres")
    found: np.ndarray = _READERS[suffix](path)
    if found.ndim != 2:
        raise ModelError(f"{path}: expected rows and columns, got an array of {found.ndim} axes")
    return found


def low_to_high(grey: np.ndarray, low: float, high: float) -> np.ndarray:
    """Heights of an image from 0, black, to 1, white; its top row is at the greatest y."""
    heights: np.ndarray = low + (high - low) * grey[::-1].T
    return heights


def _numpy(path: Path) -> np.ndarray:
    """Its header says what is in it, and is believed before anything else is read."""
    heading = {(1, 0): format.read_array_header_1_0, (2, 0): format.read_array_header_2_0}
    try:
        with path.open("rb") as stream, warnings.catch_warnings():
            warnings.simplefilter("error")  # of a header that is not quite one
            shape, _, kind = heading[format.read_magic(stream)](stream)
            if kind.kind not in "biuf":
                raise ModelError(f"{path}: expected real numbers, got an array of {kind.name}")
            _check_count(path, "heights", *shape)
            stream.seek(0)
            return np.asarray(np.load(stream, allow_pickle=False), dtype=float)
    except ModelError:
        raise
    except Exception as error:  # a damaged header is parsed as Python, and fails in any way
        raise ModelError(f"{path}: cannot be read as an array of numbers: {error}") from None


def _check_count(path: Path, what: str, *shape: int) -> None:
    if math.prod(shape) > LARGEST_GRID:
        found = " x ".join(map(str, shape))
        raise ModelError(f"{path}: {found} {what} are too many; the limit is {LARGEST_GRID}")


def _csv(path: Path) -> np.ndarray:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read as text: {error}") from None
    rows: list[list[float]] = []
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        separator = max(",;\t", key=text.count)
        cells = text.split(separator) if separator in text else text.split()
        try:
            rows.append([float(cell) for cell in cells])
        except ValueError as error:
            raise ModelError(f"{path}, line {number}: {error}") from None
        if len(rows[-1]) != len(rows[0]):
            raise ModelError(
                f"{path}, line {number}: {len(rows[-1])} numbers, but {len(rows[0])} before"
            )
    if not rows:
        raise ModelError(f"{path}: the file has no numbers")
    return np.array(rows)


def _grey(path: Path) -> np.ndarray:
    """From 0, black, to 1, white; the first row is the top one."""
    from PIL import Image

    try:
        with path.open("rb") as stream:
            header = stream.read(24)
            if header[:8] != _PNG or header[12:16] != b"IHDR":
                raise ModelError(f"{path}: this is no PNG file, whatever its name says")
            _check_count(path, "pixels", *struct.unpack(">II", header[16:]))
            stream.seek(0)
            with Image.open(stream, formats=("PNG",)) as image:
                deep = image.mode.startswith("I")
                values = np.asarray(image if deep else image.convert("L"), dtype=float)
    except (OSError, ValueError, SyntaxError, struct.error) as error:
        raise ModelError(f"{path}: cannot be read as an image: {error}") from None
    return values / (65535.0 if deep else 255.0)


_READERS: dict[str, Callable[[Path], np.ndarray]] = {".csv": _csv, ".npy": _numpy, ".png": _grey}
