"""Something else is read without a copy as well, the items are no argument's, or what is called is no module."""
import torch


def two_of_the_cpu(batch, outputs):
    targets = batch["targets"].numpy()
    names = batch["names"].numpy()
    return targets, names, outputs.cpu().numpy(), batch["lengths"].cpu().numpy()


def of_a_loader(loader, outputs):
    for batch in loader:
        print(batch["targets"].numpy(), batch["lengths"].cpu().numpy(), outputs.cpu().numpy())


def one_copy(batch):
    return batch["targets"].numpy(), batch["lengths"].cpu().numpy()


def of_a_reader(read, batch):
    _, rows = read(batch)
    return rows[1].numpy(), batch["targets"].cpu().numpy()


batch = {"targets": torch.ones(2), "lengths": torch.ones(2), "names": torch.ones(2)}
two_of_the_cpu(batch, torch.ones(2)), of_a_loader([batch], torch.ones(2)), one_copy(batch)
