import torch
import torch.nn as nn


def main(parallel):
    teacher = nn.Linear(6, 2)
    model = nn.Linear(6, 2)
    if parallel:
        model = nn.DataParallel(teacher)  # want: PF102 report
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device)
    return model, teacher
