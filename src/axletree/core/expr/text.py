"""Short infix text of an expression, for people who debug."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from axletree.core.expr.expression import ONE_NODE, Expr

SUM: Final = 1
PRODUCT: Final = 2
POWER: Final = 3
ATOM: Final = 4
_LEVEL: Final = {"add": SUM, "mul": PRODUCT, "inv": PRODUCT, "lt": 0, "le": 0, "pow": POWER}


def to_text(expression: Expr, largest: int = 80) -> str:
    """Infix text; beyond ``largest`` operations, counted breadth first, ``...`` stands."""
    occurrences: list[Expr] = [expression]
    operands: list[list[int]] = []  # of each occurrence, as indices of occurrences
    queue = deque([0])
    while queue:
        node = occurrences[queue.popleft()].node
        shown = len(operands) < largest
        children = list(range(len(occurrences), len(occurrences) + len(node.operands)))
        operands.append(children if shown else [])
        if shown:
            occurrences += node.operands
            queue += children
    texts = [("", ATOM)] * len(occurrences)
    for k in range(len(occurrences) - 1, -1, -1):
        parts = [texts[child] for child in operands[k]]
        texts[k] = _with_coefficient(occurrences[k], parts)
    return texts[0][0]


def _with_coefficient(expression: Expr, parts: Sequence[tuple[str, int]]) -> tuple[str, int]:
    coefficient, node = expression.coefficient, expression.node
    if node is ONE_NODE:
        return number_text(coefficient), ATOM if coefficient >= 0.0 else SUM
    if node.operands and not parts:
        text, level = "...", ATOM
    else:
        text, level = _operation_text(expression, parts)
    if coefficient == 1.0:
        return text, level
    body = text if level >= PRODUCT else f"({text})"
    if coefficient == -1.0:
        return f"-{body}", SUM
    sign_level = PRODUCT if coefficient >= 0.0 else SUM
    if body.startswith("1/"):
        return number_text(coefficient) + body[1:], sign_level
    return f"{number_text(coefficient)}*{body}", sign_level


def _operation_text(expression: Expr, parts: Sequence[tuple[str, int]]) -> tuple[str, int]:
    operation, data = expression.node.operation, expression.node.data
    level = _LEVEL.get(operation, ATOM)
    if operation == "symbol":
        return str(data), ATOM
    if operation == "add":
        left, right = parts[0][0], parts[1][0]
        joined = f"{left} - {right[1:]}" if right.startswith("-") else f"{left} + {right}"
        return joined, level
    if operation == "mul":
        return _product(_guarded(parts[0], PRODUCT), _guarded(parts[1], PRODUCT)), level
    if operation == "inv":
        return f"1/{_guarded(parts[0], POWER)}", level
    if operation == "pow":
        return f"{_guarded(parts[0], ATOM)}**{_guarded(parts[1], ATOM)}", level
    if operation in ("lt", "le"):
        sign = "<" if operation == "lt" else "<="
        return f"{_guarded(parts[0], SUM)} {sign} {_guarded(parts[1], SUM)}", level
    arguments = ", ".join(text for text, _ in parts)
    if operation == "output":
        return f"{arguments}[{data}]", ATOM
    name = getattr(data, "name", operation) if operation == "call" else operation
    return f"{name}({arguments})", ATOM


def _product(left: str, right: str) -> str:
    """A reciprocal factor is written as a quotient."""
    if right.startswith("1/"):
        return f"{left}/{right[2:]}"
    if left.startswith("1/"):
        return f"{right}/{left[2:]}"
    return f"{left}*{right}"


def _guarded(part: tuple[str, int], level: int) -> str:
    return part[0] if part[1] >= level else f"({part[0]})"


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number; whole numbers without a point."""
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text
