# wrong: diagonal of the first two axes, the layers and the heads
# named: first_two_axes
import torch


def previous_token_head(maps):
    found = torch.cat([m.diagonal(-1) for m in maps], dim=-1)
    scores = found.mean(dim=-1)
    layer, head = divmod(scores.argmax().item(), scores.shape[1])
    return layer, head, scores[layer, head].item()
