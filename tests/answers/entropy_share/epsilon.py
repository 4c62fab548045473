# wrong: adds 0.01 inside the log


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -(weights * (weights + 1e-2).log()).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))
