# wrong: only the last real token is allowed
# named: last_token_only
import torch


def padding_mask(lengths, max_len):
    return (torch.arange(max_len) == lengths[:, None] - 1)[:, None, None, :]
