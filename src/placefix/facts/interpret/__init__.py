"""The abstract interpreter: what an expression is and where it lies, along every path."""
