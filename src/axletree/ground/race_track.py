"""Race tracks from CSV files: places of the centre line, and the width of the lane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axletree.core.errors import ModelError
from axletree.core.registry import unknown_name
from axletree.core.yaml_document import resource, text_of
from axletree.ground.height_map import file_of
from axletree.ground.paths import CircuitPath

COLUMNS = ("x", "y", "width")
SUFFIX = ".csv"
TRACKS = {"lindenring": "axletree.data.tracks:lindenring.csv"}  # of the package: "package:file"


def track_of_file(fields: Mapping[str, Any]) -> CircuitPath:
    """The circuit of ``{file: track.csv, ...}``, or ``{track: lindenring}`` of the package; further
    fields are those of a circuit.

    The file has a line for each point of a lap, ``x, y`` or ``x, y, width`` in metres. A first line
    may name the columns, and what follows a # is left out.
    """
    given = dict(fields)
    if "track" in given and "file" not in given:
        return ready_track(given.pop("track"), **given)
    path = file_of(given, "a centre line .csv")
    if path.suffix != SUFFIX:
        raise ModelError(f"file: {path.name} is no centre line; expected a file {SUFFIX}")
    return circuit(text_of(path, path.name), path.name, given)


def ready_track(name: str, **fields: Any) -> CircuitPath:
    """A race track of the package, by its name."""
    if name not in TRACKS:
        raise ModelError(str(unknown_name("track", str(name), TRACKS, "the package")))
    file = resource(TRACKS[name])
    return circuit(text_of(file, file.name), file.name, fields)


def circuit(text: str, name: str, fields: Mapping[str, Any]) -> CircuitPath:
    rows: list[tuple[float, ...]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = [word.strip() for word in line.partition("#")[0].split(",")]
        if words == [""] or (not rows and words[0].lower() == COLUMNS[0]):
            continue
        try:
            rows.append(tuple(float(word) for word in words))
        except ValueError:
            raise ModelError(
                f"file: {name}, line {number}: expected numbers x, y and perhaps a width "
                f"in metres, got {line.strip()!r}"
            ) from None
        if len(words) not in (2, 3) or len(words) != len(rows[0]):
            raise ModelError(
                f"file: {name}, line {number}: expected {min(len(rows[0]), 3)} numbers, got "
                f"{len(words)}"
            )
    if not rows:
        raise ModelError(f"file: {name} has no points")
    return CircuitPath(through=tuple(rows), **fields)
