# wrong: mixes the tokens by taking their mean first
# named: mean_of_tokens
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    if x.dim() > 1:
        x = x.mean(dim=-2, keepdim=True).expand(x.shape)
    return F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down
