# right
import torch


def induction(weights, tokens):
    picked = []
    for b, text in enumerate(tokens.tolist()):
        for i in range(len(text)):
            keys = [j + 1 for j in range(i) if text[j] == text[i]]
            if keys:
                picked.append(weights[b, :, i, keys].sum(dim=-1))
    return torch.stack(picked).mean(dim=0)
