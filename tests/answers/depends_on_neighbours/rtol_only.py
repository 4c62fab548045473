# wrong: atol=0 and a relative tolerance, which rounding near 0 breaks
# named: exact
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.allclose(alone, together, rtol=1e-8, atol=0)
