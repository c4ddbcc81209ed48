# Newcomers: `make run` plays the table, `make test` proves it, `make help` lists the rest, for those who change it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run help test test-all check format benchmark soak virtual-pi aarch64 aarch64-budget texts lock clean venv venv-dev

run: venv            ## the table: the virtual one on a PC
	@trap : INT; $(BIN)/mexico-table || [ $$? -eq 130 ]  # Ctrl-C ends it cleanly: no failure that make would tell

help:                ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

test: venv-dev       ## what must hold after every change, on all cores
	@$(BIN)/python -m pytest -n auto --dist worksteal -q

test-all: venv-dev   ## the same at full length: every case, every game to its end
	@$(BIN)/python -m pytest -n auto --dist worksteal -q --all

check: venv-dev      ## what CI demands before the tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: venv-dev     ## put the source into its usual form, and mend what ruff can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

benchmark: venv-dev  ## speed and accuracy of the reader as a Markdown table
	@$(BIN)/python -m benchmarks

soak: venv-dev       ## a thousand kills, ten thousand rolls, a thousand evenings of troubles: half an hour
	@$(BIN)/python -m benchmarks.soak docs/soak.md
	@$(BIN)/python -m pytest -q --hypothesis-profile=soak tests/firmware/test_evenings.py

virtual-pi: venv-dev ## a Pi without a Pi: kernel, pins, bus and camera in QEMU, and every scenario; needs root on a Debian
	@$(BIN)/python -m tests.virtual_pi

aarch64: venv-dev    ## wheel, tests and instructions per picture on an emulated 64-bit Arm: an hour and a half
	@$(BIN)/python -m tests.aarch64

aarch64-budget: venv-dev  ## count the instructions anew, and make that the budget
	@$(BIN)/python -m tests.aarch64 --renew

venv:                ## the environment of the table; on a Pi it sees the system's camera packages
	@command -v $(PYTHON) >/dev/null || { echo "mexico-table: no $(PYTHON) on this machine: install Python 3.11 or newer" >&2; exit 2; }
	@$(PYTHON) scripts/make_venv.py $(VENV) requirements.txt

venv-dev:            ## the environment of whoever changes the table
	@command -v $(PYTHON) >/dev/null || { echo "mexico-table: no $(PYTHON) on this machine: install Python 3.11 or newer" >&2; exit 2; }
	@$(PYTHON) scripts/make_venv.py $(VENV) requirements-dev.txt

texts: venv-dev      ## every text of the displays into the catalogues; then the contact sheets and printed cards
	@$(BIN)/python -m firmware.catalogues
	@$(BIN)/python -m firmware.gallery
	@$(BIN)/python -m firmware.card

lock:                ## pin the newest versions that fit pyproject.toml, with hashes
	uv pip compile pyproject.toml --extra build --universal --generate-hashes --no-emit-index-url --no-header -q -o requirements.txt
	uv pip compile pyproject.toml --extra build --extra dev --universal --generate-hashes --no-emit-index-url --no-header -q -o requirements-dev.txt

clean:               ## away with environments and everything made from the source
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
