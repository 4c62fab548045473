"""Drawings show what is computed, say it in words too, and light one part at a time."""

import inspect
import re
from xml.etree import ElementTree

import pytest
import torch

import course_lib
from course_lib.attention.linear import linear_attention_chunks
from course_lib.data.checkpoints import load_checkpoint
from course_lib.data.small_example import TOKENS, W_KEY, W_OUT, W_QUERY, W_VALUE, X
from course_lib.figures import attention_heatmap, drawings, head_grid
from course_lib.figures.colours import PAGES, ROLES, ink, weight_colour
from course_lib.figures.drawings.attention_in_tiles import BLOCK, ROWS, tiles_example
from course_lib.figures.drawings.bounded_memory import SINKS, WINDOW, memory_example
from course_lib.figures.drawings.bounded_memory import kept_numbers as bounded_numbers
from course_lib.figures.drawings.cached_heads import cached_example, kept_numbers
from course_lib.figures.drawings.canvas import Part
from course_lib.figures.drawings.causal_head import causal_example
from course_lib.figures.drawings.evidence_ladder import evidence_ladder_example
from course_lib.figures.drawings.heads_across_devices import devices_example
from course_lib.figures.drawings.heads_in_one_matrix import one_matrix_example
from course_lib.figures.drawings.induction_circuit import TEXT, induction_example
from course_lib.figures.drawings.many_heads import heads_example
from course_lib.figures.drawings.pages_of_a_cache import LENGTHS, pages_example
from course_lib.figures.drawings.single_head import head_example
from course_lib.figures.drawings.soft_lookup import ANIMALS, lookup_example
from course_lib.figures.drawings.sum_in_a_ring import ring_example
from course_lib.figures.drawings.three_attentions import three_attentions_example
from course_lib.figures.drawings.transformer_block import block_example
from course_lib.figures.drawings.where_positions_enter import positions_example
from course_lib.widgets import LiveDrawing
from course_lib.widgets.course_widget import STATIC, css
from tools.notebooks.notebook_contract import WHAT_TO_SEE
from tools.notebooks.notebook_files import ROOT, read_notebook

SVG = "{http://www.w3.org/2000/svg}"
PARTS = {
    "bounded_memory": ("global", "window", "state", "layers"),
    "cached_heads": ("new", "cache", "attend", "multi_head", "grouped", "multi_query", "latent"),
    "attention_in_tiles": ("blocks", "tile", "kept", "output"),
    "causal_head": ("scores", "mask", "weights", "value", "output"),
    "evidence_ladder": ("claim", "picture", "number", "intervention", "prediction"),
    "heads_across_devices": ("input", "slices", "heads", "partial", "sum"),
    "heads_in_one_matrix": ("input", "matrices", "split", "attention", "combine", "output"),
    "induction_circuit": ("text", "previous", "stream", "match", "copy"),
    "many_heads": ("input", "heads", "joined", "output"),
    "pages_of_a_cache": ("lists", "store", "padding"),
    "single_head": ("input", "query", "key", "value", "scores", "weights", "output"),
    "soft_lookup": ("query", "key", "scores", "weights", "value", "output"),
    "sum_in_a_ring": ("chunks", "add", "pass"),
    "three_attentions": ("encoder", "memory", "decoder", "cross"),
    "transformer_block": ("stream", "norm", "attention", "sum", "norm_2", "feed_forward", "sum_2"),
    "where_positions_enter": ("head", "added", "rotary"),
}
LIT = [
    (name, lit)
    for name, parts in PARTS.items()
    for lit in parts
    if "lit" in inspect.signature(getattr(drawings, name)).parameters
]


def draw(name, lit=None):
    return getattr(drawings, name)(**({"lit": lit} if lit else {}))


