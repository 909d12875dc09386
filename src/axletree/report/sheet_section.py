"""The part of a report that tells what was run: the data sheet of a vehicle or a mechanism."""

from __future__ import annotations

from axletree.core.unit_text import printed_unit
from axletree.model.model import Model
from axletree.report import page
from axletree.report.mechanism_sheet import mechanism_sheet
from axletree.system.system import System
from axletree.vehicles.data_sheet import Row, data_sheet
from axletree.vehicles.vehicle import Vehicle

FEW = 8  # rows that stay in one column


def sheet_section(model: Model, system: System) -> str:
    """What ``axletree check`` prints; of a vehicle also what of it is unusual."""
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        return _table(mechanism_sheet(model, system))
    sheet = data_sheet(vehicle)
    return _table(sheet.rows) + "".join(page.notice(f"Unusual: {text}") for text in sheet.warnings)


def _table(rows: tuple[Row, ...]) -> str:
    told = [(row.name.replace("_", " "), _in_words(row.value), _unit(row)) for row in rows]
    half = -(-len(told) // 2) if len(told) > FEW else len(told)
    return page.in_columns(*(page.table(("", "", ""), part) for part in (told[:half], told[half:])))


def _unit(row: Row) -> str:
    return "" if row.unit == "1" else printed_unit(row.unit)


def _in_words(value: float) -> str:
    """Four digits, and no exponent of what people write in full, such as 74960 N/rad."""
    return f"{float(f'{value:.4g}'):.7g}"
