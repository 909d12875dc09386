"""Models written by hand in the analyst's language."""
