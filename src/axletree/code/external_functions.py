"""C functions of the user's own in a system that calls them by name.

Equations are derived with the declaration of a function alone, its name, inputs and
outputs. What defines it is given afterwards, and may be exchanged without deriving anything
again.
"""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from axletree.code.backends.c import find_compiler, load_library
from axletree.core.arguments import check_arguments
from axletree.core.errors import CompilerError
from axletree.core.files import temporary_files
from axletree.core.registry import unknown_name
from axletree.expr import Expr, ExternalFunction, topological_order
from axletree.expr.node import Node
from axletree.expr.traversal import rebuild
from axletree.system.edit import expressions_of, map_expressions
from axletree.system.system import System

LARGEST_SOURCE = 1 << 20  # bytes of a C file
_LINES_SHOWN = 12  # of what a compiler says


def with_functions(system: System, sources: Mapping[str, str | Path]) -> System:
    """The system with C files for the functions that it calls, by their names.

    Each file defines ``void name(const double *input, double *output)``, static or not, in
    the order of inputs and outputs that the model declares, and whatever it needs beside.

    Example:
    >>> import axletree as at
    >>> from pathlib import Path
    >>> text = "void own(const double *in, double *out) { for (int k = 0; k < 5; ++k) out[k] = k; }"
    >>> _ = Path("own.c").write_text(text)  # Fx, Fy [N], Mx, My, Mz [N*m]
    >>> law = {"type": "external", "function": "own"}
    >>> car = at.read_model("quarter-car", {"components": {"tyre": {"law": law}}}).formulate()
    >>> rates = car.with_functions({"own": "own.c"}).rhs(car.state())
    >>> print(f"{rates['axle.rate']:.4f} rad/s^2")  # 3 N m on an inertia of 0.9 kg m^2
    3.3333 rad/s^2
    """
    check_arguments(with_functions, locals())
    if not sources:
        return system
    declared = declared_functions(system)
    defined: dict[ExternalFunction, ExternalFunction] = {}
    for name, path in sources.items():
        if name not in declared:
            raise unknown_name("function", name, declared, f"the calls of {system.name!r}")
        text = _source(name, Path(path))
        _check_compiles(text, Path(path))
        defined |= _defined(declared[name], text)
    return _with_calls_replaced(system, defined)


def declared_functions(system: System) -> dict[str, ExternalFunction]:
    """The functions that a system calls and that are in C, by name.

    Their slopes, which a system may call, too, are defined beside them.
    """
    data = (node.data for node in topological_order(expressions_of(system)))
    found = dict.fromkeys(d for d in data if isinstance(d, ExternalFunction) and d.declared)
    beside = {function.slope_function for function in found}
    return {function.name: function for function in found if function not in beside}


def _source(name: str, path: Path) -> str:
    if path.exists() and not path.is_file():
        raise CompilerError(f"{path}: this is no file; it was to define {name} in C")
    try:
        content = path.read_bytes()
        text = content.decode("utf-8-sig")
    except FileNotFoundError:
        raise CompilerError(f"{path}: there is no such file; it was to define {name}") from None
    except (OSError, ValueError) as error:
        raise CompilerError(f"{path}: cannot be read as C text: {error}") from None
    if len(content) > LARGEST_SOURCE:
        raise CompilerError(f"{path}: the file is too large; the limit is {LARGEST_SOURCE} bytes")
    _check_defines(name, text)
    return text


def _check_defines(name: str, text: str) -> None:
    code = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
    if not re.search(rf"\bvoid\s+{name}\s*\([^;{{]*\)\s*{{", code):
        raise CompilerError(
            f"the C text for {name} does not define it; expected "
            f"void {name}(const double *input, double *output)"
        )


def _check_compiles(text: str, path: Path) -> None:
    """A mistake is told with its line in the file; without a compiler nothing is checked."""
    compiler = find_compiler()
    if compiler is None:
        return
    with temporary_files(), tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "checked.c")
        shown = str(path).replace("\\", "/").replace('"', "'")
        source.write_text(f'#include <math.h>\n#line 1 "{shown}"\n{text}\n', encoding="utf-8")
        try:
            compiler.build(str(source), str(Path(folder, "checked.so")))
        except CompilerError as error:
            lines = str(error).strip().splitlines()[:_LINES_SHOWN]
            raise CompilerError("\n".join([f"{path} does not compile:", *lines])) from None


def _defined(function: ExternalFunction, text: str) -> dict[ExternalFunction, ExternalFunction]:
    """What stands for a declared function, and for its slopes if it has some."""
    declared, found = function.slope_function, {}
    slopes = declared
    if declared is not None:
        _check_defines(declared.name, text)
        beside = f"/* {declared.name} is defined beside {function.name}. */"
        slopes = dataclasses.replace(declared, c_source=beside, python=_evaluated(declared, text))
        found[declared] = slopes
    new = dataclasses.replace(
        function, c_source=text, python=_evaluated(function, text), slope_function=slopes
    )
    return {**found, function: new}


def _evaluated(function: ExternalFunction, text: str) -> Callable[..., tuple[float, ...]]:
    """The function for a few values from Python; it is compiled when it is first called."""

    @functools.cache
    def compiled() -> Callable[..., None]:
        compiler = find_compiler()
        if compiler is None:
            raise CompilerError(
                f"{function.name} is written in C, and there is no C compiler; "
                "see `axletree doctor`"
            )
        lines = [
            "#include <math.h>",
            text,
            "void axl_called(const double *input, double *output)",
            f"{{ {function.name}(input, output); }}\n",
        ]
        entry = load_library("\n".join(lines), compiler).axl_called
        entry.argtypes, entry.restype = [ctypes.c_void_p, ctypes.c_void_p], None
        found: Callable[..., None] = entry
        return found

    def python(*arguments: float) -> tuple[float, ...]:
        given = np.array(arguments or [0.0], dtype=float)
        found = np.full(len(function.outputs), np.nan)
        compiled()(given.ctypes.data, found.ctypes.data)
        return tuple(found.tolist())

    return python


def _with_calls_replaced(
    system: System, functions: Mapping[ExternalFunction, ExternalFunction]
) -> System:
    """The same system, calls of some functions being calls of others."""

    def exchanged(expressions: Sequence[Expr]) -> list[Expr]:
        built: dict[Node, Expr] = {}
        for node in topological_order(expressions):
            operands = [built[e.node] * e.coefficient for e in node.operands]
            data = node.data
            if isinstance(data, ExternalFunction):
                data = functions.get(data, data)
            built[node] = rebuild(node.operation, operands, data)
        return [built[e.node] * e.coefficient for e in expressions]

    return map_expressions(system, exchanged)
