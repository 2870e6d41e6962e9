"""What a graded archive says: tables, figures, pages."""
