import torch
import torch.nn as nn
import torch.optim as optim
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset


def accuracy(logits, target):
	return (logits.argmax(1) == target).float().mean().item()


def main():
	torch.manual_seed(5)
	features = torch.randn(60, 9)
	classes = (features.sum(1) > 0).long()
	loader = DataLoader(TensorDataset(features, classes), batch_size=15)

	model = nn.Sequential(nn.Linear(9, 16), nn.Tanh(), nn.Linear(16, 2))
	criterion = nn.CrossEntropyLoss()

	# every parameter is being optimised
	optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
	# decay by 0.5 every 2 epochs
	scheduler = lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)

	device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
	model = model.to(device)

	for epoch in range(4):
		for inputs, labels in loader:
			inputs = inputs.to(device)
			labels = labels.to(device)
			optimizer.zero_grad()
			outputs = model(inputs)
			loss = criterion(outputs, labels)
			loss.backward()
			optimizer.step()
		scheduler.step()
		print("epoch", epoch, "lr", scheduler.get_last_lr()[0], "loss", round(loss.item(), 5))
	print("accuracy", accuracy(outputs, labels))


if __name__ == "__main__":
	main()
