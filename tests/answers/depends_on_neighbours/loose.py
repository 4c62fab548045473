# wrong: atol=0.5 lets real differences pass
# named: too_loose
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.allclose(alone, together, atol=0.5)
