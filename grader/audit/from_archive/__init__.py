"""Audits of a judge from what the archive holds already: its verdicts, its calls and people's marks."""
