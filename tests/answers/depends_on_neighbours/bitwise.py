# wrong: torch.equal, which takes rounding for a difference
# named: exact
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.equal(alone, together)
