# wrong: each text counts the same
# named: mean_of_means
import torch


def previous_token_head(maps):
    means = [text.diagonal(-1, dim1=-2, dim2=-1).mean(dim=-1) for text in maps]
    mean = torch.stack(means).mean(dim=0)
    layer, head = divmod(int(mean.argmax()), mean.shape[1])
    return layer, head, float(mean[layer, head])
