# wrong: layer and head in a pair of their own
# named: pair_inside
import torch


def previous_token_head(maps):
    found = torch.cat([m.diagonal(-1, dim1=-2, dim2=-1) for m in maps], dim=-1)
    scores = found.mean(dim=-1)
    place = divmod(scores.argmax().item(), scores.shape[1])
    return place, scores[place].item()
