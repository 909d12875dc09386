"""Systems leave for other tools."""
