"""Scores corrected for what spot checks found of the graders: estimates, intervals, how many marks they take."""
