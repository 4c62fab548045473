# right

import torch
import torch.nn.functional as F


def attend_all(query, key, value):
    output = F.scaled_dot_product_attention(query[None], key[None], value[None], scale=1.0)[0]
    weights = torch.softmax(torch.inner(query, key), dim=1)
    return output, weights
