"""The pretend device computes what the CPU computes, and refuses what CUDA refuses."""

import copy
import re
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from refusals import refuses
from tools.notebooks import pretend_device

pytestmark = pytest.mark.skipif(bool(pretend_device.MISSING), reason=pretend_device.MISSING)

HERE = torch.device("pretend")


@pytest.fixture
def x():
    """(3, 4), on the device."""
    return torch.arange(12.0, device=HERE).view(3, 4) - 5


def same(there, on_cpu):
    """Whether a tensor is on the device and equals this one on the CPU, strides included."""
    assert there.device == torch.device("pretend", 0)
    assert (there.dtype, there.shape) == (on_cpu.dtype, on_cpu.shape)
    assert there.stride() == on_cpu.stride()
    return torch.equal(there.cpu(), on_cpu)


# --- it computes -------------------------------------------------------------------------------

OPERATIONS = {
    "where": lambda x: torch.where(x > 0, x, 0.0),
    "views": lambda x: x.T[1:].reshape(3, 3).unsqueeze(0).expand(2, -1, -1),
    "index with numbers on the CPU": lambda x: x[torch.tensor([2, 0]), torch.tensor([1, 1])],
    "index with a mask": lambda x: x[x > 0],
    "topk": lambda x: x.topk(2, dim=-1).values,
    "written in place": lambda x: written(x.clone()),
    "out": lambda x: torch.softmax(x, dim=-1, out=x.clone()),
    "vmap": lambda x: torch.vmap(lambda row: row.cumsum(0))(x),
    "unfold of the meta device": lambda x: x * torch.empty(4, device="meta").shape[0],
}


def written(x):
    x[0, 1:] = 7
    x[x > 3] = torch.tensor(2.0)
    x[1].mul_(3)
    x.view(-1)[5] += 1
    return x


@pytest.mark.parametrize("name", OPERATIONS)
def test_computes_as_the_cpu_does(name, x):
    there, on_cpu = OPERATIONS[name](x), OPERATIONS[name](x.cpu())
    torch.testing.assert_close(there.cpu(), on_cpu)
    assert same(there, on_cpu)


def test_a_view_shares_memory_and_a_copy_does_not(x):
    column, there_and_back = x[:, 1], x.cpu()
    column.zero_()
    assert x[:, 1].tolist() == [0, 0, 0] != there_and_back[:, 1].tolist()
    assert x.view(-1).data_ptr() == x.data_ptr() != x.clone().data_ptr()
    assert x.to(HERE) is x


def test_reads_numbers(x):
    assert x.tolist() == x.cpu().tolist()
    assert (float(x[0, 0]), int(x[0, 1]), bool(x.any()), x[2, 3].item()) == (-5.0, -4, True, 6.0)
    assert f"{x[0, 0]:.2f}" == "-5.00"
    assert repr(x[0, :2]) == "tensor([-5., -4.], device='pretend:0')"
    assert np.array_equal(x.numpy(force=True), x.cpu().numpy())


@pytest.mark.parametrize("optimizer", [torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW])
def test_trains_as_the_cpu_does(optimizer):
    torch.manual_seed(0)
    first = nn.Sequential(nn.Embedding(5, 8), nn.LayerNorm(8), nn.Linear(8, 5))
    second = copy.deepcopy(first).to(HERE)
    for model in (first, second):
        tokens = torch.tensor([0, 3, 1, 4], device=model[0].weight.device)
        updates = optimizer(model.parameters(), lr=0.1)
        for _ in range(3):
            updates.zero_grad()
            F.cross_entropy(model(tokens), tokens.roll(1)).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            updates.step()
    for name, ours in second.state_dict().items():
        torch.testing.assert_close(ours.cpu(), first.state_dict()[name])
        assert ours.device.type == "pretend"


def test_a_moved_module_keeps_its_parameters_and_ties():
    embedding, head = nn.Embedding(5, 4), nn.Linear(4, 5, bias=False)
    head.weight = weight = embedding.weight
    model = nn.Sequential(embedding, head).to(HERE)
    assert model[0].weight is model[1].weight is weight and weight.device.type == "pretend"
    assert len(list(model.parameters())) == 1
    model(torch.tensor([1], device=HERE)).sum().backward()
    model.cpu()
    assert weight.device.type == weight.grad.device.type == "cpu" and head.weight is weight


