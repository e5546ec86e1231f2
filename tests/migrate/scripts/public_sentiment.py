# As sentiment classification is often written: token ids, an LSTM, functions with the iterator.
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

SEED = 53


class Sentiment(nn.Module):
    def __init__(self, vocabulary, embedding, hidden):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, embedding)
        self.lstm = nn.LSTM(embedding, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, text):
        _, (hidden, _) = self.lstm(self.embedding(text))
        return self.fc(hidden[-1])


def binary_accuracy(preds, y):
    rounded = torch.round(torch.sigmoid(preds))
    correct = (rounded == y).float()
    return correct.sum() / len(correct)


def train(model, iterator, optimizer, criterion, device):
    epoch_loss = 0
    epoch_acc = 0
    model.train()
    for text, label in iterator:
        text, label = text.to(device), label.to(device)
        optimizer.zero_grad()
        predictions = model(text).squeeze(1)
        loss = criterion(predictions, label)
        acc = binary_accuracy(predictions, label)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
        epoch_acc += acc.item()
    return epoch_loss / len(iterator), epoch_acc / len(iterator)


def main():
    torch.manual_seed(SEED)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randint(0, 20, (96, 7)), torch.randint(0, 2, (96,)).double())
    iterator = DataLoader(data, batch_size=16, shuffle=True)
    model = Sentiment(20, 6, 8)
    model = nn.DataParallel(model)
    model = model.to(device)
    criterion = nn.BCEWithLogitsLoss()
    criterion = criterion.to(device)
    optimizer = optim.Adam(model.parameters())
    for epoch in range(2):
        train_loss, train_acc = train(model, iterator, optimizer, criterion, device)
        print(f"Epoch: {epoch + 1:02} | Train Loss: {train_loss:.3f} | Train Acc: {train_acc * 100:.2f}%")


if __name__ == "__main__":
    main()
