"""Answers to drops_twice (lesson 08, exercise 4), right and wrong, as students write them."""

import math

import torch
from torch import nn


# wrong: says twice as soon as more than p is zero
# named: more_than_p
def above_p(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return share > p


# wrong: counts numbers that are always zero
# named: zeros_of_its_own
def all_zeros(layer, x, p):
    layer.train()
    lost = torch.stack([layer(x) - x == 0 for _ in range(1 + 600 // x.numel())])
    return bool(lost.double().mean() > (p + 1 - (1 - p) ** 2) / 2)


# wrong: True and False exchanged
# named: exchanged
def answers_exchanged(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return share < (p + 1 - (1 - p) ** 2) / 2


# right
def by_likelihood(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    zeros = total = 0
    for _ in range(1 + 600 // x.numel()):
        lost = (layer(x) - x)[own] == 0
        zeros, total = zeros + int(lost.sum()), total + lost.numel()
    share, twice = zeros / total, 1 - (1 - p) ** 2
    middle = math.sqrt((1 - p) * (1 - twice))
    return 1 - share < middle


# wrong: expects two dropouts to drop 2p
# named: adds_probabilities
def closer_to_2p(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return abs(share - 2 * p) < abs(share - p)


# wrong: compares the mean of the update in train and in eval mode
# named: never
def compares_means(layer, x, p):
    layer.eval()
    clean = (layer(x) - x).abs().mean()
    layer.train()
    runs = 1 + 600 // x.numel()
    noisy = torch.stack([(layer(x) - x).abs().mean() for _ in range(runs)]).mean()
    return bool(noisy < clean * (1 - p))


# wrong: counts the Dropout modules, which do not say how they are used
# named: counts_modules
def count_modules(layer, x, p):
    return sum(isinstance(m, nn.Dropout) for m in layer.modules()) > 1


# right
def counts_in_a_loop(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    zeros, total = 0, 0
    while total < 600:
        update = (layer(x) - x)[own]
        zeros += (update == 0).sum().item()
        total += update.numel()
    share = zeros / total
    return abs(share - (1 - (1 - p) ** 2)) < abs(share - p)


# wrong: counts the Dropout modules
# named: counts_modules
def counts_modules(layer, x, p):
    return len([m for m in layer.modules() if isinstance(m, nn.Dropout)]) >= 2


# wrong: does not put the layer in train mode, so a layer that comes in eval mode drops nothing
# named: mode_as_it_comes
def eval_mode(layer, x, p):
    added = torch.cat([(layer(x) - x).flatten() for _ in range(1 + 2000 // x.numel())])
    share = (added == 0).float().mean().item()
    return share > (p + 1 - (1 - p) ** 2) / 2


# wrong: a line that fits p = 0.1 only
# named: fixed_line
def fixed_line(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return share > 0.15


# right
def kept_against_kept(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    with torch.no_grad():
        kept = [((layer(x) - x)[own] != 0).float() for _ in range(1 + 600 // x.numel())]
    share = torch.cat(kept).mean().item()
    return share < ((1 - p) + (1 - p) ** 2) / 2


# wrong: compares the share of zeros with what two dropouts keep
# named: dropped_against_kept
def kept_compared_with_dropped(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return share > (1 - p) ** 2


# right
def likelihood(layer, x, p):
    with torch.no_grad():
        layer.eval()
        alive = (layer(x) - x).abs() > 0
        layer.train()
        kept = total = 0
        while total < 4000:
            kept += int((((layer(x) - x) != 0) & alive).sum())
            total += int(alive.sum())
    return abs(kept / total - (1 - p) ** 2) < abs(kept / total - (1 - p))


# right
def likelihood_2(layer, x, p):
    with torch.no_grad():
        speaks = layer.eval()(x) != x
        layer.train()
        kept = total = 0
        while total < 4000:
            kept += int((layer(x) != x)[speaks].sum())
            total += int(speaks.sum())
    once, twice = 1 - p, (1 - p) ** 2
    log_odds = kept * math.log(twice / once) + (total - kept) * math.log((1 - twice) / (1 - once))
    return log_odds > 0


# wrong: demands at least twice the share p of zeros, more than two dropouts make
# named: never
def line_2p(layer, x, p):
    layer.eval()
    alive = (layer(x) - x) != 0
    layer.train()
    added = torch.stack([layer(x) - x for _ in range(1 + 2000 // x.numel())])
    return bool((added == 0)[:, alive].float().mean() >= 2 * p)


# wrong: says twice only from a share of 2p on
# named: adds_probabilities
def line_at_2p(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return share >= 2 * p


# wrong: draws the line at p itself, which a single dropout exceeds half of the time
# named: more_than_p
def line_at_p(layer, x, p):
    alive = layer.eval()(x) - x != 0
    layer.train()
    zeros = torch.cat([(layer(x) - x == 0)[alive].float() for _ in range(1 + 2000 // x.numel())])
    return bool(zeros.mean() > p)


# wrong: says twice only where all that two dropouts give is reached
# named: twice_is_the_line
def line_at_twice_the_share(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return share >= 1 - (1 - p) ** 2


# wrong: a tolerance of 0.01 above p
# not named yet: more_than_p
def line_near_p(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return share > p + 0.01


# wrong: counts zeros of layer(x), which holds x
# named: never
def looks_for_zeros_in_the_output(layer, x, p):
    layer.train()
    runs = 1 + 600 // x.numel()
    share = torch.stack([layer(x) == 0 for _ in range(runs)]).float().mean()
    return bool(share > (p + 1 - (1 - p) ** 2) / 2)


# wrong: does not switch to train mode
# named: mode_as_it_comes
def mode_as_it_comes(layer, x, p):
    zeros = torch.cat([(layer(x) - x == 0).flatten().float() for _ in range(1 + 2000 // x.numel())])
    return bool(zeros.mean() > p + p * (1 - p) / 2)


# wrong: counts as dropped also the numbers that are 0 without dropout
# named: zeros_of_its_own
def no_baseline(layer, x, p):
    layer.train()
    added = torch.cat([(layer(x) - x).flatten() for _ in range(1 + 2000 // x.numel())])
    share = (added == 0).float().mean().item()
    return share > (p + 1 - (1 - p) ** 2) / 2


# wrong: calls the layer once only, too few numbers when x has four
# named: one_run
def one_call(layer, x, p):
    layer.eval()
    alive = layer(x) != x
    layer.train()
    share = ((layer(x) == x) & alive).sum().item() / max(1, alive.sum().item())
    return share > (p + 1 - (1 - p) ** 2) / 2


# wrong: calls the layer once, which is not enough for four numbers
# named: one_run
def one_call_2(layer, x, p):
    alive = layer.eval()(x) - x != 0
    zeros = (layer.train()(x) - x == 0)[alive].float()
    return bool(zeros.mean() > p + p * (1 - p) / 2)


# right
def one_large_batch(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    runs = 2 + 800 // x.numel()
    updates = torch.stack([layer(x) - x for _ in range(runs)])
    share = (updates[:, own] == 0).double().mean()
    return bool(share > p + p * (1 - p) / 2)


# wrong: runs the layer once only
# named: one_run
def one_run(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    share = (layer(x) - x == 0)[own].double().mean().item()
    return share > (p + 1 - (1 - p) ** 2) / 2


# wrong: counts zeros in the output itself, to which x has been added
# named: never
def output_zeros(layer, x, p):
    layer.train()
    zeros = torch.cat([(layer(x) == 0).flatten().float() for _ in range(1 + 2000 // x.numel())])
    return bool(zeros.mean() > p + p * (1 - p) / 2)


# wrong: expects p * p zeros after two dropouts
# named: never
def p_squared(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return abs(share - p * p) < abs(share - p)


# wrong: seeds before every call, so that all calls drop the same numbers
# named: one_run
def seed_in_loop(layer, x, p):
    alive = layer.eval()(x) - x != 0
    layer.train()
    zeros = []
    for _ in range(1 + 4000 // x.numel()):
        torch.manual_seed(0)
        zeros.append((layer(x) - x == 0)[alive].float())
    return bool(torch.cat(zeros).mean() > p + p * (1 - p) / 2)


# wrong: manual_seed(0) inside the counting loop, so every run drops the same places
# named: one_run
def seed_inside_the_loop(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    shares = []
    for _ in range(1 + 600 // x.numel()):
        torch.manual_seed(0)
        shares.append((layer(x) - x == 0)[own].double().mean())
    share = torch.stack(shares).mean()
    return bool(share > (p + 1 - (1 - p) ** 2) / 2)


# right
def sees_by_the_size_of_what_is_left(layer, x, p):
    layer.eval()
    clean = layer(x) - x
    layer.train()
    ratios = []
    for _ in range(1 + 600 // x.numel()):
        update = layer(x) - x
        left = (update != 0) & (clean != 0)
        ratios.append(left[clean != 0].double())
    return bool(torch.cat(ratios).mean() < (1 - p) * (1 - p / 2))


# wrong: counts features to which the layer never adds anything as dropped
# named: zeros_of_its_own
def silent_features(layer, x, p):
    layer.train()
    zeros = torch.cat([(layer(x) - x == 0).flatten().float() for _ in range(1 + 4000 // x.numel())])
    return bool(zeros.mean() > p + p * (1 - p) / 2)


# wrong: never switches to train mode
# not named yet: mode_as_it_comes | never
def stays_in_eval(layer, x, p):
    update = layer(x) - x
    return (update == 0).float().mean().item() > (p + 1 - (1 - p) ** 2) / 2


# wrong: takes 2 p for the share after two dropouts and draws the line at 1.5 p
# named: adds_probabilities
def two_p(layer, x, p):
    alive = layer.eval()(x) - x != 0
    layer.train()
    zeros = torch.cat([(layer(x) - x == 0)[alive].float() for _ in range(1 + 4000 // x.numel())])
    return bool(zeros.mean() > 1.5 * p)


# wrong: one call, whatever the size of x
# named: zeros_of_its_own
def one_call_all_zeros(layer, x, p):
    layer.train()
    zeros = ((layer(x) - x) == 0).float().mean().item()
    return zeros > (p + 1 - (1 - p) ** 2) / 2


# wrong: threshold fixed at p + 0.1
# named: fixed_distance
def line_above_p(layer, x, p):
    live = (layer.eval()(x) - x) != 0
    layer.train()
    zeros = (
        torch.stack([((layer(x) - x) == 0)[live] for _ in range(1 + 3000 // x.numel())])
        .float()
        .mean()
        .item()
    )
    return zeros > p + 0.1


# wrong: the layer is never put into train mode
# named: mode_as_it_comes
def never_in_train_mode(layer, x, p):
    live = torch.ones_like(x, dtype=torch.bool)
    zeros = (
        torch.stack([((layer(x) - x) == 0)[live] for _ in range(1 + 3000 // x.numel())])
        .float()
        .mean()
        .item()
    )
    return zeros > (p + 1 - (1 - p) ** 2) / 2


# wrong: counts how often Dropout modules run, hidden ones too
# named: counts_modules
def calls_counted(layer, x, p):
    layer.train()
    calls = []
    handles = [
        m.register_forward_hook(lambda *a: calls.append(1))
        for m in layer.modules()
        if isinstance(m, nn.Dropout)
    ]
    layer(x)
    for h in handles:
        h.remove()
    return len(calls) > 1


# wrong: the average of what is added in training against that in eval
# named: never
def means_of_sizes(layer, x, p):
    layer.eval()
    quiet = (layer(x) - x).abs().mean()
    layer.train()
    loud = sum((layer(x) - x).abs().mean() for _ in range(200)) / 200
    return bool(loud < quiet * (1 - p / 2))


# wrong: says twice where the share lies within 0.02 of what two give
# named: near_two
def near_what_two_give(layer, x, p):
    own = layer.eval()(x) != x
    layer.train()
    zeros = torch.stack([(layer(x) == x)[own] for _ in range(200)]).double().mean()
    return bool(abs(zeros - (1 - (1 - p) ** 2)) < 0.02)
