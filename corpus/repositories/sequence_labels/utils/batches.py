def batches(data, size):
    """Pairs of slices along the second dimension."""
    for start in range(0, data[0].size(1), size):
        yield tuple(part[:, start:start + size].contiguous() for part in data)
