"""Filled by placefix.simulate.stubs."""