def parts_of(drawing):
    """The groups of a drawing, by name."""
    root = ElementTree.fromstring(drawing.svg)
    groups = [group for group in root.iter(f"{SVG}g") if "part" in group.get("class", "").split()]
    return {re.search(r"part-(\w+)", group.get("class"))[1]: group for group in groups}


def words_of(group):
    return ["".join(node.itertext()) for node in group.iter(f"{SVG}text")]


def test_every_drawing_is_tested():
    assert set(PARTS) == set(drawings.__all__) - {"Drawing"}


def test_numbers_below_0_are_hollow_and_those_above_filled():
    part = Part()
    part.signed(0, 0, torch.tensor([[2.0, 0, -1]]), "query", (20, 10))
    marks = part.marks[0].svg
    path = r'<path(?: class="below")? opacity="([\d.]+)" d="(M[^"]+)"/>'
    filled, hollow = re.findall(path, marks)
    assert filled[0] == "1" and filled[1].startswith("M0 0") and filled[1].count("M") == 1
    assert hollow[0] == "0.5" and hollow[1].startswith("M1.55 0.06") and hollow[1].endswith("z")
    assert marks.count('class="below"') == 1


@pytest.mark.parametrize(("name", "lit"), [*((name, None) for name in PARTS), *LIT])
def test_a_drawing_is_one_picture_with_a_title_and_a_description(name, lit):
    drawing = draw(name, lit)
    root = ElementTree.fromstring(drawing.svg)  # well formed
    assert root.findtext(f"{SVG}title") == drawing.title
    assert root.findtext(f"{SVG}desc") == drawing.description
    assert repr(drawing) == f"{drawing.title}. {drawing.description}"
    assert 3 <= len(re.findall(r"[.](?= |$)", drawing.description)) <= 7
    assert (lit or "") in drawing.title


@pytest.mark.parametrize("name", PARTS)
def test_every_colour_comes_from_the_one_place(name):
    before, marks = draw(name).svg.split("</style>")
    inks = {ink(role, page) for role in ROLES for page in PAGES}
    pages = {colour for page in PAGES.values() for colour in page}
    weights = {weight_colour(i / 100, page) for i in range(101) for page in PAGES}
    known = set(ROLES.values()) | inks | pages
    assert known <= set(re.findall(r"#[0-9a-fA-F]{3,8}\b", before)) <= known | weights
    assert not re.search(r"rgb|hsl", before)
    assert not re.search(r'(fill|stroke|style|color)="|#(?!drawing")', marks)


OWN_WORDS = {  # the words in names and boxes that may wear a role's colour
    "query": r"quer|^Q$|^W_?Q|^K$|^q \d|split",  # K is also the token that asks in lesson 10
    "key": r"key|^K$|^W_?K|after K|^k|split",
    "weights": r"weight|softmax",
}


@pytest.mark.parametrize("name", PARTS)
def test_nothing_else_wears_the_colours_of_queries_keys_and_weights(name):
    """A name stands in a group of its role; a box is followed by its words."""
    root = ElementTree.fromstring(draw(name).svg)
    for part in (g for g in root.iter(f"{SVG}g") if "part" in g.get("class", "").split()):
        for group, after in zip(part, [*part[1:], None], strict=True):
            is_box = any("operation" in mark.get("class", "") for mark in group)
            words = ["".join(after.itertext())] if is_box else words_of(group)
            if (role := group.get("class")) in OWN_WORDS:
                for word in words:
                    assert re.search(OWN_WORDS[role], word), (role, word)


@pytest.mark.parametrize("name", PARTS)
def test_no_text_is_smaller_than_11_pixels(name):
    sizes = re.findall(r"font(?:-size)?(?:: |=\")(\d+)", draw(name).svg)
    assert sizes and min(map(int, sizes)) >= 11


