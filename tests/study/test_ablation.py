"""What is measured without some heads: the model that is left, the order, and the control."""

from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib import DecoderLM
from course_lib.study import ablation
from course_lib.study.head_outputs import ablate_heads
from course_lib.study.heads import previous_token_score
from course_lib.study.patching import patch_paths
from reference_attention import PROPERTY

ALL = [(layer, head) for layer in range(2) for head in range(4)]
TOKENS = torch.tensor([[1, 2, 3, 4, 5], [5, 5, 0, 1, 2]])


@pytest.fixture
def model():
    torch.manual_seed(0)
    return DecoderLM(7, d_model=16, num_heads=4, num_layers=2, max_len=6).eval()


def test_run_gives_what_the_model_gives(model):
    logits, weights = ablation.run(model, TOKENS)
    expected, expected_weights = model(TOKENS, need_weights=True)
    assert not logits.requires_grad
    torch.testing.assert_close(logits, expected.detach())
    torch.testing.assert_close(weights, [layer.detach() for layer in expected_weights])


def test_run_gives_the_last_logits_alone(model):
    whole, weights = ablation.run(model, TOKENS, [(1, 2)])
    last, same = ablation.run(model, TOKENS, [(1, 2)], logits_to_keep=1)
    torch.testing.assert_close(last, whole[:, -1:])
    torch.testing.assert_close(same, weights)


def test_several_writings_are_what_is_written_without_each_set(model):
    sets, tokens = [[], [(1, 2)], [(0, 3), (0, 1), (1, 0)]], TOKENS[:1, :3]
    written, first = ablation.write_without(model, tokens, sets, 3)
    attentions = [block.attention for block in model.stack.blocks]
    for row, off in enumerate(sets):
        gone = {
            one: [head for i, head in off if i == layer] for layer, one in enumerate(attentions)
        }
        with torch.no_grad(), ablate_heads(gone):
            alone = model.generate(tokens, 3, use_cache=False)[0, 3:]
            torch.testing.assert_close(first[row], model(tokens)[0][0, -1].softmax(dim=-1))
        assert torch.equal(written[row], alone)
    assert not torch.equal(first[0], first[1])
    for layer in (-1, 2):
        with pytest.raises(ValueError, match=f"a layer must be between 0 and 1, got {layer}"):
            ablation.write_without(model, tokens, [[(layer, 0)]], 1)
    for head in (-1, 4):
        with pytest.raises(ValueError, match=f"heads must be between 0 and 3, got {head}"):
            ablation.write_without(model, tokens, [[], [(1, head)]], 1)


def test_run_puts_means_in_the_place_of_heads(model):
    means = ablation.head_means(model, TOKENS[:1])
    attentions = [block.attention for block in model.stack.blocks]
    assert list(means) == attentions and {part.shape for part in means.values()} == {(4, 4)}
    logits, _ = ablation.run(model, TOKENS, [(1, 3), (0, 0)], means)
    with torch.no_grad(), ablate_heads({attentions[1]: [3], attentions[0]: [0]}, means):
        torch.testing.assert_close(logits, model(TOKENS)[0])
    assert not torch.allclose(logits, ablation.run(model, TOKENS, [(1, 3), (0, 0)])[0])


def test_all_runs_where_the_model_is_and_results_come_to_the_cpu(model):
    """The meta device computes no numbers, so that nothing can be brought from there."""
    model = model.to("meta")
    for found in (ablation.head_means(model, TOKENS), ablation.outputs_on(model, TOKENS)):
        assert all(tensor.is_meta for tensor in found.values())
    for run_it in (
        lambda: ablation.run(model, TOKENS),
        lambda: ablation.write_without(model, TOKENS[:1], [[], [(0, 1)]], 1),
        lambda: patch_paths(model, TOKENS, [(0, 1)], [(1, 0, "key")]),
    ):
        with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor"):
            run_it()


def test_heads_come_with_the_highest_score_first(model):
    weights = ablation.run(model, TOKENS)[1]
    scores = ablation.by_head(previous_token_score, weights)
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    assert set(scores) == set(ALL)
    for (layer, head), score in scores.items():
        assert score == previous_token_score(weights[layer])[head].item()


HEADS = st.lists(st.sampled_from(ALL), unique=True)


@PROPERTY
@given(chosen=HEADS, draw=st.integers(0, 20), spared=HEADS)
def test_control_is_as_large_and_of_the_same_layers_where_it_can_be(chosen, draw, spared):
    free = [head for head in ALL if head not in chosen and head not in spared]
    control = ablation.others_like(chosen, list(free), draw)
    assert len(set(control)) == len(control) == min(len(chosen), len(free))
    assert set(control) <= set(free)
    wanted, there, found = (
        Counter(layer for layer, _ in heads) for heads in (chosen[: len(free)], free, control)
    )
    for layer in wanted:
        assert found[layer] >= min(wanted[layer], there[layer])
    assert control == ablation.others_like(chosen, free, draw)


def test_controls_of_several_draws_differ():
    assert len({tuple(ablation.others_like([(0, 0)], ALL[1:4], draw)) for draw in range(20)}) == 3


def test_ablations_take_away_what_they_say():
    scores = {(1, 0): 0.9, (0, 2): 0.6, (1, 1): 0.4, (0, 0): 0.3, (0, 1): 0.1, (1, 3): 0.0}
    asked = []

    def accuracy(off):
        asked.append(sorted(off))
        return 1 - len(off) / 10

    found = ablation.ablations(scores, accuracy, spared=[(0, 0)])
    high = [(0, 2), (1, 0), (1, 1)]
    assert [(1, 0)] in asked and [(0, 2), (1, 1)] in asked and high in asked
    assert asked.count([(0, 1), (1, 3)]) == 5  # all that is left, in each of five draws
    means = {"without_best": 0.9, "only_best": 0.8, "without_all": 0.7, "without_others": 0.8}
    assert found == pytest.approx(means | {"number": 3, "number_of_others": 2})


def test_limit_decides_who_is_chosen():
    scores = {(0, 0): 0.5, (0, 1): 0.2, (0, 2): 0.1}
    assert ablation.ablations(scores, len)["number"] == 1
    assert ablation.ablations(scores, len, limit=0.15)["number"] == 2
    assert ablation.ablations(scores, len, limit=0.5)["number"] == 0
