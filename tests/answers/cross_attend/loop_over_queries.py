# right
import math

import torch


def cross_attend(x, memory, w_query, w_key, w_value):
    keys, values = memory @ w_key.T, memory @ w_value.T
    outputs, rows = [], []
    for i in range(x.shape[-2]):
        query = x[..., i, :] @ w_query.T
        scores = (keys * query.unsqueeze(-2)).sum(-1) / math.sqrt(w_query.shape[0])
        row = torch.softmax(scores, -1)
        rows.append(row)
        outputs.append((row.unsqueeze(-1) * values).sum(-2))
    return torch.stack(outputs, -2), torch.stack(rows, -2)
