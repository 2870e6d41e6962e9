"""Terms of closed vocabularies: their spellings, and whose term an answer states."""
