"""Opened systems: set-valued forces are inputs, and rows say what a step is solved from."""

from __future__ import annotations

from functools import lru_cache

from axletree.core.errors import SimulationError
from axletree.system.assemble import assemble
from axletree.system.opened import Opened
from axletree.system.system import System


def open_system(system: System) -> System:
    """The opened system, whose inputs are those of the system and then its set-valued forces.

    It is formed once for a system, in the same form and with the same states.
    """
    if system.opened is None:
        raise SimulationError(
            f"{system.name} has no set-valued forces, so there is nothing for a complementarity "
            "problem to decide; take a method such as 'semi-implicit-euler', or add a brake, a "
            "clutch or a contact"
        )
    return _opened(system.opened)


@lru_cache(maxsize=8)
def _opened(opened: Opened) -> System:
    system = assemble(opened.equations, opened.form, opened.start)
    for change in opened.changes:
        system = change(system)
    return system
