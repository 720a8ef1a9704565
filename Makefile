# setup, demo, test, check, clean: everything a person needs to begin. `make` alone lists them.
# `make setup PYTHON=python3.12` chooses the interpreter, `PIP_ARGS=...` adds arguments for pip.

PYTHON ?= python3
PIP_ARGS ?=
WORKERS ?= 2

BIN := .venv/bin
APT := DEBIAN_FRONTEND=noninteractive timeout 300 apt-get -qq
CHROMIUM := $(APT) install -y --no-install-recommends chromium
INSTALL_CHROMIUM := { test "$$(id -u)" = 0 && { $(CHROMIUM) || { $(APT) update && $(CHROMIUM); }; } >/dev/null 2>&1; }
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help setup test check demo clean

help:
	@echo "make setup   create .venv and install stratagem with its tools (quick when done)"
	@echo "make demo    train an agent for Battlefield, measure it, draw a report"
	@echo "make check   format, lint, types, import contracts, fast tests: before every commit"
	@echo "make test    every test"
	@echo "make clean   remove caches and builds (keeps .venv and runs)"

setup: $(READY)

# The stamp is written last, so an interrupted installation is simply tried again.
$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-input $(PIP_ARGS) -e ".[dev]"
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-input $(PIP_ARGS) --no-deps "hexagdly>=2.0.2,<3" # an oracle; it would pull torchvision
	@command -v chromium >/dev/null || $(INSTALL_CHROMIUM) || echo "no chromium (Debian: apt-get install chromium): tests in a browser will be skipped"
	@touch $(READY)

# The test processes share the cores: a pool of threads in each would only get in the way.
test check: export OMP_NUM_THREADS ?= 1

test: setup
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

check: setup
	$(BIN)/ruff format --check --quiet src tests
	$(BIN)/ruff check --quiet src tests
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow"

demo: setup
	$(BIN)/stratagem demo

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
