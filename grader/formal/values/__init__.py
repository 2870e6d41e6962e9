"""Numbers with units in an answer: read, converted, and told from those that only lead to them."""
