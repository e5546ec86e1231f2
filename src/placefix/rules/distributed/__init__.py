"""Runs on several GPUs: the GPU of each process, sharded parameters, losses, samplers, collectives."""
