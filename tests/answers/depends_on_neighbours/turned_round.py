# wrong: returns True when nothing depends
# named: inverted
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    return all(
        torch.allclose(
            model(source[b : b + 1, : lengths[b]], lengths[b : b + 1])[0], together[b], atol=1e-5
        )
        for b in range(len(lengths))
    )
