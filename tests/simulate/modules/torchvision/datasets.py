"""Filled by placefix.simulate.fake_datasets."""
