"""A metric that adds to tensors of its own is placed as a module is. One that keeps its inputs in lists takes them from anywhere."""
import torch
import torchmetrics

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=3)  # want: PF112
area = torchmetrics.AUROC(task="multiclass", num_classes=3)
mean = torchmetrics.MeanMetric()
placed = torchmetrics.classification.MulticlassF1Score(num_classes=3).to(device)
preds = torch.randn(5, 3).softmax(dim=-1).to(device)
target = torch.randint(3, (5,)).to(device)
print(accuracy(preds, target), area(preds, target), placed(preds, target), mean(preds))
# not run: torchmetrics is not installed
