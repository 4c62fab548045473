"""Attention layers as people write them, right and wrong, with what a report has to say of each.

A layer that stands for a public thread has the thread's number in its name; its code here is a
small one of our own with the same mistake.
"""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

D, H = 32, 4
MAY = {"true_means": "may attend"}
BLOCKED = {"true_means": "blocked"}


@dataclass
class Case:
    """One layer. A wrong one is found by a failed test, or listed as not tested."""

    make: Callable
    options: dict = field(default_factory=dict)
    named: frozenset = frozenset()  # the mistakes that the report has to name, and no other
    listed: str = ""  # the entry of not_tested that stands for it, where no test can see it
    warns: str = ""  # the test that warns
    says: str = ""  # words that the report has to hold
    never: str = ""  # words that would be false
    d_model: int = D


RIGHT: dict[str, Case] = {}
WRONG: dict[str, Case] = {}


def registering(zoo):
    """Return a decorator that registers what makes a layer.

    That is a class, a function without arguments, the ``forward`` of a layer with maps, or how a
    layer of x makes weights of its scores ``s``.
    """
    keys = ("listed", "warns", "says", "never", "d_model")

    def decorator(name, *named, **rest):
        about = {key: rest.pop(key) for key in keys if key in rest}

        def register(make):
            options = {"is_causal": False} | rest
            parameters, layer = inspect.signature(make).parameters, make
            if "self" in parameters:
                layer = type("Layer", (Maps,), {"forward": make})
            if "s" in parameters:
                layer = partial(self_attention, make)
            zoo[name] = Case(layer, options, frozenset(named), **about)
            return make

        return register

    return decorator


right, wrong = registering(RIGHT), registering(WRONG)


def split(x, heads=H):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)  # (batch, heads, length, head_dim)


def join(x):
    return x.transpose(1, 2).flatten(2)


class Maps(nn.Module):
    """The four maps, and the scores of all heads."""

    def __init__(self, d_model=D, heads=H):
        super().__init__()
        self.heads = heads
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def scores(self, query, key):
        q, k = split(self.wq(query), self.heads), split(self.wk(key), self.heads)
        return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])

    def out(self, weights, value):
        return self.wo(join(weights @ split(self.wv(value), self.heads)))

    def attend(self, query, key, value, allowed=None, added=0, fill=-math.inf):
        """As it should be; ``allowed`` broadcasts to (batch, heads, query, key)."""
        scores = self.scores(query, key) + (0 if added is None else added)
        scores = scores if allowed is None else scores.masked_fill(~allowed, fill)
        return self.out(scores.softmax(-1), value)


def self_attention(weigh, **init):
    """A layer of x whose weights are ``weigh`` of its scores."""

    class Layer(Maps):
        def forward(self, x):
            return self.out(weigh(self.scores(x, x)), x)

    return Layer(**init)


def cross_attention(weigh):
    class Layer(Maps):
        def forward(self, query, key, value):
            return self.out(weigh(self.scores(query, key)), value)

    return Layer()


def tril(length, other=None):
    return torch.ones(length, other or length, dtype=torch.bool).tril()


# --- right: nothing may fail ----------------------------------------------------------------------


@wrong("weights masked, then shared out again: abisee/pointer-generator #88", "mask_late", **MAY)
def _(self, x, mask=None):
    weights = self.scores(x, x).softmax(-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-12)
    return self.out(weights, x)


@wrong("a mask that turns what is allowed into one number", says="when a mask is given", **MAY)
def _(self, x, mask=None):
    return self.attend(x, x, x, None if mask is None else ~mask, fill=1e9)


@right("mask (batch, len) in numbers, 1 - mask", **MAY)
def _(self, x, mask=None):
    added = None if mask is None else (1.0 - mask[:, None, None, :]) * -10000.0
    return self.attend(x, x, x, added=added)


@right("extended mask (batch, 1, 1, len), added", says="your mask is added", **MAY)
def _(self, hidden_states, attention_mask=None, head_mask=None):
    if attention_mask is not None:
        assert attention_mask.shape[1:3] == (1, 1) and attention_mask.is_floating_point()
    scores = self.scores(hidden_states, hidden_states)
    weights = (scores if attention_mask is None else scores + attention_mask).softmax(-1)
    return self.out(weights, hidden_states), weights


