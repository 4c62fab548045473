# wrong: multiplies by w_out as it is stored, everywhere
# named: not_transposed
import torch


def mix_heads(heads, w_out):
    n, d = heads.shape[0], heads.shape[-1]
    contributions = torch.stack([heads[i] @ w_out[i * d : (i + 1) * d] for i in range(n)])
    return torch.cat(list(heads), dim=-1) @ w_out, contributions
