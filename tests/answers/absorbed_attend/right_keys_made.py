# right
import torch


def absorbed_attend(query, latent, key_up, value_up):
    """Asks the plain keys; the three answers are the same."""
    keys = torch.stack([latent @ w.T for w in key_up])
    weights = torch.softmax(query @ keys.mT / query.shape[-1] ** 0.5, dim=-1)
    mixed = torch.tensordot(weights, latent, dims=1)
    return query @ key_up, mixed, mixed @ value_up.mT
