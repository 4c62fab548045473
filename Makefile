# Two commands are enough: `make lab` to learn, `make test` to check everything.
VENV := .venv
BIN := $(VENV)/bin
VENV_PYTHON := $(BIN)/python
# What a student needs, and besides it what tests and tools need.
LAB_STAMP := $(VENV)/.installed
STAMP := $(VENV)/.installed-tests
GRADING_STAMP := $(VENV)/.installed-grading
LESSON := notebooks/00_start_here.ipynb
MY := my
DEVICE := pretend

# Set PYTHON to choose the interpreter; otherwise the first suitable one is taken, and where there
# is none, uv may bring one.
PYTHON :=
CANDIDATES := $(or $(PYTHON),python3 python3.11 python3.12 python3.13 python3.14 uv)

# Hundreds of kernels and processes import the course: only the first should have to compile it.
unexport PYTHONDONTWRITEBYTECODE

# A make that a test starts is told nothing of this one.
unexport MAKEFLAGS MAKEOVERRIDES MFLAGS FEW OTHER_CPU

.DEFAULT_GOAL := help
.PHONY: help help-all validate publish lab lab-sources test test-tools refresh exercises links lint test-other-cpu test-colab \
	test-device test-kernel test-browser test-nightly clean colab-env colab-pins check-pins bench bench-breaker bench-checks bench-kernel bench-phone bench-widgets site record checkpoints \
	deep mutants pictures colab-branch widgets widget-tools assignment grade grade-keys grade-scheduler grade-worker \
	test-grading bench-grade gradescope

# Print the targets whose names match, and what stands behind their ##.
LIST = @sed -nE 's/^($(1)):.*\#\# /\1|/p' Makefile | while IFS='|' read -r name text; do \
	printf '  make %-15s %s\n' "$$name" "$$text"; done

help:
	$(call LIST,lab|test|site|assignment|grade|publish)
	@echo "more: make help-all"

help-all: ## list all targets
	$(call LIST,[a-z-]+)

# The stamps come last, so that an interrupted installation is taken up again.
$(LAB_STAMP): pyproject.toml constraints.txt
	@sh tools/release/install.sh $(VENV) lab,real $(CANDIDATES)
	@touch $@

$(STAMP): $(LAB_STAMP)
	@sh tools/release/install.sh $(VENV) dev
	@touch $@

# JupyterLab opens without a question about its news, for everybody and in no file of the reader's.
NO_NEWS := --LabApp.app_settings_dir="$(CURDIR)/tools/release/lab_settings"

lab: $(LAB_STAMP) ## open your copy of lesson 00 in JupyterLab (LESSON=notebooks/... MY=folder)
	@$(VENV_PYTHON) -m tools.release.my_copies "$(MY)"
	$(BIN)/jupyter lab --ServerApp.root_dir="$(MY)" --LabApp.default_url=/lab/tree/$(LESSON) $(NO_NEWS) $(LAB_FLAGS)

lab-sources: $(STAMP) ## open the lessons themselves, to change them
	$(BIN)/jupyter lab --LabApp.default_url=/lab/tree/$(LESSON) $(NO_NEWS) $(LAB_FLAGS)

ON_ALL_CORES := -n logical --maxprocesses 4
# Each call has its own settings, and each leaves what is marked `nightly` to `make test-nightly`.
PYTEST_ALONE := $(VENV_PYTHON) -m pytest -p no:cacheprovider --override-ini addopts= $(ON_ALL_CORES)
BY_DAY := -m "not nightly"

test: $(STAMP) ## run every lesson, solution and exercise, and the tests of the library and checks
	COURSE_LIVE_PAGES=1 $(VENV_PYTHON) -m pytest $(ON_ALL_CORES)

test-tools: $(STAMP) ## test what only those use who change the course: its tools and installation
	$(PYTEST_ALONE) $(BY_DAY) tests/tools

refresh: $(STAMP) ## run notebooks again and store their outputs (one: NB=notebooks/...)
	$(VENV_PYTHON) -m tools.notebooks.refresh $(NB)

