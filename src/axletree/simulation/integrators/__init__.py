"""The integrators: one method, one file, one line in the catalogue."""
