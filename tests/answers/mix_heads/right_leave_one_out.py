# right

import torch
import torch.nn.functional as F


def mix_heads(heads, w_out):
    def mix(these):
        return F.linear(torch.cat(list(these), dim=-1), w_out)

    output, contributions = mix(heads), []
    for i in range(len(heads)):
        without = heads.clone()
        without[i] = 0
        contributions.append(output - mix(without))
    return output, torch.stack(contributions)
