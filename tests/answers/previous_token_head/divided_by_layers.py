# wrong: divides the index by the number of layers
# named: wrong_divisor
import torch


def previous_token_head(maps):
    num_layers, num_heads = maps[0].shape[:2]
    scores = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1).mean(-1)
    index = scores.argmax().item()
    return index // num_layers, index % num_layers, scores.max().item()
