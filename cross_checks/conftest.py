"""Comparisons are asserted and recorded as those of the tests are."""

pytest_plugins = ("agreement",)
