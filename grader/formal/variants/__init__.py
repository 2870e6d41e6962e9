"""Other spellings of a right value, and values close to it that are wrong."""
