"""Pages and result files for people to read.

``page`` fills the templates of the folder ``templates``, and ``charts`` has the plots that a page
draws itself; ``run_report`` is the report of a run, with ``data_sheet`` and ``graph_drawing``.
``analysis_report`` is the page of anything else: of analyses by ``analysis_sections``, with what
stands on top by ``analysis_verdicts``, of tyre benches by ``bench_report``, of runs laid over one
another by ``comparison_report``. ``results`` has
the files of numbers: metrics with the recipe of the run, columns as CSV.
``animation`` shows a run in three dimensions, and ``notebook`` has what notebooks
show of models, systems and runs. ``report`` is the one call for the pages of runs.
``agreement_report`` is the page of a run under a measurement, ``identification_report`` that of
what measurements tell of a model.
``procedure_sections`` is what a procedure contributes to its page, ``rig_report`` what a kinematics
and compliance rig does, ``cycle_sections`` what a driven cycle does, ``lap_sections`` what a lap
does, and ``experiment_sections`` what tolerances and optimisations do.
"""
