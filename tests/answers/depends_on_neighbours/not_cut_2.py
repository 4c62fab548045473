# wrong: takes the sentence alone but does not cut it at its length, so what the padding does goes unseen
# named: keeps_padding

import torch


def depends_on_neighbours(model, source, lengths):
    y = model(source, lengths)
    return any(
        not torch.allclose(model(source[b : b + 1], lengths[b : b + 1])[0], y[b], atol=1e-5)
        for b in range(len(source))
    )