exercises: $(STAMP) ## make exercises/ from solutions/
	$(VENV_PYTHON) -m tools.notebooks.make_exercises

record: $(STAMP) ## repeat a lesson's long experiments: X=name (default: those that changed; KEEP=1)
	$(VENV_PYTHON) -m tools.experiments.record $(X) $(if $(KEEP),--keep)

checkpoints: $(STAMP) ## train the shipped models again: X=name (REPLACE=1: other scores; KEEP=1)
	$(VENV_PYTHON) -m tools.experiments.checkpoints $(X) $(if $(REPLACE),--replace) $(if $(KEEP),--keep)

deep: $(STAMP) ## try exercises with many seeds: X="names or topics" (default: all) SEEDS=50 START=0
	$(VENV_PYTHON) -m tools.checks.deep_checks $(X) $(if $(SEEDS),--seeds $(SEEDS)) $(if $(START),--start $(START))

# What the widgets' JavaScript is checked and bundled with. Whoever only uses them needs no Node.
WIDGET_TOOLS := widgets_js/node_modules/.package-lock.json
$(WIDGET_TOOLS): widgets_js/package.json widgets_js/package-lock.json
	cd widgets_js && npm ci --no-audit --no-fund
	@touch $@

widget-tools: $(WIDGET_TOOLS) ## install what checks and bundles the widgets (needs Node)

widgets: $(WIDGET_TOOLS) ## check widgets_js/ and bundle it into course_lib/widgets/static
	cd widgets_js && npm run --silent types && npm run --silent build

links: $(LAB_STAMP) ## write address, syllabus, minutes, and the page of claims
	$(VENV_PYTHON) -m tools.site.claims
	$(VENV_PYTHON) -m tools.site.stamp_links

publish: $(LAB_STAMP) ## give your copy its address: ADDRESS=https://github.com/me/course
	@$(VENV_PYTHON) -m tools.release.publish "$(ADDRESS)"

colab-branch: $(LAB_STAMP) ## commit the lessons without outputs to the branch that Colab opens
	$(VENV_PYTHON) -m tools.release.colab_branch

lint: $(STAMP) ## check style, layout and types of the Python files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

mutants: $(STAMP) $(if $(ROOM),,$(GRADING_STAMP)) ## edit code in small ways; tests must notice (N=100, all or listed; SEED=; ROOM=)
	$(VENV_PYTHON) -m tools.checks.mutants --count $(or $(N),100) --seed $(or $(SEED),0) $(if $(ROOM),--room $(ROOM)) --jobs 2

# Several notebooks run at once: a thread that waits by spinning would take the others' processor.
# oneDNN is told as well: where it found AMX, torch would pack bfloat16 for it and could not.
ANOTHER_CPU := COURSE_THREADS=2 ATEN_CPU_CAPABILITY=avx2 ONEDNN_MAX_CPU_ISA=AVX2 \
	OMP_WAIT_POLICY=PASSIVE

test-other-cpu: $(STAMP) ## run lessons and solutions as another processor would
	$(ANOTHER_CPU) $(VENV_PYTHON) -m pytest $(ON_ALL_CORES) \
		--ignore=notebooks/15_heads_across_devices.ipynb notebooks solutions

colab-env: $(LAB_STAMP) ## install Colab's versions beside the course, into .venv-colab
	$(VENV_PYTHON) -m tools.release.colab_env --build-only

test-colab: $(STAMP) ## run lessons and solutions with Colab's versions (OTHER_CPU=1: both; FEW=1)
	$(if $(OTHER_CPU),$(ANOTHER_CPU)) $(VENV_PYTHON) -m tools.release.colab_env $(if $(FEW),--few)

colab-pins: $(STAMP) ## write colab-constraints.txt from Google's list (FROM=clone TORCH=listed)
	$(VENV_PYTHON) -m tools.release.colab_pins $(FROM) $(if $(TORCH),--torch $(TORCH))

