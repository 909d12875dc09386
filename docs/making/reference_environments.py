"""The page of environments, from the classes of the tasks."""

from __future__ import annotations

import inspect

from reference_fields import table

from axletree.gym.contract import CONTROL_INTERVAL, QUICKEST_STEERING, DrivingTask, SpaceEntry
from axletree.gym.driven_vehicle import FACTORS
from axletree.gym.registration import ENVIRONMENTS

HEAD = f"""\
# Environments

Vehicles for learning agents, in [Gymnasium](https://gymnasium.farama.org); the extra `gym`
installs it, and `import axletree.gym` registers the environments. [A first learning
agent](../tutorials/first-agent.md) begins with one of them, and [learning
agents](../how-to/learning-agents.md) has settings, vectors and a deep-learning library.

Control is every {1e3 * CONTROL_INTERVAL:g} ms. An action is a number from -1 to 1 for each entry
of its table, which stands for the range that the table has; what is beyond is taken for the bound.
The steering wheel turns by {QUICKEST_STEERING:g} rad/s at most, and goes in a straight line from
where it is to where it comes to. Observations are in the units of their tables, and never beyond
their bounds. The reward of a step is the sum of its terms, which are in `info["rewards"]`; with the
last step of an episode comes that of its ending, whose name is `info["reason"]`, beside
`info["time"]` [s].

Made by `make reference` from the classes of `axletree.gym`.
"""


def environments_page() -> str:
    """The text of the page."""
    rows = [(f"[`{name}`](#{_anchor(task)})", task.summary) for name, task in ENVIRONMENTS.items()]
    return "\n".join([HEAD, table(("id", ""), rows), *map(_environment, ENVIRONMENTS), _factors()])


def _anchor(task: type[DrivingTask]) -> str:
    return task.__name__.lower()


def _environment(name: str) -> str:
    task = ENVIRONMENTS[name]
    text = inspect.cleandoc(task.__doc__ or "")
    drawn = ", ".join(f"`{what}` {a:g} to {b:g}" for what, (a, b) in task.randomised.items())
    observed = table(
        ("observation", "unit", "from", "to", ""), [_row(one) for one in task.observed]
    )
    acted = table(("action", "unit", "at -1", "at 1", ""), [_row(one) for one in task.acted])
    terms = [(f"`{one.name}`", "every step", one.description) for one in task.reward_terms]
    ends = [(f"`{one.name}`", f"{one.reward:g}, once", one.description) for one in task.endings]
    rewards = table(("reward", "", ""), [*terms, *ends])
    return (
        f"## {task.__name__}\n\n`{name}`: {text}\n\nVehicle: {task.vehicle_text}, unless another "
        f"is given. Factors that are drawn for each episode: {drawn}. Time is over after "
        f"{task.horizon:g} s.\n\n{observed}\n{acted}\n{rewards}"
    )


def _row(one: SpaceEntry) -> tuple[str, ...]:
    return f"`{one.name}`", one.unit, f"{one.low:.4g}", f"{one.high:.4g}", one.description


def _factors() -> str:
    rows = [
        (f"`{name}`", ", ".join(f"`{one}`" for one in names)) for name, names in FACTORS.items()
    ]
    return (
        "## Factors\n\nWhat `randomise` draws by one word is a common factor of these parameters. "
        "Any other parameter, or a pattern of names, is drawn by its own name.\n\n"
        f"{table(('word', 'parameters'), rows)}"
    )
