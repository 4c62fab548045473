"""Answers to the exercises on transformer block, of the kind that students hand in."""

import torch

import course_checks as checks


def torchs_own_norm(x, weight, bias, eps):
    return torch.nn.LayerNorm(x.shape[-1])(x)


def torch_functional_norm(x, weight, bias, eps):
    return torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)


def std_and_eps(x, weight, bias, eps):
    return weight * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + eps) + bias


def norm_without_keepdim(x, weight, bias, eps):
    return (x - x.mean(-1)) / (x.var(-1) + eps).sqrt() * weight + bias


def first_over_the_batch(x, weight, bias, eps):
    return checks.layer_norm.exercise.reference(x.movedim(0, -1), 1, 0, eps).movedim(-1, 0)


def norm_by_moments(x, weight, bias, eps):
    mean, square = x.sum(-1, keepdim=True) / x.shape[-1], (x * x).mean(-1, keepdim=True)
    return weight * (x - mean) / torch.sqrt(square - mean**2 + eps) + bias


def norm_over(axis):
    def norm(x, weight, bias, eps):
        root = torch.sqrt(x.var(axis, unbiased=False, keepdim=True) + eps)
        return (x - x.mean(axis, keepdim=True)) / root * weight + bias

    return norm


def norm_divides_by_the_size(x, weight, bias, eps):
    size = (x.square().mean(-1, keepdim=True) + eps).sqrt()
    return weight * (x - x.mean(-1, keepdim=True)) / size + bias


def fresh_maps(x, w_up, b_up, w_down, b_down):
    up, down = torch.nn.Linear(*w_up.T.shape), torch.nn.Linear(*w_down.T.shape)
    return down(torch.nn.functional.gelu(up(x)))


def x_becomes_normal(x, sublayer, norm, norm_first):
    if norm_first:
        x = norm(x)
        return x + sublayer(x)
    return norm(x + sublayer(x))


def answer_becomes_normal(x, sublayer, norm, norm_first):
    return x + norm(sublayer(x)) if norm_first else norm(x + sublayer(x))


def overwrites_the_branch(x, sublayer, norm, norm_first):
    if norm_first:
        y = x + sublayer(norm(x))
    y = norm(x + sublayer(x))
    return y


def adds_in_place(x, sublayer, norm, norm_first):
    x += sublayer(norm(x) if norm_first else x)
    return x if norm_first else norm(x)


def zeros_of_the_stream(layer, x, p):
    layer.train()
    return (layer(x) == 0).float().mean() > p


