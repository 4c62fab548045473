# wrong: the return stands in the loop, so only the first comparison counts
# named: last_only
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b, length in reversed(list(enumerate(lengths.tolist()))):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])
        return not torch.allclose(alone[0], together[b], atol=1e-5)
