# right
import torch


def cached_attend(query, key, value, past_key, past_value):
    """The past and the new tokens apart, merged by their sums of exponentials."""
    n, root = query.shape[2], query.shape[-1] ** 0.5
    old = query @ past_key.mT / root
    new = (query @ key.mT / root).masked_fill(torch.ones(n, n).triu(1).bool(), -torch.inf)
    top = torch.cat((old, new), -1).amax(-1, keepdim=True)
    a, b = (old - top).exp(), (new - top).exp()
    total = a.sum(-1, keepdim=True) + b.sum(-1, keepdim=True)
    output = (a @ past_value + b @ value) / total
    return output, torch.cat((past_key, key), -2), torch.cat((past_value, value), -2)
