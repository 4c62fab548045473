# right
import torch
from torch import nn


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    count = lambda *parts: sum(p.numel() for part in parts for p in part.parameters())
    with torch.device("meta"):
        norm = nn.LayerNorm(d_model)
        square, up, down = (
            nn.Linear(d_model, d_model),
            nn.Linear(d_model, 4 * d_model),
            nn.Linear(4 * d_model, d_model),
        )
    block = 4 * count(square) + count(up, down) + 2 * count(norm)
    return [d_model * vocab_size, d_model * max_len, num_layers * block, count(norm)]
