# Everything you need to begin: setup, demo, docs, test, check, clean. `make` alone lists them.
# `make setup PYTHON=python3.12` chooses the interpreter, `PIP_ARGS=...` adds arguments for pip,
# `CONSTRAINTS=` takes the newest versions instead of those that the tests were run with.

PYTHON ?= python3
PIP_ARGS ?=
CONSTRAINTS ?= -c constraints.txt
WORKERS ?= 2

BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input
TOOLS := .[dev,docs]
ORACLE := hexagdly>=2.0.2,<3
APT := DEBIAN_FRONTEND=noninteractive timeout 300 apt-get -qq
CHROMIUM := $(APT) install -y --no-install-recommends chromium
INSTALL_CHROMIUM := { test "$$(id -u)" = 0 && { $(CHROMIUM) || { $(APT) update && $(CHROMIUM); }; } >/dev/null 2>&1; }
READY := .venv/.ready
TESTABLE := .venv/.testable
PAGE := web/node_modules/.package-lock.json
NPM := --silent --no-audit --no-fund
SITE := site/index.html

# $(call step,WHAT,COMMAND): says what begins, runs it, says how long it takes and took. The seconds
# are counted by a loop beside it, which ends with the shell: pip says nothing while it unpacks.
seconds = $$(($$(date +%s) - began))
ticking = while sleep 1 && kill -0 $$$$ 2>/dev/null; do $(tick); done
tick = if test -t 1; then printf '\r  %s s so far ' $(seconds); elif test $$(($(seconds) % 5)) = 0; then echo "  $(seconds) s so far"; fi
step = echo "$(1)"; began=$$(date +%s); { $(ticking); } & ticker=$$!; $(2); code=$$?; kill $$ticker; \
	wait $$ticker 2>/dev/null; test -t 1 && printf '\r'; test $$code = 0 && echo "  done in $(seconds) s    "

.DEFAULT_GOAL := help
.PHONY: help setup tools docs test check audit chaos demo clean

help:
	@echo "make setup   create .venv and install stratagem (quick when done)"
	@echo "make demo    train an agent for Battlefield, measure it, write a report"
	@echo "make docs    build the documentation into site/, with every link checked"
	@echo "make check   format, lint, types, import contracts, docs, fast tests: before every commit"
	@echo "make test    everything that a change must pass: the same, all tests and the front end"
	@echo "make audit   ask PyPI for known vulnerabilities of what is installed; check licences"
	@echo "make chaos   kills, damaged files, full disks, wrong calls, an endurance test: about two hours"
	@echo "make clean   remove caches and builds (keeps .venv and runs)"

# What playing and training need. The stamp is written last, so an interrupted installation is
# simply tried again.
setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@test -x $(BIN)/python || { $(call step,creating .venv,$(PYTHON) -m venv .venv); }
	@$(call step,installing stratagem with PyTorch: one to five minutes,$(PIP) $(CONSTRAINTS) $(PIP_ARGS) -e .)
	@touch $(READY)

# What tests and documentation need besides.
tools: $(TESTABLE) $(PAGE)

# The oracle is installed without what it asks for: it would pull torchvision.
$(TESTABLE): $(READY)
	@$(call step,installing the tools of tests and documentation,$(PIP) $(CONSTRAINTS) $(PIP_ARGS) -e "$(TOOLS)")
	@$(call step,installing an oracle of the tests,$(PIP) $(PIP_ARGS) --no-deps "$(ORACLE)")
	@command -v chromium >/dev/null || $(INSTALL_CHROMIUM) || echo "no chromium (Debian: apt-get install chromium): tests in a browser will be skipped"
	@touch $(TESTABLE)

# What the page is built and tested with, from the npm registry. A registry that holds packages of
# one system only makes `npm ci` refuse; `npm install` takes the same versions from the lock file.
$(PAGE): web/package-lock.json
	@cd web && { npm ci $(NPM) 2>/dev/null || npm install --no-save $(NPM); } && touch ../$(PAGE) || \
	echo "no packages of the page (needs npm and its registry): its checks will be skipped"

docs: tools
	@$(call step,building the documentation,$(BIN)/python scripts/docs_site.py site)
	@echo "open $(SITE); with search: $(BIN)/python -m http.server -d site"

# The test processes share the cores: a pool of threads in each would only get in the way.
test check: export OMP_NUM_THREADS ?= 1
test check: export WORKERS := $(WORKERS)

test: tools
	$(BIN)/python scripts/gate.py

check: tools
	$(BIN)/python scripts/gate.py --fast

audit: tools
	$(BIN)/python scripts/audit.py --online

chaos: export OMP_NUM_THREADS ?= 1
chaos: tools
	$(BIN)/python tests/chaos/corruption.py --seeds 2
	$(BIN)/python tests/chaos/disk_full.py --times 50
	$(BIN)/python tests/chaos/positions.py
	$(BIN)/python tests/chaos/wrong_calls.py
	$(BIN)/python tests/chaos/kills.py --kills 100
	$(BIN)/python tests/chaos/soak.py --minutes 60

demo: setup
	$(BIN)/stratagem demo

clean:
	rm -rf build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
