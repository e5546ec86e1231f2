"""A search of the bytes of a file, before it is parsed, that decides which rules can find something in it."""
