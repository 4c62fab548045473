# right
import torch


def delta_step(memory, query, key, value, beta, decay):
    faded = memory * decay[:, None, None]
    missing = (value - (key[:, None] @ faded)[:, 0]) * beta[:, None]
    output = (query[:, None] @ faded)[:, 0] + (query * key).sum(-1, keepdim=True) * missing
    return output, torch.baddbmm(faded, key[:, :, None], missing[:, None])
