# right
import torch


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)
    for b in range(source.shape[0]):
        n = lengths[b].item()
        alone = model(source[b, :n][None], torch.tensor([n]))
        same = (alone.squeeze(0) - together[b]).abs() <= 1e-4
        if not bool(same.all()):
            return True
    return False
