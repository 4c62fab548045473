# wrong: returns in the first round of the loop
# named: first_head_returned
import torch


def neighbours_to_halves(weight, num_heads):
    n = len(weight) // num_heads
    for h in range(num_heads):
        head = weight[h * n : (h + 1) * n]
        return torch.cat([head[::2], head[1::2]])
