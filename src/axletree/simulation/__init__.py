"""Systems run: fixed-step loops in C, variable-step solvers, trajectories."""
