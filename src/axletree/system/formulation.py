"""From a model to a system: equations in the variables of a tree, solved in a form."""

from __future__ import annotations

from axletree.core.registry import load, section
from axletree.equations.derivation import derive_equations
from axletree.equations.tree import TreeChoice
from axletree.model.model import Model, check_start
from axletree.system.assemble import assemble
from axletree.system.forms.contract import Form
from axletree.system.forms.projected import Projected
from axletree.system.system import System


def formulate(model: Model, tree: TreeChoice = None, form: Form | str | None = None) -> System:
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
    check_start(model)
    chosen: Form | None = load("form", form, section("FORMS"))() if isinstance(form, str) else form
    equations = derive_equations(model, model.tree if tree is None else tree)
    return assemble(equations, chosen or Projected(), model.start)
