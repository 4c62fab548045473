# wrong: only the first token of each sentence is worked on
# named: first_token_for_all
import torch.nn.functional as F


def feed_forward(x, w_up, b_up, w_down, b_down):
    first = x[..., :1, :] if x.dim() > 1 else x
    return (F.gelu(first @ w_up.T + b_up) @ w_down.T + b_down).expand(x.shape)
