"""All figures, in one style.

The means: ``style``, ``panels`` (curves that are read together, and the figure of them),
``labels`` (marks, and words where there is room), ``axes`` (axes of analyses), ``figure_files``
(figures as files and as text). Of runs: ``trajectory``, ``model_plots`` (what a model
proposes), ``mechanism``, ``ride``, ``path``. Of analyses: ``modes``, ``root_locus``,
``frequency_response``, ``cornering``, ``studies``. Of parts: ``tyres``, ``soil``, ``surfaces``;
and the linear graph: ``graph`` with ``graph_layout``.
"""
