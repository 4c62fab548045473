# wrong: index -1 for query 0
# named: query_0_counts
import torch


def previous_token_head(maps):
    found = []
    for text in maps:
        i = torch.arange(text.shape[-1])
        found.append(text[:, :, i, i - 1])
    scores = torch.cat(found, dim=-1).mean(dim=-1)
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return layer, head, float(scores[layer, head])
