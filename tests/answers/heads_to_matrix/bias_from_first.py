# wrong: repeats the first head's bias for all heads
# named: bias_of_first
import torch


def heads_to_matrix(heads):
    weight = torch.cat([h.weight for h in heads])
    return weight, heads[0].bias.repeat(len(heads))
