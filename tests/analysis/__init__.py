"""The analysis at its own level: a program of a few lines, and what a domain holds at one of them."""
