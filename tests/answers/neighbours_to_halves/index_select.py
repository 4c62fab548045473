# right
import torch


def neighbours_to_halves(weight, num_heads):
    starts = torch.arange(num_heads).unsqueeze(1) * (weight.size(0) // num_heads)
    within = torch.arange(weight.size(0) // num_heads).reshape(-1, 2).t().reshape(1, -1)
    return weight.index_select(0, (starts + within).reshape(-1))
