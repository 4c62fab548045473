# wrong: writes the hidden padding into the caller's causal mask, sentence by sentence
# named: changes_input
import torch


def combine_masks(padding, causal):
    rows = []
    for b in range(len(padding)):
        causal[:, ~padding[b, 0, 0]] = False
        rows.append(causal.clone())
    return torch.stack(rows)[:, None]
