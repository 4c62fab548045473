# wrong: begins with query 2 and looks at i - 2
# named: two_back
import torch


def previous_token_head(maps):
    found = []
    for text in maps:
        i = torch.arange(2, text.shape[-1])
        found.append(text[..., i, i - 2])
    mean = torch.cat(found, dim=-1).mean(dim=-1)
    layer, head = divmod(mean.argmax().item(), mean.shape[1])
    return layer, head, mean[layer, head].item()