def between_p_and_2p(layer, x, p):
    own = layer.eval()(x) != x
    runs = range(1 + 900 // x.numel())
    return torch.cat([(layer.train()(x) == x)[own] for _ in runs]).double().mean() > 1.5 * p


def share_of_zeros(layer, x, p, runs=None):
    own = layer.eval()(x) != x
    runs = runs or 1 + 700 // x.numel()
    layer.train()
    return torch.cat([(layer(x) == x)[own] for _ in range(runs)]).double().mean()


def seeded_and_above_p(layer, x, p):
    torch.manual_seed(0)
    return share_of_zeros(layer, x, p) > p


def below_what_two_keep(layer, x, p):
    return share_of_zeros(layer, x, p) < (1 - p) ** 2


def keeps_more_than_the_middle(layer, x, p):
    return 1 - share_of_zeros(layer, x, p) > ((1 - p) + (1 - p) ** 2) / 2


def asks_ten_times(layer, x, p):
    return share_of_zeros(layer, x, p, runs=10) > p + p * (1 - p) / 2


def holds_two_dropouts(layer, x, p):
    return len([part for part in layer.modules() if isinstance(part, torch.nn.Dropout)]) >= 2


def counts_with(**changed):
    """The biases, norms and maps of a block one by one, with some of them other than they are."""

    def counts(vocab_size, max_len, d_model, num_layers):
        d, parts = d_model, {"last": 2, "bias_up": 4, "bias_down": 1, "bias_attn": 4, "norms": 4}
        parts |= changed
        block = 12 * d * d + d * sum(parts[key] for key in list(parts)[1:5])
        blocks = num_layers * block + parts.get("in_blocks", 0) * d
        return [vocab_size * d, max_len * d, blocks, parts["last"] * d]

    return counts


def only_the_sum(vocab_size, max_len, d_model, num_layers):
    return sum(checks.gpt2_parameters.exercise.reference(vocab_size, max_len, d_model, num_layers))


def of_one_size(vocab_size, max_len, d_model, num_layers):
    return checks.gpt2_parameters.exercise.reference(vocab_size, max_len, 768, num_layers)


def calls_fresh_layers(encoder, x):
    for part in encoder.layers:
        width, heads = part.linear1.in_features, part.self_attn.num_heads
        layer = torch.nn.TransformerEncoderLayer(
            width, heads, part.linear1.out_features, 0.0, part.activation, batch_first=True,
            norm_first=part.norm_first, dtype=x.dtype,
        )  # fmt: skip
        layer.load_state_dict(part.state_dict())
        x = layer.eval()(x)
    return x if encoder.norm is None else encoder.norm(x)


def encodes_by(order):
    def encode(encoder, x):
        for layer in encoder.layers:
            is_first = order(encoder, layer)
            n1, n2 = layer.norm1, layer.norm2
            y = n1(x) if is_first else x
            x = x + layer.self_attn(y, y, y, need_weights=False)[0]
            x = x if is_first else n1(x)
            y = n2(x) if is_first else x
            x = x + layer.linear2(layer.activation(layer.linear1(y)))
            x = x if is_first else n2(x)
        return encoder.norm(x) if encoder.norm is not None else x

    return encode


encodes_swapped = encodes_by(lambda encoder, layer: not layer.norm_first)
encodes_as_layer_0 = encodes_by(lambda encoder, layer: encoder.layers[0].norm_first)


def calls_the_layers(encoder, x):
    for layer in encoder.layers:
        x = layer(x)
    return encoder.norm(x)


def keeps_the_pair(encoder, x):
    layer = encoder.layers[0]
    return layer.norm1(x + layer.self_attn(x, x, x))


def norm_is_always_there(encoder, x):
    return encoder.norm(checks.encode.exercise.reference(encoder, x))


def a_list_of_paths(x, weights):
    return list(checks.paths_by_length.exercise.reference(x, weights))


def in_place_from_the_shortest(x, weights):
    out = torch.zeros(len(weights) + 1, *x.shape, dtype=x.dtype)
    out[0] = x
    for i, weight in enumerate(weights):
        for k in range(1, i + 2):
            out[k] += out[k - 1] @ weight.T
    return out


def without_the_sum(x, weights):
    for weight in weights:
        x = x @ weight.T
    return x


ANSWERS = [
    ("layer_norm", torchs_own_norm, 0, "forbidden", "own norm is closed here"),
    ("layer_norm", torch_functional_norm, 0, "forbidden", "own norm is closed here"),
    ("layer_norm", norm_by_moments, 6, "moments", "lose their digits"),
    (
        "layer_norm",
        norm_over(0),
        0,
        "over_the_first_axis",
        "Your mean and variance run over the first axis, tokens or",
    ),
    ("layer_norm", norm_over(1), None, "over_axis_1", "Your mean and variance run over axis 1."),
    (
        "layer_norm",
        norm_divides_by_the_size,
        0,
        "squares_not_centred",
        "Below the line you take the mean square of x itself.",
    ),
    (
        "layer_norm",
        std_and_eps,
        0,
        "unbiased_and_eps_outside",
        "You divide by std + eps, as a much-read tutorial does.",
    ),
    ("layer_norm", norm_without_keepdim, 0, None, "keepdim=True keeps the axis"),
    ("feed_forward", fresh_maps, 0, "answers_vary", "two different answers"),
    (
        "block_step",
        x_becomes_normal,
        3,
        "stream_normalised_in_pre",
        "With norm_first=True you add to norm(x) instead of x.",
    ),
    ("block_step", adds_in_place, 5, "changes_input", "x -= 1 does not"),
    ("block_step", answer_becomes_normal, 3, "update_normalised_in_pre", "what it reads"),
    ("block_step", overwrites_the_branch, 3, "always_post", "norm_first has no effect"),
    ("drops_twice", zeros_of_the_stream, 0, "never", "Your test says False to every layer."),
    ("drops_twice", between_p_and_2p, None, "adds_probabilities", "they keep (1 - p) * (1 - p)"),
    ("drops_twice", seeded_and_above_p, 0, "more_than_p", "half-way between p"),
    (
        "drops_twice",
        below_what_two_keep,
        0,
        "dropped_against_kept",
        "You compare the share of zeros with (1 - p) * (1 - p), what",
    ),
    (
        "drops_twice",
        keeps_more_than_the_middle,
        0,
        "exchanged",
        "All your answers are the opposite.",
    ),
    ("drops_twice", asks_ten_times, 5, None, "when x has few numbers"),
    (
        "drops_twice",
        holds_two_dropouts,
        4,
        "counts_modules",
        "You count Dropout modules, or their calls.",
    ),
    ("gpt2_parameters", counts_with(bias_attn=0), 0, "four_too_few", "biases of attention"),
    ("gpt2_parameters", counts_with(bias_up=0), 0, "four_too_few", "the FFN's first map"),
    ("gpt2_parameters", counts_with(norms=2), 0, "two_too_few", "one half of both"),
    ("gpt2_parameters", counts_with(bias_down=0), 0, "one_too_few", "second map"),
    ("gpt2_parameters", counts_with(last=1), 0, "half_a_last_norm", "Your last norm"),
    (
        "gpt2_parameters",
        counts_with(in_blocks=2),
        2,
        "last_norm_in_the_blocks",
        "You count the norm after the last block in the third entry.",
    ),
    ("gpt2_parameters", only_the_sum, 0, "total", "You return one number"),
    ("gpt2_parameters", of_one_size, None, None, "never uses what it gets as d_model"),
    ("encode", calls_the_layers, 0, "forbidden", "own forward is closed here"),
    ("encode", calls_fresh_layers, 0, "forbidden", "own forward is closed here"),
    ("encode", encodes_swapped, 0, "orders_exchanged", "changed places"),
    (
        "encode",
        encodes_as_layer_0,
        5,
        "order_of_the_first",
        "You ask the first layer for norm_first and treat all so.",
    ),
    ("encode", keeps_the_pair, 0, None, "return two things"),
    ("encode", norm_is_always_there, None, None, "is None"),
    (
        "paths_by_length",
        in_place_from_the_shortest,
        2,
        "through_a_layer_twice",
        "longest to the shortest",
    ),
    ("paths_by_length", a_list_of_paths, 0, None, "It returned a list"),
    ("paths_by_length", without_the_sum, 0, None, "expected (3, 1, 2)"),
]
