"""From a model to a system: equations in the variables of a tree, solved in a form."""

from __future__ import annotations

from axletree.core.arguments import check_arguments
from axletree.core.registry import load, section
from axletree.equations.derivation import derive_equations
from axletree.equations.tree import TreeChoice
from axletree.model.model import Model, checked_start
from axletree.system.assemble import assemble
from axletree.system.forms.automatic import Automatic
from axletree.system.forms.contract import Form
from axletree.system.system import System


def formulate(model: Model, tree: TreeChoice = None, form: Form | str | None = None) -> System:
    """Equations in the variables of the tree, solved in the form (default: ``Automatic``).

    A form is an object or a name; in ``"set-valued"`` brakes, clutches, contacts and soil hold
    what is at rest, by methods that solve for their forces. Without a tree or a form the model's
    own is taken, and if it has none, the tree of least dimension and the safe form of fewest
    operations.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum")
    >>> [state.name for state in pendulum.formulate().states]  # rad/s, rad
    ['pin.rate', 'pin.angle']
    >>> len(pendulum.formulate(tree=["rod"]).states)  # six speeds, six coordinates
    12
    """
    check_arguments(formulate, locals())
    start = checked_start(model)
    chosen = _form(form)
    if isinstance(chosen, Automatic) and model.form is not None:
        chosen = _form(model.form)
    wanted = model.tree if tree is None else tree
    equations = derive_equations(model, wanted, set_valued=chosen.set_valued)
    return assemble(equations, chosen, start)


def _form(form: Form | str | None) -> Form:
    named: Form | None = load("form", form, section("FORMS"))() if isinstance(form, str) else form
    return named or Automatic()
