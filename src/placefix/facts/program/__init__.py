"""What the text says: the statement tree of a file and of its repository, names, and what a test asks."""
