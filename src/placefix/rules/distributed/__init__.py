"""Runs on several GPUs: the GPU of each process, sharded parameters, checkpoints, losses, samplers, collectives."""
