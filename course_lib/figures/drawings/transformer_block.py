"""Lesson 08: a transformer block, and the stream of vectors that its two sublayers add to."""

from types import SimpleNamespace

import torch

from course_lib.data import small_example
from course_lib.figures.drawings.canvas import Canvas, shape_of
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.rules import Answers, Dot, Mix, Norm, Rule, Sum
from course_lib.model.block import TransformerBlock

CELL, HIDDEN_CELL = (14, 14), (4, 14)
TALL = 8 * CELL[1]
STREAM = 110  # where the stream runs upwards
READ, UPDATE = 290, 640  # where the grids of a sublayer begin
FOLLOWED = small_example.TOKENS.index("bank")
TOPS = {"x": 510, "middle": 272, "output": 40}  # of the stream, from its begin to its end
HEIGHT = 628


def block_example(norm_first: bool = True) -> SimpleNamespace:
    """The course's sentence in one block: attention made by hand, a random network.

    The lesson computes the same numbers again.
    """
    block = TransformerBlock(4, 2, bias=False, norm_first=norm_first, dtype=torch.float64)
    names = {"q_proj": "W_QUERY", "k_proj": "W_KEY", "v_proj": "W_VALUE", "out_proj": "W_OUT"}
    matrices = {f"{to}.weight": getattr(small_example, name) for to, name in names.items()}
    block.attention.load_state_dict(matrices)
    network = block.feed_forward
    assert network is not None
    generator = torch.Generator().manual_seed(0)
    x = small_example.X.double()
    with torch.no_grad():
        for matrix in (network.up_proj.weight, network.down_proj.weight):
            matrix.copy_(0.5 * torch.randn(matrix.shape, generator=generator))

        def end(x: torch.Tensor, norm: torch.nn.Module) -> torch.Tensor:
            return x if norm_first else norm(x)

        attention_reads = block.attention_norm(x) if norm_first else x  # (8, 4), as all but hidden
        update, weights = block.attention(attention_reads[None], need_weights=True)
        attention_update = update[0]
        middle = end(x + attention_update, block.attention_norm)
        network_reads = block.feed_forward_norm(middle) if norm_first else middle
        hidden = torch.nn.functional.gelu(network.up_proj(network_reads))  # (8, 16)
        network_update = network.down_proj(hidden)
        output = end(middle + network_update, block.feed_forward_norm)
    return SimpleNamespace(
        block=block,
        x=x,  # the stream before the block; then between its sublayers, and after it
        middle=middle,
        output=output,
        attention_reads=attention_reads,
        weights=weights[0],  # (2, 8, 8)
        attention_update=attention_update,
        network_reads=network_reads,
        hidden=hidden,
        network_update=network_update,
    )


