"""Curves of hard points as files: a table, and the suspension by curves that has them."""

from __future__ import annotations

import csv
import io

import numpy as np

from axletree.components.file_entries import written_part
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.linkages.curves.axle_curves import WheelCurves

_DEGREES = 180.0 / np.pi
# Column: attribute of the curves and what its values are multiplied by.
_COLUMNS = {
    "travel [mm]": ("travel", 1e3),
    "camber [deg]": ("camber", _DEGREES),
    "toe [deg]": ("toe", _DEGREES),
    "caster [deg]": ("caster", _DEGREES),
    "outward [mm]": ("outward", 1e3),
    "forward [mm]": ("forward", 1e3),
    "force [N]": ("force", 1.0),
}


def curves_table(curves: WheelCurves) -> str:
    """Changes over wheel travel as CSV: camber, toe and caster from design, ways of the wheel
    centre outward and forward, force of the spring at the wheel from design."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_COLUMNS)
    columns = (factor * getattr(curves, name) for name, factor in _COLUMNS.values())
    table.writerows([f"{value:.9g}" for value in row] for row in zip(*columns, strict=True))
    return text.getvalue()


def curves_entry(suspension: LinkedSuspension) -> str:
    """The suspension by curves as an entry ``suspension:`` of a vehicle file."""
    from ruamel.yaml import YAML

    entry = {"suspension": written_part(suspension.curves(), "suspension", "SUSPENSIONS")}
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = None
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    yaml.width = 100
    text = io.BytesIO()
    yaml.dump(entry, text)
    return text.getvalue().decode("utf-8")
