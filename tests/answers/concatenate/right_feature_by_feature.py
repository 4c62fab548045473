# right

import torch


def concatenate(heads):
    columns = [head[..., j] for head in heads for j in range(heads.shape[-1])]
    return torch.stack(columns, dim=-1)
