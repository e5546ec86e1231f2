"""Wrapping, optimizers and placement: in which order they have to be."""
