"""From drafts to components: references are resolved in whatever order the file has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from axletree.core.errors import ModelError
from axletree.core.registry import unknown_name
from axletree.library.framed import FramedBody
from axletree.library.signal import MOTION, SIGNAL, names_in
from axletree.model.declaration import FRAME_WORD, Declared
from axletree.model.draft import Draft
from axletree.model.model import Model
from axletree.model.problems import Problems, shown

LONGEST_NAME = 200  # characters of a reference


def connect(model: Model, drafts: Mapping[str, Draft | None], problems: Problems) -> None:
    """Add a component for each draft, those that it refers to before it."""
    for name in _order(drafts, problems):
        draft = drafts[name]
        if draft is not None:
            _connect_one(model, draft, drafts, problems)


def _order(drafts: Mapping[str, Draft | None], problems: Problems) -> list[str]:
    """The file's order, but what a component refers to comes before it."""
    done: dict[str, None] = {}
    for first in drafts:
        # The path from `first` down, each with the references that are still to be visited.
        path = [(first, _references(drafts[first], drafts))]
        while path:
            name, rest = path[-1]
            following = next((other for other in rest if other not in done), None)
            names = [step for step, _ in path]
            if following is None:
                path.pop()
                done[name] = None
            elif following in names:
                _add_cycle([*names[names.index(following) :], following], drafts, problems)
            else:
                path.append((following, _references(drafts[following], drafts)))
    return list(done)


def _references(draft: Draft | None, drafts: Mapping[str, Draft | None]) -> Iterator[str]:
    if draft is None:
        return
    for item, value in draft.given():
        if not isinstance(value.content, str):
            continue
        named = [value.content] if item.is_reference else []
        if item.kind.word in (SIGNAL, MOTION):
            named = names_in(value.content)
        targets = (name.partition(".")[0] for name in named)
        yield from (target for target in targets if target in drafts)


def _add_cycle(names: list[str], drafts: Mapping[str, Draft | None], problems: Problems) -> None:
    draft = drafts[names[0]]
    assert draft is not None  # a draft without content refers to nothing
    text = f"the references run in a circle: {' - '.join(names)}"
    problems.add(draft.entry.line, draft.place, text)


def _connect_one(
    model: Model, draft: Draft, drafts: Mapping[str, Draft | None], problems: Problems
) -> None:
    values: dict[str, Any] = {}
    complete = draft.sound
    for item, entry in draft.given():
        if not item.is_reference:
            values[item.field] = entry.plain
            continue
        try:
            values[item.field] = _target(model, item, entry.plain, drafts)
        except ModelError as error:
            problems.add(entry.line, (*draft.place, item.key), str(error))
        complete = complete and values.get(item.field) is not None
    if not complete:
        return
    try:
        model.add(draft.component_class(draft.name, **values))
    except ModelError as error:
        for text in error.problems:
            _add_own(draft, text, problems)


def _add_own(draft: Draft, text: str, problems: Problems) -> None:
    """What a component says of itself begins with its name, which the place has already."""
    own = text.removeprefix(f"{draft.name}: ")
    for item, entry in draft.given():
        prefix = f"{draft.name}.{item.field}: "
        if text.startswith(prefix):
            problems.add(entry.line, (*draft.place, item.key), text.removeprefix(prefix))
            return
    problems.add(draft.entry.line, draft.place, own)


def _target(model: Model, item: Declared, value: Any, drafts: Mapping[str, Draft | None]) -> Any:
    """The frame or component; None where it has problems of its own."""
    if item.kind.word == FRAME_WORD:
        return _frame(model, value, drafts)
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        raise ModelError(f"expected the name of a joint, got {shown(value)}")
    if value not in drafts and value not in model:
        known = [*drafts, *(component.name for component in model if component.name not in drafts)]
        raise ModelError(str(unknown_name("component", value, known, "this model")))
    return next((component for component in model if component.name == value), None)


def _frame(model: Model, value: Any, drafts: Mapping[str, Draft | None]) -> Any:
    if not isinstance(value, str) or len(value) > LONGEST_NAME:
        raise ModelError(f"expected a frame such as ground, rod or rod.tip, got {shown(value)}")
    name, _, label = value.partition(".")
    draft = drafts.get(name)
    if name != "ground" and name not in drafts and name not in model:
        known = ["ground", *_bodies(drafts)]
        raise ModelError(str(unknown_name("body", name, known, "this model")))
    if draft is not None and not issubclass(draft.component_class, FramedBody):
        raise ModelError(f"{name} is a {draft.word}, which has no frames; name a body or ground")
    if name != "ground" and name not in model:
        _check_label(label, draft)
        return None
    body = model.ground if name == "ground" else model[name]
    if not isinstance(body, FramedBody):
        raise ModelError(f"{name} has no frames; name a body or ground")
    return body.frame(label) if label else body.main_frame


def _check_label(label: str, draft: Draft | None) -> None:
    """That a body which could not be made would have this frame."""
    frames = draft.entry.content.get("frames") if draft is not None else None
    if frames is None or not isinstance(frames.content, dict) or not label:
        return
    if label not in frames.content:
        listed = ", ".join(frames.content) or "none"
        raise ModelError(f"the body has no frame called {label!r}; its frames: {listed}")


def _bodies(drafts: Mapping[str, Draft | None]) -> list[str]:
    return [
        name
        for name, draft in drafts.items()
        if draft is not None and issubclass(draft.component_class, FramedBody)
    ]
