"""Whatever happens to the text of a model file: it reads, or it is refused in words."""

from __future__ import annotations

from pathlib import Path

from fuzz.mutations import TextChange, mutated, text_changes
from hypothesis import given, settings
from hypothesis import strategies as st

import axletree
from axletree.core.errors import AxletreeError
from axletree.model_files.build import build_model

FOLDER = Path(axletree.__file__).parent / "data" / "models"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.yaml"))]
SIGNS = "'\"[]{}:,-#|>?%&*!@`~()^\\.09\t\n\r\0é\ufeff\u2028"
WORDS = (
    "- ", "---\n", "&a ", "*a", "!!x ", "<<: ", ".nan", "1e999", "null", "true", "0x1F", "[]", "{}",
    "ground", "type: ", "components: ", "input", "where(t < 1, 1, 0)", "3 kg", "a.b",
)  # fmt: skip
MUTATIONS = text_changes([*SIGNS, *WORDS])


def refusal(text: str) -> str:
    """The message of the error; empty for a text that reads."""
    try:
        assert build_model(text, "fuzzed.yaml", "fuzzed").components
    except AxletreeError as error:
        return str(error) or "no message"
    return ""


@settings(max_examples=150)
@given(st.sampled_from(TEXTS), MUTATIONS)
def test_a_mutated_model_reads_or_is_refused(text: str, mutations: list[TextChange]) -> None:
    message = refusal(mutated(text, mutations))
    assert message == "" or "fuzzed.yaml" in message


@settings(max_examples=100)
@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda b: b.decode("latin-1")))
def test_any_text_is_refused(text: str) -> None:
    assert "fuzzed.yaml" in refusal(text)
