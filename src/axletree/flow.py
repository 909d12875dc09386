"""The whole flow on one screen: model, graph, equations, system, program, run.

Every stage is a function of what the stage before returned. ``Model`` and ``System``
here are those of their stages with the next arrows as methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from axletree.analysis import drive
from axletree.analysis import energy as energy_audit
from axletree.analysis.linear import linearise, stable_step
from axletree.analysis.steady import root_locus, trim
from axletree.code import external_functions as external
from axletree.code.lowering import lower
from axletree.code.program import Program
from axletree.code.system_operations import Operations, count_system
from axletree.core.registry import load, section
from axletree.equations.formulate import formulate
from axletree.equations.tree import TreeChoice
from axletree.model import model as description
from axletree.model import read
from axletree.model.model import check_start
from axletree.simulation import instant, simulate
from axletree.system import system as assembled
from axletree.system.assemble import assemble
from axletree.system.forms.contract import Form
from axletree.system.forms.projected import Projected
from axletree.system.symbolic_equations import SymbolicEquations, symbolic_equations


class Model(description.Model):
    """A model, with the flow behind it.

    Example:
    >>> import axletree as at
    >>> model = at.Model("cart")
    >>> cart = model.add(at.RigidBody("cart", mass=2.0))  # kg
    >>> way = model.add(at.Prismatic("way", model.ground, cart, axis="x"))
    >>> spring = model.add(at.SlideSpringDamper("spring", way, stiffness=50.0))  # N/m
    >>> print(model.formulate().derivatives[0])  # of way.speed, m/s^2
    -way.position*spring.stiffness/cart.mass
    """

    def formulate(self, tree: TreeChoice = None, form: Form | str | None = None) -> System:
        """Equations in the variables of the tree, solved in the form (default: projected).

        A form is an object or a name. Without a tree the model's own is taken, and if it has none,
        that of least dimension.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum")
        >>> [state.name for state in pendulum.formulate().states]  # rad/s, rad
        ['pin.rate', 'pin.angle']
        >>> len(pendulum.formulate(tree=["rod"]).states)  # six speeds, six coordinates
        12
        """
        check_start(self)
        named: Form | None = (
            load("form", form, section("FORMS"))() if isinstance(form, str) else form
        )
        equations = formulate(self, self.tree if tree is None else tree)
        system = assemble(equations, named or Projected(), self.start)
        return System(**vars(system))


class System(assembled.System):
    """A system, with the flow behind it.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("four-bar").formulate()
    >>> system.degrees_of_freedom, len(system.constraints), len(system.states)
    (1, 2, 6)
    >>> [f"{state.name} [{state.unit}]" for state in system.states[:2]]
    ['a.rate [rad/s]', 'b.rate [rad/s]']
    """

    def equations(self, simplify: bool = False) -> SymbolicEquations:
        """M dp/dt + C^T f = b, Phi = 0 and dq/dt = h in SymPy, to read and to manipulate.

        Example:
        >>> import axletree as at
        >>> print(at.read_model("pendulum").formulate().equations().text())
        M[pin.rate, pin.rate] = rod.inertia.yy + rod.mass*rod.top.z**2
        b[pin.rate] = gravity.z*rod.mass*rod.top.z*sin(pin.angle)
        d(pin.angle)/dt = pin.rate
        """
        return symbolic_equations(self, simplify)

    @property
    def operations(self) -> Operations:
        """Operation counts of the right-hand side, by block, and of what is computed once.

        Example:
        >>> import axletree as at
        >>> print(at.read_model("pendulum").formulate().operations.total)
        0 additions, 1 multiplications, 0 divisions, 1 functions
        """
        return count_system(self)

    def program(self, outputs: Iterable[str] | None = None) -> Program:
        """The routines that are printed as C, with these outputs (default: all of them).

        Example:
        >>> import axletree as at
        >>> program = at.read_model("pendulum").formulate().program(outputs=["energy.total"])
        >>> [routine.name for routine in program.routines]
        ['constants', 'rhs', 'outputs']
        """
        return lower(self, outputs)

    with_functions = external.with_functions
    state = instant.state
    rhs = instant.rhs
    trim = trim.trim
    linearise = linearise.linearise
    root_locus = root_locus.root_locus
    drive = drive.drive
    simulate = simulate.simulate
    audit_energy = energy_audit.audit_energy
    stable_step = stable_step.stable_step

    if not TYPE_CHECKING:  # a checker would take any name for one that a system has

        def __getattr__(self, name: str) -> Any:
            meant = f"; it is {_BY_TRIM[name]} now" if name in _BY_TRIM else ""
            raise AttributeError(f"a system has no attribute {name!r}{meant}")


_BY_TRIM = {
    "steady_state": "trim(given, find)",
    "rolling_start": "trim(given, wheels=RollingWheels(slip, deflection))",
    "continue_steady": "trim(given, find).continued(along, to, step=...)",
}


def read_model(source: str | Path, changes: Mapping[str, Any] | None = None) -> Model:
    """The model of a YAML file, of a name of the catalogue, or of ``"file.py:name"``.

    Example:
    >>> import axletree as at
    >>> at.read_model("pendulum", {"components": {"rod": {"mass": "2 kg"}}})["rod"].mass  # kg
    2.0
    """
    return read.read_model(source, Model, changes)
