"""An engine object owns placement; the loop outside just feeds it."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Engine:
	def __init__(self, model, lr):
		self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
		self.model = model.to(self.device)
		self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
		self.criterion = nn.MSELoss()

	def set_input(self, batch):
		self.x = batch[0].to(self.device)
		self.y = batch[1].to(self.device)

	def optimize_parameters(self):
		self.optimizer.zero_grad()
		self.loss = self.criterion(self.model(self.x), self.y)
		self.loss.backward()
		self.optimizer.step()
		return self.loss.item()

	def __call__(self, *batch):
		self.set_input(batch)
		return self.optimize_parameters()


def main():
	torch.manual_seed(108)
	loader = DataLoader(TensorDataset(torch.randn(32, 3), torch.randn(32, 2)), batch_size=8)
	engine = Engine(nn.Linear(3, 2), lr=0.05)
	for epoch in range(2):
		for batch in loader:
			engine.set_input(batch)
			loss = engine.optimize_parameters()
		for x, y in loader:
			loss = engine(x, y)
		print("epoch", epoch, "loss", round(loss, 5))


if __name__ == "__main__":
	main()
