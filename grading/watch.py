def watch(names):
    """Runs in the student's kernel before the first cell, and notes what reaches into the judge.

    Python tells an audit hook, which cannot be taken away, of what leads to frames, to files and to
    code; and the judge tells it when the answers of ``names`` are in, and what they got. Then it
    looks whether all that the judge rests on is what it was. ``asked.py`` asks for what was noted,
    with a number; the answer is signed with a key that stands in this cell's output and, in the
    kernel, nowhere but here. What the hook calls itself it has from before the notebook's code.
    """
    import ast
    import builtins
    import contextlib
    import hashlib
    import inspect
    import os
    import random
    import secrets
    import sys
    import sysconfig
    import textwrap
    import threading
    import warnings
    from pathlib import Path
    from traceback import walk_stack

    import torch
    from IPython import get_ipython
    from torch.utils._device import DeviceContext
    from torch.utils._python_dispatch import _get_current_dispatch_mode_stack as dispatch_modes

    import course_checks as checks
    from course_checks.exercise import Exercise
    from course_checks.judge import answers, calling, engine, watchdog

    sha256, stat, thread, get_frame = hashlib.sha256, os.stat, threading.get_ident, sys._getframe
    tracers = sys.gettrace, sys.getprofile
    function_modes = torch.overrides._get_current_function_mode_stack
    loaded = sys.modules
    shell, key = get_ipython(), secrets.token_hex(16)
    topics = tuple(os.path.join(folder, "") for folder in checks.__path__)
    files: dict[object, str] = {}
    tops = {checks.__file__}
    for folder, _, inside in (one for topic in topics for one in os.walk(topic)):
        for name in inside:
            there = stat(os.path.join(folder, name))
            files |= {(there.st_dev, there.st_ino): name, name: name}
    libraries = ("<frozen", *calling._NOT_STUDENTS)
    standard = os.path.join(sysconfig.get_path("stdlib"), "")
    of_kernel = type(sys.stdout).write.__code__.co_filename
    notes: list[tuple[int, str]] = []
    judged: list[tuple[int, str, int]] = []
    told: set[str] = set()
    busy: set[int] = set()

    # Each check draws other numbers, so that none can be learned from an earlier one.
    seeds = random.Random(os.environ.pop("COURSE_SEED", None))
    draw = seeds.randrange
    engine._choose_seed = lambda seed: draw(2**31) if seed is None else seed

    def let_it_tell(reference):
        """Put into the code of a reference, first of all, that it runs; a copy of it tells too."""
        function = vars(reference)["forward"] if isinstance(reference, type) else reference
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        vars(tree.body[0])["body"][:0] = ast.parse("'AUDIT'('course_lib.reference', 'NAME')").body
        ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
        code = compile(tree, function.__code__.co_filename, "exec")
        code = next(one for one in code.co_consts if hasattr(one, "co_name"))
        put = {"AUDIT": sys.audit, "NAME": reference.__name__}
        constants = (put.get(one, one) if isinstance(one, str) else one for one in code.co_consts)
        function.__code__ = code.replace(co_consts=tuple(constants))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a text is called
        for name in names:
            with contextlib.suppress(KeyError, OSError, TypeError, ValueError, SyntaxError):
                let_it_tell(checks.ALL[name].exercise.reference)  # an instructor's may be no def

    ours = "course_checks"
    modules = {builtins, torch.nn, torch.nn.functional, torch.autograd}
    modules |= {module for name, module in loaded.items() if name.startswith(("course_lib", ours))}
    for one in [vars(module) for module in modules if module.__name__.startswith(ours)]:
        modules |= {thing for thing in one.values() if isinstance(thing, type(sys))}

    def rests_on():
        """What the judge rests on: a name, the namespace that has it, and what it stands for."""
        for module in modules - {sys, warnings}:
            own = module.__name__.startswith(("course_lib", ours))
            for name, thing in vars(module).items():
                hidden = name.startswith("_") and name not in ("__import__", "__build_class__")
                # The kernel sets input anew for each cell, torch sets Storage with the default
                # dtype, and wraps manual_seed when it loads its compiler. Two go with a reload.
                replaced = name in ("input", "Storage", "manual_seed", "__dir__", "__getattr__")
                if (hidden and not own) or replaced or not callable(thing):
                    continue
                yield f"{module.__name__}.{name}", vars(module), name, thing
                if isinstance(thing, type) and (own or module is torch.nn or thing is torch.Tensor):
                    for part, what in vars(thing).items():
                        if callable(what) or isinstance(what, property):
                            yield f"{module.__name__}.{name}.{part}", vars(thing), part, what
        for name, check in checks.ALL.items():
            yield f"checks.ALL.{name}", checks.ALL, name, check
            exercise = vars(check)["exercise"]
            for thing in (check, exercise, *exercise.properties):
                for part in getattr(thing, "__dataclass_fields__", vars(thing)):
                    yield f"checks.ALL.{name}", vars(thing), part, vars(thing).get(part)

    def hooks():
        """Settings that come between the judge and what it says."""
        for name in ("showtraceback", "_showtraceback"):
            if name in vars(shell):
                yield f"{name} of IPython is set"
        if shell.ast_transformers:
            yield "a transformer of syntax trees is installed"
        if shell.custom_exceptions:
            yield "a handler of exceptions is installed"
        if any(one() is not None for one in tracers):
            yield "what runs is traced"
        if any(map(of_notebook, kinds_of_tensor())):
            yield "it makes a kind of tensor of its own"
        modes = {type(mode) for mode in function_modes() + dispatch_modes()} - {DeviceContext}
        if modes:
            yield "torch's functions go through something else"

    def kinds_of_tensor():
        kinds: list[type] = [torch.Tensor]
        for one in kinds:
            kinds += type.__subclasses__(one)
        return kinds

    def of_notebook(kind):
        """Whether a class is not what stands under its name in its module."""
        found = loaded.get(kind.__module__)
        for name in kind.__qualname__.split("."):
            found = getattr(found, name, None)
        return kind.__module__ == "__main__" or (found is not kind and kind not in first_kinds)

    def note(what, most=3):
        about = shell.displayhook.prompt_count, what
        if about not in notes and sum(one[0] == about[0] for one in notes) < most:
            notes.append(about)

    once = secrets.randbelow(2**31)

    def answers_of(exercise):
        """What the reference answers to one question, whatever that is."""
        torch.default_generator.manual_seed(once)
        cases = [*exercise.properties[0].cases(torch.Generator().manual_seed(once))][:1]
        return [part for case in cases for part in work_out(exercise, case)[0].values()]

    def is_as_before(name):
        try:
            return all(map(same, right[name], answers_of(checks.ALL[name].exercise)))
        except Exception:  # whatever was put in its way
            return False

    def look(*names):
        changed = [name for name, space, part, thing in first if space.get(part) is not thing]
        changed += [f"torch.Tensor.{name}" for name in tensor.keys() - of_tensor]
        signs = [f"{name} was replaced" for name in changed[:5]] + list(hooks())
        for sign in signs:
            if sign not in told and sign not in before:
                told.add(sign)
                note(sign, 10)
        for name in names:
            if not is_as_before(name):
                note(f"the course's own {name} gives other answers than before", 10)

    by_itself = {
        *("sys._getframe", "sys.settrace", "sys.setprofile", "sys.monitoring.register_callback"),
        *("object.__getattr__", "object.__setattr__", "object.__delattr__"),
    }
    harmless = {"namedtuple", "set_trace", "__enter__", "__exit__"}  # breakpoint(), and cProfile's
    by_others_too = {
        *("sys._current_frames", "sys._current_exceptions", "open", "compile"),
        *("gc.get_objects", "gc.get_referrers", "gc.get_referents", "marshal.loads"),
        *("os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "code.__new__"),
        *("ctypes.dlopen", "ctypes.dlsym", "ctypes.cdata", "ctypes.PyObj_FromPtr"),
    }

    def done(event, args):
        """What is told of an event; "" where it is harmless."""
        text = str(args[0]) if args else ""
        if event.startswith("object."):
            thing, name = args[:2]
            leads = name in ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
            own = event.endswith("__getattr__") or getattr(thing, "__module__", "") == "__main__"
            return f"reaches for {name}" if leads or not own else ""
        if event == "open":
            if type(args[0]) not in paths:
                return "opens a file by a path of its own kind"
            text = args[0].decode() if isinstance(args[0], bytes) else text
            try:
                there = stat(args[0])
                name = files.get((there.st_dev, there.st_ino))
            except (OSError, TypeError):  # a file of a folder that is given by its number
                name = files.get(text.rpartition("/")[2]) if args[2] & 3 == os.O_RDONLY else None
            kernels = text.startswith("/proc/") and text.endswith(("/mem", "/environ"))
            return f"reads {name} of the checks" if name else f"reads {text}" * kernels
        if event == "compile":
            if str(args[1]).startswith(libraries):
                return "gives its code the name of a library's file"
            return "runs code that names course_checks" * ("course_checks" in text)
        if event.startswith(("os.", "subprocess.")):
            return "starts a program on course_checks" * ("course_checks" in str(args))
        return f"calls {event}"

    def kind(code):
        path, name = code.co_filename, code.co_name
        if path.startswith(("<frozen", standard)) and "-packages" not in path:
            telling = path.endswith(("/warnings.py", "/traceback.py"))
            return "library" if telling and not name.startswith("walk_") else "standard"
        if path.startswith(libraries):
            shells = ("/IPython/", "/ipykernel/")
            return "shell" if any(one in path for one in shells) else "library"
        return "library" if path == of_kernel else "own"

    def sees_judge(code):
        goes_on = code.co_flags & 0x2A0 and kind(code) == "own"  # a generator, or a coroutine
        return goes_on or code.co_filename.startswith(topics)

    def is_of_the_notebook(event, first):
        for frame, _ in walk_stack(first):
            code, what = frame.f_code, kind(frame.f_code)
            if what == "own":  # its frames say nothing where no check is behind them
                behind = [one.f_code for one, _ in walk_stack(frame)]
                return not event.startswith(("sys._get", "sys.set")) or any(map(sees_judge, behind))
            if code.co_name in ("_load_unlocked", "_exec") and what == "standard":
                return False  # an import
            # IPython itself opens what it loads again after a change, and shows. A notebook's own
            # open() is a function of IPython.
            by_shell = event == "compile" or code.co_name == "_modified_open"
            passes = what == "standard" or (what == "shell" and by_shell)
            if event in by_itself:  # of a function that walks, or was asked for it
                walks = code.co_filename.rpartition("/")[2] in ("inspect.py", "bdb.py", "frame.py")
                asked = frame is first and code.co_name not in harmless
                passes = what != "library" and (walks or asked or code.co_name.startswith("walk_"))
            if not passes:
                return False
        return False

    def is_used(name, first):
        """Whether a reference runs for an answer to its own exercise, or for a cell."""
        has_own = False
        for frame, _ in walk_stack(first):
            if frame.f_code is asks:
                calling = frame.f_back and frame.f_back.f_back  # with a lambda between the two
                if calling is None or calling.f_code is not calls:
                    return False  # the judge needs it
                code = getattr(frame.f_locals["function"], "__code__", None)
                is_plain = code is not None and kind(code) == "own"
                return frame.f_locals["self"].name == name and (has_own or not is_plain)
            if frame.f_code is judges:
                return has_own
            has_own = has_own or kind(frame.f_code) == "own"
        return has_own

    def hear(event, args, frame):
        if event == "grader.asked":
            look()  # before torch is called, which may not be what it was
            try:
                with untouched():
                    look(*names)
            except Exception:
                note("torch cannot be asked any more", 10)
            text = repr((args[0], notes, judged))
            args[1].append(sha256((key + text).encode()).hexdigest() + text)
        elif event == "course_lib.judging":
            look(args[0].name)
        elif event == "course_lib.judged":
            look()
            name, function, points = args
            is_true = frame.f_code is gives and frame.f_globals is of_engine
            if is_true and function is shell.user_ns.get(name):
                judged.append((shell.displayhook.prompt_count, name, points))
        elif event == "course_lib.reference":
            if is_used(args[0], frame):
                note(f"calls the course's own {args[0]}")
        elif event == "exec":
            path = getattr(args[0], "co_filename", "")
            if path.startswith(topics) and path.endswith(".py") and path not in tops:
                note(f"runs {path.rpartition('/')[2]} of the checks")
        elif (what := done(event, args)) and is_of_the_notebook(event, frame):
            note(what)

    def hook(event, args):
        me = thread()
        if me in busy or not (event in heard or event in by_itself or event in by_others_too):
            return
        busy.add(me)
        try:
            hear(event, args, get_frame(1))
        except Exception:  # whatever a notebook makes of its objects, its own code goes on
            pass
        finally:
            busy.discard(me)

    heard = {"grader.asked", "exec"}
    heard |= {f"course_lib.{what}" for what in ("judging", "judged", "reference")}
    asks, calls = Exercise.answer.__code__, watchdog.Watchdog.call.__code__
    judges = engine.Judge.__call__.__code__
    gives, of_engine = engine.Check.__call__.__code__, vars(engine)
    first_kinds, tensor = kinds_of_tensor(), vars(torch.Tensor)
    same, work_out, paths = answers.same, engine._right_answer, {str, bytes, int, type(Path())}
    untouched = calling.untouched_globals
    with untouched():
        right = {name: answers_of(checks.ALL[name].exercise) for name in names}
    first, before, of_tensor = list(rests_on()), set(hooks()), set(tensor)
    sys.addaudithook(hook)
    print(key)
