"""The command line: help with an example everywhere, clean messages for errors."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

import axletree
from axletree.__main__ import EXIT_INTERRUPTED, main
from axletree.cli import doctor
from axletree.cli.app import COMMANDS, EXIT_USER_ERROR, app, imported_command
from axletree.core.errors import ModelError

GROUPS = ("tyre", "bench")
ALONE = [name for name in COMMANDS if name not in GROUPS]


@pytest.fixture
def runner() -> CliRunner:
    return CliRunner()


@pytest.fixture
def failing_command() -> Iterator[str]:
    """A command of the test's own that meets a bad model."""

    def fail() -> None:
        raise ModelError(["rod.mass: -1 kg is negative", "pin.axis: zero vector"])

    app.command("fail")(fail)
    yield "fail"
    app.registered_commands.pop()


def test_the_version_is_the_package_version(runner: CliRunner) -> None:
    assert runner.invoke(app, ["--version"]).stdout == f"axletree {axletree.__version__}\n"


@pytest.mark.parametrize("command", ALONE)
def test_every_command_has_help_with_an_example(runner: CliRunner, command: str) -> None:
    result = runner.invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert f"Example: axletree {command}" in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_the_list_of_commands_has_the_first_sentence_of_each(command: str) -> None:
    text = str(imported_command(command).help)
    assert " ".join(text.partition("\n\n")[0].split()) == COMMANDS[command][1]


def test_help_imports_what_it_needs_and_no_more() -> None:
    """NumPy and SciPy, SymPy, Matplotlib and Rich take longer than the help does."""
    program = (
        "import sys, axletree.__main__ as command; sys.argv = ['axletree', '--help']\n"
        "try: command.main()\n"
        "except SystemExit: print(*sorted(sys.modules), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "Usage: axletree" in result.stdout
    loaded = result.stderr.split()
    heavy = {"numpy", "scipy", "sympy", "matplotlib", "pandas", "rich", "ruamel"}
    assert heavy & {name.partition(".")[0] for name in loaded} == set()
    own = [name for name in loaded if name.startswith("axletree.")]
    assert own == [
        "axletree.__main__", "axletree.catalogue", "axletree.cli", "axletree.cli.app",
        "axletree.core", "axletree.core.errors",
    ]  # fmt: skip


def test_an_error_is_shown_without_a_traceback(runner: CliRunner, failing_command: str) -> None:
    result = runner.invoke(app, [failing_command])
    assert result.exit_code == EXIT_USER_ERROR
    assert result.stdout == ""
    assert result.stderr == (
        "axletree: 2 problems:\n  1. rod.mass: -1 kg is negative\n  2. pin.axis: zero vector\n"
    )


def test_debug_lets_the_error_through(runner: CliRunner, failing_command: str) -> None:
    result = runner.invoke(app, ["--debug", failing_command])
    assert isinstance(result.exception, ModelError)


@pytest.mark.parametrize("option", ["--duration", "--step", "--record-interval"])
def test_a_wrong_time_is_named_by_its_option(runner: CliRunner, option: str) -> None:
    result = runner.invoke(app, ["run", "pendulum", option, "nan"])
    assert result.exit_code == EXIT_USER_ERROR
    assert f"axletree: {option}: 'nan' is no quantity" in result.stderr


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["run", "pendulum", "--model", ""], "--model"),  # --model "$UNSET"
        (["run", "pendulum", "--out="], "--out"),
        (["derive", "pendulum", "--tree", " "], "--tree"),
        (["sweep", "pendulum", "-p", ""], "-p"),
        (["check", ""], "an argument"),
    ],
)
def test_an_empty_word_is_not_the_default(runner: CliRunner, words: list[str], name: str) -> None:
    result = runner.invoke(app, words)
    assert result.exit_code == EXIT_USER_ERROR
    assert f"{name} is empty; leave it out" in result.stderr


def test_no_arguments_show_the_help(runner: CliRunner) -> None:
    result = runner.invoke(app, [])
    assert "Usage: axletree" in result.output
    assert all(command in result.output for command in COMMANDS)


def test_the_package_runs_as_a_module() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "axletree", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout == f"axletree {axletree.__version__}\n"


def test_an_interrupt_while_the_command_is_loaded_ends_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        """A finder of modules that is interrupted when the command is looked for."""

        def find_spec(self, name: str, *_: object) -> None:
            if name == "axletree.cli.app":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "axletree.cli.app")
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == EXIT_INTERRUPTED
    assert capsys.readouterr().err == "axletree: interrupted from the keyboard\n"


def test_an_interrupted_command_says_so(runner: CliRunner) -> None:
    def wait() -> None:
        raise KeyboardInterrupt

    app.command("wait")(wait)
    result = runner.invoke(app, ["wait"])
    app.registered_commands.pop()
    assert result.exit_code == EXIT_INTERRUPTED
    assert result.stderr == "axletree: interrupted from the keyboard\n"


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.ENOSPC, "axletree: standard output: No space left on device"),  # > /dev/full
        (errno.ENOENT, "axletree: the current folder: No such file"),  # after rmdir "$PWD"
    ],
)
def test_what_the_system_refuses_is_a_message(
    runner: CliRunner, monkeypatch: pytest.MonkeyPatch, number: int, message: str
) -> None:
    def refused() -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(doctor, "_versions", refused)
    result = runner.invoke(app, ["doctor"])
    assert (result.exit_code, result.stderr[: len(message)]) == (EXIT_USER_ERROR, message)
    assert isinstance(runner.invoke(app, ["--debug", "doctor"]).exception, OSError)
