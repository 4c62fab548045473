# wrong: averages over layers to find the head
# named: best_number_first
import torch


def previous_token_head(maps):
    scores = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1).mean(-1)
    head = scores.mean(dim=0).argmax().item()
    layer = scores[:, head].argmax().item()
    return layer, head, scores[layer, head].item()
