# wrong: collects the largest difference with Python's max(worst, ...), which drops NaN: an answer that becomes NaN counts as equal
# named: not_a_number

import torch


def depends_on_neighbours(model, source, lengths):
    with torch.no_grad():
        whole = model(source.clone(), lengths.clone())
        worst = 0.0
        for b in range(source.shape[0]):
            n = int(lengths[b])
            alone = model(source[b, :n].unsqueeze(0).clone(), lengths[b].reshape(1))
            worst = max(worst, (alone.squeeze(0) - whole[b]).abs().max().item())
    return bool(not worst < 1e-5)
