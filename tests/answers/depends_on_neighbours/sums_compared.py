# wrong: compares the sums of the features of each answer
# named: sums
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.allclose(alone.sum(dim=1), together.sum(dim=1), atol=1e-4)
