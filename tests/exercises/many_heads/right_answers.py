"""Right answers to the exercises on many heads, written in other ways."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from course_lib import SingleHead


def joined_in_a_loop(heads):
    count, size = len(heads), heads.shape[-1]
    joined = heads.new_empty(*heads.shape[1:-1], count * size)
    for i in range(count):
        joined[..., i * size : (i + 1) * size] = heads[i]
    return joined


class MyHeads_loop(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.heads = nn.ModuleList()
        for _ in range(num_heads):
            self.heads.append(SingleHead(d_model, d_model // num_heads, bias=False))

    def forward(self, x):
        outputs, weights = [], []
        for head in self.heads:
            output, own = head(x)
            outputs.append(output)
            weights.append(own[:, None])
        return self.out_proj(joined_in_a_loop(torch.stack(outputs))), torch.cat(weights, dim=1)


class MyHeads_sum(nn.Module):
    """What each head adds through its own block of W_O."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            SingleHead(d_model, d_model // num_heads, bias=False) for _ in range(num_heads)
        )
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        answers = [head(x) for head in self.heads]
        blocks = self.out_proj.weight.chunk(len(self.heads), dim=1)
        output = sum(F.linear(out, block) for (out, _), block in zip(answers, blocks, strict=True))
        return output, torch.stack([weights for _, weights in answers]).transpose(0, 1)


def mix_heads_einsum(heads, w_out):
    blocks = w_out.unflatten(1, (len(heads), -1))
    contributions = torch.einsum("h...d,mhd->h...m", heads, blocks)
    return contributions.sum(dim=0), contributions


def mix_heads_silenced(heads, w_out):
    """All heads but one are set to zero, one after the other."""
    alone = torch.eye(len(heads), dtype=heads.dtype)
    joined = [joined_in_a_loop(torch.einsum("h,h...->h...", row, heads)) for row in alone]
    return [F.linear(joined_in_a_loop(heads), w_out), F.linear(torch.stack(joined), w_out)]


def make_heads_generator(num_heads, d_model, head_dim, seed):
    """Building the heads draws from the global generator, as every module does."""
    heads = nn.ModuleList()
    generator = torch.Generator().manual_seed(seed)
    for _ in range(num_heads):
        heads.append(SingleHead(d_model, head_dim, bias=False))
    for weight in heads.parameters():
        nn.init.normal_(weight, std=d_model**-0.5, generator=generator)
    return heads


def make_heads_restored(num_heads, d_model, head_dim, seed):
    state = torch.get_rng_state()
    heads = []
    for i in range(num_heads):
        torch.manual_seed(1000 * seed + i)
        heads.append(SingleHead(d_model, head_dim, bias=False))
    torch.set_rng_state(state)
    return nn.Sequential(*heads)


def three_targets_indexed(items, places):
    positions = (places[..., None] + torch.tensor([3, 0, 1])) % items.size(1)
    return items[torch.arange(len(items))[:, None, None], positions]


def three_targets_rolled(items, places):
    return torch.stack([items.roll(shift, 1).gather(1, places) for shift in (0, 2, -2)], dim=2)


def three_targets_loop(items, places):
    targets = torch.zeros(*places.shape, 3, dtype=items.dtype)
    for row, query in np.ndindex(*places.shape):
        place = places[row, query]  # negative indices count from the end
        targets[row, query] = items[row, [place, place - 1, place - 2]]
    return targets


def stay_identical_argued(heads, out_proj, x):
    owned = [nn.utils.parameters_to_vector(head.parameters()) for head in heads]
    blocks = out_proj.weight.chunk(len(heads), dim=1)
    return all(torch.equal(part[0], other) for part in (owned, blocks) for other in part)


def stay_identical_trained(heads, out_proj, x):
    parameters = [*heads.parameters(), out_proj.weight]
    for _ in range(3):
        output = out_proj(torch.cat([head(x)[0] for head in heads], dim=-1))
        slopes = torch.autograd.grad((output - torch.sin(5 * x)).pow(2).mean(), parameters)
        for parameter, slope in zip(parameters, slopes, strict=True):
            parameter.data -= 0.1 * slope
    flat = torch.stack([nn.utils.parameters_to_vector(head.parameters()) for head in heads])
    return (flat - flat[0]).abs().max() < 1e-5


def predict_row_numpy(head_counts, num_pointers, vocab_size):
    missing = np.maximum(num_pointers - np.array(head_counts), 0)
    return 1 - missing * (1 - 1 / vocab_size) / num_pointers


def predict_row_torch(head_counts, num_pointers, vocab_size):
    tokens = torch.arange(num_pointers)
    fetched = tokens < torch.tensor(head_counts)[:, None]
    return torch.where(fetched, 1.0, 1 / vocab_size).mean(dim=-1)
