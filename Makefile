# Every target makes what it needs on a machine that has Python 3.11 or later and make: an environment in
# .venv/ with the versions of constraints.txt. Later calls find it there and start at once.
#
#   PYTHON=...    the Python that makes .venv/ (default: the first of python3, python3.14 ... python3.11
#                 that is new enough)
#   PIP_ARGS=...  more arguments for every `pip install`, such as an index with CPU builds of torch
#   ARGS=...      more arguments for the command of the target: make test ARGS="tests/data -x"

CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python
RECENT     := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON     ?= $(shell for p in $(CANDIDATES); do "$$p" -c '$(RECENT)' 2>/dev/null && echo "$$p" && break; done)
PIP_ARGS   ?=
ARGS       ?=
WORKERS    ?= 2
BIN        := .venv/bin
VPYTHON    := $(BIN)/python
PIP        := $(VPYTHON) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt $(PIP_ARGS)

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow check lint types layers mutants bench bench-peers clean

help:
	@echo "make demo                  the whole story on this machine, offline once packages are installed"
	@echo "make test                  the fast tests"
	@echo "make test-slow DATA=path   the tests on real data"
	@echo "make check                 style, types and the direction of imports"
	@echo "make mutants               breaks each mechanism once and sees a test fail"
	@echo "make bench ARGS=name       measurements: without a name, what there is"
	@echo "make bench-peers           what is measured beside ours, each in an environment below .venv-peers/"
	@echo "make clean                 removes what the tools left (.venv/ and runs/ stay)"

demo: .venv/.runtime
	$(BIN)/twinset demo $(ARGS)

test: .venv/.dev
	OMP_NUM_THREADS=1 $(VPYTHON) -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

test-slow: .venv/.dev
	@test -d "$(DATA)" || { echo "make test-slow: say where the data is: make test-slow DATA=path" >&2; exit 2; }
	$(VPYTHON) -m pytest -m slow --data "$(DATA)" $(ARGS)

check: lint types layers

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.dev
	$(BIN)/basedpyright

layers: .venv/.dev
	$(BIN)/lint-imports --no-logo

mutants: .venv/.dev
	OMP_NUM_THREADS=1 $(VPYTHON) tests/mutants/run.py $(ARGS)

bench: .venv/.dev
	$(VPYTHON) -m benchmarks $(ARGS)

PEERS := $(basename $(notdir $(wildcard benchmarks/peers/*.txt)))

bench-peers: $(PEERS:%=.venv-peers/%/.ready)

clean:
	rm -rf build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# -------------------------------------------------------------------------------------------- set-up
# torch goes first: resolved alone under its pin, nothing else can pull another build of it.
# The build backend is installed, not fetched anew for every build, so that it is pinned like the rest.
# $(1): what to install of this project
define install
	@set -e; start=$$(date +%s); echo "Setting up .venv/ (some minutes on a slow line) ..."; \
	$(PIP) torch hatchling editables; \
	$(PIP) --no-build-isolation --editable '$(1)'; \
	echo "Set-up took $$(( $$(date +%s) - start )) s."
endef

.venv/.runtime: pyproject.toml constraints.txt | $(VPYTHON)
	$(call install,.)
	@touch $@

.venv/.dev: pyproject.toml constraints.txt | $(VPYTHON)
	$(call install,.[dev])
	@touch .venv/.runtime $@

# The pins are all that is installed: what a peer names beside them (torchvision) would not fit this torch.
.venv-peers/%/.ready: benchmarks/peers/%.txt | .venv/.dev
	@echo "Setting up .venv-peers/$* ..."
	@$(VPYTHON) -m venv --clear .venv-peers/$*
	@.venv-peers/$*/bin/python -m pip install --quiet --disable-pip-version-check --constraint $< $(PIP_ARGS) torch
	@.venv-peers/$*/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement $< $(PIP_ARGS)
	@touch $@

$(VPYTHON):
	@python="$(PYTHON)"; \
	if test -z "$$python"; then \
	    echo "twinset needs Python 3.11 or later; none of these is: $(CANDIDATES)." >&2; \
	    echo "Install one, or name it: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; fi; \
	if ! "$$python" -c '$(RECENT)'; then \
	    echo "twinset needs Python 3.11 or later; $$python is not. Name another: make PYTHON=..." >&2; exit 1; fi; \
	if ! "$$python" -c 'import ensurepip, venv' 2>/dev/null; then \
	    echo "$$python cannot make environments: its modules venv and ensurepip are missing." >&2; \
	    echo "On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; fi; \
	"$$python" -m venv --clear .venv