@right("mask (query, key), added", says="your mask is added", **MAY)
def _(self, x, attn_mask=None):
    return self.attend(x, x, x, added=attn_mask)


@right("a default causal mask that a mask replaces", is_causal=True, warns="mask and causal", **MAY)
def _(self, x, mask=None):
    return self.attend(x, x, x, tril(x.shape[1]) if mask is None else mask)


class Annotated(nn.Module):
    """The Annotated Transformer's; its mask is (batch, query_len, key_len)."""

    def __init__(self, h=H, d_model=D):
        super().__init__()
        self.d_k, self.h = d_model // h, h
        self.linears = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(4))
        self.attn = None
        self.dropout = nn.Dropout(p=0.1)

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = mask.unsqueeze(1)
        nbatches = query.size(0)
        query, key, value = (
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip(self.linears, (query, key, value), strict=False)
        )
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        self.attn = self.dropout(scores.softmax(dim=-1))
        x = torch.matmul(self.attn, value)
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.linears[-1](x)


right("Annotated Transformer", warns="empty rows", **MAY)(Annotated)
right("Annotated Transformer, six heads of six tokens", warns="empty rows", d_model=24, **MAY)(
    lambda: Annotated(6, 24)
)
right("Annotated Transformer, one head", warns="empty rows", d_model=24, **MAY)(
    lambda: Annotated(1, 24)
)


@right("with its residual and norm inside", warns="empty rows", **MAY)
class JadoreStyle(Maps):
    """Returns (output, weights), as jadore801120's does."""

    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(D)

    def forward(self, q, k, v, mask=None):
        scores = self.scores(q, k)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        weights = scores.softmax(-1)
        return self.norm(self.out(weights, v) + q), weights


class HeadOfItsOwnSize(nn.Module):
    def __init__(self, head_size=8, causal=False):
        super().__init__()
        self.key, self.query, self.value = (nn.Linear(D, head_size, bias=False) for _ in range(3))
        self.causal = causal
        self.register_buffer("tril", torch.tril(torch.ones(64, 64)))

    def forward(self, x):
        _, length, _ = x.shape
        scores = self.query(x) @ self.key(x).transpose(-2, -1) * self.key.out_features**-0.5
        if self.causal:
            scores = scores.masked_fill(self.tril[:length, :length] == 0, float("-inf"))
        return scores.softmax(dim=-1) @ self.value(x)


right("head_size is not d_model")(HeadOfItsOwnSize)
right("head_size is the length", is_causal=True)(lambda: HeadOfItsOwnSize(6, causal=True))


@right("heads that stay apart in the output")
def _(self, x):
    return (self.scores(x, x).softmax(-1) @ split(self.wv(x))).transpose(1, 2)


@dataclass
class Slots:
    __slots__ = ("attentions", "last_hidden_state")
    attentions: torch.Tensor
    last_hidden_state: torch.Tensor


@right("a dataclass with slots, weights first")
def _(self, x):
    weights = self.scores(x, x).softmax(-1)
    return Slots(weights, self.out(weights, x))


@right("weights first, in a tuple, one head")
class WeightsFirst(nn.Module):
    def forward(self, x):
        weights = (x @ x.mT / math.sqrt(x.shape[-1])).softmax(-1)
        return weights, (weights @ x)[..., :8]


@right("a cache as argument", is_causal=True, listed="caches", says="past_key_value")
def _(self, x, past_key_value=None, use_cache=False):
    return self.attend(x, x, x, tril(x.shape[1])), (x, x), past_key_value


right("nn.MultiheadAttention with bias_kv", warns="averages")(
    lambda: nn.MultiheadAttention(D, H, batch_first=True, add_bias_kv=True)
)


