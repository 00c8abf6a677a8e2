# Tephra's commands. Each sets up what it needs by itself (scripts/setup.sh); `make help` lists them.
#
#   CUDA=0              leave the CUDA backend out (no nvcc needed); `make demo` does so by itself where there is no GPU
#   TEPHRA_CUDA_ARCHS   architectures to compile kernels for: 90 (default), a list such as 80,90, native (this machine's
#                       GPUs), or all
#   XDG_CACHE_HOME      below which compiled kernels are kept for all clones, in tephra/kernels (default ~/.cache)
#   NVCC, CUDA_HOME     the CUDA compiler, when it is not on PATH or in /usr/local/cuda
#   PREFIX, DESTDIR     where `make install` installs (default /usr/local)
#   SKIP                tools whose tests are left out, e.g. SKIP="gfortran cublas-headers"
#   RELEASE_URL, HOMEPAGE, MAINTAINER   what recipes of `make dist` say of a release (scripts/recipes.py)
#   TEPHRA_BACKEND      cpu or cuda for the demo and the C tests (default: CUDA where there is a device)
.NOTPARALLEL:
SHELL := /bin/bash
.DEFAULT_GOAL := build

# What the caller has said of it; the demo goes by the machine where there is nothing.
SAID := $(strip $(CUDA)$(TEPHRA_CUDA_ARCHS))
CUDA ?= 1
PREFIX ?= /usr/local
SKIP ?=
CARGO ?= cargo

TARGET := $(or $(CARGO_TARGET_DIR),target)
RELEASE := $(TARGET)/release
STAGE := build/stage

# One profile and one feature set for everything, so that nothing is compiled twice.
ALL_PARTS := --locked --workspace$(if $(filter 0,$(CUDA)), --no-default-features)
CARGO_FLAGS := --release $(ALL_PARTS)
# The libraries and the tests in one go: the core and its unit tests, each of which keeps one core busy for minutes, are compiled side by side.
WITH_TESTS := --lib --bins --tests

# Lets the build of the kernels, whose output cargo keeps to itself, say how far it is (kernels/progress.rs).
SAYING := exec 9>&2; TEPHRA_PROGRESS_FD=9

# The tests compare with this LAPACK.
WITH_LAPACK = TEPHRA_LAPACK="$$(scripts/setup.sh --path lapack)"

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 20

.PHONY: build
# BUILT: it was done a moment ago (make test).
ifdef BUILT
build:
else
build: setup-build ## both libraries and the tephra program, and an install image in build/stage
	$(SAYING) $(CARGO) build $(CARGO_FLAGS)
	scripts/stage.sh $(RELEASE) $(STAGE)
endif

.PHONY: setup-build
setup-build:
	@command -v $(CARGO) >/dev/null || { echo 'Rust is needed: https://rustup.rs' >&2; exit 1; }
ifneq ($(CUDA),0)
	@scripts/setup.sh nvcc
endif

.PHONY: install
install: ## install below PREFIX what `make` has built; builds nothing itself
	@DESTDIR='$(DESTDIR)' scripts/install.sh $(STAGE) '$(PREFIX)'
.PHONY: uninstall
uninstall: ## remove what `make install` has put below PREFIX
	@DESTDIR='$(DESTDIR)' scripts/install.sh --remove '$(PREFIX)'
.PHONY: install-magma-names uninstall-magma-names
install-magma-names: ## a folder below PREFIX that programs find as MAGMA: libmagma.so, magma_v2.h, magma.pc, MAGMAConfig.cmake
	@DESTDIR='$(DESTDIR)' scripts/magma_names.sh '$(PREFIX)'
uninstall-magma-names: ## remove that folder
	@DESTDIR='$(DESTDIR)' scripts/magma_names.sh --remove '$(PREFIX)'

.PHONY: demo run-demo
demo: ## bootstrap intervals of a regression on the diabetes data, by 10,000 QR factorisations
	@settings=$(if $(SAID),,$$(scripts/machine.sh)) && $(MAKE) --no-print-directory run-demo $$settings
run-demo: build
	$(MAKE) --no-print-directory -C demo run STAGE='$(abspath $(STAGE))' OUT='$(abspath build/demo)'

.PHONY: bench
bench: build setup-lapack ## time the grid on this machine into build/bench.csv
	$(WITH_LAPACK) $(RELEASE)/tephra bench --out build/bench.csv

# ---- tests

