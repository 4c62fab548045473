# wrong: copies the numbers under no_grad, so no head gets a gradient
# named: cut_off

import torch


def concatenate(heads):
    with torch.no_grad():
        return torch.cat(list(heads), dim=-1)
