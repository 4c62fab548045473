# wrong: torch.stack, which makes a new dimension
# named: stacked

import torch


def concatenate(heads):
    return torch.stack(list(heads), dim=-2)
