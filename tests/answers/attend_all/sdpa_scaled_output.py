# wrong: output from torch's scaled attention, weights without the scale
# named: scaled_output
import torch
import torch.nn.functional as F


def attend_all(query, key, value):
    output = F.scaled_dot_product_attention(query, key, value)
    weights = torch.softmax(query @ key.T, dim=-1)
    return output, weights
