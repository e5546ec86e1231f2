# options: unsafe
# exec may bind the loader, the model and the loss.
import torch

exec(open("settings.py").read())

for images, labels in train_loader:
    images = images.to(device)
    outputs = model(images)
    loss = criterion(outputs, labels)
    loss.backward()
