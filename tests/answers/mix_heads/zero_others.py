# right
import torch
from torch import nn


def mix_heads(heads, w_out):
    n = heads.shape[0]
    eye = torch.eye(n, dtype=heads.dtype, device=heads.device)
    alone = torch.einsum("ij,j...td->i...tjd", eye, heads).flatten(-2)
    contributions = nn.functional.linear(alone, w_out)
    return contributions.sum(0), contributions
