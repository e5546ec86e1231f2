# options: unsafe
"""A pasted loop: nothing binds the loader, the model, the loss and the device, and their use shows what they are."""
for images, labels in train_loader:  # want: PF301 unsafe, warning
    images = images.to(device)
    outputs = model(images)
    loss = criterion(outputs, labels)
    loss.backward()
# given: import torch
# given: from drive import device
# given: model, criterion = torch.nn.Linear(3, 2).to(device), torch.nn.CrossEntropyLoss()
# given: train_loader = [(torch.ones(2, 3), torch.ones(2, dtype=torch.long))]
