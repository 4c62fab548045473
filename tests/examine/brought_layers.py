"""Layers that people brought to public threads, wrong and right, each written anew.

They were collected before the examiner was changed for them, and show what it does with layers
that it was not made for. Behind them stand a few with small parts, and causes that look alike.
"""

import torch
import torch.nn.functional as F
from torch import nn

from tests.examine.layer_zoo import MAY, D, H, Maps, join, right, split, tril, wrong

CAUSAL = {"is_causal": True}


def seeing(rule, fill=-torch.inf):
    """Weights with which query i sees key j where the rule says so."""

    def weigh(s):
        place = torch.arange(s.shape[-1])
        return s.masked_fill(~rule(place[:, None], place), fill).softmax(-1)

    return weigh


class Attend(Maps):
    """Attention of query, key and value, as it should be."""

    forward = Maps.attend


class Decoder(nn.Module):
    """Causal attention of x, then attention to the memory, as it should be."""

    def __init__(self):
        super().__init__()
        self.own, self.cross = Attend(), Attend()
        self.norm = nn.ModuleList([nn.LayerNorm(D), nn.LayerNorm(D)])

    def self_part(self, x):
        h = self.norm[0](x)
        return x + self.own(h, h, h, tril(x.shape[1]))

    def forward(self, x, memory):
        x = self.self_part(x)
        return x + self.cross(self.norm[1](x), memory, memory)


# --- wrong: a second input ------------------------------------------------------------------------


@wrong("decoder: both attend to x: Practical_NLP_in_PyTorch #1", "memory_ignored", **CAUSAL)
class BothOfX(Decoder):
    def forward(self, x, enc_out):
        x = self.self_part(x)
        h = self.norm[1](x)
        return x + self.cross(h, h, h)


@wrong("queries and keys of one, values of the other: ml-cvnets #81", "keys_from_x", num_inputs=2)
def _(self, x, x_prev):
    return self.attend(x, x, x_prev)


@wrong("values of x: pinellolab/DNA-Diffusion #235", "values_from_x")
def _(self, x, context):
    return self.attend(x, context, x)


@wrong("decoder: the target's mask twice: Kamichanw/SeekDeeper #3", "causal_cross", **CAUSAL)
class TargetMaskTwice(Decoder):
    def forward(self, x, memory):
        allowed = tril(max(x.shape[1], memory.shape[1]))[: x.shape[1]]
        x = self.self_part(x)
        return x + self.cross(self.norm[1](x), memory, memory, allowed[:, : memory.shape[1]])


@wrong("softmax over the queries of a context: stacked-capsule-networks PR 5", "softmax_axis")
class SoftmaxOfQueries(Maps):
    def forward(self, query, context):
        return self.out(self.scores(query, context).softmax(-2), context)


@wrong("decoder: softmax over its queries: labmlai #282", "softmax_axis", **CAUSAL)
class DecoderSoftmax(Decoder):
    def __init__(self):
        super().__init__()
        self.cross = SoftmaxOfQueries()

    def forward(self, x, memory):
        x = self.self_part(x)
        return x + self.cross(self.norm[1](x), memory)


@wrong("padding of the target on the source: keras-io PR 1046", "padding_on_queries", **MAY)
def _(self, x, enc_out, padding_mask=None):
    rows = None if padding_mask is None else padding_mask[:, None, :, None]
    rows = rows if rows is None or rows.shape[2] == x.shape[1] else rows[:, :, : x.shape[1]]
    return self.attend(x, enc_out, enc_out, rows)


# --- wrong: masks ---------------------------------------------------------------------------------


@wrong("AllenNLP's masked softmax: abisee/pointer-generator #88", **MAY)
def _(self, x, mask=None):
    scores = self.scores(x, x)
    if mask is None:
        return self.out(scores.softmax(-1), x)
    weights = (scores * mask).softmax(-1) * mask
    return self.out(weights / (weights.sum(-1, keepdim=True) + 1e-13), x)


@wrong("weights renormalised: self-critical.pytorch #89", "causal_late", **CAUSAL)
def _(self, x):
    weights = self.scores(x, x).softmax(-1) * tril(x.shape[1])
    return self.out(weights / weights.sum(-1, keepdim=True).clamp(min=1e-9), x)


wrong("filled with 0: jadore801120 #16", **CAUSAL)(seeing(lambda i, j: j <= i, fill=0.0))
wrong("the triangle turned round: keras transformer #6", "causal_inverted", **CAUSAL)(
    seeing(lambda i, j: j >= i, fill=-1e10)
)
wrong("a window on both sides: transformers #39408", **CAUSAL)(
    seeing(lambda i, j: (i - j).abs() <= 2)
)
wrong("and where or is meant: lucidrains/local-attention #5", "no_causal_mask", **CAUSAL)(
    seeing(lambda i, j: ~((j > i) & (i - j > 2)))
)


# --- wrong: heads, axes, norms, modes -------------------------------------------------------------


@wrong("a norm over the whole sequence: anicolson/DeepXi #18", **CAUSAL)
class SequenceNorm(Decoder):
    def forward(self, x):
        h = F.layer_norm(x, x.shape[1:])
        return x + self.own(h, h, h, tril(x.shape[1]))


