# wrong: heads of 64 rows, whatever the numbers are
# named: sixty_four_rows
import torch


def neighbours_to_halves(weight, num_heads):
    return torch.cat([part for h in weight.split(64) for part in (h[::2], h[1::2])])
