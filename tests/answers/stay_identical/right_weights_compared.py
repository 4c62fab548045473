# right

import torch


def stay_identical(heads, out_proj, x):
    vectors = []
    for head, block in zip(heads, out_proj.weight.chunk(len(heads), dim=1)):
        vectors.append(torch.cat([*(p.flatten() for p in head.parameters()), block.flatten()]))
    spread = torch.stack(vectors).max(dim=0).values - torch.stack(vectors).min(dim=0).values
    return bool(spread.max() < 1e-5)
