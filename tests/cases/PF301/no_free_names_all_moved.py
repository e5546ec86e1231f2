# options: unsafe
# A pasted loop that moves all it needs; lengths stay on the CPU, and what is only printed.
for images, labels, lengths, names in train_loader:
    images, labels = images.to(device), labels.to(device)
    packed = pack(images, lengths)
    outputs = model(images)
    loss = criterion(outputs, labels)
    loss.backward()
    print(names, loss.item())
