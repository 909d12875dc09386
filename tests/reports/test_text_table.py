"""Tables of text in three forms."""

from __future__ import annotations

from axletree.core.text_table import TextTable

TABLE = TextTable(
    "counts", ("what:", "+", "*"), (("a|b", "1", "10"), ("long name", "200", "3")), ("A note.",)
)


def test_columns_are_aligned() -> None:
    assert TABLE.text().splitlines() == [
        "counts",
        "what         +   *",
        "a|b          1  10",
        "long name  200   3",
        "A note.",
    ]


def test_markdown_says_how_columns_are_aligned_and_escapes() -> None:
    assert TABLE.markdown().splitlines() == [
        "### counts",
        "",
        "| what | + | \\* |",
        "| :--- | ---: | ---: |",
        "| a\\|b | 1 | 10 |",
        "| long name | 200 | 3 |",
        "",
        "A note.",
    ]


def test_comma_separated_values_are_what_a_spreadsheet_reads() -> None:
    assert TABLE.csv() == "counts\nwhat,+,*\na|b,1,10\nlong name,200,3\n"
