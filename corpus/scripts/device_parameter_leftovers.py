import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, optimizer, device):
    model.train()
    losses = []
    for points, normals in loader:
        points = points.to(device)
        normals = normals.cuda()
        loss = 1 - nn.functional.cosine_similarity(model(points), normals).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def test(model, loader, device):
    model.eval()
    score = torch.zeros(1).cuda()
    with torch.no_grad():
        for points, normals in loader:
            points, normals = points.to(device), normals.to(device)
            score += nn.functional.cosine_similarity(model(points), normals).abs().sum()
    return score.item() / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(71)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    points = torch.randn(48, 3)
    normals = nn.functional.normalize(points + 0.1 * torch.randn(48, 3), dim=1)
    loader = DataLoader(TensorDataset(points, normals), batch_size=16)
    model = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 3)).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(1, 4):
        loss = train(model, loader, optimizer, device)
        print(f"Epoch: {epoch:02d}, Loss: {loss:.4f}, Test: {test(model, loader, device):.4f}")
