"""Targets of metrics: a small file of lower and upper limits, and the verdict by it.

As YAML, ``bump_steer: [-6, 2]`` or ``bump_steer: {lower: -6, upper: 2}``; as a table, a row for
each metric with the columns ``metric``, ``lower`` and ``upper``, empty where there is no limit.
Limits are in the metric's unit, or have their own: ``[-0.1 rad/m, 2 deg/m]``.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axletree.analysis.kinematics_and_compliance.metrics import RIG_METRICS
from axletree.analysis.kinematics_and_compliance.result import KEY_METRICS, KinematicsAndCompliance
from axletree.core.errors import AxletreeError
from axletree.core.problems import Problems, shown
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, parse_unit, to_si
from axletree.core.yaml_document import LARGEST_FILE, read_document, text_of
from axletree.metrics.verdict import Comparison, Criterion, Verdict, judge

_UNITS = {metric.name: metric.unit for metric in RIG_METRICS}


@dataclass(frozen=True)
class MetricTarget:
    """Limits of a metric, in its unit; None where there is none."""

    metric: str
    lower: float | None = None
    upper: float | None = None


def read_targets(path: str | Path) -> tuple[MetricTarget, ...]:
    """From a YAML file or a table, by the ending; all problems of it at once.

    Example:
    >>> from pathlib import Path
    >>> from axletree.analysis.kinematics_and_compliance.targets import read_targets
    >>> written = Path("limits.yaml").write_text("bump_steer: [-6, 2]\\ncaster: {lower: 4 deg}\\n")
    >>> read_targets("limits.yaml")[1]
    MetricTarget(metric='caster', lower=4.0, upper=None)
    """
    path = Path(path)
    problems = Problems(str(path))
    text = text_of(path, str(path))
    rows = _of_table(text, problems) if path.suffix.lower() == ".csv" else _of_yaml(text, problems)
    found = [_target(line, name, limits, problems) for line, name, limits in rows]
    problems.raise_any()
    if not found:
        problems.stop(0, (), "it has no targets; expected lines such as bump_steer: [-6, 2]")
    return tuple(one for one in found if one is not None)


def _of_yaml(text: str, problems: Problems) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    if len(text) > LARGEST_FILE or not text.strip():
        problems.stop(0, (), "expected lines such as bump_steer: [-6, 2]")
    root = read_document(text, problems)
    if not isinstance(root.content, dict):
        problems.stop(root.line, (), "expected lines such as bump_steer: [-6, 2]")
    for name, entry in root.content.items():
        plain = entry.plain
        if isinstance(plain, list) and len(plain) == 2:
            plain = {"lower": plain[0], "upper": plain[1]}
        if not isinstance(plain, dict) or not plain or set(plain) - {"lower", "upper"}:
            problems.add(
                entry.line, (str(name),),
                f"found {shown(plain)}; expected two limits, [-6, 2], or lower or upper",
            )  # fmt: skip
            continue
        yield entry.line, str(name), plain


def _of_table(text: str, problems: Problems) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    rows = csv.DictReader(text.splitlines())
    heads = [(name or "").strip() for name in rows.fieldnames or ()]
    if "metric" not in heads or not {"lower", "upper"} & set(heads):
        problems.stop(1, (), f"found the columns {heads}; expected metric, lower, upper")
    for row in rows:
        cells = {(k or "").strip(): (v or "").strip() for k, v in row.items() if isinstance(v, str)}
        limits = {word: cells[word] for word in ("lower", "upper") if cells.get(word)}
        yield rows.line_num, cells.get("metric", ""), limits


def _target(
    line: int, name: str, limits: Mapping[str, Any], problems: Problems
) -> MetricTarget | None:
    if name not in _UNITS:
        problems.add(line, (), unknown_name("metric", name, _UNITS, "those of a rig"))
        return None
    found: dict[str, float] = {}
    if not limits:
        problems.add(line, (name,), "it has neither a lower nor an upper limit")
    for word, value in limits.items():
        try:
            found[word] = _in_unit(value, _UNITS[name])
        except AxletreeError as error:
            problems.add(line, (name, word), error)
    target = MetricTarget(name, **found)
    if target.lower is not None and target.upper is not None and target.lower > target.upper:
        problems.add(line, (name,), f"lower {target.lower:g} is above upper {target.upper:g}")
    return target


def _in_unit(value: Any, unit: str) -> float:
    """A plain number is in the unit already."""
    if isinstance(value, bool):
        raise UnitError(f"{value} is no number; expected a limit, or leave it out")
    try:
        limit = float(value)
    except (TypeError, ValueError):
        limit = to_si(str(value), unit) / float(parse_unit(unit).factor)
    if not math.isfinite(limit):
        raise UnitError(f"{limit:g} is no limit; leave it out where there is none")
    return limit


def judged(found: KinematicsAndCompliance, targets: tuple[MetricTarget, ...]) -> Verdict:
    """Each limit against the worse of both wheels; a metric that an axle has not is undecided.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.kinematics_and_compliance.targets import MetricTarget, judged
    >>> found = at.kinematics_and_compliance("double-wishbone-sports-car", "front")
    >>> judged(found, (MetricTarget("caster", lower=4.0, upper=7.0),)).outcome.value
    'passed'
    """
    criteria = []
    titles = {metric.name: metric.title for metric in RIG_METRICS}
    for target in targets:
        limits = ((Comparison.AT_LEAST, target.lower), (Comparison.AT_MOST, target.upper))
        for comparison, limit in limits:
            if limit is None:
                continue
            for name in _worse(found, target.metric, comparison):
                title = titles[target.metric] + (", right" if name.endswith("_right") else "")
                unit = _UNITS[target.metric]
                criteria.append(Criterion(name, title, comparison, limit, unit))
    return judge(found.name, criteria, found.findings(), KEY_METRICS)


def _worse(found: KinematicsAndCompliance, name: str, comparison: Comparison) -> Iterator[str]:
    one = found.metrics.get(name)
    if one is None or one.is_symmetric:
        yield name
        return
    right_is_worse = (one.right < one.left) == (comparison is Comparison.AT_LEAST)
    yield f"{name}_right" if right_is_worse else name
