# wrong: argmin
# named: smallest
import torch


def previous_token_head(maps):
    scores = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1).mean(-1)
    layer, head = divmod(int(scores.argmin()), scores.shape[1])
    return layer, head, float(scores[layer, head])
