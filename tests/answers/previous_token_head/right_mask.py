# right
import torch


def previous_token_head(maps):
    sums = torch.zeros(maps[0].shape[:2])
    n = 0
    for text in maps:
        before = torch.eye(text.shape[-1]).roll(1, dims=0)
        before[0] = 0
        sums += (text * before).sum(dim=(-2, -1))
        n += int(before.sum())
    scores = sums / n
    per_layer, best_head = scores.max(dim=1)
    layer = per_layer.argmax().item()
    return layer, best_head[layer].item(), per_layer[layer].item()
