"""Runs of several processes: samplers."""