@pytest.mark.parametrize("name", [name for name in PARTS if draw(name).live])
def test_each_step_uncovers_numbers_whose_causes_are_in_sight(name):
    tensors = draw(name).live["tensors"]
    steps = {tensor: PARTS[name].index(t["part"]) for tensor, t in tensors.items() if "part" in t}
    for tensor, step in steps.items():
        entries = tensors[tensor].get("rule", {}).values()
        causes = {cause for one in entries for cause in (one if isinstance(one, tuple) else [one])}
        assert max(steps.get(cause, 0) for cause in [*causes, ""]) <= step, (tensor, causes)


@pytest.mark.parametrize(("name", "lit"), LIT)
def test_lit_changes_the_named_part_and_no_other(name, lit):
    plain, marked = parts_of(draw(name)), parts_of(draw(name, lit))
    assert tuple(plain) == tuple(marked) == PARTS[name]
    text = ElementTree.tostring
    assert {part for part in plain if text(plain[part]) != text(marked[part])} == {lit}
    assert marked[lit].get("class").split() == ["part", "lit", f"part-{lit}"]
    # The class stands inside of what <use> copies: a style rule does not see what is outside.
    assert '<g id="drawing" class="some-lit">' in draw(name, lit).svg
    assert '<g id="drawing">' in draw(name).svg


@pytest.mark.parametrize("name", dict(LIT))
def test_an_unknown_part_is_named_with_those_there_are(name):
    with pytest.raises(ValueError, match=f"one of {', '.join(PARTS[name])}; got 'softmax'"):
        draw(name, "softmax")


def layer_by_hand():
    """The course's two heads as one layer of the library."""
    layer = course_lib.MultiHeadAttention(4, 2, bias=False, dtype=torch.float64)
    matrices = {"q_proj": W_QUERY, "k_proj": W_KEY, "v_proj": W_VALUE, "out_proj": W_OUT}
    layer.load_state_dict({f"{name}.weight": matrix for name, matrix in matrices.items()})
    return layer


def test_the_single_head_shows_its_numbers_and_shapes():
    example = head_example()
    parts = parts_of(drawings.single_head())
    for part in PARTS["single_head"]:
        tensor = example.x if part == "input" else getattr(example, part)
        assert " × ".join(map(str, tensor.shape)) in words_of(parts[part])
        count = drawn_weights(tensor) if part == "weights" else tensor.count_nonzero()
        assert len(cells_of(parts[part])[0]) == count
        decimals = 2 if part in ("weights", "output") else 1
        tensor = tensor[TOKENS.index("bank")] if decimals == 2 else tensor
        written = tensor.round(decimals=decimals).flatten().tolist()
        assert sorted(numbers_of(parts[part])) == sorted(written)


def cells_of(group):
    """What each grid of a part shows, by (row, column): a weight, or a shade with its sign.

    A cell of 0 is the page, and left out.
    """
    grids = []
    for cells in group.iter(f"{SVG}g"):
        if cells.get("class", "").startswith("cells"):
            grids.append({})
            for path in cells:
                kind = path.get("class", "")
                weight = re.search(r"\bw(\d+)", kind)
                sign = -1 if kind == "below" else 1
                shown = int(weight[1]) / 100 if weight else sign * float(path.get("opacity"))
                for j, i in re.findall(r"M([-\d.]+) ([\d.]+)", path.get("d")):
                    grids[-1][int(float(i)), round(float(j))] = shown
    return grids


def drawn_weights(weights):
    """How many weights are drawn: those that are not 0.00."""
    return ((100 * weights).round() > 0).sum().item()


def test_the_weights_are_drawn_in_the_colours_of_the_maps():
    weights = head_example().weights
    drawing = drawings.single_head()
    (drawn,) = cells_of(parts_of(drawing)["weights"])
    for (i, j), shown in drawn.items():
        assert shown == pytest.approx(weights[i, j].item(), abs=0.005 + 1e-9)
        for page in PAGES:
            colour = weight_colour(shown, page)
            assert f".w{round(100 * shown)} {{ --weight: {colour}; }}" in drawing.svg


