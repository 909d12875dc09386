"""Files that trajectories are written to and read from, one kind in each module."""
