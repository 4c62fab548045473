def watch():
    """Runs in the student's kernel before the first cell, and notes what reaches into the judge.

    Python tells an audit hook, which cannot be taken away, of what leads to frames, to what the
    garbage collector holds, and to files. Noted is what the notebook's own code asks for, itself or
    through the standard library and IPython. ``sys.audit("grader.noted", found)`` adds the notes to
    a list: pairs of the number of the execution, as this cell's is returned, and what was done.
    """
    import os
    import sys
    import sysconfig
    from traceback import walk_stack

    from IPython import get_ipython

    import course_lib

    folder = os.path.join(os.path.dirname(os.path.abspath(course_lib.__file__)), "checks", "")
    folders = (folder, os.environ.get("COURSE_VARIANTS", folder))
    standard = sysconfig.get_path("stdlib")
    shell = get_ipython()
    frames = ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
    by_itself = {
        *("sys._getframe", "sys.settrace", "sys.setprofile", "sys.monitoring.register_callback"),
        *("object.__getattr__", "object.__setattr__", "object.__delattr__"),
    }
    harmless = {"namedtuple", "set_trace", "__enter__", "__exit__"}  # breakpoint(), and cProfile's
    by_others_too = {
        *("sys._current_frames", "sys._current_exceptions", "open", "compile"),
        *("gc.get_objects", "gc.get_referrers", "gc.get_referents"),
        *("os.system", "os.exec", "os.posix_spawn", "subprocess.Popen"),
        *("ctypes.dlopen", "ctypes.dlsym", "ctypes.cdata", "ctypes.PyObj_FromPtr"),
    }
    notes: list[tuple[int, str]] = []
    busy: list[str] = []

    def done(event, args):
        """What is told of an event; "" where it is harmless."""
        text = str(args[0]) if args else ""
        if event.startswith("object."):
            thing, name = args[:2]
            of_checks = str(getattr(thing, "__module__", "")).startswith("course_lib.checks")
            changed = of_checks and not event.endswith("__getattr__")
            return f"reaches for {name}" if name in frames or changed else ""
        if event == "open":
            path = os.path.realpath(text) if isinstance(args[0], (str, bytes, os.PathLike)) else ""
            return f"reads {os.path.basename(path)} of the checks" * path.startswith(folders)
        if event == "compile":
            return "runs code that names course_lib.checks" * ("course_lib.checks" in text)
        if event.startswith(("os.", "subprocess.")):
            inside = all(part in str(args) for part in ("course_lib", "checks"))
            return "starts a program on course_lib/checks" * inside
        return f"calls {event}"

    def kind(frame):
        path = frame.f_code.co_filename
        if "-packages" in path or path.startswith(os.path.dirname(folder[:-1])):
            shells = ("/IPython/", "/ipykernel/")
            return "shell" if any(one in path for one in shells) else "library"
        if path.startswith(("<frozen", standard)):
            return "library" if path.endswith(("/warnings.py", "/traceback.py")) else "standard"
        if path.startswith("<") and frame.f_globals.get("__name__", "__main__") != "__main__":
            return "library"
        return "library" if path.endswith("grading/kernel.py") else "own"

    def may_see_a_judge(frame):
        code = frame.f_code
        goes_on = code.co_flags & 0x2A0 and kind(frame) == "own"  # a generator, or a coroutine
        return goes_on or code.co_filename.startswith(folders)

    def is_of_the_notebook(event, first):
        for frame, _ in walk_stack(first):
            code, what = frame.f_code, kind(frame)
            if what == "own":  # its frames say nothing where no check is behind them
                behind = (one for one, _ in walk_stack(frame))
                return event != "sys._getframe" or any(map(may_see_a_judge, behind))
            if code.co_name in ("_load_unlocked", "_exec") and what == "standard":
                return False  # an import
            # IPython itself opens what it loads again after a change, and shows. A notebook's own
            # open() is a function of IPython.
            by_shell = event == "compile" or code.co_name == "_modified_open"
            passes = what == "standard" or (what == "shell" and by_shell)
            if event in by_itself:  # of a function that walks, or was asked for it
                walks = os.path.basename(code.co_filename) in ("inspect.py", "bdb.py", "frame.py")
                asked = frame is first and code.co_name not in harmless
                passes = what != "library" and (walks or asked or code.co_name.startswith("walk_"))
            if not passes:
                return False
        return False

    def hook(event, args):
        if event == "grader.noted":
            args[0].extend(notes)
        if busy or not (event in by_itself or event in by_others_too):
            return
        busy.append(event)
        try:
            told = done(event, args)
            if told and is_of_the_notebook(event, sys._getframe(1)):
                note = (shell.execution_count, told)
                if note not in notes and sum(one[0] == note[0] for one in notes) < 3:
                    notes.append(note)
        except Exception:  # whatever a notebook makes of its objects, its own code goes on
            pass
        finally:
            busy.clear()

    sys.addaudithook(hook)
    return shell.execution_count
