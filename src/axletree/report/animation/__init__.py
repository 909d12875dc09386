"""Animations of runs: a scene of what moves, a page that shows it, pictures of its instants."""
