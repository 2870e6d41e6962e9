"""Lists, chains and rankings in an answer, and what their items are."""
