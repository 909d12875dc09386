"""Findings as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from axletree.model.manoeuvres.findings import Finding


def finding_as_json(finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.name,
        "value": number_as_json(finding.value),
        "unit": finding.unit,
        "description": finding.description,
    }


def finding_from_json(content: Mapping[str, Any]) -> Finding:
    value = math.nan if content["value"] is None else float(content["value"])
    return Finding(content["name"], value, content["unit"], content["description"])


def number_as_json(value: float) -> float | str | None:
    """None for nan, a text for what is infinite: JSON has neither."""
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else str(value)
