"""A folder of pages: the report, and a page a problem down to every answer, point, finding and request."""
