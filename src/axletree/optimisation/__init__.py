"""The best that a system can do: controls, and parameters, that make a cost smallest.

In which order to read it:

1. ``problem``: what is asked: ranges, constraints, ends, cost; ``dynamics``: a system from rates
   that are written down, where it is no model of components; ``smooth_twin``: one
   without corners; ``reduction``: one with its inputs chained and cyclic states left out;
2. ``rules``: collocation rules and multiple shooting; ``shooting``: what a system gains over an
   interval;
3. ``transcription``: the problem on a mesh, in numbers; ``guess``: where a solver begins;
   ``ipopt``: the solver;
4. ``solution``: what comes out; ``mesh``: its error, and finer meshes;
5. ``optimise``: the call ``optimal_control``, starts compared, and what is said of failures;
6. ``reference_lap``: a lap whose answer is published; ``lap_time/``: laps of cars on tracks.
"""
