"""How far raters agree, and how far repeated answers of one do."""
