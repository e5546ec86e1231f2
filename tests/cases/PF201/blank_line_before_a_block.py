# An optimizer that had a blank line below gets one in its new place, between a block and what it belongs to.
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(resume, quiet):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201

    print("loss")
    model.to(device)
    if resume:
        optimizer.load_state_dict(optimizer.state_dict())
    model(torch.ones(1, 2, device=device)).sum().backward()
    optimizer.step()
# run: train(True, False)
