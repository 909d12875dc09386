"""Reads printed MATLAB functions into Python functions of arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from printed.expression import MATLAB_FUNCTIONS, Expression, check_name, solver, statements, table

# The words that iskeyword lists, and functions that the printed text calls.
WORDS = (
    "break case catch classdef continue else elseif end for function global if otherwise parfor "
    "persistent return spmd switch try while sin cos tan asin acos atan atan2 sinh cosh tanh "
    "exp log sqrt abs sign double zeros"
)
RESERVED = WORDS.split()
HEAD = re.compile(r"function (\w+) = (\w+)\(([\w, ]*)\)")


def read_matlab(files: Mapping[str, str]) -> dict[str, Callable[..., Any]]:
    """The functions of the files, by name."""
    functions: dict[str, Callable[..., Any]] = dict(MATLAB_FUNCTIONS)
    for file, text in files.items():
        lines = statements(text, "%", " ...", 100, 10_000)
        head = HEAD.fullmatch(lines[0])
        assert head is not None, lines[0]
        assert f"{head[2]}.m" == file
        if "persistent breaks rows" in lines:
            breaks, rows = (_numbers(lines, name) for name in ("breaks", "rows"))
            functions[head[2]] = table(breaks, rows)
        elif size := re.fullmatch(r"\w+_linear_solve_(\d+)_(\d+)", head[2]):
            functions[head[2]] = solver(int(size[1]), int(size[2]))
        else:
            body = lines[1 : lines.index("end")]
            functions[head[2]] = _function(head, body, functions)
    return functions


def _function(
    head: re.Match[str], body: list[str], functions: Mapping[str, Callable[..., Any]]
) -> Callable[..., Any]:
    result, arguments = head[1], head[3].split(", ")

    def run(*given: Any) -> np.ndarray:
        variables = dict(zip(arguments, given, strict=True))
        for line in body:
            found = re.fullmatch(r"(\w+)(?:\((\d+)\))? = (.*);", line)
            assert found is not None, line
            value = Expression(found[3], variables, functions, fortran=False).value()
            check_name(found[1], RESERVED)
            if found[2]:
                variables[found[1]][int(found[2]) - 1] = value
            else:
                assert found[1] not in variables, f"{found[1]} has a value already"
                assert found[1] not in functions, f"{found[1]} is a function"
                variables[found[1]] = value
        assert not np.isnan(variables[result]).any(), f"{result} is not set in whole"
        return np.asarray(variables[result])

    return run


def _numbers(lines: list[str], name: str) -> list[float]:
    (line,) = (text for text in lines if text.startswith(f"{name} = ["))
    return [float(v) for v in re.split(r"[;,] ", line.removeprefix(f"{name} = [")[:-2])]
