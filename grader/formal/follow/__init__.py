"""Follow-through: what would be right after an answer's own earlier error."""
