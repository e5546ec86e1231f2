"""A simulated accelerator: run a script on a machine that claims CUDA devices, with real values.

Only this package imports torch, and in it only `worker`, `fork_server` and the modules they import; the rest communicates with
them through processes. Its results are those of a simulation, and are labelled so.
"""
