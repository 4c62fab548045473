"""The pretend device computes what the CPU computes, and refuses what CUDA refuses."""

import copy
import re
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

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

MAKERS = {
    "tensor": lambda device: torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device),
    "as_tensor": lambda device: torch.as_tensor(np.arange(3), device=device),
    "zeros": lambda device: torch.zeros(2, 3, device=device),
    "full": lambda device: torch.full((2,), 7, device=device),
    "arange": lambda device: torch.arange(2, 9, 3, device=device),
    "arange of floats": lambda device: torch.arange(5, dtype=torch.float64, device=device),
    "linspace": lambda device: torch.linspace(0, 1, 5, device=device),
    "eye": lambda device: torch.eye(3, device=device),
    "tril_indices": lambda device: torch.tril_indices(3, 3, device=device),
    "to": lambda device: torch.arange(3).to(device),
    "to, with a dtype": lambda device: torch.arange(3).to(device, torch.float16),
    "zeros_like": lambda device: torch.zeros_like(torch.ones(2, 3), device=device),
    "default device": lambda device: made_under(device, lambda: torch.tensor([1, 2])),
}
OPERATIONS = {
    "sums": lambda x: x + 2 * x - x / 3 + torch.tensor(0.5),
    "product": lambda x: x @ x.T,
    "einsum": lambda x: torch.einsum("ij,kj->ik", x, x),
    "softmax": lambda x: torch.softmax(x, dim=-1),
    "where": lambda x: torch.where(x > 0, x, 0.0),
    "masked_fill": lambda x: x.masked_fill(x > 0, -torch.inf),
    "views": lambda x: x.T[1:].reshape(3, 3).unsqueeze(0).expand(2, -1, -1),
    "index": lambda x: x[[2, 0]],
    "index with numbers on the CPU": lambda x: x[torch.tensor([2, 0]), torch.tensor([1, 1])],
    "index with a mask": lambda x: x[x > 0],
    "gather": lambda x: x.gather(1, x.argsort(dim=1)),
    "cat and stack": lambda x: torch.cat([x, torch.stack([x[0], x[1]])]),
    "topk": lambda x: x.topk(2, dim=-1).values,
    "one_hot": lambda x: F.one_hot(x.argmax(dim=-1), 4),
    "written in place": lambda x: written(x.clone()),
    "out": lambda x: torch.softmax(x, dim=-1, out=x.clone()),
    "attention": lambda x: F.scaled_dot_product_attention(*[x[None, None]] * 3, is_causal=True),
    "vmap": lambda x: torch.vmap(lambda row: row.cumsum(0))(x),
    "unfold of the meta device": lambda x: x * torch.empty(4, device="meta").shape[0],
}


def made_under(device, make):
    with torch.device(device):
        return make()


def written(x):
    x[0, 1:] = 7
    x[x > 3] = torch.tensor(2.0)
    x[1].mul_(3)
    x.view(-1)[5] += 1
    return x


@pytest.mark.parametrize("name", MAKERS)
def test_makes_tensors(name):
    assert same(MAKERS[name](HERE), MAKERS[name]("cpu"))


@pytest.mark.parametrize("name", OPERATIONS)
def test_computes_as_the_cpu_does(name, x):
    there, on_cpu = OPERATIONS[name](x), OPERATIONS[name](x.cpu())
    torch.testing.assert_close(there.cpu(), on_cpu)
    assert same(there, on_cpu) or name == "attention"  # another kernel, so other roundings


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


def test_a_twin_shares_nothing():
    module = nn.Linear(4, 2, device=HERE)
    module(torch.ones(1, 4, device=HERE)).sum().backward()
    twin = copy.deepcopy(module)
    assert isinstance(twin.weight, nn.Parameter) and twin.weight.requires_grad
    with torch.no_grad():
        module.weight.zero_()
        module.weight.grad.zero_()
    assert twin.weight.abs().min() > 0 and twin.weight.grad.abs().min() > 0


def test_gradients_are_those_of_the_cpu(x):
    def gradients(x, weight):
        hidden = torch.relu(F.layer_norm(x @ weight, (5,)))[:, [3, 0, 1]]
        attended = F.scaled_dot_product_attention(hidden, hidden, hidden)
        loss = F.cross_entropy(attended, torch.tensor([0, 2, 1], device=x.device))
        return torch.autograd.grad(loss, [x, weight])

    weight = torch.randn(4, 5, generator=torch.Generator().manual_seed(0))
    there = gradients(x.requires_grad_(), weight.to(HERE).requires_grad_())
    on_cpu = gradients(x.detach().cpu().requires_grad_(), weight.clone().requires_grad_())
    for ours, expected in zip(there, on_cpu, strict=True):
        assert expected.abs().max() > 0
        torch.testing.assert_close(ours.cpu(), expected)


