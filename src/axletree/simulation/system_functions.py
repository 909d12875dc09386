"""Rates and outputs of a system and their exact derivatives, on arrays.

The rows are F = (xdot, y): the rates of the states, then the outputs that are asked for. The
columns are z = (x, u, p): states, inputs, and the parameters that are variables, too. Everything is
compiled to C where there is a compiler; matrices are sparse.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Mapping
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike

from axletree.code.backends.c import find_compiler, load_library
from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.identifiers import RESERVED
from axletree.code.lowering import DERIVATIVES, derivative_extras, lower
from axletree.code.printers.c import print_unit
from axletree.code.printers.casadi import (
    casadi_text,
    jacobian_blocks,
    jacobian_pattern,
    symmetric_pattern,
)
from axletree.code.program import Program, Routine, SparsePattern, SparseRoutine
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import CompilerError, ExportError, SimulationError
from axletree.core.registry import few_names, refuse_unknown
from axletree.expr import OperationCount, dependencies
from axletree.simulation.problem import Problem, state_problem
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System

if TYPE_CHECKING:
    from scipy.sparse import csc_array

SYSTEM_FUNCTIONS: Final = ("f", *DERIVATIVES)


def functions(
    system: System,
    *names: str,
    outputs: Iterable[str] | None = (),
    by_parameters: Iterable[str] | None = (),
    parameters: Mapping[str, float | str] | None = None,
) -> SystemFunctions:
    """Rates and outputs, and their exact derivatives, as compiled functions of arrays.

    Parameters
    ----------
    names: what is asked for, "f" and "jacobian" where nothing is said: "f" rates and outputs;
        "jacobian" their first derivatives; "hessian" second derivatives of a sum of them with
        weights; "directional" the Jacobian times a vector; "adjoint" a vector times the Jacobian.
    outputs: names of the outputs that follow the rates, None for all of them.
    by_parameters: names of parameters that are variables beside states and inputs, None for all.
    parameters: values that are not the model's own; texts may carry units.

    Set-valued forces are smooth. At corners derivatives are one-sided or means, as those of |x|,
    which are 0 at 0.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> found = pendulum.functions("f", "jacobian", by_parameters=["gravity.z"])
    >>> found.columns
    ('pin.rate', 'pin.angle', 'gravity.z')
    >>> x, u = found.point({"pin.angle": 0.0, "pin.rate": 0.0})
    >>> found.jacobian(x, u).toarray().round(3).tolist()  # rad/s^2, rad/s by rad/s, rad, m/s^2
    [[0.0, -14.725, 0.0], [1.0, 0.0, 0.0]]
    """
    check_arguments(functions, locals())
    asked = tuple(dict.fromkeys(names)) or ("f", "jacobian")
    refuse_unknown("function", asked, SYSTEM_FUNCTIONS, "the functions of a system")
    smooth = with_smooth_forces(system)
    chosen = None if by_parameters is None else tuple(by_parameters)
    extras = derivative_extras([name for name in asked if name != "f"], chosen)
    listed = None if outputs is None else tuple(outputs)
    program = lower(smooth, listed, extras, by_parameters=chosen)
    problem = state_problem(smooth, parameters=parameters)
    return SystemFunctions(smooth, asked, program, problem)


class SystemFunctions:
    """What ``System.functions`` returns.

    ``rows`` are the names of the states whose rates F begins with, and of the outputs after them;
    ``columns`` those of states, inputs and parameters. Arguments are arrays: x and u in the order
    of ``states`` and ``inputs``, p of the parameters among the columns, else as they are in the
    model; t in s. All are in SI units. Where x has two axes the first one counts points: u and
    weights may have it, too, and results have it.

    Results are not finite where the equations are not.

    Example:
    >>> import axletree as at
    >>> import numpy as np
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> found = pendulum.functions("f", "hessian", outputs=["energy.kinetic"])
    >>> found.rows
    ('pin.rate', 'pin.angle', 'energy.kinetic')
    >>> x, u = found.point({"pin.angle": 0.0, "pin.rate": 2.0})
    >>> found.f(x, u).round(3).tolist()  # rad/s^2, rad/s, J
    [-0.0, 2.0, 0.666]
    >>> found.hessian(x, u, [0.0, 0.0, 1.0]).toarray().round(3).tolist()  # kg m^2: I + m l^2
    [[0.333, 0.0], [0.0, 0.0]]
    """

    def __init__(
        self, system: System, names: tuple[str, ...], program: Program, problem: Problem
    ) -> None:
        self.system, self.names, self.program = system, names, program
        self.states = tuple(q.name for q in program.states)
        self.inputs = tuple(q.name for q in program.inputs)
        self.rows = (*self.states, *(q.name for q in program.outputs))
        self.columns = (*self.states, *self.inputs, *(q.name for q in program.by_parameters))
        self._parameters = problem.parameters
        self._code = _CompiledRoutines(program)
        self._own_constants = self._code.constants(self._parameters)
        self._latest = (b"", self._own_constants)
        index = {q.name: k for k, q in enumerate(program.parameters)}
        self._places = [index[q.name] for q in program.by_parameters]

    def with_parameters(self, parameters: Mapping[str, float | str]) -> SystemFunctions:
        """The same compiled functions with other values of parameters.

        Example:
        >>> import axletree as at
        >>> found = at.read_model("pendulum").formulate().functions("f")
        >>> heavier = found.with_parameters({"rod.mass": "2 kg"})
        >>> [one.f([0.0, 0.5]).round(3).tolist() for one in (found, heavier)]  # rad/s^2, rad/s
        [[-7.059, 0.0], [-8.064, 0.0]]
        """
        changed = copy(self)
        changed._parameters = state_problem(self.system, parameters=parameters).parameters
        changed._own_constants = self._code.constants(changed._parameters)
        changed._latest = (b"", changed._own_constants)
        return changed

    def __repr__(self) -> str:
        listed = ", ".join(self.names)
        return (
            f"functions {listed} of {self.program.name!r}: {len(self.rows)} rows, "
            f"{len(self.columns)} columns: {few_names(self.columns, 4)}"
        )

    @property
    def language(self) -> str:
        """What the functions run in: C, or Python where there is no compiler."""
        return self._code.runs.language

    @property
    def p(self) -> FloatArray:
        """The values of the parameters among the columns, as the functions have them."""
        return self._parameters[self._places]

    @property
    def operations(self) -> dict[str, OperationCount]:
        """What one evaluation of each function costs; ``constants`` once for each p."""
        program = self.program
        counts = {
            "f": program.rhs.operations + program.outputs_routine.operations,
            **{r.name: r.operations for r in program.routines if r.name in SYSTEM_FUNCTIONS},
            "constants": program.constants.operations,
        }
        blocks = [m.routine.operations for m in jacobian_blocks(self.program)]
        if blocks:
            counts["jacobian"] = sum(blocks, OperationCount())
        return {name: counts[name] for name in (*self.names, "constants")}

    def point(
        self,
        state: Mapping[str, float | str] | None = None,
        inputs: Mapping[str, float | str] | None = None,
    ) -> tuple[FloatArray, FloatArray]:
        """x and u by names; states that are not given are consistent with the constraints.

        Example:
        >>> import axletree as at
        >>> found = at.read_model("pendulum").formulate().functions("f")
        >>> found.point({"pin.rate": "60 deg/s"})[0].round(3).tolist()  # rad/s, rad
        [1.047, 0.3]
        """
        names = (q.name for q in self.program.parameters)
        own = dict(zip(names, self._parameters.tolist(), strict=True))
        problem = state_problem(self.system, initial=state, inputs=inputs, parameters=own)
        return problem.states, problem.inputs

    def f(
        self, x: ArrayLike, u: ArrayLike = (), p: ArrayLike | None = None, t: float = 0.0
    ) -> FloatArray:
        """Rates of the states, then the outputs.

        Example:
        >>> import axletree as at
        >>> found = at.read_model("pendulum").formulate().functions("f")
        >>> found.f([0.5, 1.0]).round(3).tolist()  # rad/s^2, rad/s at 0.5 rad/s, 1 rad
        [-12.39, 0.5]
        """
        self._check("f")
        program, c = self.program, self._constants(p)
        rates = self._code.values(program.rhs, t, c, x, u)
        if not program.outputs:
            return rates
        outputs = self._code.values(program.outputs_routine, t, c, x, u)
        return np.concatenate((rates, outputs), axis=-1)

    def jacobian(
        self, x: ArrayLike, u: ArrayLike = (), p: ArrayLike | None = None, t: float = 0.0
    ) -> csc_array:
        """d F / d z at one point, as a sparse matrix of SciPy.

        Example:
        >>> import axletree as at
        >>> found = at.read_model("pendulum").formulate().functions("jacobian")
        >>> found.jacobian([0.0, 0.0]).toarray().round(3).tolist()  # 1/s, 1/s^2
        [[0.0, -14.725], [1.0, 0.0]]
        """
        return self.jacobian_pattern.matrix(_of_one(self.jacobian_values(x, u, p, t), "jacobian"))

    def jacobian_values(
        self, x: ArrayLike, u: ArrayLike = (), p: ArrayLike | None = None, t: float = 0.0
    ) -> FloatArray:
        """The nonzeros of d F / d z, in the order of ``jacobian_pattern``.

        Example:
        >>> import axletree as at
        >>> found = at.read_model("pendulum").formulate().functions("jacobian")
        >>> found.jacobian_pattern.rows, found.jacobian_values([0.0, 0.0]).round(3).tolist()
        ((1, 0), [1.0, -14.725])
        """
        self._check("jacobian")
        c = self._constants(p)
        blocks = [self._code.values(m.routine, t, c, x, u) for m in jacobian_blocks(self.program)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=-1)

    @cached_property
    def jacobian_pattern(self) -> SparsePattern:
        """Where the nonzeros of d F / d z stand."""
        self._check("jacobian")
        return jacobian_pattern(self.program)

    def hessian(
        self,
        x: ArrayLike,
        u: ArrayLike,
        weights: ArrayLike,
        p: ArrayLike | None = None,
        t: float = 0.0,
    ) -> csc_array:
        """d2 (weights F) / d z d z at one point, whole and symmetric, as a sparse matrix of SciPy.

        Example:
        >>> import axletree as at
        >>> found = at.read_model("pendulum").formulate().functions("hessian")
        >>> found.hessian([0.0, 1.5], (), [1.0, 0.0]).toarray().round(3).tolist()  # 1/s^2
        [[0.0, 0.0], [0.0, 14.688]]
        """
        values = _of_one(self.hessian_values(x, u, weights, p, t), "hessian")
        pattern, places = self._whole_hessian
        return pattern.matrix(values[places])

    def hessian_values(
        self,
        x: ArrayLike,
        u: ArrayLike,
        weights: ArrayLike,
        p: ArrayLike | None = None,
        t: float = 0.0,
    ) -> FloatArray:
        """The nonzeros of the lower triangle, in the order of ``hessian_pattern``.

        Example:
        >>> import axletree as at
        >>> found = at.read_model("pendulum").formulate().functions("hessian")
        >>> found.hessian_pattern.rows, found.hessian_values([0.0, 1.5], (), [1.0, 0.0]).round(3)
        ((1,), array([14.688]))
        """
        matrix = self._hessian
        return self._code.values(matrix.routine, t, self._constants(p), x, u, weights)

    @property
    def hessian_pattern(self) -> SparsePattern:
        """Where the nonzeros of the lower triangle stand."""
        return self._hessian.pattern

    @property
    def _hessian(self) -> SparseRoutine:
        self._check("hessian")
        assert self.program.hessian is not None
        return self.program.hessian

    @cached_property
    def _whole_hessian(self) -> tuple[SparsePattern, list[int]]:
        """Both triangles, and where each of their entries stands in the lower one."""
        return symmetric_pattern(self.hessian_pattern)

    def directional(
        self,
        x: ArrayLike,
        u: ArrayLike,
        direction: ArrayLike,
        p: ArrayLike | None = None,
        t: float = 0.0,
    ) -> FloatArray:
        """d F / d z times a direction of z.

        Example:
        >>> import axletree as at
        >>> found = at.read_model("pendulum").formulate().functions("directional")
        >>> found.directional([0.0, 0.0], (), [0.0, 0.1]).round(4).tolist()  # rad/s^2, rad/s
        [-1.4725, 0.0]
        """
        return self._product("directional", self.program.directional, t, x, u, p, direction)

    def adjoint(
        self,
        x: ArrayLike,
        u: ArrayLike,
        weights: ArrayLike,
        p: ArrayLike | None = None,
        t: float = 0.0,
    ) -> FloatArray:
        """Weights of the rows times d F / d z: the gradient of the weighted sum.

        Example:
        >>> import axletree as at
        >>> found = at.read_model("pendulum").formulate().functions("adjoint")
        >>> found.adjoint([0.0, 0.0], (), [1.0, 2.0]).round(3).tolist()  # 1/s^2 and 1/s
        [2.0, -14.725]
        """
        return self._product("adjoint", self.program.adjoint, t, x, u, p, weights)

    def to_casadi(self, name: str = "F") -> Any:
        """F as a function of CasADi, of z = (x, u, p), with exact sparse derivatives.

        With "hessian" among the functions there are second derivatives, as IPOPT needs them. The
        compiled library stays in the cache folder, and the function lives with it.

        Example:
        >>> import axletree as at
        >>> found = at.read_model("pendulum").formulate().functions("f", "jacobian", "hessian")
        >>> found.to_casadi()
        Function(F:(z[2])->(F[2]) External)
        """
        try:
            import casadi
        except ImportError:
            raise ExportError(
                "to_casadi needs the package casadi; install axletree with the extra [casadi]"
            ) from None
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", name) or name in RESERVED:
            raise ExportError(
                f"{name!r} is no C identifier of letters and digits, as CasADi asks for"
            )
        self._check("f")
        self._check("jacobian")
        self._refuse_time()
        compiler = find_compiler()
        if compiler is None:
            raise CompilerError("CasADi calls compiled code, and there is no C compiler here")
        values = self._parameters.tolist(), self._own_constants.tolist()
        source = print_unit(self.program, more=casadi_text(self.program, name, *values))
        library = load_library(source, compiler)
        return casadi.external(name, library._name)

    def _refuse_time(self) -> None:
        system = self.system
        rows = [*system.derivatives, *(d.expression for d in system.outputs
                                       if d.quantity.name in self.rows)]  # fmt: skip
        if any(system.time.symbol in one for one in dependencies(rows)):
            raise ExportError(
                f"{self.program.name!r} depends on time, which a function of CasADi does not have "
                "here; make what varies an input"
            )

    def _product(
        self,
        name: str,
        routine: Routine | None,
        t: float,
        x: ArrayLike,
        u: ArrayLike,
        p: ArrayLike | None,
        vector: ArrayLike,
    ) -> FloatArray:
        self._check(name)
        assert routine is not None
        return self._code.values(routine, t, self._constants(p), x, u, vector)

    def _check(self, name: str) -> None:
        if name not in self.names:
            asked = ", ".join(f'"{known}"' for known in (*self.names, name))
            raise SimulationError(
                f"these are the functions {', '.join(self.names)} of {self.program.name!r}; "
                f"ask for more by system.functions({asked})"
            )

    def _constants(self, p: ArrayLike | None) -> FloatArray:
        if p is None:
            return self._own_constants
        values = np.asarray(p, dtype=float)
        if values.shape != (len(self._places),):
            names = few_names((q.name for q in self.program.by_parameters), 4)
            raise SimulationError(
                f"expected {len(self._places)} values for p{': ' if names else ''}{names}, got an "
                f"array of shape {values.shape}; by_parameters of system.functions chooses them"
            )
        key, constants = self._latest
        if values.tobytes() != key:
            every = self._parameters.copy()
            every[self._places] = values
            constants = self._code.constants(every)
            self._latest = (values.tobytes(), constants)
        return constants


def _of_one(values: FloatArray, name: str) -> FloatArray:
    if values.ndim > 1:
        raise SimulationError(
            f"{name} makes the matrix of one point, and x has {len(values)}; {name}_values gives "
            f"the nonzeros of all, and {name}_pattern says where they stand"
        )
    return values


class _CompiledRoutines:
    """Routines of a program at one point or at many, without a loop in Python."""

    def __init__(self, program: Program) -> None:
        self._program = program
        evaluated = [r for r in program.routines if "x" in r.arguments]
        self._sizes = {routine.name: _sizes(program, routine) for routine in evaluated}
        loops = [_loop_text(routine, self._sizes[routine.name]) for routine in evaluated]
        self.runs: Runnable = compile_program(program, more=loops)
        self._loops: dict[str, Any] = {}
        if self.runs.library is not None:
            for routine in evaluated:
                loop = getattr(self.runs.library, f"model_{routine.name}_each")
                arrays = len(routine.arguments)  # the results in place of the time
                loop.argtypes = [ctypes.c_long, ctypes.c_double] + [ctypes.c_void_p] * arrays
                loop.restype = None
                self._loops[routine.name] = loop

    def constants(self, parameters: FloatArray) -> FloatArray:
        return self.runs.constants(parameters)

    def values(self, routine: Routine, t: float, c: FloatArray, *given: ArrayLike) -> FloatArray:
        """Results at each point: of states, inputs and what else the routine takes.

        Arrays with one axis hold for all points.
        """
        sizes = self._sizes[routine.name]
        try:
            arrays = [np.asarray(array, dtype=float) for array in given]
        except (TypeError, ValueError) as error:
            raise SimulationError(
                f"states, inputs and weights are arrays of numbers: {error}"
            ) from None
        points = _points(arrays, sizes)
        count = 1 if points is None else points
        if self.runs.library is None:
            return self._in_python(routine, t, c, arrays, points)
        width = sum(size for _, size in sizes) + routine.size
        room = np.empty(count * width)
        address, begin, places = room.ctypes.data, 0, []
        for array, (_, size) in zip(arrays, sizes, strict=True):
            end = begin + count * size
            room[begin:end].reshape(count, size)[...] = array
            places.append(address + 8 * begin)
            begin = end
        states, inputs, *further = places
        self._loops[routine.name](
            count, t, states, inputs, c.ctypes.data, *further, address + 8 * begin
        )
        found = room[begin:]
        return found if points is None else found.reshape(count, routine.size)

    def _in_python(
        self,
        routine: Routine,
        t: float,
        c: FloatArray,
        arrays: list[FloatArray],
        points: int | None,
    ) -> FloatArray:
        if points is None:
            x, u, *more = arrays
            return self.runs.evaluate(routine, t, x, u, c, *more)
        spread = [np.broadcast_to(a, (points, a.shape[-1])) for a in arrays]
        rows = [
            self.runs.evaluate(routine, t, x, u, c, *more)
            for x, u, *more in zip(*spread, strict=True)
        ]
        return np.array(rows).reshape(points, routine.size)


_TITLES: Final = {"x": "states", "u": "inputs", "w": "weights", "dz": "entries of a direction"}


def _sizes(program: Program, routine: Routine) -> list[tuple[str, int]]:
    """The arrays that a routine takes for a point, but for the constants."""
    variables = len(program.states) + len(program.inputs)
    sizes = {
        "x": len(program.states),
        "u": len(program.inputs),
        "w": len(program.states) + len(program.outputs),
        "dz": variables + len(program.by_parameters),
    }
    return [(array, sizes[array]) for array in routine.arguments if array in sizes]


def _points(arrays: list[FloatArray], sizes: list[tuple[str, int]]) -> int | None:
    """How many points there are; None where no array counts any."""
    counts = {len(array) for array in arrays if array.ndim == 2}
    problems = [
        f"{size} {_TITLES[name]} ({name}), got an array of shape {array.shape}"
        for array, (name, size) in zip(arrays, sizes, strict=True)
        if array.ndim not in (1, 2) or array.shape[-1] != size
    ]
    if problems:
        raise SimulationError(f"expected {'; '.join(problems)}")
    if len(counts) > 1:
        listed = ", ".join(str(count) for count in sorted(counts))
        raise SimulationError(
            f"arrays with two axes have one row for each point, and these have {listed} rows"
        )
    return counts.pop() if counts else None


def _loop_text(routine: Routine, sizes: list[tuple[str, int]]) -> str:
    """A function that evaluates a routine at many points."""
    size = dict(sizes)
    given = [a for a in routine.arguments if a != "t"]
    moving = [f"{a} + k*{size[a]}" if a in size else a for a in given]
    results = f"out + k*{routine.size}"
    lines = [
        f"void model_{routine.name}_each(long count, axl_real t, "
        + ", ".join(f"const axl_real *{a}" for a in given) + ", axl_real *out)",
        "{",
        "    long k;",
        "    for (k = 0; k < count; ++k)",
        f"        model_{routine.name}(t, {', '.join(moving)}, {results});",
        "}",
        "",
    ]  # fmt: skip
    return "\n".join(lines)
