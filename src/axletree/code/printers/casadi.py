"""Functions of a program as CasADi's ``external`` expects them of a library, in C.

There is one argument, z = (x, u, p), and one result, F = (xdot, y). Derivatives are functions with
a prefix: ``jac_`` the Jacobian, ``adj1_`` weights times the Jacobian, ``jac_adj1_`` the Jacobian of
that, which holds the Hessian. A sparsity is rows, columns, where each column begins, and the rows
of the nonzeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from axletree.code.printers.c import c_number
from axletree.code.printers.dialect import packaged_text
from axletree.code.program import Program, SparsePattern, SparseRoutine

Sparsity = Sequence[int]


def casadi_text(
    program: Program, name: str, parameters: Sequence[float], constants: Sequence[float]
) -> list[str]:
    """C text that follows that of the program, which has the full Jacobian and maybe the Hessian.

    ``parameters`` are the values of all of them, ``constants`` what the program makes of these.
    """
    slopes, second = jacobian_pattern(program), program.hessian
    whole = None if second is None else symmetric_pattern(second.pattern)[0]
    text = packaged_text(__package__, "casadi.c")
    words = {
        "TABLES": "\n".join(_tables(program, slopes, second, parameters, constants)),
        "CONSTANTS_OF_Z": _constants_of_z(program),
        "SLOPES_OF_Z": _slopes_of_z(program),
        "DESCRIPTIONS": "\n".join(_descriptions(name, slopes, whole)),
        "N_ROWS": slopes.shape[0],
        "N_COLUMNS": slopes.shape[1],
        "N_STATES": len(program.states),
        "N_VARIABLES": len(program.states) + len(program.inputs),
        "N_SLOPES": len(slopes.rows),
        "N_HALF": 0 if second is None else len(second.rows),
        "N_WHOLE": 0 if whole is None else len(whole.rows),
        "N_PARAMETERS": len(program.parameters),
        "N_CONSTANTS": program.constants.size,
        "N_WORK": _work(program, slopes),
    }
    if second is not None:
        text = text.replace(
            "DESCRIPTIONS", packaged_text(__package__, "casadi_hessian.c") + "\nDESCRIPTIONS"
        )
    for word, value in words.items():
        text = text.replace(word, str(value))
    return [text.replace("NAME", name)]


def jacobian_pattern(program: Program) -> SparsePattern:
    """Of d F / d z, by states and inputs and by the parameters that are asked for."""
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    width = 0
    for matrix in jacobian_blocks(program):
        rows += matrix.rows
        columns += tuple(k + width for k in matrix.columns)
        width += matrix.shape[1]
    count = len(program.states) + len(program.outputs)
    return SparsePattern((count, width), rows, columns)


def jacobian_blocks(program: Program) -> list[SparseRoutine]:
    """The routines that d F / d z is made of."""
    found = program.full_jacobian, program.parameter_jacobian
    return [matrix for matrix in found if matrix is not None]


def symmetric_pattern(half: SparsePattern) -> tuple[SparsePattern, list[int]]:
    """Both triangles of a symmetric matrix, and where each entry stands in the lower one."""
    places = {ik: n for n, ik in enumerate(zip(half.rows, half.columns, strict=True))}
    both = sorted({*((k, i) for i, k in places), *places}, key=lambda ik: (ik[1], ik[0]))
    pattern = SparsePattern(half.shape, tuple(i for i, _ in both), tuple(k for _, k in both))
    return pattern, [places[max(ik), min(ik)] for ik in both]


def _work(program: Program, slopes: SparsePattern) -> int:
    """Room for z, weights, parameters, constants, and the nonzeros of a matrix."""
    half = 0 if program.hessian is None else len(program.hessian.rows)
    return (
        sum(slopes.shape)
        + len(program.parameters)
        + program.constants.size
        + max(len(slopes.rows), half, 1)
    )


def _tables(
    program: Program,
    slopes: SparsePattern,
    second: SparseRoutine | None,
    parameters: Sequence[float],
    constants: Sequence[float],
) -> Iterator[str]:
    if program.by_parameters:
        place = {q.name: k for k, q in enumerate(program.parameters)}
        yield _array("double", "axl_casadi_parameters", [c_number(v) for v in parameters])
        yield _integers("axl_casadi_chosen", [place[q.name] for q in program.by_parameters])
    else:
        yield _array("double", "axl_casadi_values", [c_number(v) for v in constants])
    rows, columns = slopes.shape
    yield _integers("axl_casadi_z", (columns, 1, 1))
    yield _integers("axl_casadi_f", (rows, 1, 1))
    yield _integers("axl_casadi_no_f", (rows, 1, 0, 0))
    yield _integers("axl_casadi_no_z", (columns, 1, 0, 0))
    yield _integers("axl_casadi_jacobian", _sparsity(slopes))
    if second is not None:
        whole, places = symmetric_pattern(second.pattern)
        order = sorted(range(len(slopes.rows)), key=lambda n: (slopes.rows[n], slopes.columns[n]))
        transposed = SparsePattern(
            (columns, rows),
            tuple(slopes.columns[n] for n in order),
            tuple(slopes.rows[n] for n in order),
        )
        yield _integers("axl_casadi_places", places)
        yield _integers("axl_casadi_transposed", order)
        yield _integers("axl_casadi_hessian", _sparsity(whole))
        yield _integers("axl_casadi_by_weights", _sparsity(transposed))
        yield _integers("axl_casadi_by_value", (columns, rows, *[0] * (rows + 1)))


def _sparsity(pattern: SparsePattern) -> Sparsity:
    return (*pattern.shape, *pattern.starts, *pattern.rows)


def _integers(name: str, values: Sequence[int]) -> str:
    return _array("axl_casadi_int", name, [str(value) for value in values])


def _array(kind: str, name: str, values: Sequence[str], in_line: int = 8) -> str:
    texts = values or ["0"]
    lines = [
        "    " + " ".join(f"{text}," for text in texts[start : start + in_line])
        for start in range(0, len(texts), in_line)
    ]
    return "\n".join([f"static const {kind} {name}[{len(texts)}] = {{", *lines, "};"])


def _constants_of_z(program: Program) -> str:
    if not program.by_parameters:
        return "    (void)z; (void)work;\n    return axl_casadi_values;"
    return f"""\
    long k;
    double *p = axl_casadi_given(axl_casadi_parameters, AXL_PARAMETERS, work), *c = *work;
    for (k = 0; k < {len(program.by_parameters)}; ++k)
        p[axl_casadi_chosen[k]] = z[AXL_VARIABLES + k];
    *work += AXL_CONSTANTS;
    model_constants(p, c);
    return c;"""


def _slopes_of_z(program: Program) -> str:
    lines, place = [], 0
    for matrix in jacobian_blocks(program):
        lines.append(f"    model_{matrix.routine.name}(0.0, z, z + AXL_STATES, c, j + {place});")
        place += matrix.routine.size
    return "\n".join(lines)


def _descriptions(name: str, slopes: SparsePattern, whole: SparsePattern | None) -> Iterator[str]:
    z, f, no_f, no_z = (f"axl_casadi_{word}" for word in ("z", "f", "no_f", "no_z"))
    matrix, second = "axl_casadi_jacobian", "axl_casadi_hessian"
    yield _description(name, {"z": z}, {"F": f})
    yield _description(f"jac_{name}", {"z": z, "out_F": no_f}, {"jac_F_z": matrix})
    weighted = {"z": z, "out_F": no_f, "adj_F": f}
    yield _description(f"adj1_{name}", weighted, {"adj_z": z})
    if whole is not None:
        by = "jac_adj_z_z", "jac_adj_z_out_F", "jac_adj_z_adj_F"
        found = (second, "axl_casadi_by_value", "axl_casadi_by_weights")
        yield _description(
            f"jac_adj1_{name}", {**weighted, "out_adj_z": no_z}, dict(zip(by, found, strict=True))
        )


def _description(name: str, given: dict[str, str], found: dict[str, str]) -> str:
    """The functions that CasADi asks a function for."""
    lines = [
        f"axl_casadi_int {name}_n_in(void) {{ return {len(given)}; }}",
        f"axl_casadi_int {name}_n_out(void) {{ return {len(found)}; }}",
        *_by_index(f"const char *{name}_name_in", [f'"{text}"' for text in given]),
        *_by_index(f"const char *{name}_name_out", [f'"{text}"' for text in found]),
        *_by_index(f"const axl_casadi_int *{name}_sparsity_in", list(given.values())),
        *_by_index(f"const axl_casadi_int *{name}_sparsity_out", list(found.values())),
        f"int {name}_work(axl_casadi_int *arg, axl_casadi_int *res, axl_casadi_int *iw, "
        "axl_casadi_int *w)",
        "{",
        f"    *arg = {len(given)}; *res = {len(found)}; *iw = 0; *w = AXL_WORK;",
        "    return 0;",
        "}",
        "",
    ]
    return "\n".join(lines)


def _by_index(head: str, texts: Sequence[str]) -> list[str]:
    cases = [f"    if (i == {k}) return {text};" for k, text in enumerate(texts)]
    return [f"{head}(axl_casadi_int i)", "{", *cases, "    return 0;", "}"]
