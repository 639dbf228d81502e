# make play and make test need Python 3.11+, make and a C++20 compiler, and nothing before them.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SOURCES := pyproject.toml CMakeLists.txt $(shell find core -type f 2>/dev/null)
LOCK   := $(shell command -v flock >/dev/null 2>&1 && echo flock .venv.lock)  # two makes at once wait for each other
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet
JOBS   ?= 2
# Tests wait for the disk thousands of times; their files lie in memory where 4 GB of it are free for files.
SCRATCH := $(shell df -k --output=avail /dev/shm 2>/dev/null | awk 'NR == 2 && $$1 > 4e6 {print "TMPDIR=/dev/shm"}')
# Tests start hundreds of processes; these begin sooner where Python may keep what it has compiled.
PYTEST := $(SCRATCH) PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(JOBS)

.PHONY: docs build play test check check-deep bench bench-strength texts wheel clean browser servers
.DELETE_ON_ERROR:

build: $(VENV)/.dev ## the package, editable, with everything that tests need

play: $(VENV)/.run ## serve, print the address and open it
	$(BIN)/barpoint serve --open

test: build browser servers ## all tests
	$(PYTEST) --dist loadfile --no-loadscope-reorder --durations=20 $(ARGS)

check: build ## format, lint, types, the ladder, the page's scripts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_ladder.py tests/test_architecture.py
	tools/check_scripts

check-deep: build browser servers ## the long runs
	@tools/find_program caddy --install || true
	$(PIP) --no-build-isolation --editable .[bench,ray]
	BARPOINT_DEEP=1 $(PYTEST) --timeout 5400 -m "deep or not deep" $(ARGS)
	tools/sanitize

bench: build ## speed and memory, with their spread
	$(PIP) --no-build-isolation --editable .[bench]
	$(BIN)/python -m benchmarks --speed

bench-strength: build ## how well is played, beside other programs; an hour and more
	@tools/find_program gnubg --install || true
	$(PIP) --no-build-isolation --editable .[bench]
	$(BIN)/python -m benchmarks --strength

texts: build ## the catalogues of languages, brought up to date with the sources
	$(BIN)/python tools/texts.py

wheel: $(VENV)/.tools ## dist/*.whl, tried in an environment without a compiler
	tools/wheel

docs: build ## the documentation site in build/site, complete off line
	$(PIP) --no-build-isolation --editable .[docs]
	$(BIN)/mkdocs build --quiet

clean:
	rm -rf $(VENV) build dist .*_cache tools/node_modules

browser:
	@tools/find_browser --install || true

servers:
	@tools/find_servers --install || true
	@tools/find_program gnubg --install || true

$(VENV)/.tools:
	$(LOCK) $(PYTHON) -m venv $(VENV)
	$(LOCK) $(PIP) --upgrade pip "scikit-build-core>=0.11" "nanobind>=2.7" "cmake>=3.20" ninja
	@touch $@

$(VENV)/.run: $(SOURCES) | $(VENV)/.tools
	$(LOCK) $(PIP) --no-build-isolation --editable .[server]
	@touch $@

$(VENV)/.dev: $(SOURCES) | $(VENV)/.tools
	$(LOCK) $(PIP) --no-build-isolation --editable .[dev]
	@touch $@ $(VENV)/.run
