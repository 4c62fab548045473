# wrong: takes output[0] of a tensor too
# named: first_of_a_tensor
def trace_shapes(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            shapes.append((name, tuple(output[0].shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes
