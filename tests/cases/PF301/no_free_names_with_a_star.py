# options: unsafe
# A star import may bind the loader, the model and the loss.
from setup_training import *

for images, labels in train_loader:
    images = images.to(device)
    outputs = model(images)
    loss = criterion(outputs, labels)
    loss.backward()
