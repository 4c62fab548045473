# right
import torch


def earliest_seen(windows, position):
    found, earliest = [], torch.tensor(position)
    for window in windows:
        back = earliest if window == 0 else torch.minimum(earliest, torch.tensor(window - 1))
        earliest = earliest - back
        found.append(earliest)
    return found
