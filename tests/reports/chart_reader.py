"""The charts of a page, read back from its text."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import numpy as np

_SCRIPT = re.compile(
    r'<script(?: id="([a-z-]+)")? type="application/json">(.*?)</script>', re.DOTALL
)
_KINDS = {"single": "<f4", "double": "<f8"}


def chart_panels(text: str) -> dict[str, dict[str, Any]]:
    """By title: what the page's program is given, with columns as arrays."""
    scripts = _SCRIPT.findall(text)
    shared = next((json.loads(data) for name, data in scripts if name == "chart-data"), {})
    columns = [
        np.frombuffer(base64.b64decode(content), dtype=_KINDS[kind])
        for kind, content in shared.get("columns", [])
    ]
    panels = [panel for name, data in scripts if not name for panel in json.loads(data)]
    for panel in panels:
        for curve in panel["curves"]:
            curve["x"], curve["y"] = columns[curve["x"]], columns[curve["y"]]
    return {panel["title"]: panel for panel in panels}
