import argparse
import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--multi", action="store_true")

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def main():
    args = parser.parse_args([])
    torch.manual_seed(6)
    model = Net()
    use_cuda = torch.cuda.is_available()
    # where to run
    device = torch.device("cuda" if use_cuda else "cpu")
    model.to(device)
    if torch.cuda.device_count() > 1 or args.multi:
        print("Let's use", torch.cuda.device_count(), "GPUs!")
        # dim = 0 [30, xxx] -> [10, ...], [10, ...], [10, ...] on 3 GPUs
        model = nn.DataParallel(model)  # want: PF102

    with torch.no_grad():
        out = model(torch.randn(4, 6).to(device))
    print(out.sum().item())


if __name__ == "__main__":
    main()
