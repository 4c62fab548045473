# wrong: the layer with the best mean first
# named: best_layer_first
import torch


def previous_token_head(maps):
    scores = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1).mean(-1)
    layer = scores.mean(dim=1).argmax().item()
    head = scores[layer].argmax().item()
    return layer, head, scores[layer, head].item()
