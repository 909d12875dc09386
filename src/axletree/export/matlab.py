"""A system as MATLAB functions, for ode45 and its like; GNU Octave runs them, too."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from axletree.code.identifiers import comment_text, identifiers, quantities_of, quantity_comment
from axletree.code.lowering import Extra, lower
from axletree.code.printers.matlab import (
    MATLAB_LANGUAGE,
    assignment_lines,
    matlab_function_text,
    print_matlab,
)
from axletree.code.printers.steps import MATLAB_STEPS
from axletree.code.program import Program
from axletree.code.step_rules import CLASSICAL, runge_kutta
from axletree.export.folder import with_assembled_start, write_files
from axletree.system.system import System

_RUN: Final = """\
function [t, x, y] = model_run(duration, step, u, p)
% MODEL_RUN Runs the model from its default states with the classical Runge-Kutta method.
%   [t, x, y] = MODEL_RUN(duration, step), both in s; the rows of x and y belong to the times t.
%   MODEL_RUN(duration, step, u, p) has inputs, which are held, and parameters of your own.
    [first, inputs, parameters] = model_defaults();
    if nargin < 3
        u = inputs;
    end
    if nargin < 4
        p = parameters;
    end
    c = model_constants(p);
    steps = round(duration/step);
    t = step*(0:steps).';
    x = zeros(steps + 1, numel(first));
    y = zeros(steps + 1, OUTPUTS);
    z = first;
    for k = 1:steps + 1
        x(k, :) = z.';
        y(k, :) = model_outputs(t(k), z, u, c).';
        z = advanced(t(k), step, z, u, c);
    end
end

function x = advanced(t, h, x, u, c)
STEP
PROJECTIONend
"""
_PROJECTION: Final = "    x = model_project(t + h, x, u, c);\n"

_FREE: Final = """\
% Runs the model for one second from its default states and shows the last ones.
[x0, u, p] = model_defaults();
[ix, iu, ip, iy] = model_indices();  % for example p(ip.name) = value
c = model_constants(p);
options = odeset('RelTol', 1e-8, 'AbsTol', 1e-10);
[t, x] = ode45(@(t, x) model_rhs(t, x, u, c), [0, 1], x0, options);
"""
_CONSTRAINED: Final = """\
% Runs the model for one second from its default states and shows the last ones.
% Its states satisfy constraints: model_run moves them back onto these after every step. With
% ode45 do the same with model_project between short runs.
[x0, u, p] = model_defaults();
[ix, iu, ip, iy] = model_indices();  % for example p(ip.name) = value
[t, x] = model_run(1, 0.001, u, p);
"""
_SHOWN: Final = """\
names = fieldnames(ix);
for k = 1:numel(names)
    fprintf('%-60s %.9g\\n', names{k}, x(end, k));
end
"""


def write_matlab(
    system: System,
    folder: str | Path,
    *,
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
) -> Path:
    """Write MATLAB functions (``model_rhs.m`` and others) and ``model_example.m`` into ``folder``.

    ``outputs`` and ``extras`` choose what the model computes, as for ``lower``. Functions that
    are known as C text alone are refused. Returns the folder.

    Example:
    >>> import axletree as at
    >>> from axletree.export.matlab import write_matlab
    >>> folder = write_matlab(at.read_model("pendulum").formulate(), "matlab")
    >>> (folder / "model_rhs.m").read_text().splitlines()[0]
    'function xdot = model_rhs(t, x, u, c)'
    """
    program = lower(with_assembled_start(system), outputs, extras)
    return write_files(folder, matlab_files(program), "the MATLAB functions")


def matlab_files(program: Program) -> dict[str, str]:
    """The texts of the files, by name."""
    constrained = program.project is not None
    step = MATLAB_STEPS.text(runge_kutta(CLASSICAL))
    run = _RUN.replace("PROJECTION", _PROJECTION if constrained else "").replace("STEP", step, 1)
    return {
        **print_matlab(program),
        "model_defaults.m": _defaults(program),
        "model_indices.m": _indices(program),
        "model_run.m": run.replace("OUTPUTS", str(len(program.outputs))),
        "model_example.m": (_CONSTRAINED if constrained else _FREE) + _SHOWN,
    }


def _defaults(program: Program) -> str:
    arrays = {"x": program.states, "u": program.inputs, "p": program.parameters}
    statements = [
        text
        for array, quantities in arrays.items()
        for text in assignment_lines(array, [quantity.default for quantity in quantities])
    ]
    notes = [
        "MODEL_DEFAULTS The model's own states, inputs and parameters.",
        f"  {comment_text(program.name)}, in SI units.",
    ]
    return matlab_function_text("function [x, u, p] = model_defaults()", notes, statements)


def _indices(program: Program) -> str:
    notes = [
        "MODEL_INDICES Where quantities stand in x, u, p and y, by name.",
        "  [ix, iu, ip, iy] = MODEL_INDICES(); then x(ix.name) is one state.",
    ]
    head = "function [ix, iu, ip, iy] = model_indices()"
    return matlab_function_text(head, notes, list(_index_statements(program)))


def _index_statements(program: Program) -> Iterator[str]:
    for array, quantities in quantities_of(program).items():
        yield f"i{array} = struct();"
        texts = identifiers(quantity.name for quantity in quantities)
        names = MATLAB_LANGUAGE.names(texts.values())
        for k, quantity in enumerate(quantities, start=1):
            yield f"% {quantity_comment(quantity)}"
            yield f"i{array}.{names[texts[quantity.name]]} = {k};"
