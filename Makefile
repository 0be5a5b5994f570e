# A thin front for people; CMake does the work. `make help` lists what there is.
.DEFAULT_GOAL := build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
# Debian's own python3, because Debian's packages (python3-numpy, python3-build) are for that one.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 18

# Compiles a target. What the compiler prints goes to build/build.log; warnings and failures are shown.
compile = cmake --build build -j $(JOBS) --target $(1) > build/build.log 2>&1 || { cat build/build.log; exit 1; }; \
	grep -A 6 'warning:' build/build.log || true

build: ## the release program, at build/soloist
	@mkdir -p build
	@cmake --preset release -DSOLOIST_TESTS=OFF $(CMAKE_ARGS) > build/configure.log 2>&1 || (cat build/configure.log; exit 1)
	@grep -h 'optional' build/configure.log || true
	@echo "building; progress is in build/build.log"
	@$(call compile,soloist)
	@echo "build/soloist is ready"

demo: ## installs what is missing, builds, solves a small set and shows one solution moving
	@sh scripts/deps.sh build
	@$(MAKE) --no-print-directory build
	@sh scripts/demo.sh

test: ## installs what is missing, builds three ways, runs everything
	@sh scripts/deps.sh test
	@bash scripts/test.sh

test-all: ## the test command and what takes a night: every failing allocation and file, kills, duels, fuzzing
	@bash scripts/test_all.sh

deps: ## installs the missing Debian packages, or prints the one command that does
	@sh scripts/deps.sh test

levels: ## installs the Debian packages that carry XSokoban, Microban and Sasquatch
	@sh scripts/deps.sh levels

limits: build ## time, signal and memory limits of every method on the largest instances (an hour or more)
	@cmake --preset release -DSOLOIST_TESTS=ON $(CMAKE_ARGS) > build/configure.log 2>&1 || (cat build/configure.log; exit 1)
	@$(call compile,overruns)
	OVERRUNS=build/tests/overruns bash scripts/limits.sh build/soloist

page-speed: build ## the page's first paint and its time per frame, with their limits; on a machine that does nothing else
	@sh scripts/deps.sh test
	@bash scripts/page_speed.sh build/soloist build/browser

watch-cost: build ## what it costs a search to be watched, with its limit
	@$(call compile,soloist_static)
	@bash scripts/watch_cost.sh build

bench: build ## fixed benchmark: exact node counts, which must not change, and speed
	@build/soloist bench --check tests/golden/bench.txt

results: build ## the published tables run again, docs/RESULTS.md (hours; DATA=FOLDER:FOLDER for level sets)
	@bash scripts/results.sh build/soloist tables

leaderboard: build ## the methods on all sets, docs/LEADERBOARD.md (ten hours on one core; SCALE=0.1: a tenth of the instances)
	@bash scripts/results.sh build/soloist board

storm: build ## kills commands a thousand times and looks whether anything is lost
	@bash scripts/storm.sh build/soloist $(or $(KILLS),1000)

power-cuts: build ## the same with a thousand simulated power cuts
	@cc -shared -fPIC -O1 -o build/power_cut.so tests/fault/power_cut.c -ldl
	@CUT=build/power_cut.so bash scripts/storm.sh build/soloist $(or $(KILLS),1000)

duel: build ## every method against exhaustive search on small random instances (100,000 verdicts)
	@cmake --preset release -DSOLOIST_TESTS=ON $(CMAKE_ARGS) > build/configure.log 2>&1 || (cat build/configure.log; exit 1)
	@$(call compile,duel)
	@build/tests/duel $(or $(VERDICTS),100000)

fuzz: ## a million inputs per reader, or five minutes (FUZZ_SECONDS=300)
	@sh scripts/deps.sh test
	@bash scripts/fuzz.sh $(or $(FUZZ_SECONDS),300)

coverage: ## line coverage of the tests
	@bash scripts/coverage.sh

screens: build ## writes the golden screens anew (tests/golden/screens): look at the difference before you commit it
	@cc -O1 -o build/screen tests/screen/screen.c -lutil
	@bash tests/screen/screens.sh build/soloist build/screen --write

reference: ## the API reference from the headers, at build/reference/html (installs Doxygen if it is missing)
	@sh scripts/deps.sh reference
	@mkdir -p build && doxygen docs/reference/Doxyfile
	@echo "build/reference/html/index.html is ready"

format: ## clang-format over all sources
	@find include src tests examples -name '*.[ch]' | xargs clang-format -i

python: ## the Python package, ready in this checkout: PYTHONPATH=python python3 -c "import soloist"
	@mkdir -p build
	@cmake --preset release -DSOLOIST_TESTS=OFF $(CMAKE_ARGS) > build/configure.log 2>&1 || (cat build/configure.log; exit 1)
	@echo "building; progress is in build/build.log"
	@$(call compile,soloist_shared)
	@PYTHONPATH=python $(PYTHON) -c "import soloist" && echo "ready: set PYTHONPATH=$(CURDIR)/python, or make a wheel by make wheel"

wheel: python ## a Python wheel with the library in it, in dist/
	@SOLOIST_LIBRARY=$(CURDIR)/build/libsoloist.so $(PYTHON) -m build --no-isolation --wheel > build/wheel.log 2>&1 || (cat build/wheel.log; exit 1)
	@tail -n 1 build/wheel.log

install: build ## program, library, header, man pages, completions (PREFIX=/usr/local, DESTDIR=)
	@$(call compile,all)
	@DESTDIR=$(DESTDIR) cmake --install build --prefix $(PREFIX) > build/install.log || (cat build/install.log; exit 1)
	@echo "installed below $(DESTDIR)$(PREFIX)"

uninstall: ## removes what the last make install from this checkout has installed
	@sh scripts/uninstall.sh build/install_manifest.txt "$(DESTDIR)"

dist: ## the source as dist/soloist-VERSION.tar.xz
	@bash scripts/dist.sh

package: ## Debian packages in dist/, looked at by lintian
	@sh scripts/deps.sh package
	@bash scripts/package.sh

clean: ## removes everything built; keeps build/lab.db, the runs of `make results` and `make leaderboard`
	@mkdir -p build && find build -mindepth 1 -maxdepth 1 ! -name 'lab.db*' -exec rm -rf {} +
	@rmdir build 2> /dev/null || true
	@rm -rf dist

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*\#\#.*/\1/p' Makefile)