def transformer_block(lit: str | None = None, *, norm_first: bool = True) -> Drawing:
    """Draw a block from bottom to top: 8 tokens, d_model 4, 2 heads, 16 hidden features.

    ``lit``: stream, norm, attention, sum, norm_2, feed_forward or sum_2.
    ``norm_first``: LayerNorm before each sublayer, as today; False draws it after each sum (2017).
    """
    example = block_example(norm_first)
    canvas = Canvas("stream", "norm", "attention", "sum", "norm_2", "feed_forward", "sum_2")
    # Where the sublayers read, and where their updates are added.
    reads, sums = ((482, 250), (410, 178)) if norm_first else ((498, 266), (437, 205))
    norms = (405, 173)  # on the stream

    streams = [canvas[name] for name in ("stream", "sum", "sum_2")]
    for stream, (name, top) in zip(streams, TOPS.items(), strict=True):
        tensor = getattr(example, name)
        stream.signed(STREAM - 28, top, tensor, "input", CELL, FOLLOWED, name=name)
        stream.rows(name, small_example.TOKENS)
        stream.name(STREAM + 42, top + 60, "stream", "input", "name start")
        stream.note(STREAM + 42, top + 77, shape_of(tensor), "start")
        stream.note(STREAM + 42, top + 94, f"bank: {_row(tensor)}", "start framed")
    steps = zip(streams, streams[1:], TOPS.values(), sums, norms, strict=False)
    for source, stream, below, top, norm_at in steps:
        source.arrow("input", (STREAM, below - 3), (STREAM, top + 20))
        if norm_first:
            stream.arrow("input", (STREAM, top - 12), (STREAM, norm_at - 15))
        else:
            stream.arrow("input", (STREAM, top - 12), (STREAM, norm_at + 12), tip=False)
            stream.arrow("input", (STREAM, norm_at - 12), (STREAM, norm_at - 15))
        stream.operation(STREAM, top, "+", "input", 24)
    stream.arrow("input", (STREAM, 37), (STREAM, 27))
    stream.note(STREAM, 14, "to the next block")
    notes = ("hollow: below 0", "Made by hand or random: nobody learned these numbers.")
    streams[0].lines(884, HEIGHT - 24, *notes, kind="end", step=16)

    parts = (canvas["norm"], canvas["norm_2"])
    names = ("attention_reads", "network_reads")
    for norm, middle, norm_at, name in zip(parts, reads, norms, names, strict=True):
        tensor = getattr(example, name)
        if norm_first:
            norm.arrow("input", (STREAM, middle), (171, middle))
            norm.note(142, middle - 8, "read")
            norm.operation(222, middle, "LayerNorm", "input", 86)
            norm.arrow("input", (265, middle), (READ - 11, middle))
            norm.signed(READ, middle - TALL / 2, tensor, "input", CELL, FOLLOWED, name=name)
            norm.title(READ + 28, middle + TALL / 2 + 34, "normalised", "input", tensor)
        else:
            norm.operation(STREAM, norm_at, "LayerNorm", "input", 86)

    for part, middle, add, name in (
        (canvas["attention"], reads[0], sums[0], "attention_update"),
        (canvas["feed_forward"], reads[1], sums[1], "network_update"),
    ):
        tensor = getattr(example, name)
        is_attention = part is canvas["attention"]
        box = 416 if is_attention else 372
        start = READ + 60 if norm_first else STREAM
        part.arrow("input", (start, middle), (box - 9, middle))
        if not norm_first:
            part.note(box - 34, middle - 8, "read")
        if is_attention:
            part.operation(491, middle, "attention, 2 heads", "output", 150)
            part.note(491, middle + TALL / 2 + 18, "mixes the tokens")
            part.arrow("output", (566, middle), (UPDATE - 11, middle))
        else:
            part.operation(408, middle, "up, GELU", "output", 72)
            part.arrow("output", (444, middle), (461, middle))
            above = middle - TALL / 2
            hidden = example.hidden
            part.signed(472, above, hidden, "output", HIDDEN_CELL, FOLLOWED, name="hidden")
            part.title(504, middle + TALL / 2 + 34, "hidden", "output", hidden)
            part.note(504, middle + TALL / 2 + 50, "each token alone")
            part.arrow("output", (539, middle), (555, middle))
            part.operation(590, middle, "down", "output", 52)
            part.arrow("output", (616, middle), (UPDATE - 11, middle))
        part.signed(UPDATE, middle - TALL / 2, tensor, "output", CELL, FOLLOWED, name=name)
        part.rows(name, small_example.TOKENS, "narrow")
        part.title(UPDATE + 28, middle + TALL / 2 + 34, "update", "output", tensor)
        part.lines(UPDATE + 66, middle - 4, "bank:", _row(tensor), kind="start framed", step=16)
        corner = (UPDATE + 28, add)
        part.arrow("output", (UPDATE + 28, middle - TALL / 2 - 3), corner, (STREAM + 20, add))
        part.note(436, add - 8, "added to the stream")
    if norm_first:
        canvas.answers = _answers(example)
    order = (
        "Each sublayer reads the stream through a LayerNorm; nothing but sums touches the stream "
        "itself."
        if norm_first
        else "Each sublayer reads the stream as it is; behind each sum the stream itself goes "
        "through a LayerNorm."
    )
    sentences = [
        "The stream, a vector of 4 numbers for each of 8 tokens, runs upwards on the left.",
        "The first sublayer, attention, mixes the tokens, and its update is added to the stream.",
        "Then the feed-forward network, 16 hidden numbers for each token alone, adds its own.",
        order,
        f"For bank, {_row(example.x)} becomes {_row(example.middle)} by attention and then "
        f"{_row(example.output)} by the network.",
        "Stream and attention are made by hand, and the network is random.",
    ]
    title = "A transformer block, " + ("pre-norm" if norm_first else "post-norm")
    sublayers = ("attention, 2 heads & [mixes the tokens]", "up, GELU & hidden & down")
    before, after = ("LayerNorm & normalised > ", "") if norm_first else ("", "LayerNorm > ")
    rows = "".join(
        f"stream > {before}{made} > update > + & [added to the stream] > {after}"
        for made in sublayers
    )
    rows += "stream > [to the next block]"
    return canvas.drawing(title, sentences, HEIGHT, lit, rows=rows)


def _answers(example: SimpleNamespace) -> Answers:
    """What the block computes; each column of W_O holds one 1, so one head makes one number."""
    stream = ("x", "attention_reads", "attention_update", "middle", "network_reads", "hidden")
    tensors = {name: getattr(example, name) for name in (*stream, "network_update", "output")}
    network, maps = example.block.feed_forward, example.weights
    tensors |= {"up": network.up_proj.weight.detach(), "down": network.down_proj.weight.detach()}
    source = small_example.W_OUT.argmax(dim=1)  # which number of the heads becomes which
    values = example.attention_reads @ small_example.W_VALUE.double().T
    tensors["values"] = values[:, source]
    tensors |= {f"weights {head}": weights for head, weights in enumerate(maps)}
    head_dim = len(source) // len(maps)
    rules: dict[str, Rule] = {
        "attention_reads": Norm("x"),
        "attention_update": Mix(
            tuple(f"weights {i // head_dim}" for i in source.tolist()), "values", "attention_reads"
        ),
        "middle": Sum(("x", "attention_update")),
        "network_reads": Norm("middle"),
        "hidden": Dot("network_reads", "up", then="GELU"),
        "network_update": Dot("hidden", "down"),
        "output": Sum(("middle", "network_update")),
    }
    called = {name: "stream" for name in ("x", "middle", "output")}
    called |= {name: "normalised" for name in ("attention_reads", "network_reads")}
    called |= {name: "update" for name in ("attention_update", "network_update")}
    return Answers(small_example.TOKENS, tensors, rules, called)


def _row(tensor: torch.Tensor) -> str:
    """The numbers of the token that is followed."""
    return " ".join(f"{number:.2f}" for number in tensor[FOLLOWED].tolist()).replace("-", "−")
