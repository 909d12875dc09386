"""A mass on a spring and a damper, released from rest: its motion is known in closed form."""

from __future__ import annotations

from pathlib import Path

MASS, STIFFNESS, DAMPING, START = 300.0, 18e3, 2e3, 0.1  # kg, N/m, N s/m, m

TEXT = f"""
name: quarter_car
gravity: [0, 0, 0]
components:
  body: {{type: rigid-body, mass: {MASS} kg}}
  way: {{type: prismatic, tail: ground, head: body, axis: z}}
  strut: {{type: slide-spring-damper, joint: way, stiffness: {STIFFNESS} N/m,
          damping: {DAMPING} N*s/m}}
start: {{way.position: {START}, way.speed: 0}}
run: {{duration: 0.5 s, step: 1 ms, method: rk4, outputs: [way.position, way.speed]}}
"""


def write_quarter_car(folder: Path) -> Path:
    path = folder / "quarter.yaml"
    path.write_text(TEXT)
    return path
