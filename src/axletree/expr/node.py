"""Nodes of the expression graph, each stored once."""

from __future__ import annotations

import functools
import hashlib
import struct
from collections.abc import Hashable
from typing import TYPE_CHECKING, Final, NoReturn
from weakref import ref

if TYPE_CHECKING:
    from axletree.expr.expression import Expr

OPERATIONS: Final = (
    "one", "symbol", "add", "mul", "inv", "pow", "sqrt", "exp", "log",
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
    "abs", "sign", "atan2", "min", "max", "lt", "le", "where", "table", "call", "output",
)  # fmt: skip
_CODE: Final = {operation: code for code, operation in enumerate(OPERATIONS, start=17)}


class Node:
    """One operation on expressions; equal nodes are the same object."""

    __slots__ = ("__weakref__", "data", "key", "operands", "operation")
    operation: str
    operands: tuple[Expr, ...]
    data: Hashable
    key: int

    def __init__(
        self, operation: str, operands: tuple[Expr, ...], data: Hashable, key: int
    ) -> None:
        _set_operation(self, operation)
        _set_operands(self, operands)
        _set_data(self, data)
        _set_key(self, key)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a node is immutable; {name!r} cannot be set")

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, memo: object) -> Node:
        return self

    def __repr__(self) -> str:
        return f"Node({self.operation!r}, {len(self.operands)} operands, {self.data!r})"


# A node sets its own attributes, once; this is the quickest way past its __setattr__.
_set_operation: Final = vars(Node)["operation"].__set__
_set_operands: Final = vars(Node)["operands"].__set__
_set_data: Final = vars(Node)["data"].__set__
_set_key: Final = vars(Node)["key"].__set__
# What nobody holds any more is taken out of here by the thousand: a WeakValueDictionary runs
# Python for each node that is looked for, made and dropped.
NODES: dict[tuple[Hashable, ...], ref[Node]] = {}
_FEWEST_SWEPT: Final = 1 << 15
_sweep_beyond = _FEWEST_SWEPT  # as many nodes, known or gone
_pack: Final = struct.Struct("<d").pack


def intern(operation: str, operands: tuple[Expr, ...], data: Hashable = None) -> Node:
    """The one node of this operation on these operands."""
    if len(operands) == 2:
        a, b = operands
        identity: tuple[Hashable, ...]
        identity = (operation, data, a.coefficient, a.node, b.coefficient, b.node)
    else:
        identity = (operation, data, *[x for e in operands for x in (e.coefficient, e.node)])
    known = NODES.get(identity)
    node = known() if known is not None else None
    if node is None:
        parts = [_CODE[operation], 0 if data is None else _data_key(data)]
        for e in operands:
            parts += (_bits(e.coefficient), e.node.key)
        node = Node(operation, operands, data, hash(tuple(parts)))
        NODES[identity] = ref(node)
        if len(NODES) > _sweep_beyond:
            sweep_nodes()
    return node


def sweep_nodes() -> None:
    """Take out what is gone, users first: their identities hold the operands."""
    global _sweep_beyond
    identities = list(NODES)
    while identities:
        identity = identities.pop()
        if NODES[identity]() is None:
            del NODES[identity]
    _sweep_beyond = max(_FEWEST_SWEPT, 2 * len(NODES))


@functools.lru_cache(maxsize=4096)
def _bits(coefficient: float) -> int:
    """The bits of a number as an integer, because hash(-1.0) == hash(-2.0)."""
    return int.from_bytes(_pack(coefficient), "little")


def _data_key(data: Hashable) -> int:
    """An integer that is the same in every process (the hash of a str is not)."""
    text = data if isinstance(data, str) else str(getattr(data, "digest", None) or repr(data))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "little")


ONE_NODE: Final = Node("one", (), None, 0)
