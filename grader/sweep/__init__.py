"""A sweep: several solvers under several conditions over one set, run, graded and paid from one purse."""

from grader.sweep.file import Sweep, load_sweep
from grader.sweep.running import look, run_sweep
from grader.sweep.state import SweepState

__all__ = ["Sweep", "SweepState", "load_sweep", "look", "run_sweep"]