def test_a_hand_written_gradient(x):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            context.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(context, gradient):
            return gradient * 3 * context.saved_tensors[0] ** 2

    Cube.apply(x.requires_grad_()).sum().backward()
    assert torch.equal(x.grad, 3 * x.detach() ** 2)


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


def test_state_dict_crosses_devices():
    there, on_cpu = nn.Linear(3, 2, device=HERE), nn.Linear(3, 2)
    there.load_state_dict(on_cpu.state_dict())
    assert same(there.weight.detach(), on_cpu.weight.detach())
    nn.init.ones_(there.weight)
    on_cpu.load_state_dict(there.state_dict())
    assert on_cpu.weight.device.type == "cpu" and (on_cpu.weight == 1).all()


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
    "sum, the CPU first": (TWO_DEVICES, lambda x: on_the_cpu(3, 4) + x),
    "sum into the CPU": (TWO_DEVICES, lambda x: on_the_cpu(3, 4).add_(x)),
    "number of the device, added on the CPU": (TWO_DEVICES, lambda x: on_the_cpu(3) + x[0, 0]),
    "number of the device, added into the CPU": (TWO_DEVICES, lambda x: on_the_cpu().add_(x[0, 0])),
    "product": (TWO_DEVICES, lambda x: x @ on_the_cpu(4, 2)),
    "linear": (TWO_DEVICES, lambda x: nn.Linear(4, 2)(x)),
    "linear of the device": (TWO_DEVICES, lambda x: nn.Linear(4, 2).to(x.device)(on_the_cpu(4))),
    "embedding": (TWO_DEVICES, lambda x: nn.Embedding(9, 4)(x.long().abs())),
    "layer norm": (TWO_DEVICES, lambda x: nn.LayerNorm(4)(x)),
    "where": (TWO_DEVICES, lambda x: torch.where(on_the_cpu(3, 4) > 0, x, 0.0)),
    "masked_fill": (TWO_DEVICES, lambda x: x.masked_fill(on_the_cpu(3, 4) > 0, 0.0)),
    "masked_fill_": (TWO_DEVICES, lambda x: x.masked_fill_(on_the_cpu(3, 4) > 0, 0.0)),
    "cat": (TWO_DEVICES, lambda x: torch.cat([x, on_the_cpu(3, 4)])),
    "stack of numbers": (TWO_DEVICES, lambda x: torch.stack([x[0, 0], on_the_cpu()])),
    "gather": (TWO_DEVICES, lambda x: x.gather(1, on_the_cpu(3, 4).long())),
    "index_select": (TWO_DEVICES, lambda x: x.index_select(0, torch.tensor([0]))),
    "equal": (TWO_DEVICES, lambda x: torch.equal(x, on_the_cpu(3, 4))),
    "allclose": (TWO_DEVICES, lambda x: torch.allclose(x, on_the_cpu(3, 4))),
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
    "randint": (
        GENERATOR,
        lambda x: torch.randint(9, (3,), device=x.device, generator=cpu_generator()),
    ),
    "randperm": (
        GENERATOR,
        lambda x: torch.randperm(3, device=x.device, generator=cpu_generator()),
    ),
    "normal_": (GENERATOR, lambda x: x.normal_(generator=cpu_generator())),
    "multinomial": (GENERATOR, lambda x: torch.multinomial(x.abs(), 1, generator=cpu_generator())),
    "numpy": (NUMPY, lambda x: x.numpy()),
    "numpy of a parameter": (NUMPY, lambda x: nn.Parameter(x).detach().numpy()),
    "np.asarray": (NUMPY, lambda x: np.asarray(x)),
    "np.array of rows": (NUMPY, lambda x: np.array(list(x))),
    "np.allclose": (NUMPY, lambda x: np.allclose(np.zeros((3, 4)), x)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_what_cuda_refuses(name, x):
    message, ask = REFUSED[name]
    before = x.cpu()
    start = len(pretend_device.refusals)
    with pytest.raises(TypeError if message is NUMPY else RuntimeError, match=message):
        ask(x)
    assert torch.equal(x.cpu(), before)
    assert len(pretend_device.refusals) > start
    first, *place = pretend_device.refusals[start].splitlines()
    assert re.match(message, first) and Path(__file__).name in place[0]


@pytest.mark.parametrize("name", ["sum", "rand", "product"])
def test_the_cpu_refuses_none_of_it(name, x):
    start = len(pretend_device.refusals)
    REFUSED[name][1](x.cpu())
    assert len(pretend_device.refusals) == start


def test_draws_figures_from_the_cpu_only(x):
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    axes.plot(x[0].cpu())
    with pytest.raises(TypeError, match=NUMPY):
        axes.plot(x[0])


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
        with pytest.raises(NotImplementedError, match="the pretend device cannot"):
            change(x)


def test_counts_operations(x):
    before = pretend_device.operations
    x + x
    assert pretend_device.operations == before + 1
    x.cpu() + torch.ones(4)
    assert pretend_device.operations == before + 2  # the copy
