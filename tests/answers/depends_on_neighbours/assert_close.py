# right
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    try:
        for b, n in enumerate(lengths):
            alone = model(source[b : b + 1, :n], n.reshape(1))
            torch.testing.assert_close(alone, together[b : b + 1], atol=1e-5, rtol=1e-4)
    except AssertionError:
        return True
    return False
