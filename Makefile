# Newcomers: `make run` plays the table, `make test` proves it. Everything else is for those who change it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test check format benchmark soak texts lock clean venv venv-dev

run: venv            ## the table: the virtual one on a PC
	@$(BIN)/mexico-table

test: venv-dev       ## every test, on all cores
	@$(BIN)/python -m pytest -n auto --dist worksteal -q

check: venv-dev      ## what CI demands before the tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: venv-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

benchmark: venv-dev  ## speed and accuracy of the reader as a Markdown table
	@$(BIN)/python -m benchmarks

soak: venv-dev       ## a thousand kills, ten thousand rolls, a thousand evenings of troubles: half an hour
	@$(BIN)/python -m benchmarks.soak docs/soak.md
	@$(BIN)/python -m pytest -q --hypothesis-profile=soak tests/firmware/test_evenings.py

venv:
	@command -v $(PYTHON) >/dev/null || { echo "mexico-table: no $(PYTHON) on this machine: install Python 3.11 or newer" >&2; exit 2; }
	@if [ ! -f $(VENV)/dev ]; then $(PYTHON) scripts/make_venv.py $(VENV) requirements.txt; fi

venv-dev:
	@command -v $(PYTHON) >/dev/null || { echo "mexico-table: no $(PYTHON) on this machine: install Python 3.11 or newer" >&2; exit 2; }
	@$(PYTHON) scripts/make_venv.py $(VENV) requirements-dev.txt && touch $(VENV)/dev

texts: venv-dev      ## every text of the displays into the catalogues; then the contact sheets and printed cards
	@$(BIN)/python -m firmware.catalogues
	@$(BIN)/python -m firmware.gallery
	@$(BIN)/python -m firmware.card

lock:                ## pin the newest versions that fit pyproject.toml, with hashes
	uv pip compile pyproject.toml --extra build --universal --generate-hashes --no-emit-index-url --no-header -q -o requirements.txt
	uv pip compile pyproject.toml --extra build --extra dev --universal --generate-hashes --no-emit-index-url --no-header -q -o requirements-dev.txt

clean:
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
