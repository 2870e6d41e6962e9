"""What answers may hold to sway their judge: speech, forgeries, disguises, unseen characters."""
