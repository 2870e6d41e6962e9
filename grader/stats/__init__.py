"""Statistics of graded runs: frames, estimates, gaps, ranks, causes; shares in [0, 1], problems as clusters."""