@right("nn.TransformerEncoder", listed="softmax axis", **BLOCKED)
def _():
    layer = nn.TransformerEncoderLayer(D, H, 48, batch_first=True, norm_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


def gpt2(implementation):
    from transformers import GPT2Config
    from transformers.models.gpt2.modeling_gpt2 import GPT2Attention

    config = GPT2Config(n_embd=D, n_head=H, attn_implementation=implementation)
    return GPT2Attention(config, layer_idx=0)


right("GPT-2, sdpa", is_causal=True, warns="mask and causal", says="past_key_values", **MAY)(
    lambda: gpt2("sdpa")
)
right(
    "GPT-2 as it is made, causal by what is handed in",
    is_causal=True,
    warns="mask and causal",
    says="it is causal only by what attention_mask brings",
    **MAY,
)(lambda: gpt2(None))


@right("T5, which returns its position bias", says="your mask is added", has_positions=True, **MAY)
def _():
    from transformers import T5Config
    from transformers.models.t5.modeling_t5 import T5Attention

    config = T5Config(d_model=D, d_kv=D // H, num_heads=H)
    return T5Attention(config, has_relative_attention_bias=True, layer_idx=0)


@right("a mask of integers", **MAY)
def _(self, x, mask=None):
    assert mask is None or mask.dtype == torch.int64
    return self.attend(x, x, x, None if mask is None else mask[:, None, None] == 1, fill=-1e9)


@right("a decoder layer with two masks that it needs", warns="empty rows", **MAY)
class NeedsTwoMasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.own, self.other, self.norm = Annotated(), Annotated(), nn.LayerNorm(D)

    def forward(self, x, memory, src_mask, tgt_mask):
        y = self.norm(x)
        x = x + self.own(y, y, y, tgt_mask)
        return x + self.other(self.norm(x), memory, memory, src_mask)


@right("a head with a table for eight tokens", is_causal=True)
def _():
    head = HeadOfItsOwnSize(causal=True)
    head.tril = head.tril[:8, :8]
    return head


@right("x-transformers' signature", says="context", **MAY)
def _(self, x, context=None, mask=None, context_mask=None, attn_mask=None, rel_pos=None,
            prev_attn=None, mem=None):  # fmt: skip
    allowed = torch.ones(1, dtype=torch.bool) if attn_mask is None else attn_mask
    allowed = allowed if mask is None else allowed & mask[:, None, None, :]
    return self.attend(x, x, x, allowed, fill=-torch.finfo(x.dtype).max)


@right("d2l's signature", options={"valid_lens": None})
def _(self, queries, keys, values, valid_lens):
    return self.attend(queries, keys, values)


@right("a residual behind a norm", is_causal=True, listed="softmax axis")
class PreNorm(Maps):
    def __init__(self):
        super().__init__()
        self.norm = nn.RMSNorm(D)

    def forward(self, x):
        y = self.norm(x)
        return x + self.attend(y, y, y, tril(x.shape[1]))


@right("weights that start small", is_causal=True)
def _():
    layer = HeadOfItsOwnSize(causal=True)
    for weight in layer.parameters():
        nn.init.normal_(weight, std=0.02)
    return layer


right("a sink in the denominator", warns="averages")(
    lambda s: s.exp() / (1 + s.exp().sum(dim=-1, keepdim=True))
)


@right("value, key, query, added mask", says="your mask is added", **MAY)
def _(self, value, key, query, mask=None):
    return self.attend(query, key, value, added=mask)


@right("cross-attention of x and context, mask (batch, key_len)", **MAY)
def _(self, x, context, mask=None):
    return self.attend(x, context, context, None if mask is None else mask[:, None, None])


@right("cross-attention of x and context, added mask", says="your mask is added", **MAY)
def _(self, x, context, mask=None):
    return self.attend(x, context, context, added=mask)


right(
    "nn.TransformerDecoderLayer, memory_mask named",
    mask_argument="memory_mask",
    padding_argument="memory_key_padding_mask",
    says="memory_mask hides tokens of the memory",
    **BLOCKED,
)(lambda: nn.TransformerDecoderLayer(D, H, 48, batch_first=True))


@right("a decoder layer whose src_mask is of the memory", **MAY,
       says="src_mask hides tokens of the memory")  # fmt: skip
class AnnotatedDecoder(NeedsTwoMasks):
    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        return super().forward(x, memory, src_mask, tgt_mask)


class Sinks(Maps):
    """A learned score in the denominator, as in gpt-oss."""

    def __init__(self):
        super().__init__()
        self.sinks = nn.Parameter(torch.randn(H))

    def forward(self, x):
        scores = self.scores(x, x).masked_fill(~tril(x.shape[1]), -math.inf)
        sink = self.sinks[:, None, None].expand(len(x), -1, x.shape[1], 1)
        weights = torch.cat([scores, sink], dim=-1).softmax(-1)[..., :-1]
        return self.out(weights, x), weights


right(
    "sinks, causal",
    is_causal=True,
    warns="equal tokens",
    says="as to a sink",
    never="has_positions",
)(Sinks)


@right("sinks, causal, no weights returned", is_causal=True, warns="equal tokens")
def _():
    layer = Sinks()
    return lambda x: layer(x)[0]


class Differential(Maps):
    """One softmax minus a part of another (Ye et al. 2024); their weights sum to 1 - 0.8."""

    def __init__(self, second_is_masked=True):
        super().__init__()
        self.second_is_masked = second_is_masked

    def forward(self, x):
        q, k = (split(w(x)).chunk(2, dim=-1) for w in (self.wq, self.wk))
        one, other = (4 * a @ b.mT for a, b in zip(q, k, strict=True))
        future = ~tril(x.shape[1])
        other = other.masked_fill(future, -math.inf) if self.second_is_masked else other
        weights = one.masked_fill(future, -math.inf).softmax(-1) - 0.8 * other.softmax(-1)
        return self.out(weights, x), weights


right("differential attention", is_causal=True, warns="weights", says="(0.2)")(Differential)


@right("cosine attention, no maps", never="times the dot product")
def _():
    def layer(x):
        x_hat = F.normalize(x, dim=-1)
        weights = (10 * x_hat @ x_hat.mT).softmax(-1)
        return weights @ x, weights

    return layer


class Window(Maps):
    """All tokens of one window, with a table of biases for its size, as in Swin."""

    def __init__(self, size):
        super().__init__()
        self.size, self.bias = size, nn.Parameter(torch.randn(H, size, size))

    def forward(self, x, mask=None):
        return self.attend(x, x, x, mask, added=self.bias)


right("a window of six tokens", has_positions=True, says="takes no other length", **MAY)(
    lambda: Window(6)
)
right("a window of nine tokens", has_positions=True, length=9, says="takes no other length", **MAY)(
    lambda: Window(9)
)


@right("Linformer", has_positions=True, listed="averages", says="takes no other length")
class Linformer(Maps):
    def __init__(self):
        super().__init__()
        self.shorter = nn.Linear(6, 3, bias=False)

    def forward(self, x):
        short = self.shorter(x.mT).mT
        return self.attend(x, short, short)


@right("length first, split with view", batch_first=False)
def _(self, x):
    length, batch, _ = x.shape
    x = x.view(length, batch * H, D // H).transpose(0, 1)  # needs contiguous memory
    heads = F.scaled_dot_product_attention(x, x, x)
    return self.wo(heads.transpose(0, 1).reshape(length, batch, D))


@right("weights asked for with return_attn", is_causal=True)
def _(self, x, return_attn=False):
    weights = self.scores(x, x).masked_fill(~tril(x.shape[1]), -math.inf).softmax(-1)
    return (self.out(weights, x), weights) if return_attn else self.out(weights, x)


# --- wrong: found, or listed as not tested --------------------------------------------------------


wrong("softmax over the batch: PetrochukM/PyTorch-NLP #2")(
    lambda: cross_attention(lambda s: s.softmax(dim=0))
)
wrong("softmax over heads: jadore801120/attention-is-all-you-need-pytorch #19")(
    lambda s: s.softmax(dim=1)
)
wrong("softmax over all heads at once: facebookresearch/detr #247", listed="softmax axis")(
    lambda s: s.transpose(1, 2).flatten(2).softmax(-1).unflatten(2, (H, -1)).transpose(1, 2)
)


@wrong("softmax over the queries behind a norm and an MLP", listed="softmax axis")
class BlockAxis(JadoreStyle):
    def forward(self, x):
        return F.gelu(self.norm(self.out(self.scores(x, x).softmax(-2), x) + x))


WAYS = {
    "no softmax": lambda s: s,
    "no softmax, divided by the length": lambda s: s / s.shape[-1],
    "no softmax, divided by the root of the length": lambda s: s / s.shape[-1] ** 0.5,
    "softmax over all pairs": lambda s: s.flatten(2).softmax(-1).view_as(s),
    "uniform attention": lambda s: torch.full_like(s, 1 / s.shape[-1]),
    "softmax twice, over keys and heads": lambda s: s.softmax(-1).softmax(1),
}
for _name, _way in WAYS.items():
    wrong(_name, says="All keys get the same weight, " * ("uniform" in _name))(_way)
for _name in ("no softmax, divided by the length", "softmax over all pairs", "uniform attention"):
    wrong(_name + ", query apart")(lambda way=WAYS[_name]: cross_attention(way))


@wrong("an additive mask after the softmax", **MAY)
def _(self, x, attn_mask=None):
    weights = self.scores(x, x).softmax(-1)
    return self.out(weights if attn_mask is None else weights + attn_mask, x)


@wrong("causal mask lost under a padding mask", is_causal=True, says="real token", **MAY)
def _(self, x, mask=None):
    return self.attend(x, x, x, tril(x.shape[1]) if mask is None else mask[:, None, None])


@wrong("sigmoid in a block", is_causal=True)
class BlockSigmoid(PreNorm):
    def forward(self, x):
        y = self.norm(x)
        return x + self.out(torch.sigmoid(self.scores(y, y)) * tril(x.shape[1]), y)


@wrong("(1 - m) * -1e9 of a mask of -inf: cs249r_book PR 1785", is_causal=True)
def _(self, x):
    mask = torch.zeros(x.shape[1], x.shape[1]).masked_fill(~tril(x.shape[1]), -torch.inf)
    return self.attend(x, x, x, added=(1 - mask) * -1e9)


@wrong("no scale, no maps")
class NoScale(nn.Module):
    def forward(self, q, k, v):
        return (q @ k.mT).softmax(-1) @ v


wrong("weights below 0, no maps", says="leaves the range of the values")(
    lambda: lambda x: (1.5 * (x @ x.mT).softmax(-1) - 0.5 / x.shape[1]) @ x
)


@wrong("sqrt(d_model) of heads, no maps: aladdinpersson #65", is_causal=True)
class WideScale(nn.Module):
    def forward(self, x):
        q = split(x)
        scores = (q @ q.mT / math.sqrt(D)).masked_fill(~tril(x.shape[1]), -math.inf)
        return join(scores.softmax(-1) @ q)


wrong("1/sqrt(d_model) behind maps: DL4Proteins-notebooks #12", listed="scale")(
    lambda s: (s / math.sqrt(H)).softmax(-1)
)


@wrong("causal only if a mask is passed: xformers #103", "no_causal_mask", is_causal=True, **MAY)
def _(self, x, att_mask=None, mask=None):
    return self.attend(x, x, x, None if mask is None else mask & tril(x.shape[1]))


@wrong("aligned to the start: pytorch #103082", "aligned_to_start", is_causal=True)
def _(self, query, key, value):
    q, k, v = split(self.wq(query)), split(self.wk(key)), split(self.wv(value))
    return self.wo(join(F.scaled_dot_product_attention(q, k, v, is_causal=True)))


@wrong(
    "a mask repeated in another order than the heads: lsdefine/attention-is-all-you-need-keras #36",
    **MAY,
)
def _(self, x, mask=None):
    scores = self.scores(x, x).transpose(0, 1).flatten(0, 1)  # (heads * batch, query, key)
    if mask is not None:
        scores = scores.masked_fill(~mask.repeat_interleave(H, dim=0)[:, None], -math.inf)
    return self.out(scores.softmax(-1).unflatten(0, (H, len(x))).transpose(0, 1), x)


@wrong("rotary along the axis of heads: xformers #841", has_positions=True)
def _(self, x):
    q, k = split(self.wq(x)), split(self.wk(x))
    angle = torch.arange(H)[:, None, None] * torch.tensor([1.0, 0.1, 0.01, 0.001])

    def turn(t):
        a, b = t.chunk(2, dim=-1)
        return torch.cat(
            [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], dim=-1
        )

    return self.out((turn(q) @ turn(k).mT / math.sqrt(D // H)).softmax(-1), x)


wrong("a causal mask filled with -10", "causal_weak", is_causal=True, never="All keys get")(
    lambda s: s.masked_fill(~tril(s.shape[-1]), -10.0).softmax(-1)
)
wrong(
    "the token itself is hidden, with -1e9", "causal_strict", is_causal=True, never="All keys get"
)(
    lambda: self_attention(
        lambda s: s.masked_fill(~tril(s.shape[-1]).tril(-1), -1e9).softmax(-1), heads=1
    )
)
wrong("differential attention, the second map unmasked", is_causal=True, never="no weight.")(
    lambda: Differential(second_is_masked=False)
)


@wrong("weights of another computation", says="the output is not")
def _(self, x):
    return self.out(self.scores(x, x).softmax(-1), x), (3 * self.scores(x, x)).softmax(-1)


@wrong("a causal mask in cross-attention", "causal_cross")
def _(self, query, key, value):
    return self.attend(query, key, value, tril(query.shape[1], key.shape[1]))


@wrong("a mask filled with -1e-9", never="-1e9, ", **MAY)
def _(self, x, mask=None):
    return self.attend(x, x, x, mask, fill=-1e-9)


@wrong("values that are never used", says="value")
class ValuesIgnored(nn.Module):
    def forward(self, query, key, value):
        return (query @ key.mT / math.sqrt(D)).softmax(-1) @ key


@wrong("values through the map of keys", warns="parameters", says="wv.weight")
def _(self, x):
    return self.wo(join(self.scores(x, x).softmax(-1) @ split(self.wk(x))))


@wrong("[head] * 4", warns="parameters", says="one and the same module", is_causal=True)
class SameHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([HeadOfItsOwnSize(causal=True)] * 4)

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


@wrong("a padding mask drops the attention mask", says="together", **BLOCKED)
def _(self, x, attn_mask=None, key_padding_mask=None):
    hidden = attn_mask if key_padding_mask is None else key_padding_mask[:, None, None]
    return self.attend(x, x, x, None if hidden is None else ~hidden)


wrong("softmax twice, behind maps", listed="scale", says="a second softmax")(
    lambda s: s.softmax(-1).softmax(-1)
)


@wrong("heads split without a transpose, and joined with one", "heads_split")
def _(self, x):
    q, k, v = (f(x).view(len(x), H, -1, D // H) for f in (self.wq, self.wk, self.wv))
    return self.wo(join(F.scaled_dot_product_attention(q, k, v)))


@wrong("a norm over the length", listed="queries")
def _(self, x):
    q, k = split(F.normalize(self.wq(x), dim=1)), split(self.wk(x))
    return self.out((q @ k.mT).softmax(-1), x)


@wrong("memory's padding mask never used", says="hides no token",
       padding_argument="memory_key_padding_mask", **BLOCKED)  # fmt: skip
class MemoryPaddingIgnored(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.TransformerDecoderLayer(D, H, 48, batch_first=True)

    def forward(self, x, memory, memory_key_padding_mask=None):
        return self.inner(x, memory)


@wrong("values of x and the memory together", says="keys and values have to come from one input")
def _(self, x, memory):
    return self.attend(x, memory, x + memory)


@wrong("softmax over the queries of a memory, residual", num_inputs=2, never="takes no keys")
class ResidualAxis(JadoreStyle):
    def forward(self, q, k):
        return self.norm(self.out(self.scores(q, k).softmax(-2), k) + q)


wrong("a causal mask filled with -5, bfloat16", listed="tolerance", is_causal=True)(
    lambda: self_attention(lambda s: s.masked_fill(~tril(s.shape[-1]), -5.0).softmax(-1)).to(
        torch.bfloat16
    )
)
