# wrong: compares the mean over the batch of both answers
# named: mean_over_batch
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    alone = torch.cat(
        [model(source[b : b + 1, :n], lengths[b : b + 1]) for b, n in enumerate(lengths)]
    )
    return not torch.allclose(alone.mean(dim=0), together.mean(dim=0), atol=1e-5)
