# right
import torch


def masked_call(layer, x, mask):
    pairs = [layer(s[None], s[None], s[None], attn_mask=mask == False) for s in x]  # noqa: E712
    return torch.cat([p[0] for p in pairs]), torch.cat([p[1] for p in pairs])
