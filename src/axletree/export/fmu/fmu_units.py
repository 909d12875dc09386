"""Units of an FMU: each by its SI exponents, with the units in which people look at it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from xml.etree.ElementTree import Element, SubElement

from axletree.core.units import BASE_UNITS, parse_unit, units_in

# The same attributes in FMI 2 and 3; the package knows no amount of substance and no candela.
_DISPLAYED: Final = {
    "rad": ("deg",),
    "rad/s": ("deg/s", "rpm"),
    "m": ("mm",),
    "m/s": ("km/h",),
    "N": ("kN",),
    "Pa": ("bar",),
    "1": ("%",),
}


def unit_definitions(units: Iterable[str]) -> Element:
    """``UnitDefinitions`` of these SI units.

    Example:
    >>> from axletree.export.fmu.fmu_units import unit_definitions
    >>> force = unit_definitions(["N"])[0]
    >>> force.get("name"), dict(force[0].attrib), dict(force[1].attrib)
    ('N', {'kg': '1', 'm': '1', 's': '-2'}, {'name': 'kN', 'factor': '0.001'})
    """
    definitions = Element("UnitDefinitions")
    for name in sorted(set(units)):
        parsed = parse_unit(name)
        unit = SubElement(definitions, "Unit", name=name)
        exponents = zip(BASE_UNITS, parsed.dimension, strict=True)
        base = SubElement(unit, "BaseUnit", {b: str(n) for b, n in exponents if n})
        if parsed.factor != 1:
            base.set("factor", repr(float(parsed.factor)))
        for display in _DISPLAYED.get(name, ()):
            SubElement(unit, "DisplayUnit", name=display, factor=repr(units_in(display, name)))
    return definitions
