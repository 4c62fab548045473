# wrong: splits the rows into (head_dim, num_heads)
# named: heads_in_turns
import torch


def neighbours_to_halves(weight, num_heads):
    heads = weight.view(-1, num_heads, weight.shape[1])
    return torch.cat([heads[::2], heads[1::2]]).view(weight.shape)
