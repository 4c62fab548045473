# wrong: uses its own LayerNorm instead of the norm that is given
# named: norm_of_its_own
import torch.nn.functional as F


def block_step(x, sublayer, norm, norm_first):
    def own(y):
        return F.layer_norm(y, y.shape[-1:])

    if norm_first:
        return x + sublayer(own(x))
    return own(x + sublayer(x))
