"""Every error that Axletree raises on purpose is an ``AxletreeError``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class AxletreeError(Exception):
    """Base of all errors whose message is written for the user.

    Example:
    >>> import axletree as at
    >>> try:
    ...     at.Model().add(at.RigidBody("rod", mass="2 m"))
    ... except at.AxletreeError as error:
    ...     print(error)
    rod.mass: '2 m' is a length (m), but a mass (kg) is expected; write for example '2.5 kg'
    """


class FileError(AxletreeError):
    """A file that cannot be written."""


class FullDiskError(FileError):
    """A file for which its disk, or the user's share of it, has no space."""


class ExpressionError(AxletreeError):
    """An expression that has no value: a division by zero, NaN, a wrong type."""


class ModelError(AxletreeError):
    """A model that cannot be built; holds every problem found, not only the first."""

    def __init__(self, problems: str | Iterable[str]) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        if len(self.problems) == 1:
            message = self.problems[0]
        else:
            lines = "\n".join(f"  {k}. {text}" for k, text in enumerate(self.problems, start=1))
            message = f"{len(self.problems)} problems:\n{lines}"
        super().__init__(message)


@contextmanager
def as_model_error(prefix: str = "") -> Iterator[None]:
    """An error of the package within is a ModelError, each problem after the prefix."""
    try:
        yield
    except AxletreeError as error:
        texts = error.problems if isinstance(error, ModelError) else (str(error),)
        raise ModelError(prefix + text for text in texts) from None


@contextmanager
def gathered(problems: list[str], prefix: str) -> Iterator[None]:
    """The problems of a ModelError within join others, each after the prefix."""
    try:
        yield
    except ModelError as error:
        problems += [prefix + text for text in error.problems]


class ModelWarning(UserWarning):
    """A model that can be built, but may not show what is meant.

    Example:
    >>> import warnings
    >>> import axletree as at
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", at.ModelWarning)  # in here a warning is an error
    ...     at.read_model("quarter-car").formulate().degrees_of_freedom
    3
    """


class GraphError(AxletreeError):
    """A choice of tree that is no tree, or a graph that falls apart."""


class FormulationError(AxletreeError):
    """Equations that cannot be formed or solved for this model."""


class TrimError(AxletreeError):
    """No steady motion was found, or what is asked for makes no sense or leaves it open."""


class InitialValueError(AxletreeError):
    """Initial values that violate a constraint or contradict one another."""


class CompilerError(AxletreeError):
    """The C compiler failed on generated code, or was not found where it is required."""


class ExportError(AxletreeError):
    """A system that cannot be written in the language that is asked for."""


class SimulationError(AxletreeError):
    """A run that had to stop: a value that is not finite, a step that cannot be taken."""
