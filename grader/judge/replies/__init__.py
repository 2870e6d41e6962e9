"""Reading what judges reply: provider bodies, JSON documents, entries and fields, strictly."""
