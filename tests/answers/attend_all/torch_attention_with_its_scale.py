# wrong: torch's attention divides by sqrt(d), and the weights here do not
# named: scaled_output

import torch
import torch.nn.functional as F


def attend_all(query, key, value):
    output = F.scaled_dot_product_attention(query[None], key[None], value[None])[0]
    weights = torch.softmax(query @ key.T, dim=-1)
    return output, weights
