"""What the analysis knows about one file. `context` gives it out; rules ask, and never walk syntax."""
