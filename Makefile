# make demo and make test do everything on a machine that has Python and make; the rest is for daily work.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
KIFU = $(BIN)/kifu
# what the build turns into something else; a change of any other file needs no new installation
COMPILED = $(shell sed -n 's/^sources = \["\(.*\)"\]$$/\1/p' pyproject.toml)
BUILT = pyproject.toml kifu/_build.py $(COMPILED) $(wildcard kifu/*.pxd kifu/*/*.pxd grammars/*.lark)
EXTRA = $(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['$(1)'], sep='\n')"
WORKERS ?= 2
DOCS ?= build/docs

.PHONY: demo test lint docs bench bench-stages bench-growth bench-instructions bench-database fast clean help
.DEFAULT_GOAL = help

help: ## say what there is to make
	@grep -E '^[a-z -]+:.*##' $(MAKEFILE_LIST) | sed -e 's/:.*##/\t/'

demo: $(VENV)/installed ## install, then check, convert and load the sample games and ask for their openings
	@rm -rf demo && mkdir demo
	@echo; echo "== kifu check sample_games/"; $(KIFU) check sample_games/ || test $$? -eq 1
	@echo; echo "== kifu convert sample_games/seed-opening.txt --to kif"; $(KIFU) convert sample_games/seed-opening.txt --to kif
	@echo; echo "== kifu load sample_games/ --db demo/games.duckdb"; $(KIFU) load sample_games/ --db demo/games.duckdb || test $$? -eq 1
	@echo; echo "== kifu openings --db demo/games.duckdb --depth 2"; $(KIFU) openings --db demo/games.duckdb --depth 2
	@echo; echo "== how the games end"; $(KIFU) sql --db demo/games.duckdb 'SELECT "end", count(*) AS games, round(avg(plies), 1) AS plies FROM games GROUP BY "end" ORDER BY games DESC, "end"'

test: $(VENV)/dev ## the whole suite: linters, then all tests compiled and again interpreted
	$(KIFU) --version
	$(MAKE) --no-print-directory lint
	$(BIN)/python -m compileall -q kifu cli  # where Python may not write bytecode, each of a thousand runs of kifu would compile it anew
	$(BIN)/python -m pytest -n $(WORKERS) -q
	KIFU_INTERPRETED=1 $(BIN)/python -m pytest -n $(WORKERS) -q

lint: $(VENV)/dev ## ruff and mypy
	$(BIN)/ruff check .
	@rm -rf build/typed && mkdir -p build/typed/kifu  # the package as it is installed, for mypy to find
	@ln -s $(CURDIR)/kifu/* $(CURDIR)/cli $(CURDIR)/grammars build/typed/kifu/
	cd build/typed && $(CURDIR)/$(BIN)/mypy --config-file $(CURDIR)/pyproject.toml -p kifu

docs: $(VENV)/installed ## the pages of all findings as one document: build/docs/diagnostics.md and .html
	@mkdir -p $(DOCS)
	$(KIFU) explain --all > $(DOCS)/diagnostics.md
	@echo '<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagnostics of kifu</title>' > $(DOCS)/diagnostics.html
	@echo '<style>body { max-width: 46em; margin: auto; padding: 1em; font-family: sans-serif } pre { background: #f3f3f3; padding: .6em; overflow: auto }</style>' >> $(DOCS)/diagnostics.html
	$(BIN)/python -m markdown_it.cli.parse $(DOCS)/diagnostics.md >> $(DOCS)/diagnostics.html  # rich brings it

fast: $(VENV)/dev ## the tests once, compiled, up to the first failure
	$(BIN)/python -m pytest -n $(WORKERS) -q -x

bench: $(VENV)/bench ## speed, beside other programs on the same games; writes bench/results.json (FULL=1: half an hour)
	$(BIN)/python -m tests.bench $(if $(FULL),--full)

bench-stages bench-growth bench-instructions bench-database: bench-%: $(VENV)/installed ## where time goes, how it grows, instructions, databases
	$(BIN)/python -m tests.bench.$* $(ARGS)

clean: ## remove everything that was made
	rm -rf $(VENV) build dist demo bench kifu.egg-info grammars/_tables kifu/_built.txt .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find kifu cli grammars tests -name __pycache__ -prune -exec rm -rf {} +
	find kifu \( -name '*.so' -o -name '*.c' \) -delete

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/installed: $(BIN)/python $(BUILT)
	$(BIN)/python -m pip install --quiet -e .
	@touch $@

$(VENV)/dev $(VENV)/bench: $(VENV)/installed
	$(call EXTRA,$(notdir $@)) | $(BIN)/python -m pip install --quiet -r /dev/stdin
	@if test $(notdir $@) = dev && command -v java > /dev/null; then \
	  $(call EXTRA,spark) | $(BIN)/python -m pip install --quiet -r /dev/stdin; fi  # half a gigabyte, of use with Java only
	@touch $@