.PHONY: quick
quick: setup-build setup-lapack ## formats and the Rust tests with fewer random calls, for every commit: seconds to build after a small change
	$(MAKE) --no-print-directory check-format check-layouts check-import-cycles
	$(SAYING) $(CARGO) build --profile quick $(ALL_PARTS) $(WITH_TESTS)
	$(WITH_LAPACK) TEPHRA_FUZZ_CALLS=10000 $(CARGO) test --profile quick $(ALL_PARTS)

.PHONY: test build-tests
TEST_STEPS := check-format check-layouts check-import-cycles check-performance check-notices @test-kernels @check-hip build-tests clippy check-header test-rust check-gpu-report test-c test-python
test: setup-test ## everything that CI runs
	@MAKE='$(MAKE)' BUILT=1 scripts/run_steps.sh $(TEST_STEPS)
	@echo 'make test: all steps passed$(if $(SKIP), (left out: $(SKIP)))'

TEST_TOOLS := lapack clang-format pkg-config g++ clang cmake cublas-headers gfortran mpi python-env python-torch
.PHONY: setup-test setup-lapack
setup-test: setup-build
	@scripts/setup.sh $(filter-out $(SKIP),$(TEST_TOOLS))
setup-lapack:
	@scripts/setup.sh lapack

build-tests: setup-build
	$(SAYING) $(CARGO) build $(CARGO_FLAGS) $(WITH_TESTS)
	scripts/stage.sh $(RELEASE) $(STAGE)

.PHONY: clippy
clippy: setup-build
	$(SAYING) $(CARGO) clippy $(CARGO_FLAGS) --all-targets -- -D warnings

.PHONY: test-rust
test-rust: build setup-lapack
	$(WITH_LAPACK) $(CARGO) test $(CARGO_FLAGS)
# The CPU backend with less than this machine's widest vectors: tiles have their edges elsewhere.
	for simd in avx2 baseline; do $(WITH_LAPACK) TEPHRA_BACKEND=cpu TEPHRA_SIMD=$$simd TEPHRA_FUZZ_CALLS=10000 $(CARGO) test $(CARGO_FLAGS) --test fuzz random_calls || exit; done

.PHONY: check-hip
ifneq ($(filter clang,$(SKIP)),)
check-hip:
	@echo 'check-hip: LEFT OUT, no clang'
else
check-hip: ## put the kernels through clang's front end for an AMD GPU, which nothing runs
	@scripts/setup.sh clang
	scripts/check_hip.py || { [ $$? = 77 ] && exit 0; exit 1; }
endif

.PHONY: test-c test-kernels
test-kernels: ## kernels that are run on the host; they need neither the library nor a GPU
	$(MAKE) --no-print-directory -C c_tests -j $(shell nproc) kernels OUT='$(abspath build/c_tests)'
	$(MAKE) --no-print-directory -C c_tests run-kernels OUT='$(abspath build/c_tests)'
test-c: build ## the C, C++, Fortran, CMake, pkg-config and LD_PRELOAD programs, and the demo
	@scripts/setup.sh $(filter-out $(SKIP),$(filter-out lapack clang clang-format python-env python-torch,$(TEST_TOOLS)))
	$(MAKE) --no-print-directory -C c_tests CUDA=$(CUDA) run STAGE='$(abspath $(STAGE))' OUT='$(abspath build/c_tests)' SKIP='$(SKIP)'
	$(MAKE) --no-print-directory -C demo smoke STAGE='$(abspath $(STAGE))' OUT='$(abspath build/demo)'

# ---- Python

.PHONY: wheel test-python
wheel: build ## a Python wheel of python/ that carries the library, in build/wheel
	@scripts/setup.sh python-env
	scripts/wheel.sh $(RELEASE) build/wheel

ifneq ($(filter python-env,$(SKIP)),)
test-python:
	@echo 'test-python: left out'
else
test-python: wheel ## installs the wheel in an environment of its own and runs the package's tests there
	@scripts/setup.sh $(filter-out $(SKIP),python-torch)
	scripts/wheel.sh --test build/wheel
endif

# ---- releases

# What is released runs with every C library since 2.28: zig links, and knows which names that one had.
DIST_TARGET := $(shell uname -m)-unknown-linux-gnu
DIST_RELEASE := $(TARGET)/$(DIST_TARGET)/release
.PHONY: dist test-dist
dist: setup-build ## what a release consists of, in build/dist: archives, Debian packages, the wheel, recipes, checksums
	@scripts/setup.sh dist python-env
	rm -rf build/dist && mkdir -p build/dist
	PATH="$$PWD/.tools/dist/bin:$$PATH" PYTHONPATH="$$PWD/.tools/dist" \
		$(CARGO) zigbuild $(CARGO_FLAGS) --target $(DIST_TARGET).2.28
	CC="env PYTHONPATH=$$PWD/.tools/dist python3 -m ziglang cc -target $(shell uname -m)-linux-gnu.2.28" scripts/wheel.sh $(DIST_RELEASE) build/dist
	scripts/dist.sh $(DIST_RELEASE) build/dist
