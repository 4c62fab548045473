# right
import torch


def stable_softmax(scores):
    top = scores.sort(dim=-1, descending=True).values[..., :1]
    e = scores.sub(top).exp()
    return e.div(e @ torch.ones(e.shape[-1], 1, dtype=e.dtype, device=e.device))
