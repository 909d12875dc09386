# `make demo` and `make test` do all the set-up: they need Python 3.11 or later, and make.
PYTHON ?= python3
VENV ?= .venv
# The model that the demo drives, and where it leaves tables, a plot and a report of each drive.
DEMO ?= sedan
OUT ?= out/demo
# Where the site of the pages in docs/ goes.
SITE ?= out/site
# How many changed files the readers are tried with.
FUZZ ?= 100000

BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Threads of one worker's linear algebra would wait for the other's; matrices are small.
PYTEST := OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --hypothesis-profile=ci
QUICK := "not slow and not long and not pages"
# Two workers, each with tests that stand together, which share what they prepare.
SHARED := -n 2 --dist worksteal

.PHONY: demo test test-all test-long test-pages test-lowest fuzz lint format bench commands docs live-pages reference notebooks pictures validation cross-check step-watch controllers clean

demo: $(VENV)/.installed
	$(BIN)/axletree run $(DEMO) iso-3888-1 --out $(OUT)/lane-change
	$(BIN)/axletree run $(DEMO) iso-21994-braking --out $(OUT)/stop

test: $(VENV)/.installed-dev
	$(PYTEST) -p no:benchmark $(SHARED) -m $(QUICK)

# The slow tests among the quick ones, with which they share what both prepare.
test-all: $(VENV)/.installed-dev
	$(PYTEST) -p no:benchmark $(SHARED) -m "not long and not pages" --durations=10

# The largest models.
test-long: $(VENV)/.installed-dev
	$(PYTEST) -p no:benchmark $(SHARED) -m long

# What the pages show at length, their commands and their pictures; minutes.
test-pages: $(VENV)/.installed-dev
	$(PYTEST) -p no:benchmark $(SHARED) -m pages

# The quick tests with every dependency at its lowest version, in an environment of their own; what
# those versions say to newer ones of their own dependencies is no fault.
test-lowest:
	$(PYTHON) -m venv $(VENV)-lowest
	$(PYTHON) tools/lowest_versions.py > $(VENV)-lowest/lowest.txt
	$(VENV)-lowest/bin/python -m pip install --quiet --disable-pip-version-check \
		-c $(VENV)-lowest/lowest.txt -e ".[dev]"
	PYTEST_ADDOPTS="-o filterwarnings=default" OPENBLAS_NUM_THREADS=1 \
		$(VENV)-lowest/bin/python -m pytest --hypothesis-profile=ci -p no:benchmark $(SHARED) -m $(QUICK)

# Changed files for every reader; some ten minutes. FUZZ=1000000 tries more.
fuzz: $(VENV)/.installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python tests/fuzz/fuzzing.py $(FUZZ)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.installed-dev
	$(BIN)/python -m pytest benchmarks -s --benchmark-sort=name
	$(BIN)/python benchmarks/engines.py

# Every command that the pages show, as it stands there; this takes some minutes.
commands: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/page_commands.py

# The site of the pages in docs/; its formulas and search need no network.
docs: $(VENV)/.installed-docs
	$(BIN)/python -m sphinx -W --keep-going -n -q -d out/doctrees docs $(SITE)
	@echo "The site is $(SITE)/index.html"

# Vehicles that are driven in the browser; the gallery of a site that is built afterwards has them.
live-pages: $(VENV)/.installed-dev
	$(BIN)/python docs/making/make_live_pages.py $(SITE)/live

# What pages show and list: the reference takes seconds, the pictures minutes.
reference: $(VENV)/.installed-dev
	$(BIN)/python tools/make_stub.py
	$(BIN)/python docs/making/make_reference.py

# Runs the notebooks and keeps what they show in them.
notebooks: $(VENV)/.installed-dev
	$(BIN)/python tools/run_notebooks.py

pictures: $(VENV)/.installed-dev
	$(BIN)/python docs/making/make_pictures.py
	$(BIN)/python docs/making/make_example_pictures.py
	$(BIN)/python docs/making/make_case_study_pictures.py
	$(BIN)/python docs/making/make_soil_pictures.py
	$(BIN)/python docs/making/make_soft_ground_picture.py
	$(BIN)/python docs/making/make_truck_picture.py
	$(BIN)/python docs/making/make_analysis_pictures.py
	$(BIN)/python docs/making/make_vehicle_pictures.py
	$(BIN)/python docs/making/make_trailer_pictures.py
	$(BIN)/python docs/making/make_cornering_pictures.py
	$(BIN)/python docs/making/make_manoeuvre_pictures.py
	$(BIN)/python docs/making/make_ride_pictures.py
	$(BIN)/python docs/making/make_sweep_pictures.py
	$(BIN)/python docs/making/make_own_car_picture.py
	$(BIN)/python docs/making/make_first_drive_picture.py
	$(BIN)/python docs/making/make_tutorial_pictures.py
	$(BIN)/python docs/making/make_environment_pictures.py
	$(BIN)/python docs/making/make_path_pictures.py
	$(BIN)/python docs/making/make_optimal_manoeuvre_pictures.py
	$(BIN)/python docs/making/make_animation_pictures.py
	$(BIN)/python docs/making/make_live_picture.py
	$(BIN)/python docs/making/make_studio_pictures.py
	$(BIN)/python docs/making/make_report_pictures.py
	$(BIN)/python docs/making/make_rig_pictures.py
	$(BIN)/python docs/making/make_million_cars_picture.py

validation: $(VENV)/.installed-dev
	$(BIN)/python docs/making/make_validation.py

# In an environment of their own: the other programs are large, and nothing else needs them.
CROSS_VENV ?= $(VENV)-cross-check

cross-check: $(CROSS_VENV)/.installed
	$(CROSS_VENV)/bin/python docs/making/make_cross_checks.py

$(CROSS_VENV)/.installed: pyproject.toml
	@echo "Installing axletree and the programs that it is compared with; this takes a few minutes."
	$(PYTHON) -m venv $(CROSS_VENV)
	$(CROSS_VENV)/bin/python -m pip install --quiet --editable '.[cross-check]'
	@touch $@

# What the reference controllers change in whole procedures, without and with them.
controllers: $(VENV)/.installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python docs/making/make_controller_results.py

# All models and manoeuvres with right and wrong steps, held against much smaller ones; hours.
# RUNS="suv rover/slope-stop" does these again and leaves the others of the page.
step-watch: $(VENV)/.installed-dev
	OPENBLAS_NUM_THREADS=1 $(BIN)/python docs/making/make_step_watch.py $(RUNS)

clean:
	rm -rf $(VENV) $(VENV)-lowest $(CROSS_VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "axletree needs Python 3.11 or later, but $(PYTHON) is" \
		"$$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# The stamps make a second run quick; a change of the dependencies installs again.
$(VENV)/.installed: pyproject.toml $(VENV)/.created
	@echo "Installing axletree into $(VENV); the first time this takes a minute or two."
	$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/.installed-docs: pyproject.toml $(VENV)/.created
	@echo "Installing axletree and what builds its site into $(VENV); this takes a minute or two."
	$(PIP_INSTALL) --editable '.[docs]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-dev: pyproject.toml $(VENV)/.created
	@echo "Installing axletree and its test tools into $(VENV); this takes a few minutes."
	$(PIP_INSTALL) --no-compile --editable '.[dev]'
	@# By all cores; pip takes one. Nothing imports the tests that packages bring, or pip.
	@$(BIN)/python -m compileall -qq -j 0 -x '/(tests|pip|mypyc?)/' $(VENV)/lib || true
	@touch $(VENV)/.installed $(VENV)/.installed-docs $@
