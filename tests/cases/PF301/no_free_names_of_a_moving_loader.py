# options: unsafe
# A pasted loop over a loader that moves its batches, by its name.
for images, labels in cuda_prefetcher:
    outputs = model(images.to(device))
    loss = criterion(outputs, labels)
    loss.backward()
