# wrong: looks at the query one place later (the verb's own position)
# named: query_one_later

import torch


def subject_head(weights, query_positions, subject_positions):
    rows = torch.arange(weights.shape[1])
    q = (query_positions + 1).clamp(max=weights.shape[-1] - 1)
    w = weights.transpose(1, 2)[:, :, rows, q, subject_positions].mean(-1)
    layer, head = divmod(w.argmax().item(), w.shape[1])
    return layer, head, w[layer, head].item()