def test_the_many_heads_and_those_on_devices_are_what_the_library_computes():
    devices, (heads, _, output) = devices_example(), heads_example()
    expected, weights = layer_by_hand()(heads[0].x[None], need_weights=True)
    torch.testing.assert_close(weights[0], torch.stack([head.weights for head in heads]))
    values = layer_by_hand().v_proj(X.double()).view(8, 2, 2).transpose(0, 1)  # of each head
    torch.testing.assert_close(weights[0] @ values, torch.stack([head.output for head in heads]))
    torch.testing.assert_close(output, expected[0])
    torch.testing.assert_close(devices[0].partial + devices[1].partial, expected[0].float())


def test_in_a_ring_each_process_hears_its_neighbour_only_and_all_end_with_the_sum():
    states = ring_example()
    for step, (before, after) in enumerate(zip(states, states[1:], strict=False)):
        for rank in range(3):
            (chunk,) = (after[rank] != before[rank]).nonzero().flatten().tolist()
            own = before[rank, chunk] if step < 2 else 0
            assert after[rank, chunk] == own + before[rank - 1, chunk]
    total = states[0].sum(dim=0)
    assert total.tolist() == [111, 222, 333]
    assert [states[2][rank].eq(total).sum().item() for rank in range(3)] == [1, 1, 1]
    assert states[4].equal(total.expand(3, 3))
    parts = parts_of(drawings.sum_in_a_ring())
    shown = {name: sorted(map(int, numbers_of(part))) for name, part in parts.items()}
    drawn = {"chunks": states[:1], "add": states[1:3], "pass": states[3:]}
    for name, some in drawn.items():
        assert shown[name] == sorted(int(n) for state in some for n in state.flatten().tolist())


def test_the_heads_in_one_matrix_are_what_the_library_computes():
    layer = layer_by_hand()
    for role, (matrix, tensor) in one_matrix_example().items():
        proj = getattr(layer, f"{role[0]}_proj")
        torch.testing.assert_close(matrix, proj.weight.detach())
        torch.testing.assert_close(tensor, proj(X.double()).detach())


def test_the_causal_head_and_its_step_with_a_cache_are_what_the_library_computes():
    head, mask, weights, output = causal_example()
    three = head.query, head.key, head.value
    expected = course_lib.scaled_dot_product_attention(*three, is_causal=True)
    torch.testing.assert_close((output, weights), expected)
    table, masked = cells_of(parts_of(drawings.causal_head())["mask"])
    seen = {tuple(cell) for cell in mask.nonzero().tolist()}
    assert set(table) == seen
    assert set(masked) == {cell for cell in seen if head.scores[cell] != 0}
    head, weights, output = cached_example()
    three = head.query, head.key, head.value
    expected = course_lib.scaled_dot_product_attention(*three, is_causal=True)
    torch.testing.assert_close((output, weights), (expected[0][-1:], expected[1][-1:]))


def test_what_each_kind_of_heads_keeps_is_what_its_cache_holds():
    for kind, num_kv_heads in {"multi_head": 4, "grouped": 2, "multi_query": 1}.items():
        layer = course_lib.MultiHeadAttention(64, 4, num_kv_heads=num_kv_heads)
        row = torch.zeros(1, num_kv_heads, 1, 16)
        kept = layer.make_cache(1, 1).append(row, row)
        assert kept_numbers()[kind] == sum(tensor.numel() for tensor in kept)
    layer = course_lib.LatentAttention(64, 4, 32, rotary=course_lib.RotaryEmbedding(8))
    with torch.no_grad():
        layer(torch.zeros(1, 1, 64), cache=(cache := layer.make_cache(1, 1)))
    assert kept_numbers()["latent"] == cache.append(torch.zeros(1, 0, 40)).numel()


def numbers_of(group):
    """The numbers that stand in a part of the drawing, in order."""
    words = [text.replace("−", "-") for text in words_of(group)]
    return [float(text) for text in words if re.fullmatch(r"-?\d+([.]\d+)?", text)]


