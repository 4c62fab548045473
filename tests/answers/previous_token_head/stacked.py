# wrong: stacks texts of different lengths
import torch


def previous_token_head(maps):
    scores = torch.stack(list(maps)).diagonal(-1, dim1=-2, dim2=-1).mean(dim=(0, -1))
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
