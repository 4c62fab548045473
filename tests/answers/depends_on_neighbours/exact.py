# wrong: asks for exact equality, so rounding looks like a dependence
# named: exact
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    alone = [
        model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths.tolist())
    ]
    return not torch.equal(torch.cat(alone), together)