check-pins: $(STAMP) ## before a release: ask uv for a wheel of each pin, everywhere
	@$(VENV_PYTHON) -m pip install --quiet uv
	PATH="$(abspath $(BIN)):$$PATH" $(VENV_PYTHON) -m tools.release.check_pins

test-device: $(STAMP) ## run notebooks and library on a pretend GPU (a real one: DEVICE=cuda; FEW=1)
	$(if $(filter pretend,$(DEVICE)),CUDA_VISIBLE_DEVICES= )$(PYTEST_ALONE) -rs tests/device
	$(VENV_PYTHON) -m tools.notebooks.rehearse --device $(DEVICE) $(if $(FEW),--few)

# Triton is 1 GB, and torch needs a version of its own on a GPU: it stays out of the environment.
KERNEL := .venv-kernel
$(KERNEL)/.installed-3.9.0: $(LAB_STAMP)
	$(VENV_PYTHON) -m pip install --quiet --no-deps --upgrade --target $(KERNEL) triton==3.9.0
	@touch $@

test-kernel: $(STAMP) $(KERNEL)/.installed-3.9.0 ## the kernel of lesson 12 and its exercise, with Triton (Linux)
	PYTHONPATH="$(abspath $(KERNEL))" TRITON_INTERPRET=1 CUDA_VISIBLE_DEVICES= $(PYTEST_ALONE) tests/kernel

test-browser: site ## run lessons in JupyterLab, and visit each page of the site (needs Chromium)
	$(PYTEST_ALONE) $(BY_DAY) tests/browser

test-nightly: site ## what is too slow for each change, such as SmolLM2 beside transformers
	$(PYTEST_ALONE) -m nightly tests
	$(PYTEST_ALONE) -m nightly tests/browser

# nbgrader and what grading needs; students never install it.
$(GRADING_STAMP): $(LAB_STAMP)
	@echo "Grading needs nbgrader and Dask. They are installed now, once, which takes some minutes."
	@sh tools/release/install.sh $(VENV) instructor
	@touch $@

GRADING := $(if $(VARIANTS),COURSE_VARIANTS="$(abspath $(VARIANTS))" )$(VENV_PYTHON) -m grading
OUT_OPTION = $(if $(OUT),--out "$(OUT)")
ROSTER_OPTION = $(if $(ROSTER),--roster "$(ROSTER)")
CLUSTER_OPTIONS = $(if $(SCHEDULER),--scheduler "$(SCHEDULER)") $(if $(TLS),--tls "$(TLS)") \
	$(if $(WORKERS),--workers $(WORKERS))
SANDBOX := bwrap

validate: $(LAB_STAMP) ## before you hand in: what grading would find in your notebook, NB=file.ipynb
	@test -n "$(NB)" || { echo "Which notebook? make validate NB=02_single_head.ipynb" >&2; exit 2; }
	@$(VENV_PYTHON) -m course_checks "$(NB)"

assignment: $(GRADING_STAMP) ## write the zip for students: A=02_single_head (VARIANTS=dir)
	@$(GRADING) assignment "$(A)" $(OUT_OPTION)

grade: $(GRADING_STAMP) ## grade: A=02_single_head SUBMISSIONS=dir (ROSTER= EXERCISE= VARIANTS= WORKERS= ...)
	@test -n "$(SUBMISSIONS)" || { echo "Which folder? make grade A=... SUBMISSIONS=dir" >&2; exit 2; }
	@$(GRADING) grade "$(A)" "$(SUBMISSIONS)" --sandbox $(SANDBOX) $(CLUSTER_OPTIONS) \
		$(if $(SEED),--seed $(SEED)) $(ROSTER_OPTION) $(OUT_OPTION) \
		$(if $(EXERCISE),--exercise "$(EXERCISE)")

gradescope: $(GRADING_STAMP) ## write the zip of an autograder for Gradescope: A=02_single_head (VARIANTS=dir)
	@$(GRADING) gradescope "$(A)" $(OUT_OPTION)

