# wrong: all tokens before the query
# named: all_before
import torch


def previous_token_head(maps):
    found = [torch.tril(text, -1).sum(dim=-1)[..., 1:] for text in maps]
    scores = torch.cat(found, dim=-1).mean(dim=-1)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
