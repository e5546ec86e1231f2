import torch
import torch.nn as nn


def restore(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])


def main(path="none.pt"):
    torch.manual_seed(3)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(6, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)  # want: PF203
    try:
        restore(path, model, optimizer)
    except FileNotFoundError:
        print("from scratch")
    model.to(device)
    for step in range(3):
        x = torch.randn(4, 6).to(device)
        y = torch.randint(0, 2, (4,)).to(device)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, round(loss.item(), 5))


main()
# run: import drive
# run: model = nn.Linear(6, 2)
# run: drive.save("none.pt", model=model, optimizer=torch.optim.Adam(model.parameters()))
# run: main()
