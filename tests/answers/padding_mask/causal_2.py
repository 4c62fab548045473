# wrong: tril with the lengths, which mixes up the causal mask and padding
import torch


def padding_mask(lengths, max_len):
    return torch.ones(len(lengths), max_len).tril()[:, None, None, :].bool()
