# As super-resolution is often written: nested functions over globals, the error in decibels, a checkpoint in each epoch.
from math import log10

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(55)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print("===> Loading datasets")
train_set = TensorDataset(torch.rand(48, 1, 4, 4), torch.rand(48, 1, 8, 8))
test_set = TensorDataset(torch.rand(16, 1, 4, 4), torch.rand(16, 1, 8, 8))
training_data_loader = DataLoader(dataset=train_set, num_workers=0, batch_size=8, shuffle=True)
testing_data_loader = DataLoader(dataset=test_set, num_workers=0, batch_size=8, shuffle=False)
print("===> Building model")
model = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 3, padding=1), nn.PixelShuffle(2)).to(device)
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)
criterion = nn.MSELoss()
optimizer = optim.Adam(model.parameters(), lr=0.01)


def train(epoch):
    epoch_loss = 0
    for iteration, batch in enumerate(training_data_loader, 1):
        input, target = batch[0].to(device), batch[1].to(device)
        optimizer.zero_grad()
        loss = criterion(model(input), target)
        epoch_loss += loss.item()
        loss.backward()
        optimizer.step()
        print("===> Epoch[{}]({}/{}): Loss: {:.4f}".format(epoch, iteration, len(training_data_loader), loss.item()))
    print("===> Epoch {} Complete: Avg. Loss: {:.4f}".format(epoch, epoch_loss / len(training_data_loader)))


def test():
    avg_psnr = 0
    with torch.no_grad():
        for batch in testing_data_loader:
            input, target = batch[0].to(device), batch[1].to(device)
            mse = criterion(model(input), target)
            psnr = 10 * log10(1 / mse.item())
            avg_psnr += psnr
    print("===> Avg. PSNR: {:.4f} dB".format(avg_psnr / len(testing_data_loader)))


def checkpoint(epoch):
    model_out_path = "model_epoch_{}.pth".format(epoch)
    torch.save(model.state_dict(), model_out_path)
    print("Checkpoint saved to {}".format(model_out_path))


for epoch in range(1, 3):
    train(epoch)
    test()
    checkpoint(epoch)
