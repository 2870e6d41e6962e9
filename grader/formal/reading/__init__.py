"""How an answer presents structures and formulas: where they stand, in which role, under which label."""
