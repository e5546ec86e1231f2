"""The abstract interpreter: the kind and the place of each value, along every path."""
