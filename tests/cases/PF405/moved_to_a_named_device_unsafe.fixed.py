# options: unsafe
# before: clean: the table was saved on the CPU
# What is loaded is moved on to a device that is only known by its name.
# given: import torch
# given: torch.save(torch.ones(2), "table.pt")
import torch


class Cache:
    def __init__(self, device):
        self.cached = {"a": {"obj": "table.pt", "device": device}}

    def retrieve(self, key):
        table = torch.load(self.cached[key]["obj"], map_location="cpu")  # want: PF405 unsafe
        if "device" in self.cached[key]:
            table = table.to(self.cached[key]["device"])
        return table


def restored(path, device):
    return torch.load(path, map_location="cpu").to(device)  # want: PF405 unsafe


# run: print(Cache("cpu").retrieve("a"), restored("table.pt", "cpu"))
