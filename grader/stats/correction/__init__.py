"""Scores corrected for what spot checks found of the graders, and how many marks that takes."""
