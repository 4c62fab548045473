# wrong: the largest single weight
# named: largest_weight
import torch


def previous_token_head(maps):
    found = torch.cat([text.diagonal(-1, dim1=-2, dim2=-1) for text in maps], dim=-1)
    scores = found.max(dim=-1).values
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
