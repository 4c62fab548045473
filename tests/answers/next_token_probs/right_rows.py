# right
import torch


def next_token_probs(logits, temperature, top_k):
    flat = logits.reshape(-1, logits.shape[-1])
    rows = []
    for row in flat:
        row = row / temperature
        if top_k is not None:
            keep = torch.argsort(row, descending=True)[:top_k]
            blocked = torch.ones_like(row, dtype=torch.bool)
            blocked[keep] = False
            row = row.masked_fill(blocked, float("-inf"))
        rows.append(torch.softmax(row, dim=0))
    return torch.stack(rows).reshape(logits.shape)
