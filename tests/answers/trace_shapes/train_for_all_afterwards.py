# wrong: gives every part the mode of the whole afterwards
# named: mode_changed
def trace_shapes(module, x):
    shapes, handles, mode = [], [], module.training

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    module.eval()
    try:
        module(x)
    finally:
        module.train(mode)
        for handle in handles:
            handle.remove()
    return shapes
