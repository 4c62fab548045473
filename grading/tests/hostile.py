"""What hostile and cheating notebooks do. $NAMES are filled in by conftest.py.

ATTACKS stand in an otherwise right solution and print LEAK where they get at something; CHEATS
stand in an untouched exercise.
"""

RUN = "document.title='RAN'"
LOAD = "https://example.org/x.png"
# What a notebook may display to make feedback.html run or load something: (data, metadata).
DISPLAYS = [
    *(
        ({kind: "iVBORw0KGgo"}, {kind: {name: f"1 onerror={RUN}"}})
        for kind in ("image/png", "image/jpeg")
        for name in ("width", "height", "alt")
    ),
    ({"image/png": "iVBORw0KGgo"}, {"filenames": {"image/png": LOAD}}),
    ({"image/png": f'x" onerror="{RUN}'}, {}),
    ({"image/svg+xml": f"<svg onload=\"{RUN}\"><image href='{LOAD}'/></svg>"}, {}),
    ({"text/html": "<b>x</b>"}, {"text/html": {"isolated": True}}),
    ({"text/html": f"<script>{RUN}</script><script src={LOAD}></script>"}, {"isolated": True}),
    ({"text/html": f"<img src=x onerror={RUN}><img src={LOAD}><svg/onload={RUN}>"}, {}),
    ({"text/html": f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>"}, {}),
    ({"text/html": f"<iframe src={LOAD}></iframe><object data={LOAD}></object>"}, {}),
    ({"text/html": f"<meta http-equiv=refresh content='0;url={LOAD}'><base href={LOAD}>"}, {}),
    ({"text/html": f"<link rel=stylesheet href={LOAD}><link rel=prefetch href={LOAD}>"}, {}),
    ({"text/html": f"<style>@import url({LOAD});body{{background:url({LOAD})}}</style>"}, {}),
    *(
        ({"text/html": f'<p style="{style}">x</p>'}, {})
        for style in (
            f"background:url({LOAD})",
            f"background:u\\72l({LOAD})",
            f"background-image:image-set('{LOAD}' 1x)",
            f"background:-webkit-image-set(url({LOAD}) 1x)",
            f"background:/**/url('{LOAD}')",
            f"list-style:url({LOAD});display:list-item",
            f"border:1px solid;border-image:url({LOAD})",
            f"--x:url({LOAD});background:var(--x)",
            f"color:red;background:url({LOAD}",
            f"font-family:x;src:url({LOAD})",
            f"display:block;content:url({LOAD});cursor:url({LOAD}),auto",
        )
    ),
    ({"text/html": f"<video src={LOAD} poster={LOAD} autoplay></video><audio src={LOAD}>"}, {}),
    ({"text/html": f"<form action={LOAD}><input autofocus onfocus={RUN}></form>"}, {}),
    ({"text/html": f"<details open ontoggle={RUN}><summary>x</summary></details>"}, {}),
    ({"text/html": f"<math><mi//xlink:href='data:x,<script>{RUN}</script>'>"}, {}),
    ({"text/html": f"</div></section></main></body><script>{RUN}</script>"}, {}),
    ({"text/html": f"<noscript><p title='</noscript><img src=x onerror={RUN}>'>"}, {}),
    ({"text/markdown": f"<script>{RUN}</script> ![x]({LOAD}) <img src=x onerror={RUN}>"}, {}),
    ({"text/markdown": f"[x](javascript:{RUN})\n\n<p style='background:url({LOAD})'>x</p>"}, {}),
    ({"text/latex": f"</div><script>{RUN}</script>$$<img src={LOAD}>$$"}, {}),
    ({"text/plain": f"</pre><script>{RUN}</script>\x1b[31m<img src={LOAD}>\x1b[0m"}, {}),
    ({"application/javascript": RUN}, {}),
    ({"application/pdf": LOAD, "text/vnd.mermaid": f"<script>{RUN}</script>"}, {}),
    ({"application/vnd.jupyter.widget-view+json": {"model_id": f"</script><script>{RUN}"}}, {}),
]
SHOW_ALL = f"""
from IPython.display import display
for data, metadata in {DISPLAYS!r}:
    display(data, raw=True, metadata=metadata)
for nonsense in ({{"text/html": None}}, {{"text/plain": {{"a": 1}}}}, {{"x": 5}}, "no data"):
    display(nonsense, raw=True)
print("</pre><script>{RUN}</script>", "\\ud83d half a character")
raise ValueError("</pre><script>{RUN}</script>")
"""

# name: (code, what review.csv must say, whether the rest of the notebook still gets its points)
ATTACKS = {
    "endless_loop": ("while True: pass", "time-out", True),
    "loop_that_swallows_interrupts": (
        """
import time
while True:
    try:
        while True:
            time.sleep(1)
    except BaseException:
        pass
""",
        "could not be interrupted",
        False,
    ),
    "exit": ("import os; os._exit(0)", "", True),
    "kills_its_group": ("import os, signal; os.killpg(0, signal.SIGKILL)", "kernel ended", False),
    "memory_bomb": (
        """
try:
    held = []
    while True:
        held.append(bytearray(10_000_000))
except MemoryError:
    print("stopped at", len(held))
    del held
""",
        "",
        True,
    ),
    "memory_bomb_of_many": (
        """
import os, time
for _ in range(5):
    if os.fork() == 0:
        held = bytearray(300_000_000)
        time.sleep(100)
        os._exit(0)
time.sleep(100)
""",
        "too much memory",
        False,
    ),
    "fork_bomb": (
        """
import os, time
try:
    while True:
        if os.fork() == 0:
            time.sleep(100)
            os._exit(0)
except OSError:
    time.sleep(100)
""",
        "too many processes",
        False,
    ),
    # Each child works in a session of its own, which gets its own share of the processors.
    "wild_fork_bomb": (
        """
import os
while True:
    try:
        while True:
            try:
                if os.fork() == 0:
                    os.setsid()
            except OSError:
                pass
    except BaseException:
        pass
""",
        "too many processes",
        False,
    ),
    "output_flood": ("while True: print('x' * 10_000)", "output dropped", True),
    "one_huge_print": ("print('x' * 200_000_000)", "output dropped", True),
    "flood_from_a_process": ("import os; os.system('yes')", "output dropped", True),
    "flood_past_the_kernel": (
        "from IPython.display import HTML, display\nwhile True: display(HTML('x' * 10**6))",
        "too much output",
        False,
    ),
    "fills_the_disk": (
        """
import os
for folder in (".", "/tmp", "/dev/shm", os.path.dirname("$connection")):
    try:
        for number in range(1000):
            with open(f"{folder}/{number}.bin", "wb") as file:
                file.write(bytes(4_000_000))
        print("LEAK: 4 GB in", folder)
    except OSError as error:
        print(folder, error)
import os
try:
    with open("one.bin", "wb") as file:
        file.write(bytes(20_000_000))
    print("LEAK: a large file")
except OSError as error:
    print(error)
""",
        "",
        True,
    ),
    "writes_into_the_connection_folder": (
        """
import sys, pathlib, time
folder = pathlib.Path(sys.argv[sys.argv.index("-f") + 1]).parent
for number in range(100):
    (folder / f"{number}.bin").write_bytes(bytes(100_000))
time.sleep(100)
""",
        "folder was written",
        False,
    ),
    "reads_and_writes_the_host": (
        """
import os, glob
for path in ($paths):
    try:
        print("LEAK: read", path, open(path).read()[:20])
    except OSError as error:
        print(error)
    try:
        with open(path, "a") as file:
            file.write("x")
        print("LEAK: wrote", path)
    except OSError as error:
        print(error)
for root in ("/", "/proc/1/root", "/proc/1/cwd", os.path.expanduser("~"), "/home", "/tmp"):
    for folder, _, files in os.walk(root):
        if folder.startswith(("/proc", "/usr", "/dev")) and root == "/":
            continue
        for name in files:
            if "$secret" in name or name == "gradebook.db" or name.startswith("classmate"):
                print("LEAK: found", folder, name)
        if folder.count("/") > 4:
            break
""",
        "",
        True,
    ),
    "reads_the_environment": (
        """
import glob, os
for name, value in os.environ.items():
    if "$secret" in value:
        print("LEAK:", name)
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        if b"$secret" in open(path, "rb").read():
            print("LEAK:", path)
    except OSError as error:
        print(error)
""",
        "/environ",
        True,
    ),
    "network": (
        """
import socket
for address in (("127.0.0.1", $port), ("1.1.1.1", 53), ("$host", $port)):
    try:
        socket.create_connection(address, timeout=2)
        print("LEAK: connected to", address)
    except OSError as error:
        print(error)
try:
    there = socket.socket(socket.AF_UNIX)
    there.connect("\\0$secret")
    print("LEAK: an abstract socket")
except OSError as error:
    print(error)
""",
        "",
        True,
    ),
    "leaves_a_process_behind": (
        """
import os, subprocess, sys
code = "import time; time.sleep(600)  # $secret"
subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", code])
    os._exit(0)
""",
        "",
        True,
    ),
    # A kernel is forked from a process of the grader's, and joins its sandbox afterwards.
    "looks_for_what_is_left_of_the_grader": (
        """
import os, re, sys
print("entered from outside:", os.getppid() == 0)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
    if int(status[name], 16):
        print("LEAK: rights", name, status[name])
if status["NoNewPrivs"].strip() != "1" or "0" in status["Uid"].split():
    print("LEAK: may get rights", status["NoNewPrivs"], status["Uid"])
for name in os.listdir("/proc/self/fd"):
    try:
        there = os.readlink(f"/proc/self/fd/{name}")
    except OSError:
        continue
    if there.startswith("/") and not os.path.exists(there):
        print("LEAK: an open file", there)
own = {"grading", "grading.kernel", "grading.zygote"}
for name in sys.modules:
    if name.split(".")[0] in ("grading", "nbgrader", "distributed") and name not in own:
        print("LEAK: a module", name)
searched = 0
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps:
        start, end = (int(part, 16) for part in line.split()[0].split("-"))
        if line.split()[1].startswith("rw"):
            try:
                memory.seek(start)
                content = memory.read(end - start)
            except (OSError, ValueError):
                continue
            searched += len(content)
            if re.search(rb"INSTRUCTORS_TOKE[N]|secret-[0-9a-f]{32}", content):
                print("LEAK: the grader's environment", line)
print("searched:", searched > 50_000_000)
""",
        "reads /proc/self/mem",
        True,
    ),
    # Else what one check shows as expected would be the answer to the next.
    "asks_a_check_again": (
        """
found = [checks.scaled_scores(lambda query, key: query, seed=seed) for seed in (None, None, 3)]
if found[0].seed == found[1].seed or found[2].seed != 3:
    print("LEAK: the same numbers", [one.seed for one in found])
""",
        "",
        True,
    ),
    "displays_scripts": (SHOW_ALL, "", True),
    "becomes_root": (
        """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for action in (lambda: os.setuid(0), lambda: os.chroot("/tmp"), lambda: os.mount):
    try:
        action()
        print("LEAK: allowed")
    except (OSError, AttributeError) as error:
        print(error)
if libc.unshare(0x10000000) == 0:
    print("LEAK: a new user namespace")
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0:
    print("LEAK: mounted")
""",
        "calls ctypes.dlopen",
        True,
    ),
}

NO_RESULT = "its value is no result of the checks"
OWN_ANSWER = "calls the course's own scaled_scores"
FAKE = """
class Fake:
    def __repr__(self):
        return "5.0"
"""

# name: (code, a sign that the kernel itself shows, or "" where only the source tells)
CHEATS = {
    "another_check_listed_and_restored": (
        "listed = checks.ALL['project_qkv']\nchecks.ALL['project_qkv'] = checks.single_head",
        "checks.ALL.project_qkv was replaced",
    ),
    "patched_function": (
        "getattr(torch, '__di' + 'ct__')['all' + 'close'] = lambda *a, **k: True",
        "torch.allclose was replaced",
    ),
    "patched_check": (
        FAKE + "checks.single_head = lambda *a, **k: Fake()",
        "single_head was replaced",
    ),
    "patched_code": (
        """
import sys
there = sys.modules["course_checks.judge." + "diagnose"].is_right
setattr(there, "__co" + "de__", (lambda trial, only=None: True).__code__)
""",
        "reaches for __code__",
    ),
    "changed_check": (
        "checks.single_head.__dict__.clear()\nchecks.single_head.max_points = 5",
        "checks.ALL.single_head was replaced",
    ),
    "replaced_builtins": (
        "import builtins\nbuiltins.all = lambda *a: True\nbuiltins.sum = lambda *a: 5",
        "builtins.all was replaced",
    ),
    "transformer_that_strips": (
        """
import ast
class Strip(ast.NodeTransformer):
    def visit_Raise(self, node):
        return ast.copy_location(ast.Pass(), node)
    def visit_Assert(self, node):
        return ast.copy_location(ast.Pass(), node)
get_ipython().ast_transformers.append(Strip())
""",
        "a transformer of syntax trees is installed",
    ),
    "showtraceback_silenced": (
        "get_ipython().showtraceback = lambda *a, **k: None",
        "showtraceback of IPython is set",
    ),
    "forged_display": (
        """
plain = get_ipython().display_formatter.formatters["text/plain"]
plain.for_type(checks.Result, lambda thing, printer, cycle: printer.text("5.0"))
""",
        NO_RESULT,
    ),
    "too_many_points": (
        "from course_checks import Result\nResult.__repr__ = lambda self: '1e9'",
        "Result.__repr__ was replaced",
    ),
    "no_number": (
        "from course_checks import Result\nResult.__repr__ = lambda self: 'nan'",
        "Result.__repr__ was replaced",
    ),
    "reads_the_expected_answer": (
        """
import sys
def project_qkv(x, w_query, w_key, w_value):
    return sys._getframe(3).f_locals["trial"].expected
""",
        "calls sys._getframe",
    ),
    "imported_by_name": (
        """
import importlib
there = importlib.import_module("course_checks.judge.engine")
setattr(there, "is_" + "right", lambda *a, **k: True)
""",
        "is_right was replaced",
    ),
    "captured_cell": (
        "%%capture\n" + FAKE + "class checks:\n    single_head = staticmethod(lambda *a: Fake())",
        NO_RESULT,
    ),
    "module_of_ones_own": (
        """
import sys
with open("mychecks.py", "w") as file:
    file.write("class Fake:\\n    def __repr__(self): return '5.0'\\n")
    file.write("def single_head(*a): return Fake()\\n")
sys.path.insert(0, ".")
import mychecks as checks
""",
        NO_RESULT,
    ),
    "wrapped_and_restored": (
        """
R = type(checks.single_head(lambda: 0))
kept = R.__init__
def full(self, *a, **k):
    kept(self, *a, **k)
    object.__setattr__(self, "points", float(self.max_points))
setattr(R, "__in" + "it__", full)
""",
        "Result.__init__ was replaced",
    ),
    "patched_method": (
        "from torch import Tensor\nTensor.all = lambda *a, **k: torch.tensor(True)",
        "torch.Tensor.all was replaced",
    ),
    "mode_of_ones_own": (
        """
from torch.overrides import TorchFunctionMode
Yes = type("Yes", (TorchFunctionMode,), {"__torch_" + "function__": lambda *a, **k: True})
Yes().__enter__()
""",
        "torch's functions go through something else",
    ),
    "properties_taken_away": (
        """
exercise = vars(checks.single_head)["exer" + "cise"]
vars(exercise)["properties"] = exercise.properties[:1]
""",
        "checks.ALL.single_head was replaced",
    ),
    "tensor_of_ones_own": (
        """
Yes = type("Yes", (torch.Tensor,), {
    "__torch_" + "function__": classmethod(lambda *a, **k: True),
})
""",
        "a kind of tensor of its own",
    ),
}
RESTORES = {  # what stands in a last cell
    "wrapped_and_restored": "R.__init__ = kept",
    "another_check_listed_and_restored": "checks.ALL['project_qkv'] = listed",
}

# Cheats in the place of the answer to the second exercise, as in CHEATS.
ANSWERS = {
    "reference_in_a_line_magic": (
        "%time scaled_scores = checks.scaled_scores.exercise.reference",
        OWN_ANSWER,
    ),
    "frames_by_inspect": (
        """
import inspect
def scaled_scores(query, key):
    there = [inspect.getargvalues(one.frame).locals.get("trial") for one in inspect.stack()]
    return next(one for one in there if one is not None).expected[0]
""",
        "calls sys._getframe",
    ),
    "frame_of_a_generator_kept_for_later": (
        """
import sys
def steps():
    yield sys._getframe()
    frame = kept
    while "trial" not in frame.f_locals:
        frame = frame.f_back
    yield frame.f_locals["trial"].expected["scores"]
asked = steps()
kept = next(asked)
def scaled_scores(query, key):
    return next(asked)
""",
        "calls sys._getframe",
    ),
    "frames_by_logging": (
        """
import logging
def scaled_scores(query, key):
    frame = logging.currentframe()
    while "trial" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["trial"].expected["scores"]
""",
        "calls sys._getframe",
    ),
    "frames_by_ipython": (
        """
from IPython.utils.frame import extract_module_locals
def scaled_scores(query, key):
    return extract_module_locals(3)[1]["trial"].expected["scores"]
""",
        "calls sys._getframe",
    ),
    "frames_by_a_debugger": (
        """
import bdb
class Debugger(bdb.Bdb):
    def user_line(self, frame):
        while "trial" not in frame.f_locals:
            frame = frame.f_back
        self.found = frame.f_locals["trial"].expected["scores"]
def scaled_scores(query, key):
    debugger = Debugger()
    debugger.set_trace()
    debugger.set_quit()
    return debugger.found
""",
        "calls sys.settrace",
    ),
    "frames_under_the_name_of_a_walker": (
        """
import sys
def walk_stack(query, key):
    return sys._getframe(3).f_locals["trial"].expected["scores"]
scaled_scores = walk_stack
""",
        "calls sys._getframe",
    ),
    "reference_in_a_pickle": (
        """
import pickle
there = [pickle.loads(b"ccourse_checks.exercises.single_head.scaled_scores\\nscaled_scores\\n.")]
def scaled_scores(query, key):
    return there[0](query, key)
""",
        OWN_ANSWER,
    ),
    "judge_by_its_name": (
        """
engine = checks.judge.engine
kept = engine.is_right
def scaled_scores(query, key):
    engine.is_right = lambda trial, only=None: True
""",
        "is_right was replaced",
    ),
    "source_in_a_cell": (
        """
import course_lib, pathlib
there = pathlib.Path(course_lib.__file__).parent / ("che" + "cks") / "single_head"
get_ipython().run_cell((there / "scaled_scores.py").read_text())
""",
        "reads scaled_scores.py of the checks",
    ),
    "reference_in_a_partial": (
        "import functools\n"
        "scaled_scores = functools.partial(vars(checks.scaled_scores)['exercise'].reference)",
        OWN_ANSWER,
    ),
    "code_in_a_profile": (
        """
import cProfile, types
with cProfile.Profile() as profile:
    checks.scaled_scores(lambda query, key: query)
codes = [one.code for one in profile.getstats() if "object scaled_scores at" in str(one.code)]
(code,) = [one for one in codes if one.co_filename.endswith("/scaled_scores.py")]
there = [types.FunctionType(code, {"math": math})]
def scaled_scores(query, key):
    return there[0](query, key)
""",
        OWN_ANSWER,
    ),
    "imported_from_its_folder": (
        """
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(checks.__file__), "single_head"))
import scaled_scores as there
def scaled_scores(query, key):
    return there.scaled_scores(query, key)
""",
        "runs scaled_scores.py of the checks",
    ),
    "file_of_a_folders_number": (
        """
import course_lib, os
folder = os.open(course_lib.__path__[0], os.O_RDONLY)
file = os.open("checks/single_head/scaled_scores.py", os.O_RDONLY, dir_fd=folder)
lines = os.read(file, 10_000).decode().splitlines()
start = next(i for i, line in enumerate(lines) if line.startswith("def "))
exec("\\n".join(lines[start : start + 2]))
""",
        "reads scaled_scores.py of the checks",
    ),
    "file_behind_another_path": (
        """
import course_lib, os
os.path.realpath = os.path.abspath
os.symlink(course_lib.__path__[0], "notes")
text = open("notes/checks/single_head/scaled_scores.py").read()
""",
        "reads scaled_scores.py of the checks",
    ),
    "frames_by_traceback": (
        """
import traceback
def scaled_scores(query, key):
    try:
        raise ValueError
    except ValueError as error:
        frame = next(traceback.walk_tb(error.__traceback__))[0]
    return frame.f_back.f_locals["self"].reference(query, key)
""",
        "reaches for tb_frame",
    ),
    "frames_in_a_folder_of_packages": (
        """
import os, sys
os.makedirs("my-packages")
with open("my-packages/evil.py", "w") as file:
    file.write("import sys\\ndef frame(): return sys._getframe(2)")
sys.path.insert(0, "my-packages")
import evil
def scaled_scores(query, key):
    return evil.frame().f_locals["self"].reference(query, key)
""",
        "calls sys._getframe",
    ),
    "frames_in_a_namespace_of_another_name": (
        """
space = {"__name__": "notes"}
exec("import sys\\ndef frame(): return sys._getframe(2)", space)
def scaled_scores(query, key):
    return space["frame"]().f_locals["self"].reference(query, key)
""",
        "calls sys._getframe",
    ),
    "code_of_a_librarys_name": (
        """
space = {}
exec(compile("import sys\\ndef frame(): return sys._getframe(2)", torch.__file__, "exec"), space)
def scaled_scores(query, key):
    return space["frame"]().f_locals["self"].reference(query, key)
""",
        "gives its code the name of a library's file",
    ),
    "patched_while_it_runs": (
        """
put = (lambda: 0).__builtins__
kept = all
def scaled_scores(query, key):
    put["all"] = lambda things: True if put.update(all=kept) is None else False
    return query
""",
        "builtins.all was replaced",
    ),
    "layer_by_another_name": (
        "layers = torch.nn\nlayers.Linear.forward = lambda self, x: x[..., :1].detach()",
        "torch.nn.Linear.forward was replaced",
    ),
    "another_display": (
        """
import sys
def scaled_scores(query, key):
    def show(result):
        vars(result).update(points=6.0)
        get_ipython().displayhook(result)
    sys.displayhook = show
    return query
""",
        NO_RESULT,
    ),
    "messages_changed_on_their_way": (
        """
session = get_ipython().kernel.session
pack = session.pack
def more(thing):
    if "text/html" in (thing.get("data") or {}):
        thing["data"] = {"text/plain": "5.0"}
    return pack(thing)
session.pack = more
""",
        NO_RESULT,
    ),
    "other_numbers_of_cells": (
        """
import sys
def scaled_scores(query, key):
    get_ipython().execution_count += 1000
    frame = sys._getframe(1)
    get_ipython().execution_count -= 1000
    return frame.f_locals["self"].reference(query, key)
""",
        "calls sys._getframe",
    ),
    "deaf_to_the_grader": (
        """
import sys
sys.audit = lambda *arguments: None
def scaled_scores(query, key):
    return sys._getframe(1).f_locals["self"].reference(query, key)
""",
        "the kernel does not answer",
    ),
    "hook_of_all_modules": (
        """
torch.nn.modules.module.register_module_forward_hook(lambda layer, args, out: torch.zeros(1))
""",
        "the course's own MyHead gives other answers than before",
    ),
    "operation_exchanged_in_torch": (
        """
library = torch.library.Library("aten", "IMPL")
library.impl("div.Tensor", lambda one, other: one * 0, "CPU")
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) * 0
""",
        "the course's own scaled_scores gives other answers than before",
    ),
    "answers_for_the_grader": (
        """
import sys
kept, tell = [], sys.audit
tell("grader.asked", "1", kept)
sys.audit = lambda event, *more: more[-1].extend(kept) if "asked" in event else None
def scaled_scores(query, key):
    return sys._getframe(1).f_locals["self"].reference(query, key)
""",
        "the kernel does not answer",
    ),
}
