"""What draws and writes, on its page of the reference."""

from __future__ import annotations

from reference_page import Page, Python

import axletree as at
from axletree.analysis.studies.comparison import ComparedRun, distance_table
from axletree.export.c_project import write_c_project
from axletree.export.casadi_model import write_acados, write_casadi, write_do_mpc
from axletree.export.fortran import write_fortran
from axletree.export.latex import write_latex
from axletree.export.matlab import write_matlab
from axletree.export.realtime.can_signals import CanBridge, CanSignals, open_bus
from axletree.export.realtime.client import MemoryLink, StepperLink, UdpLink
from axletree.export.realtime.runner import (
    RunnerReport,
    RunnerSettings,
    build_runner,
    write_runner,
)
from axletree.export.ros2_node import write_ros2_node
from axletree.export.s_function import write_s_function
from axletree.export.wasm import write_wasm
from axletree.metrics.verdict import Criterion, Verdict, judge
from axletree.plot.cornering import plot_cornering, plot_g_g, plot_handling, plot_yaw_moments
from axletree.plot.figure_files import write_figure
from axletree.plot.graph import draw_graph, graph_text, write_graph_picture
from axletree.plot.ground import draw_path
from axletree.plot.linear import (
    plot_branch,
    plot_frequency_response,
    plot_modes,
    plot_named_modes,
    plot_root_locus,
    plot_steer_responses,
    plot_vehicle_locus,
)
from axletree.plot.model_plots import diagram_panels
from axletree.plot.panels import draw_panels
from axletree.plot.ride import RideView, draw_ride, ride_frames
from axletree.plot.studies import plot_comparison, plot_ladder, plot_sensitivity, plot_sweep
from axletree.reports.analysis_report import PageSection, write_analysis_page
from axletree.reports.animation.animation import Animation
from axletree.reports.comparison_report import (
    Overlaid,
    RunComparison,
    overlay_sections,
    write_comparison,
)
from axletree.reports.data_sheet import CheckedModel
from axletree.reports.run_report import write_report
from axletree.simulation.recomputed_outputs import RunFacts

PICTURES = Page(
    "pictures-and-files",
    "Plots, animations, exports",
    "What is drawn and written.",
    (
        Python(
            "Reports and animations",
            (at.check, CheckedModel, at.compare, RunComparison, at.report, RunFacts, write_report,
             at.animation, Animation, at.live, at.LivePage),
        ),
        Python("Pages of charts and tables", (PageSection, write_analysis_page)),
        Python("Linear graphs", (graph_text, draw_graph, write_graph_picture)),
        Python(
            "Plots",
            (plot_branch, plot_root_locus, plot_modes, plot_frequency_response, plot_sweep,
             plot_comparison, plot_cornering, plot_handling, plot_yaw_moments, plot_g_g,
             plot_sensitivity, plot_ladder, plot_named_modes, plot_vehicle_locus,
             plot_steer_responses),
        ),
        Python("Figures and their files", (diagram_panels, draw_panels, write_figure)),
        Python(
            "Comparisons",
            (ComparedRun, distance_table, write_comparison, Overlaid, overlay_sections),
        ),
        Python("Verdicts", (Criterion, Verdict, judge)),
        Python("Drives", (draw_path, ride_frames, draw_ride, RideView)),
        Python(
            "Exports",
            (write_c_project, write_ros2_node, write_s_function, write_matlab, write_fortran,
             write_latex, write_wasm, write_casadi, write_acados,
             write_do_mpc),
        ),
        Python(
            "Real time",
            (write_runner, build_runner, RunnerSettings, RunnerReport, at.RealTimeClient, UdpLink,
             MemoryLink, StepperLink, CanSignals, CanBridge, open_bus),
        ),
    ),
)  # fmt: skip
