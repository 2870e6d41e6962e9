"""Which element or substance a stated property belongs to."""
