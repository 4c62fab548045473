# wrong: True and False are exchanged
# named: inverted
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return torch.allclose(alone, together, atol=1e-5)
