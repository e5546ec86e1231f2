"""A stand-in for torch_geometric 2.5: graphs that move in place, a data set and a loader of such, one layer."""
