# wrong: the first token of the text, query 0 too
# named: first_token
import torch


def previous_token_head(maps):
    mean = torch.cat([text[:, :, :, 0] for text in maps], dim=-1).mean(dim=-1)
    layer, head = divmod(mean.argmax().item(), mean.shape[1])
    return layer, head, mean[layer, head].item()
