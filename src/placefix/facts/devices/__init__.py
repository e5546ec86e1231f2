"""The device that a statement may use: the devices of expressions, those in scope, and the place of a new definition."""
