# wrong: how often the token before is the argmax
# named: share_of_maxima
import torch


def previous_token_head(maps):
    hits, n = 0, 0
    for text in maps:
        length = text.shape[-1]
        hits = hits + (text.argmax(-1)[..., 1:] == torch.arange(length - 1)).sum(-1)
        n += length - 1
    scores = hits / n
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
