# wrong: the last pair at each place
# named: last_key_only
import torch


def running_softmax(scores):
    maximum = scores.max()
    total = (scores - maximum).exp().sum()
    return torch.full_like(scores, maximum.item()), torch.full_like(scores, total.item())
