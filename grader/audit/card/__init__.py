"""The report card of a judge: everything that audits found of it, on one page."""
