"""Runs of several processes: their GPUs and samplers."""
