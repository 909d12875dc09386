"""Units as people write them: ``printed_unit("kg*m^2")`` is "kg·m²". Files keep the plain ones."""

from __future__ import annotations

import re

_RAISED = str.maketrans("0123456789-.", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻·")


def printed_unit(unit: str) -> str:
    """With raised exponents and a dot between factors.

    Example:
    >>> from axletree.core.unit_text import printed_unit
    >>> printed_unit("m/s^2"), printed_unit("N*m"), printed_unit("m/s^1.75")
    ('m/s²', 'N·m', 'm/s¹·⁷⁵')
    """
    raised = re.sub(r"\^(-?\d+(?:\.\d+)?)", lambda found: found[1].translate(_RAISED), unit)
    return raised.replace("*", "·")