def test_the_soft_lookup_is_what_the_library_computes():
    example = lookup_example()
    three = example.query, example.key, example.value
    output, weights = course_lib.scaled_dot_product_attention(*three, scale=1.0)
    torch.testing.assert_close((example.output, example.weights), (output, weights.T))
    parts = parts_of(drawings.soft_lookup())
    for name, decimals in zip(PARTS["soft_lookup"], (1, 1, 2, 2, 0, 1), strict=True):
        tensor = getattr(example, name)
        assert numbers_of(parts[name]) == tensor.flatten().round(decimals=decimals).tolist()
        assert [len(cells) for cells in cells_of(parts[name])] == [tensor.numel()]


def test_the_numbers_of_the_soft_lookup_are_those_of_lesson_01():
    example = lookup_example()
    (path,) = (ROOT / "notebooks").glob("01_*.ipynb")
    (cell,) = (cell for cell in read_notebook(path).cells if "kitten = [" in cell.source)
    namespace = {"top_speed": dict(zip(ANIMALS, example.value.flatten().tolist(), strict=True))}
    exec(cell.source, namespace)
    assert namespace["names"] == ANIMALS
    assert [namespace["kitten"]] == example.query.tolist()
    assert namespace["keys"] == example.key.tolist()


def test_the_three_attentions_are_what_the_library_computes():
    source, target, attended = three_attentions_example()
    memory, written = attended["encoder"].output, attended["decoder"].output
    asked = {"encoder": (source, source), "decoder": (target, target), "cross": (written, memory)}
    for name, (x, read) in asked.items():
        options = {"is_causal": name == "decoder", "need_weights": True}
        output, weights = layer_by_hand()(x[None], read[None], **options)
        torch.testing.assert_close(attended[name].output, output[0])
        torch.testing.assert_close(attended[name].weights, weights[0])


def test_the_ladder_shows_what_was_measured_of_the_previous_token_head():
    example = evidence_ladder_example()
    assert example.picture.shape == (12, 12) and example.picture.diagonal(-1).mean() > 0.8
    found, baseline = example.number
    assert found > 0.9 and baseline < 0.3
    without, without_another, keys_only = example.intervention
    assert without < 0.3 and without_another > 0.9 and keys_only > 0.9
    said, seen = example.prediction
    assert said == found and abs(seen - said) < 0.05


def test_the_induction_circuit_is_what_the_trained_model_computes():
    example = induction_example()
    tokens = torch.tensor([[ord(letter) - ord("A") for letter in TEXT]])
    logits, weights = load_checkpoint("induction")(tokens, need_weights=True)
    back = weights[0][0].diagonal(-1, dim1=-2, dim2=-1)  # (heads, 8)
    torch.testing.assert_close(example.previous[1:], back[back.mean(dim=-1).argmax()].detach())
    assert example.match == pytest.approx(weights[1][0, :, 8, 3].max().item(), abs=1e-5)
    probability = logits[0, 8].softmax(dim=-1)[tokens[0, 3]].item()
    assert example.probability == pytest.approx(probability, abs=1e-5)
    assert weights[0][0, :, 0, 0].tolist() == [1, 1, 1, 1]  # the first token looks at itself


@pytest.mark.parametrize("norm_first", [True, False])
def test_the_transformer_block_is_what_the_library_computes(norm_first):
    example = block_example(norm_first)
    torch.testing.assert_close(example.output, example.block(example.x[None])[0][0])


def test_the_positions_that_are_drawn_are_what_the_library_computes():
    example = positions_example()
    x = torch.zeros(1, 8, 4, dtype=torch.float64)
    torch.testing.assert_close(course_lib.SinusoidalPositions(4)(x)[0], example.added)
    east = torch.tensor([1.0, 0.0]).expand(8, 2).double()  # each pair at angle 0
    turned = course_lib.RotaryEmbedding(2, pairing="interleaved")(east)
    pairs = torch.stack((example.angles.cos(), example.angles.sin()), dim=-1)
    torch.testing.assert_close(turned, pairs.flatten(-2))


