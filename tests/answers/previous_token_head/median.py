# wrong: the median
# named: median
import torch


def previous_token_head(maps):
    found = torch.cat([t.diagonal(-1, dim1=-2, dim2=-1) for t in maps], dim=-1)
    scores = found.median(dim=-1).values
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
