"""All figures, in one style.

The means: ``style``, ``panels`` (curves that are read together, and the figure of them),
``labels`` (marks, and words where there is room), ``figure_files`` (figures as files and as
text). Of runs: ``model_plots`` (what a model proposes, and columns of a trajectory),
``mechanism``, ``ride``. Of analyses: ``linear`` (modes, root loci, Bode plots), ``cornering``,
``studies``, ``experiments``, ``cycles``, ``measurements`` (runs under measured data). Of parts:
``wheels`` (tyres, and wheels in soil), ``ground`` (surfaces and paths), ``laps``; and ``graph``,
the linear graph.
"""
