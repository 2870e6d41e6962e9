"""Finding where a response to a whole problem answers each subquestion."""
