# right
import torch


def running_softmax(scores):
    """All prefixes as one lower triangle."""
    n = len(scores)
    table = scores.expand(n, n).masked_fill(torch.ones(n, n).triu(1).bool(), -torch.inf)
    maximum = table.amax(dim=1)
    return maximum, torch.exp(table - maximum[:, None]).sum(dim=1)
