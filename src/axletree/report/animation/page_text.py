"""The page of an animation: one HTML file with its program, its style and its data."""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files

from axletree.report.animation.scene import Scene
from axletree.report.animation.scene_data import scene_data

# In the order in which they need one another.
PROGRAM = (
    "algebra.js", "data.js", "theme.js", "painter.js", "camera.js", "ground.js", "actors.js",
    "panel.js", "player.js", "start.js",
)  # fmt: skip


def page_text(scene: Scene) -> str:
    """It needs no other file and no network."""
    program = "\n".join(_file(name) for name in PROGRAM)
    # Within a script nothing but "</" can end it.
    data = json.dumps(scene_data(scene), separators=(",", ":"), allow_nan=False)
    data = data.replace("</", "<\\/")
    parts = {
        "TITLE": escape(scene.title),
        "STYLE": _file("style.css"),
        "SCENE": data,
        "PROGRAM": f'"use strict";\n(() => {{\n{program}\n}})();',
    }
    text = _file("page.html")
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def _file(name: str) -> str:
    return (files("axletree.report.animation") / name).read_text(encoding="utf-8")