def test_random_numbers_have_their_own_state():
    torch.manual_seed(0)
    first, on_cpu = torch.rand(3, device=HERE), torch.rand(3)
    torch.manual_seed(0)
    assert torch.equal(torch.rand(3), on_cpu)  # what is drawn on the device costs the CPU none
    assert same(torch.rand(3, device=HERE), first.cpu())
    with torch.random.fork_rng(device_type="pretend"):
        forked = F.dropout(torch.ones(50, device=HERE))
    assert torch.equal(F.dropout(torch.ones(50, device=HERE)), forked)
    assert not torch.equal(F.dropout(torch.ones(50, device=HERE)), forked)


# --- it bites ----------------------------------------------------------------------------------

TWO_DEVICES = "Expected all tensors to be on the same device, but found at least two devices"
GENERATOR = "Expected a 'pretend' device type for generator but found 'cpu'"
NUMPY = "can't convert pretend:0 device type tensor to numpy"
INDICES = r"indices should be either on cpu or on the same device as the indexed tensor \(cpu\)"


def on_the_cpu(*shape):
    return torch.zeros(shape)


def cpu_generator():
    return torch.Generator().manual_seed(0)


REFUSED = {
    "sum": (TWO_DEVICES, lambda x: x + on_the_cpu(3, 4)),
    "number of the device, added on the CPU": (TWO_DEVICES, lambda x: on_the_cpu(3) + x[0, 0]),
    "product": (TWO_DEVICES, lambda x: x @ on_the_cpu(4, 2)),
    "embedding": (TWO_DEVICES, lambda x: nn.Embedding(9, 4)(x.long().abs())),
    "where": (TWO_DEVICES, lambda x: torch.where(on_the_cpu(3, 4) > 0, x, 0.0)),
    "stack of numbers": (TWO_DEVICES, lambda x: torch.stack([x[0, 0], on_the_cpu()])),
    "cross entropy": (TWO_DEVICES, lambda x: F.cross_entropy(x, torch.tensor([0, 1, 2]))),
    "attention mask": (
        TWO_DEVICES,
        lambda x: F.scaled_dot_product_attention(x, x, x, attn_mask=on_the_cpu(3, 3) > 0),
    ),
    "index of the CPU": (INDICES, lambda x: on_the_cpu(3)[x[0].long()]),
    "mask of the CPU": (INDICES, lambda x: on_the_cpu(3, 4)[x > 0]),
    "write at an index": (TWO_DEVICES, lambda x: x.index_put_((torch.tensor([0]),), on_the_cpu(4))),
    "write where a mask is": (TWO_DEVICES, lambda x: x.__setitem__(x > 4, on_the_cpu(2))),
    "rand": (GENERATOR, lambda x: torch.rand(3, device=x.device, generator=cpu_generator())),
    "multinomial": (GENERATOR, lambda x: torch.multinomial(x.abs(), 1, generator=cpu_generator())),
    "numpy": (NUMPY, lambda x: x.numpy()),
    "np.asarray": (NUMPY, lambda x: np.asarray(x)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_what_cuda_refuses(name, x):
    message, ask = REFUSED[name]
    before = x.cpu()
    start = len(pretend_device.refusals)
    refuses(TypeError if message is NUMPY else RuntimeError, message, ask, x)
    assert torch.equal(x.cpu(), before)
    assert len(pretend_device.refusals) > start
    first, *place = pretend_device.refusals[start].splitlines()
    assert re.match(message, first) and Path(__file__).name in place[0]


def test_draws_figures_from_the_cpu_only(x):
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    axes.plot(x[0].cpu())
    refuses(TypeError, NUMPY, axes.plot, x[0])


ALLOWED = {
    "a number on the CPU": lambda x: x * torch.tensor(2.0),
    "its place": lambda x: torch.tensor(2.0) - x,
    "filled with one": lambda x: x.clone().fill_(torch.tensor(2.0)),
    "masked_fill with one": lambda x: x.masked_fill(x > 0, torch.tensor(2.0)),
    "where, with one": lambda x: torch.where(x > 0, x, torch.tensor(2.0)),
    "copied into": lambda x: x.clone().copy_(on_the_cpu(3, 4)),
    "a row written from the CPU": lambda x: with_first_row(x.clone(), on_the_cpu(4)),
    "one number written at an index": lambda x: x.clone().index_put_(
        (torch.tensor([0]),), torch.tensor(2.0)
    ),
}


def with_first_row(x, row):
    x[0] = row
    return x


@pytest.mark.parametrize("name", ALLOWED)
def test_allows_what_cuda_allows(name, x):
    assert same(ALLOWED[name](x), ALLOWED[name](x.cpu()))


def test_says_what_it_cannot_do(x):
    for change in (torch.Tensor.t_, lambda x: x.unsqueeze_(0), lambda x: x.resize_(2, 2)):
        refuses(NotImplementedError, "the pretend device cannot", change, x)
