"""Statistics of graded runs: frames, estimates, gaps, ranks; shares in [0, 1], problems as clusters."""
