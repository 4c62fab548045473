# wrong: one above the diagonal, which is blocked
# named: next_token
import torch


def previous_token_head(maps):
    found = torch.cat([torch.diagonal(text, 1, dim1=-2, dim2=-1) for text in maps], dim=-1)
    mean = found.mean(dim=-1)
    layer, head = divmod(int(mean.argmax()), mean.shape[1])
    return layer, head, float(mean[layer, head])
