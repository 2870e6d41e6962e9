"""The keys of the desk, as the page of help lists them."""

from __future__ import annotations

KEYS = (
    ("m", "Met: all its marks (or the whole deduction, or the veto)."),
    ("n", "Not met: none of them."),
    ("p", "Partial: enter the marks in digits, then Enter."),
    ("c", "The answer can't be assessed."),
    ("f", "Marks with follow-through from the answer's own earlier error, where the point has that."),
    ("e", "Evidence: take what is selected in the raw text, or select it with the arrow keys."),
    ("r", "Reason."),
    ("w", "The rubric is wrong; the same key again takes it back."),
    ("q", "The question is wrong; the same key again takes it back."),
    ("t", "The answer as written, character by character, and back."),
    ("u", "Undo your mark; before you have marked an item, the one you gave last."),
    ("s", "Skip: the item goes to others."),
    ("b", "Bring back what you skipped."),
    ("x", "Split: make an item of each of the identical answers."),
    ("g", "Give the item back to the queue."),
    ("Enter", "The next item."),
    ("a", "Settle what others differ on, if you were invited to."),
    ("l", "The list: the queue."),
    ("?", "This page."),
    ("Escape", "Leave the field."),
)