def test_the_memories_that_are_drawn_are_those_of_the_library():
    head, seen, state = memory_example()
    cache = course_lib.WindowCache(1, 1, WINDOW, 2, sinks=SINKS, dtype=torch.float64)
    for key, value in zip(head.key, head.value, strict=True):
        keys, _ = cache.append(key[None, None, None], value[None, None, None])
    assert sorted(keys[0, 0].tolist()) == sorted(head.key[seen].tolist())
    _, library = linear_attention_chunks(head.key, head.key, head.value, feature_map=lambda x: x)
    torch.testing.assert_close(state, library.memory)
    numbers = bounded_numbers()
    assert numbers["window"] * 8 == cache.nbytes
    assert numbers["global"] * 8 == head.key.nbytes + head.value.nbytes
    assert numbers["state"] == state.numel()


@pytest.mark.parametrize("name", PARTS)
def test_the_lesson_shows_its_drawing_as_it_is_now_and_says_what_to_see(name):
    lesson = re.search(r"\d\d", inspect.getmodule(getattr(drawings, name)).__doc__)[0]
    (path,) = (ROOT / "notebooks").glob(f"{lesson}_*.ipynb")
    cells = read_notebook(path).cells
    last_lines = [cell.source.rpartition("\n")[2] for cell in cells]
    begins = (f"{name}(", f"LiveDrawing({name}(")
    shown = [i for i, line in enumerate(last_lines) if line.startswith(begins)]
    assert 1 <= len(shown) <= 4
    live = [i for i in shown if last_lines[i].startswith("Live")]
    assert len(live) == bool(draw(name).live) * (1 + (name == "single_head"))  # 02 has two
    for i in shown:
        (output,) = cells[i].outputs
        drawing = eval(last_lines[i], {name: getattr(drawings, name), "LiveDrawing": LiveDrawing})
        picture = f"<div>{drawing.still()}</div>" if i in live else drawing._repr_html_()
        assert output.data["text/html"] == picture
        assert output.data["text/plain"] == repr(drawing)
        assert cells[i + 1].source.startswith(WHAT_TO_SEE)


def test_widgets_and_figures_have_the_colours_of_the_drawings():
    sheet = css()
    assert "*/" not in sheet  # the rest of a comment would spoil the rule behind it
    for role, colour in ROLES.items():
        assert f"--{role}:{colour};" in sheet
    # What is no role has another colour.
    others = set(re.findall(r"#[0-9a-f]{6}", (STATIC / "widgets.css").read_text(encoding="utf-8")))
    assert others and not others & set(ROLES.values())
    ax, figure = attention_heatmap(torch.full((2, 2), 0.5)), head_grid(torch.full((2, 2, 2), 0.5))
    labels = (ax.yaxis.label, ax.xaxis.label, figure._supylabel, figure._supxlabel)
    colours = [ink("query", "light"), ink("key", "light")]
    assert [label.get_color() for label in labels] == 2 * colours


def test_what_the_tiles_keep_is_the_output_at_the_end_of_the_row():
    head, tiles, kept = tiles_example()
    rows = slice(BLOCK * ROWS, BLOCK * (ROWS + 1))
    torch.testing.assert_close(torch.cat(tiles, dim=-1), head.scores[rows])
    torch.testing.assert_close(kept[-1].output(), head.output[rows])


def test_the_drawn_pages_are_those_of_a_table():
    held, users = pages_example()
    assert held == [[0, 1, 2], [0, 1, 3], [4, 5]]
    assert users.sum() == sum(LENGTHS) and (users[:2] == 2).all() and not users[6:].any()
