"""Patched heads and paths, on every model of the course, beside hooks written by hand."""

import pytest
import torch

from course_lib import DecoderLM
from course_lib.data.checkpoints import load_checkpoint, manifest
from course_lib.study.ablation import head_means, outputs_on, run
from course_lib.study.head_outputs import ablate_heads
from course_lib.study.patching import normalised_effect, patch_paths

PARTS = ("q_proj", "k_proj", "v_proj")


def random_model(**options):
    torch.manual_seed(0)
    sizes = {"d_model": 24, "num_heads": 4, "num_layers": 3, "max_len": 9}
    model = DecoderLM(11, **(sizes | options)).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return model


MODELS = {name: lambda name=name: load_checkpoint(name) for name in manifest()} | {
    "three layers": random_model,
    "norm last": lambda: random_model(norm_first=False, positions="sinusoidal"),
    "llama": lambda: random_model(
        positions="rotary", num_kv_heads=2, norm="rms", gated=True, activation="silu", bias=False
    ),
}


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param]()


def texts_for(model, length=7):
    generator = torch.Generator().manual_seed(3)
    return torch.randint(model.embedding.num_embeddings, (2, 4, length), generator=generator)


@torch.no_grad()
def path_by_hand(model, tokens, other, sender, receiver):
    """Freeze all heads, change one, note what the receiver's projection gives, and put it there."""
    attentions = [block.attention for block in model.stack.blocks]
    frozen, says = outputs_on(model, tokens), outputs_on(model, other)[attentions[sender[0]]]
    frozen[attentions[sender[0]]][:, :, sender[1]] = says[:, :, sender[1]]
    if receiver is None:
        with ablate_heads({layer: range(layer.num_heads) for layer in attentions}, frozen):
            return model(tokens)[0]
    layer, head, name = receiver
    attention, kept = attentions[layer], []
    if name != "q_proj":
        head = head * attention.num_kv_heads // attention.num_heads
    own = slice(head * attention.head_dim, (head + 1) * attention.head_dim)

    def put(_, inputs, output):
        return torch.cat((output[..., : own.start], kept[0][..., own], output[..., own.stop :]), -1)

    projection = getattr(attention, name)
    hook = projection.register_forward_hook(lambda _, inputs, output: kept.append(output))
    with ablate_heads({layer: range(layer.num_heads) for layer in attentions}, frozen):
        model(tokens)
    hook.remove()
    hook = projection.register_forward_hook(put)
    logits = model(tokens)[0]
    hook.remove()
    return logits


def assert_same(actual, expected):
    torch.testing.assert_close(actual, expected, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("name", [*PARTS, None])
def test_patched_paths_are_those_of_hooks_by_hand(model, name):
    tokens, other = texts_for(model)
    whole, last = run(model, tokens)[0], len(model.stack.blocks) - 1
    roles = dict(zip(PARTS, ("query", "key", "value"), strict=True))
    for sender, layer in (((0, 1), 1), ((last - 1, 2), last)):
        for head in (0, 3):
            receiver = None if name is None else (layer, head, name)
            receivers = None if name is None else [(layer, head, roles[name])]
            logits = patch_paths(model, tokens, [sender], receivers, outputs_on(model, other))
            assert_same(logits, path_by_hand(model, tokens, other, sender, receiver))
            same = patch_paths(model, tokens, [sender], receivers, outputs_on(model, tokens))
            assert_same(same, whole)
    assert torch.equal(run(model, tokens)[0], whole)


@torch.no_grad()
def test_a_cut_of_all_keys_is_a_layer_that_reads_a_stream_without_the_head():
    """As lesson 10 cuts it: the stream of layer 1 is computed without head 2, for the keys only."""
    model, (tokens, _) = load_checkpoint("induction"), texts_for(load_checkpoint("induction"))
    below, above = model.stack.blocks
    w_out = below.attention.out_proj.weight.clone()
    below.attention.out_proj.weight[:, 32:48] = 0
    read = above.attention_norm(below(model.embedding(tokens), is_causal=True)[0])
    below.attention.out_proj.weight.copy_(w_out)
    hook = above.attention.k_proj.register_forward_pre_hook(lambda _, inputs: (read,))
    expected = model(tokens)[0]
    hook.remove()
    keys = [(1, head, "key") for head in range(4)]
    assert_same(patch_paths(model, tokens, [(0, 2)], keys), expected)
    assert not torch.allclose(expected, model(tokens)[0], atol=1e-2)


def test_means_can_be_sent_along_a_path():
    model = random_model()
    tokens, other = texts_for(model)
    means, receivers = head_means(model, other), [(2, 0, "value"), (2, 3, "query")]
    spread = {at: mean.expand(4, 7, *mean.shape) for at, mean in means.items()}  # as an output
    assert_same(
        patch_paths(model, tokens, [(0, 1), (1, 2)], receivers, means),
        patch_paths(model, tokens, [(0, 1), (1, 2)], receivers, spread),
    )


def test_effect_is_the_share_of_the_way_between_two_runs():
    assert normalised_effect(3.0, 5.0, -3.0) == 0.25
    assert normalised_effect(5.0, 5.0, -3.0) == 0
    assert normalised_effect(-3.0, 5.0, -3.0) == 1
    assert normalised_effect(7.0, 5.0, -3.0) == -0.25
    with pytest.raises(ValueError, match=r"source must differ from before, got 2\.0 for both"):
        normalised_effect(1.0, 2.0, 2.0)
    for name in ("patched", "before", "source"):
        with pytest.raises(TypeError, match=f"{name} must be a number"):
            normalised_effect(**{"patched": 1.0, "before": 2.0, "source": 3.0, name: "1"})


@pytest.mark.parametrize(
    "senders, receiver, message",
    [
        ([(0, 0)], (1, 0, "keys"), "a role must be query, key or value, got 'keys'"),
        ([(1, 0)], (1, 0, "key"), "behind all senders, from 2 to 2, got 1"),
        ([(0, 0), (1, 0)], (1, 0, "key"), "from 2 to 2, got 1"),
        ([(0, 0)], (3, 0, "key"), "from 1 to 2, got 3"),
        ([(0, 0)], (1, 4, "key"), "head must be between 0 and 3, got 4"),
        ([(0, 4)], (1, 0, "key"), "heads must be between 0 and 3, got 4"),
        ([(7, 0)], None, "a layer must be between 0 and 2, got 7"),
    ],
)
def test_a_path_that_is_none_is_refused(senders, receiver, message):
    model = random_model()
    tokens, _ = texts_for(model)
    before = run(model, tokens)[0]
    with pytest.raises(ValueError, match=message):
        patch_paths(model, tokens, senders, None if receiver is None else [receiver])
    assert torch.equal(run(model, tokens)[0], before)
