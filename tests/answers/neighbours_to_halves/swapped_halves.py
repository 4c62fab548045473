# wrong: exchanges the halves of each head
# named: halves_exchanged
import torch


def neighbours_to_halves(weight, num_heads):
    out = []
    for head in weight.chunk(num_heads):
        first, second = head.chunk(2)
        out += [second, first]
    return torch.cat(out)
