"""The expression graph: build, differentiate, substitute, evaluate, count, convert.

In which order to read it:

1. the graph: ``node`` (nodes, each stored once), ``expression`` (a number times a node, and all
   that makes nodes), ``tables`` and ``calls`` (nodes with data: curves and functions that stay
   calls), ``traversal`` (order of evaluation, symbols, rebuilding, substitution, operation counts);
2. what formulas are written with: ``functions`` (sin, where, ... on floats, arrays, expressions
   and SymPy), ``vectors`` (three by three), ``quantity`` (a named symbol with unit and bounds);
3. what is made of them: ``derivatives``, ``second_derivatives``, ``evaluation``,
   ``simplification``, ``factorisation`` (LDL, LU, linear systems), ``outlines`` (parts that become
   functions);
4. in and out: ``text`` (infix text and its parser), ``conversion`` (SymPy and CasADi),
   ``stored_graph`` (JSON, node for node).
"""

from __future__ import annotations

from axletree.expr.calls import CalledFunction, ExternalFunction, call, declared_function
from axletree.expr.conversion import from_sympy, to_casadi, to_sympy
from axletree.expr.derivatives import directional_derivative, jacobian
from axletree.expr.evaluation import evaluate
from axletree.expr.expression import ONE, ZERO, Expr, Operand, as_expr, number, symbol
from axletree.expr.factorisation import Factorisation, ldl, linear_solve
from axletree.expr.functions import (
    Value,
    absolute,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    exp,
    log,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    power,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    where,
)
from axletree.expr.node import Node
from axletree.expr.outlines import ExpressionFunction, inlined, outline
from axletree.expr.quantity import Quantity, Role
from axletree.expr.second_derivatives import gradient, hessian
from axletree.expr.simplification import condensed
from axletree.expr.tables import Beyond, Table, interpolate
from axletree.expr.text import parse_expression, to_text
from axletree.expr.traversal import (
    OperationCount,
    count_operations,
    dependencies,
    depends_on,
    substitute,
    symbols_of,
    topological_order,
)
from axletree.expr.vectors import IDENTITY, NULL, Matrix, Vector

__all__ = [
    "Beyond", "CalledFunction", "Expr", "ExpressionFunction", "ExternalFunction",
    "Factorisation", "IDENTITY", "Matrix", "NULL", "Node", "ONE", "Operand",
    "OperationCount", "Quantity", "Role", "Table", "Value", "Vector", "ZERO",
    "absolute", "acos", "as_expr", "asin", "atan", "atan2", "call", "condensed", "cos",
    "cosh", "count_operations", "declared_function", "dependencies", "depends_on",
    "directional_derivative", "evaluate", "exp", "from_sympy", "gradient", "hessian",
    "inlined", "interpolate",
    "jacobian", "ldl", "linear_solve", "log", "logical_and", "logical_not",
    "logical_or", "maximum", "minimum", "number", "outline", "parse_expression",
    "power", "sign", "sin", "sinh", "sqrt", "substitute", "symbol", "symbols_of", "tan",
    "tanh", "to_casadi", "to_sympy", "to_text", "topological_order", "where",
]  # fmt: skip
