# wrong: returns True when they agree
# named: inverted

import torch


def depends_on_neighbours(model, source, lengths):
    y = model(source, lengths)
    alone = [
        model(source[b : b + 1, : int(n)], lengths[b : b + 1])[0] for b, n in enumerate(lengths)
    ]
    return torch.allclose(torch.stack(alone), y, atol=1e-5)