@wrong("a normaliser of all keys: idiap/fast-transformers #111", "causal_late", **CAUSAL)
def _(self, x):
    q, k = F.elu(split(self.wq(x))) + 1, F.elu(split(self.wk(x))) + 1
    weights = (q @ k.mT) * tril(x.shape[1])
    return self.out(weights / (q * k.sum(-2, keepdim=True)).sum(-1, keepdim=True), x)


@wrong("dropout on the fast path alone: karpathy/nanoGPT PR 240", "random", **CAUSAL)
def _(self, x, need_weights=False):
    if need_weights:
        weights = self.scores(x, x).masked_fill(~tril(x.shape[1]), -torch.inf).softmax(-1)
        return self.out(weights, x), weights
    q, k, v = (split(m(x)) for m in (self.wq, self.wk, self.wv))
    out = F.scaled_dot_product_attention(q, k, v, dropout_p=0.2, is_causal=True)
    return self.wo(join(out)), None


# --- right ----------------------------------------------------------------------------------------


right("decoder layer before norms", **CAUSAL)(Decoder)


@right("LayerScale of 1e-6", **CAUSAL)
class LayerScale(Decoder):
    is_causal, start = True, 1e-6

    def __init__(self):
        super().__init__()
        self.gate = nn.Parameter(torch.tensor([self.start]))

    def forward(self, x):
        h = self.norm[0](x)
        return x + self.gate * self.own(h, h, h, tril(x.shape[1]) if self.is_causal else None)


@right("ReZero: a gate that starts at 0: wandb/senpai PR 669")
class ReZero(LayerScale):
    is_causal, start = False, 0.0


@right("tanh-gated cross-attention: lucidrains/flamingo-pytorch #10", num_inputs=2)
class TanhGate(ReZero):
    def forward(self, x, media):
        return x + self.gate.tanh() * self.cross(self.norm[0](x), media, media)


@right("resampler: keys of media and latents: tencent-ailab/IP-Adapter #305", num_inputs=2)
def _(self, latents, x):
    both = torch.cat((x, latents), 1)
    return latents + self.attend(latents, both, both)


@right("a null key beside the context: lucidrains/imagen-pytorch #255")
class NullKey(Attend):
    def __init__(self):
        super().__init__()
        self.null = nn.Parameter(torch.randn(1, 1, D))

    def forward(self, x, context):
        context = torch.cat((self.null.expand(len(x), -1, -1), context), 1)
        return super().forward(x, context, context)


@right("talking heads")
class TalkingHeads(Maps):
    def __init__(self):
        super().__init__()
        self.before, self.after = (nn.Conv2d(H, H, 1, bias=False) for _ in range(2))

    def forward(self, x):
        return self.out(self.after(self.before(self.scores(x, x)).softmax(-1)), x)


@right("causal linear attention: lucidrains/performer-pytorch #40", **CAUSAL)
def _(self, x):
    q, k, v = F.elu(split(self.wq(x))) + 1, F.elu(split(self.wk(x))) + 1, split(self.wv(x))
    state = torch.einsum("bhtk,bhtv->bhtkv", k, v).cumsum(2)
    return self.wo(
        join(torch.einsum("bhtk,bhtkv->bhtv", q, state) / (q * k.cumsum(2)).sum(-1, True))
    )


right("chunks that see themselves whole: flash-attention PR 2546", warns="equivariance")(
    seeing(lambda i, j: j // 3 <= i // 3)
)


@right("memory in front of x", **CAUSAL)
def _(self, x, mems):
    both = torch.cat((mems, x), 1)
    seen = torch.ones(x.shape[1], both.shape[1], dtype=torch.bool).tril(mems.shape[1])
    return self.attend(x, both, both, seen)


# --- small parts, and causes that look alike ------------------------------------------------------


@right("a residual a million times as large", says="float64", **CAUSAL)
class LargeResidual(Decoder):
    def forward(self, x):
        return 1e6 * x + self.own(x, x, x, tril(x.shape[1]))


@right("an output map that starts at zero, residual", warns="small shares", says="wo.weight")
class ZeroMap(Attend):
    def __init__(self):
        super().__init__()
        nn.init.zeros_(self.wo.weight)

    def forward(self, x):
        return x + super().forward(x, x, x)


@wrong("a trace of the mean beside a causal mask", **CAUSAL)
def _(self, x):
    return self.attend(x, x, x, tril(x.shape[1])) + 1e-3 * x.mean(1, keepdim=True)


wrong("a mask that hides everything", "hides_everything", **CAUSAL)(
    lambda s: s.masked_fill(s == s, -torch.inf).softmax(-1).nan_to_num(0)
)


@wrong("a convolution padded on both sides, causal mask", **CAUSAL)
class PaddedConvolution(Attend):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(D, D, 3, padding=1)

    def forward(self, x):
        x = self.conv(x.mT).mT
        return super().forward(x, x, x, tril(x.shape[1]))


@wrong("heads on the axis of the batch, joined", "heads_joined", says="permute(1, 2, 0, 3)")
def _(self, x):
    heads = self.scores(x, x).softmax(-1) @ split(self.wv(x))
    return self.wo(heads.flatten(0, 1).view(x.shape))


@wrong("memory first", "queries_from_memory", num_inputs=2)
class MemoryFirst(Attend):
    def forward(self, memory, x):
        return super().forward(x, memory, memory)
