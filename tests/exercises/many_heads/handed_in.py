"""Answers to the exercises on many heads, of the kind that students hand in."""

import copy

import torch

import course_checks as checks
from course_checks.exercises.many_heads.MyHeads import MyHeads
from course_checks.exercises.single_head.MyHead import MyHead
from course_lib import SingleHead


class of_one_tensor(MyHeads):  # noqa: N801
    def forward(self, x):
        outputs = torch.stack([head(x)[0] for head in self.heads])
        return self.out_proj(torch.cat(outputs, dim=-1)), outputs


class without_super(torch.nn.Module):  # noqa: N801
    def __init__(self, d_model, num_heads):
        self.out_proj = torch.nn.Linear(d_model, d_model, bias=False)


def blocks_of_rows(heads, w_out):
    added = [head @ block for head, block in zip(heads, w_out.chunk(len(heads)), strict=False)]
    return torch.cat(list(heads), dim=-1) @ w_out, torch.stack(added)


def deepcopied(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    head = SingleHead(d_model, head_dim, bias=False)
    return torch.nn.ModuleList([copy.deepcopy(head) for _ in range(num_heads)])


def with_bias(num_heads, d_model, head_dim, seed):
    return torch.nn.ModuleList([SingleHead(d_model, head_dim) for _ in range(num_heads)])


def targets_at(items, places, *positions):
    return torch.stack([items.gather(1, own) for own in positions], dim=-1)


def off_the_end(items, places):
    return targets_at(items, places, places, places + 1, places + 2)


def mirrored(items, places):
    length = items.shape[1]
    return targets_at(items, places, places, length - 1 - places, (places + 1) % length)


def first_item_always(items, places):
    return targets_at(items, places, places, 0 * places, (places + 1) % items.shape[1])


def both_ends_always(items, places):
    return targets_at(items, places, 0 * places, places, 0 * places + items.shape[1] - 1)


def with_the_largest(items, places):
    targets = targets_at(items, places, places, places - places, places)
    return torch.cat([targets[..., :2], targets.amax(dim=-1, keepdim=True) + 1], dim=-1)


def one_set_for_each_item(items, places):
    return torch.stack([items.roll(-shift, 1) for shift in range(3)], dim=-1)


def index_for_place(items, places):
    index = torch.arange(places.shape[1]).expand(places.shape)
    return targets_at(items, places, *((index + shift) % items.shape[1] for shift in range(3)))


def concatenated_and_viewed(items, places):
    length = items.shape[1]
    positions = torch.cat([places, (places + 1) % length, (places + 2) % length], dim=1)
    return items.gather(1, positions).view(*places.shape, 3)


def multiples(items, places):
    return targets_at(items, places, *(places * factor % items.shape[1] for factor in (1, 2, 3)))


def some_places_share(items, places):
    shared = places.clamp(min=1)
    return targets_at(items, places, *((shared + i) % items.shape[1] for i in range(3)))


def first_rows_places(items, places):
    length = items.shape[1]
    return torch.stack([items[:, (places[0] + shift) % length] for shift in range(3)], dim=-1)


def random_offsets(items, places):
    length = items.shape[1]
    shifts = torch.randperm(length)[:3].tolist()
    return targets_at(items, places, *((places + shift) % length for shift in shifts))


def compares_one(name):
    def version(heads, out_proj, x):
        weights = [getattr(head, name).weight for head in heads]
        blocks = out_proj.weight.chunk(len(heads), dim=1)
        pairs = [*zip(weights, weights[1:], strict=False), *zip(blocks, blocks[1:], strict=False)]
        return all(torch.allclose(a, b, atol=1e-5) for a, b in pairs)

    return version


def trained_with_adam(heads, out_proj, x):
    optimizer = torch.optim.Adam([*heads.parameters(), *out_proj.parameters()], lr=1e-2)
    pattern = torch.sin(torch.arange(x.numel()).view(x.shape))
    for _ in range(20):
        optimizer.zero_grad()
        (out_proj(torch.cat([head(x)[0] for head in heads], dim=-1)) * pattern).sum().backward()
        optimizer.step()
    flat = [torch.nn.utils.parameters_to_vector(head.parameters()) for head in heads]
    return all(torch.allclose(flat[0], other, atol=1e-3) for other in flat)


def then_seeds_at_random(num_heads, d_model, head_dim, seed):
    torch.manual_seed(seed)
    heads = torch.nn.ModuleList(SingleHead(d_model, head_dim, bias=False) for _ in range(num_heads))
    torch.seed()
    return heads


def no_backward(heads, out_proj, x):
    return torch.allclose(heads[0].q_proj.weight.grad, heads[1].q_proj.weight.grad)


def heads_return_two(heads, out_proj, x):
    return bool(out_proj(torch.cat([head(x) for head in heads], dim=-1)).sum() > 0)


def equal_outputs(heads, out_proj, x):
    return all(torch.allclose(head(x)[0], heads[0](x)[0]) for head in heads)


def to_the_percent(head_counts, num_pointers, vocab_size):
    right = checks.predict_row.exercise.reference(head_counts, num_pointers, vocab_size)
    return [round(accuracy, 2) for accuracy in right]


ANSWERS = [
    ("MyHeads", of_one_tensor, 0, None, "take a list of tensors"),
    ("MyHeads", without_super, 0, None, "must be the first line of your __init__"),
    ("MyHeads", MyHead(4, 2), 0, None, "takes the class itself"),
    ("mix_heads", blocks_of_rows, 0, "not_transposed", "its columns belong to what comes in"),
    ("make_heads", deepcopied, 3, "clones_and_global", "or they are copies of one"),
    ("make_heads", with_bias, 0, "with_bias", "should have no bias"),
    ("make_heads", lambda n, d, k, seed: [[]] * n, 0, None, "should be a SingleHead"),
    ("three_targets", off_the_end, 0, None, "Indices go from 0 to size - 1"),
    ("three_targets", mirrored, None, None, "two of the three targets are the same item"),
    ("three_targets", first_item_always, None, None, "Target 1 is item 0 for every place"),
    ("three_targets", both_ends_always, None, None, "Target 0 is item 0 for every place"),
    ("three_targets", with_the_largest, 0, "computed", "You make new symbols"),
    ("three_targets", lambda items, places: places, 0, None, "(batch, num_queries, 3)"),
    ("three_targets", one_set_for_each_item, 0, None, "what it gets as places"),
    ("three_targets", index_for_place, 0, "by_index", "not from its place"),
    ("three_targets", concatenated_and_viewed, 0, "cat_and_view", "stack the lists"),
    ("three_targets", multiples, None, None, "for place 0, two of the three"),
    ("three_targets", some_places_share, 5, None, "places 0 and 1 ask for the same three"),
    ("three_targets", first_rows_places, 0, "first_rows_places", "queries of its own"),
    ("three_targets", random_offsets, 0, None, "give different targets"),
    ("stay_identical", compares_one("q_proj"), 4, "one_projection_only", "one projection only"),
    ("stay_identical", compares_one("k_proj"), 4, "one_projection_only", "one projection only"),
    ("stay_identical", compares_one("v_proj"), 3, "one_projection_only", "one projection only"),
    ("stay_identical", trained_with_adam, 5, None, "All of it is right"),
    ("make_heads", then_seeds_at_random, 5, "leaves_it_random", "torch.seed() does that"),
    ("stay_identical", no_backward, 0, None, "until backward() has run"),
    ("stay_identical", heads_return_two, 0, None, "Take the first, [0]"),
    ("stay_identical", equal_outputs, 2, "heads_only", "different blocks"),
    ("predict_row", to_the_percent, 2, None, "do not round"),
    ("predict_row", lambda counts, k, v: counts[0] / k, 0, None, "It returned a float"),
]