test-dist: ## installs each file of build/dist in an empty place and uses it
	scripts/test_dist.py build/dist

# ---- sources

.PHONY: format check-format
format: ## rewrite all sources in the project's style
	@scripts/setup.sh clang-format
	scripts/format.sh
check-format:
	@scripts/setup.sh clang-format
	scripts/format.sh --check

.PHONY: check-layouts
check-layouts: ## what launches pass is what kernels declare
	scripts/check_layouts.py

.PHONY: check-import-cycles
check-import-cycles: ## check that no import cycle in src/ has more than six files, and that no import in src/gpu/ points upwards
	scripts/check_import_cycles.py

.PHONY: notices check-notices
notices: ## rewrite THIRD-PARTY.txt, the licences of the linked crates
	scripts/notices.py
check-notices:
	scripts/notices.py --check

.PHONY: header check-header
header: ## generate include/tephra.h from the Rust sources, and the Fortran interfaces from it
	scripts/header.sh include/tephra.h
	scripts/fortran.py
	scripts/rust_bindings.py
check-header:
	@mkdir -p build
	scripts/header.sh build/tephra.h
	@diff -u include/tephra.h build/tephra.h || { echo 'include/tephra.h is stale: run make header' >&2; exit 1; }
	scripts/fortran.py --check
	scripts/rust_bindings.py --check

# ---- the GPU

.PHONY: performance check-performance
performance: ## rewrite docs/performance.md and README's figures from results/
	python3 scripts/perf_tables.py
	python3 scripts/simulate_host.py
check-performance:
	python3 scripts/perf_tables.py --check
	python3 scripts/simulate_host.py --check

.PHONY: launches gpu-bundle gpu-check gpu-check-changed check-gpu-report
launches: build ## take what the CUDA backend asks the driver to do now as what it should (tests/launches/expected.txt)
	UPDATE_LAUNCHES=1 $(CARGO) test $(CARGO_FLAGS) --test launches
gpu-bundle: build ## what a GPU machine needs to run the checks, without a toolchain, in build/gpu-bundle
	@scripts/setup.sh $(filter-out $(SKIP),$(filter-out lapack clang clang-format cmake pkg-config mpi python-env python-torch,$(TEST_TOOLS)))
	$(MAKE) --no-print-directory -C c_tests CUDA=$(CUDA) programs STAGE='$(abspath $(STAGE))' OUT='$(abspath build/c_tests)' SKIP='$(SKIP)'
	$(MAKE) --no-print-directory -C demo program STAGE='$(abspath $(STAGE))' OUT='$(abspath build/demo)'
	$(CARGO) test $(CARGO_FLAGS) --test launches
	$(if $(filter python-env,$(SKIP)),,scripts/setup.sh python-env && scripts/wheel.sh --native)
	scripts/gpu_bundle.py --release $(RELEASE) --programs build/c_tests build/demo --out build/gpu-bundle \
		-- $(CARGO) test $(CARGO_FLAGS)
# On a GPU machine without cargo the bundle that was carried there is used as it is.
gpu-check: $(if $(shell command -v $(CARGO)),gpu-bundle) ## run the checks on this machine's GPU and write results/h200/gpu-report.json
	python3 scripts/gpu_check.py --bundle build/gpu-bundle
gpu-check-changed: $(if $(shell command -v $(CARGO)),gpu-bundle) ## the same of what the report does not vouch for, and add it to the report
	python3 scripts/gpu_check.py --bundle build/gpu-bundle --changed
ifeq ($(CUDA),0)
check-gpu-report:
	@echo 'check-gpu-report: left out, there are no kernels'
else
check-gpu-report: build
	python3 scripts/check_gpu_report.py --kernels $(RELEASE)/kernels.txt -- $(CARGO) test $(CARGO_FLAGS)
endif

.PHONY: clean distclean clean-cache
clean: ## remove build results
	rm -rf build
	$(CARGO) clean
distclean: clean ## clean, and the fetched tools
	rm -rf .tools
clean-cache: ## remove the compiled kernels that are kept for all clones, below ~/.cache/tephra
	case "$${XDG_CACHE_HOME:-}" in /*) rm -rf "$$XDG_CACHE_HOME/tephra";; *) rm -rf "$${HOME:?}/.cache/tephra";; esac