KEYS = --tls-ca-file "$(TLS)/grading.pem" --tls-cert "$(TLS)/grading.pem" \
	--tls-key "$(TLS)/grading-key.pem"

grade-keys: ## many machines: make their certificate, TLS=folder
	@test -n "$(TLS)" || { echo "Which folder? make grade-keys TLS=folder" >&2; exit 2; }
	@mkdir -m 700 "$(TLS)"
	@umask 077 && openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj /CN=grading \
		-keyout "$(TLS)/grading-key.pem" -out "$(TLS)/grading.pem" 2>/dev/null
	@echo "$(TLS): copy it to every machine of the cluster, and to nobody else."

HOST := 0.0.0.0
PORT := 8786
grade-scheduler: $(GRADING_STAMP) ## many machines: serve as the scheduler, TLS=folder
	@$(GRADING).cluster scheduler --host $(HOST) --port $(PORT) --protocol tls \
		--dashboard-address 127.0.0.1:8787 $(KEYS)

grade-worker: $(GRADING_STAMP) ## many machines: serve as workers, SCHEDULER=tls://host:8786 TLS=folder
	@PYTHONPATH=. $(GRADING).cluster worker "$(SCHEDULER)" --nworkers $(or $(WORKERS),-1) \
		--nthreads 1 --memory-limit 0 --no-dashboard $(KEYS)

# Three processes on two cores as well: these tests often wait, for limits and for workers that end.
test-grading: $(STAMP) $(GRADING_STAMP) ## grade hostile and mangled submissions (needs bubblewrap)
	$(VENV_PYTHON) -m pytest -p no:cacheprovider --override-ini addopts= -n 3 grading/tests

bench-grade: $(STAMP) $(GRADING_STAMP) ## measure grading: N=1000 submissions on one and on two workers
	PYTHONPATH=. $(VENV_PYTHON) -P benchmarks/grading.py $(if $(N),--submissions $(N))

bench: $(STAMP) ## time attention and SmolLM2 against the machine's limits (quick: BENCH_FLAGS=--quick)
	$(VENV_PYTHON) benchmarks/attention.py --output benchmarks/results.json $(BENCH_FLAGS)
	$(VENV_PYTHON) benchmarks/real_model.py --output benchmarks/real_model.json $(BENCH_FLAGS)

bench-checks: $(STAMP) ## how often checks catch and name a mistake (FOLDER= of answers)
	PYTHONPATH=. $(VENV_PYTHON) benchmarks/checks.py $(FOLDER)

bench-widgets: $(STAMP) ## size and time the explorer in Chromium beside bertviz and CircuitsVis
	PYTHONPATH=. $(VENV_PYTHON) -P benchmarks/widgets.py $(BENCH_FLAGS)

bench-kernel: $(STAMP) ## time lesson 12's kernel on a GPU (with Triton) beside torch's and the tiles
	PYTHONPATH=. $(VENV_PYTHON) benchmarks/kernel.py --output benchmarks/kernel.json

bench-phone: $(STAMP) ## time the site's pages on a slow phone, after `make site`: BENCH_FLAGS="--site dir"
	PYTHONPATH=. $(VENV_PYTHON) -P benchmarks/slow_phone.py $(BENCH_FLAGS)

bench-breaker: $(STAMP) $(WIDGET_TOOLS) ## time SmolLM2 in Chromium: loading, the first word, with and without a cache
	PYTHONPATH=. $(VENV_PYTHON) -P benchmarks/breaker.py

site: $(STAMP) $(WIDGET_TOOLS) ## build the web site, into _site/ (needs Node)
	$(VENV_PYTHON) -m tools.site.build_site

pictures: $(STAMP) ## take the pictures of README and docs/ again (needs Chromium)
	$(VENV_PYTHON) -m tools.site.pictures

clean: ## remove the environments and all caches
	rm -rf $(VENV) .venv-* .pytest_cache .ruff_cache .mypy_cache .hypothesis *.egg-info
	find . -name __pycache__ -prune -exec rm -rf {} +
	find . -name .ipynb_checkpoints -prune -exec rm -rf {} +
