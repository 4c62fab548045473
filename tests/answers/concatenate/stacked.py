# wrong: torch.stack, which makes a new dimension

import torch


def concatenate(heads):
    return torch.stack(list(heads), dim=-2)
