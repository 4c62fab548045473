# wrong: stacks the halves, which lets them take turns: the other direction
# named: other_direction
import torch


def neighbours_to_halves(weight, num_heads):
    out = []
    for head in weight.chunk(num_heads):
        first, second = head.chunk(2)
        out.append(torch.stack([first, second], dim=1).flatten(0, 1))
    return torch.cat(out)
