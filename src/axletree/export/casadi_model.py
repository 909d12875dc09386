"""A system as a Python file of CasADi expressions, and as models of acados and do-mpc over these.

The text has one line for each operation of the expression graph, so that shared parts are computed
once; CasADi derives and compiles from there. It needs CasADi alone, not this package.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast

from axletree.code.identifiers import comment_text, identifiers
from axletree.core.errors import ExportError
from axletree.core.registry import unknown_name
from axletree.export.folder import fill, with_assembled_start, write_files
from axletree.expr import Expr, Table
from axletree.expr.node import Node
from axletree.expr.outlines import inlined
from axletree.expr.quantity import Quantity
from axletree.expr.traversal import topological_order
from axletree.system.edit import with_smooth_forces
from axletree.system.system import Definition, System

_NAMES: Final = {
    "abs": "fabs", "min": "fmin", "max": "fmax", "where": "if_else", "lt": "lt", "le": "le",
    "and": "logic_and", "or": "logic_or", "not": "logic_not",
}  # fmt: skip
_INFIX: Final = {"add": "+", "mul": "*", "pow": "**"}


def write_casadi(
    system: System, folder: str | Path, *, outputs: Sequence[str] | None = None
) -> Path:
    """Write ``model_casadi.py``: rates and outputs over symbols of CasADi, in SI units.

    Set-valued forces are smooth. Functions that are known as C text alone are refused.

    Example:
    >>> import axletree as at
    >>> from axletree.export.casadi_model import write_casadi
    >>> folder = write_casadi(at.read_model("pendulum").formulate(), "casadi")
    >>> [path.name for path in folder.iterdir()]
    ['model_casadi.py']
    """
    return write_files(folder, _model(system, outputs), "the CasADi model")


def write_acados(
    system: System, folder: str | Path, *, outputs: Sequence[str] | None = None
) -> Path:
    """Write ``model_casadi.py`` and ``model_acados.py``, which makes an ``AcadosModel`` of it.

    Example:
    >>> import axletree as at
    >>> from axletree.export.casadi_model import write_acados
    >>> folder = write_acados(at.read_model("pendulum").formulate(), "acados")
    >>> sorted(path.name for path in folder.iterdir())
    ['model_acados.py', 'model_casadi.py']
    """
    texts = _model(system, outputs) | {
        "model_acados.py": fill("model_acados.py.jinja", name=comment_text(system.name))
    }
    return write_files(folder, texts, "the acados model")


def write_do_mpc(
    system: System, folder: str | Path, *, outputs: Sequence[str] | None = None
) -> Path:
    """Write ``model_casadi.py`` and ``model_do_mpc.py``, which makes a model of do-mpc of it.

    Example:
    >>> import axletree as at
    >>> from axletree.export.casadi_model import write_do_mpc
    >>> folder = write_do_mpc(at.read_model("pendulum").formulate(), "do-mpc")
    >>> sorted(path.name for path in folder.iterdir())
    ['model_casadi.py', 'model_do_mpc.py']
    """
    texts = _model(system, outputs) | {
        "model_do_mpc.py": fill("model_do_mpc.py.jinja", name=comment_text(system.name))
    }
    return write_files(folder, texts, "the do-mpc model")


def _model(system: System, outputs: Sequence[str] | None) -> dict[str, str]:
    own = with_assembled_start(with_smooth_forces(system))
    if own.rows is not None:
        raise ExportError(
            f"{system.name}: its set-valued forces are unknowns, which have no expressions; take a "
            "form with smooth forces"
        )
    chosen = _chosen(own, outputs)
    lists = {"x": own.states, "u": own.inputs, "p": own.parameters}
    texts: dict[Node, str] = {own.time.symbol.node: "t"}
    for vector, quantities in lists.items():
        texts |= {q.symbol.node: f"{vector}[{k}]" for k, q in enumerate(quantities)}
    rows = inlined([*own.derivatives, *(one.expression for one in chosen)])
    statements = list(_statements(own.name, rows, texts))
    values = [_product(e, texts) for e in rows]
    count = len(own.states)
    return {
        "model_casadi.py": fill(
            "model_casadi.py.jinja", name=comment_text(own.name), statements=statements,
            rates=values[:count], output_values=values[count:],
            lists={word: _entries(own_list) for word, own_list in (
                ("STATES", own.states), ("INPUTS", own.inputs), ("PARAMETERS", own.parameters),
                ("OUTPUTS", [one.quantity for one in chosen]))},
        )
    }  # fmt: skip


def _chosen(system: System, outputs: Sequence[str] | None) -> list[Definition]:
    known = {one.quantity.name: one for one in system.outputs}
    for name in outputs or ():
        if name not in known:
            raise unknown_name("output", name, known, repr(system.name))
    return [known[name] for name in (known if outputs is None else outputs)]


def _entries(quantities: Sequence[Quantity]) -> list[str]:
    """Name, identifier, unit, value and description of each, as Python text."""
    names = identifiers(q.name for q in quantities)
    return [
        f"({q.name!r}, {names[q.name]!r}, {q.unit!r}, {_number(q.default)}, {q.description!r}),"
        for q in quantities
    ]


def _statements(name: str, rows: Sequence[Expr], texts: dict[Node, str]) -> Iterator[str]:
    """Lines that define what the rows are made of; ``texts`` gets their names."""
    for node in topological_order(rows):
        if node in texts or node.operation == "one":
            continue
        if node.operation in ("call", "output"):
            function = getattr(node.data, "name", node.operation)
            raise ExportError(
                f"{name}: the function {function!r} is C text, which CasADi cannot differentiate; "
                "export the model without external functions"
            )
        texts[node] = f"w{len(texts)}"
        yield f"{texts[node]} = {_definition(node, texts)}"


def _definition(node: Node, texts: dict[Node, str]) -> str:
    operands = [_product(e, texts) for e in node.operands]
    if node.operation == "inv":
        return f"1.0 / ({operands[0]})"
    if node.operation == "table":
        table = cast(Table, node.data)
        rows = ", ".join(_numbers(row) for row in table.coefficients)
        return f"_table({operands[0]}, {_numbers(table.breakpoints)}, [{rows}])"
    if node.operation in _INFIX:
        return f" {_INFIX[node.operation]} ".join(f"({one})" for one in operands)
    return f"ca.{_NAMES.get(node.operation, node.operation)}({', '.join(operands)})"


def _product(expression: Expr, texts: dict[Node, str]) -> str:
    node, factor = expression.node, expression.coefficient
    if node.operation == "one":
        return _number(factor)
    if factor == 1.0:
        return texts[node]
    return f"-{texts[node]}" if factor == -1.0 else f"{_number(factor)} * {texts[node]}"


def _number(value: Any) -> str:
    return repr(float(value)) if math.isfinite(value) else f"float({str(float(value))!r})"


def _numbers(values: Sequence[float]) -> str:
    return f"[{', '.join(_number(value) for value in values)}]"
