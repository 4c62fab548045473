# right
import torch


def cached_attend(query, key, value, past_key, past_value):
    """No mask: each query gets the keys that it may see."""
    keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    first = keys.shape[2] - query.shape[2] + 1
    rows = []
    for i, asked in enumerate(query.split(1, dim=2)):
        seen = slice(0, first + i)
        weights = (asked @ keys[:, :, seen].mT * asked.shape[-1] ** -0.5).softmax(-1)
        rows.append(weights @ values[:, :, seen])
    return torch.cat(rows, dim=2), keys, values
