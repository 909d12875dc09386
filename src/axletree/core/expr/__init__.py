"""The expression graph: build, differentiate, substitute, evaluate, count, convert."""

from axletree.core.expr.call import ExternalFunction, call, declared_function
from axletree.core.expr.called import CalledFunction
from axletree.core.expr.casadi_conversion import to_casadi
from axletree.core.expr.choices import (
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    where,
)  # fmt: skip
from axletree.core.expr.condense import condensed
from axletree.core.expr.count import OperationCount, count_operations
from axletree.core.expr.directional import directional_derivative
from axletree.core.expr.evaluate import evaluate
from axletree.core.expr.expression import Expr, Node, Operand, as_expr, number, symbol
from axletree.core.expr.functions import (
    absolute,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    exp,
    log,
    power,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)  # fmt: skip
from axletree.core.expr.jacobian import jacobian
from axletree.core.expr.ldl import Factorisation, ldl
from axletree.core.expr.linear_solve import linear_solve
from axletree.core.expr.order import dependencies, depends_on, symbols_of, topological_order
from axletree.core.expr.outline import ExpressionFunction, inlined, outline
from axletree.core.expr.parse import parse_expression
from axletree.core.expr.substitute import substitute
from axletree.core.expr.sympy_conversion import from_sympy, to_sympy
from axletree.core.expr.table import Beyond, Table, interpolate
from axletree.core.expr.text import to_text

__all__ = [
    "Beyond", "CalledFunction", "Expr", "ExpressionFunction", "ExternalFunction",
    "Factorisation", "Node", "Operand", "OperationCount", "Table", "absolute", "acos",
    "as_expr", "asin", "atan", "atan2", "call", "condensed", "cos", "cosh",
    "count_operations", "declared_function", "dependencies", "depends_on",
    "directional_derivative", "evaluate", "exp", "from_sympy", "inlined", "interpolate",
    "jacobian", "ldl", "linear_solve", "log", "logical_and", "logical_not", "logical_or",
    "maximum", "minimum", "number", "outline", "parse_expression", "power", "sign", "sin",
    "sinh", "sqrt", "substitute", "symbol", "symbols_of", "tan", "tanh", "to_casadi",
    "to_sympy", "to_text", "topological_order", "where",
]  # fmt: skip
