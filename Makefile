# Tephra's commands; `make help` lists them. Each command first sets up the tools that it needs (scripts/setup.sh).
#
#   CUDA=0              build without the CUDA backend (needs no nvcc); the default of `make demo` if there is no GPU
#   TEPHRA_CUDA_ARCHS   architectures to compile kernels for: 90 (default), a list such as 80,90, native (this machine's
#                       GPUs), or all
#   XDG_CACHE_HOME      contains tephra/kernels, where compiled kernels are cached for all clones (default ~/.cache)
#   NVCC, CUDA_HOME     the CUDA compiler, if it is neither on PATH nor in /usr/local/cuda
#   PREFIX, DESTDIR     where `make install` installs (default /usr/local)
#   SKIP                tools whose tests are skipped, e.g. SKIP="gfortran cublas-headers"
#   RELEASE_URL, HOMEPAGE, MAINTAINER   values for the recipes of `make dist` (scripts/recipes.py)
#   TEPHRA_BACKEND      cpu or cuda for the demo and the C tests (default: CUDA if there is a device)
.NOTPARALLEL:
SHELL := /bin/bash
.DEFAULT_GOAL := build

# The caller's settings. If there are none, the demo chooses them for this machine.
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
# Build the libraries and the tests with one command, so that the core and its unit tests, each of which takes one
# processor core several minutes, are compiled in parallel.
WITH_TESTS := --lib --bins --tests

# Shows progress while cargo compiles.
SAYING := scripts/compile.sh

# The LAPACK with which the tests compare results.
WITH_LAPACK = TEPHRA_LAPACK="$$(scripts/setup.sh --path lapack)"

.PHONY: help
help: ## list these commands and variables
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 24
	@printf '\nVariables, such as make CUDA=0:\n'
	@sed -n '/^[^#]/q; s/^#   //p' Makefile

.PHONY: build
# `make test` sets BUILT, because it has just built everything.
ifdef BUILT
build:
else
build: setup-build ## build both libraries and the tephra program, and an install image in build/stage
	$(SAYING) $(CARGO) build $(CARGO_FLAGS)
	scripts/stage.sh $(RELEASE) $(STAGE)
endif

.PHONY: setup-build
setup-build:
	@command -v $(CARGO) >/dev/null || { echo 'Rust is required: https://rustup.rs' >&2; exit 1; }
ifneq ($(CUDA),0)
	@scripts/setup.sh nvcc
endif

.PHONY: install
install: ## install below PREFIX what `make` has built, without building anything
	@DESTDIR='$(DESTDIR)' scripts/install.sh $(STAGE) '$(PREFIX)'
.PHONY: uninstall
uninstall: ## remove what `make install` has installed below PREFIX
	@DESTDIR='$(DESTDIR)' scripts/install.sh --remove '$(PREFIX)'
.PHONY: install-magma-names uninstall-magma-names
install-magma-names: ## install a folder below PREFIX that programs find as MAGMA: libmagma.so, magma_v2.h, magma.pc, MAGMAConfig.cmake
	@DESTDIR='$(DESTDIR)' scripts/magma_names.sh '$(PREFIX)'
uninstall-magma-names: ## remove the folder of install-magma-names
	@DESTDIR='$(DESTDIR)' scripts/magma_names.sh --remove '$(PREFIX)'

.PHONY: demo run-demo
demo: ## run the demo: bootstrap intervals of a regression on the diabetes data, by 10,000 QR factorisations
	@settings=$(if $(SAID),,$$(scripts/machine.sh)) && $(MAKE) --no-print-directory run-demo $$settings
# Builds only the library: its headers and shared object, without the programs and packages of an install image.
DEMO_IMAGE := build/demo/image
run-demo: setup-build
	$(SAYING) $(CARGO) build $(subst --workspace,--package tephra,$(CARGO_FLAGS))
	@mkdir -p $(DEMO_IMAGE)/lib && ln -sfn '$(abspath include)' $(DEMO_IMAGE)/include
	@soname=$$(scripts/soname.sh) && install -C $(RELEASE)/libtephra.so $(DEMO_IMAGE)/lib/$$soname && \
		ln -sfn $$soname $(DEMO_IMAGE)/lib/libtephra.so
	$(MAKE) --no-print-directory -C demo run STAGE='$(abspath $(DEMO_IMAGE))' OUT='$(abspath build/demo)'

.PHONY: bench
bench: build setup-lapack ## time the grid on this machine into build/bench.csv
	$(WITH_LAPACK) $(RELEASE)/tephra bench --out build/bench.csv

# ---- tests

.PHONY: quick
# As many random calls as reach every function (FEW in tests/fuzz.rs).
quick: setup-build setup-lapack ## check formats and run the tests that take seconds, for every commit
	$(MAKE) --no-print-directory check-format check-layouts check-import-cycles
	$(SAYING) $(CARGO) build --profile quick $(ALL_PARTS)
	$(WITH_LAPACK) TEPHRA_FUZZ_CALLS=28000 scripts/rust_tests.py --quick $(CARGO) test --profile quick $(ALL_PARTS)

.PHONY: test build-tests
TEST_STEPS := check-format check-layouts check-import-cycles check-performance check-notices @test-kernels @check-hip build-tests clippy check-header test-rust check-gpu-report test-c test-python
test: setup-test ## run everything that CI runs
	@MAKE='$(MAKE)' BUILT=1 scripts/run_steps.sh $(TEST_STEPS)
	@echo 'make test: all steps passed$(if $(SKIP), (skipped: $(SKIP)))'

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
	$(WITH_LAPACK) scripts/rust_tests.py $(CARGO) test $(CARGO_FLAGS)

.PHONY: check-hip
ifneq ($(filter clang,$(SKIP)),)
check-hip:
	@echo 'check-hip: LEFT OUT, no clang'
else
check-hip: ## compile the kernels for an AMD GPU with clang's front end; nothing runs them
	@scripts/setup.sh clang
	scripts/check_hip.py || { [ $$? = 77 ] && exit 0; exit 1; }
endif

.PHONY: test-c test-kernels
test-kernels: ## run kernels on the host; needs neither the library nor a GPU
	$(MAKE) --no-print-directory -C c_tests -j $(shell nproc) kernels OUT='$(abspath build/c_tests)'
	$(MAKE) --no-print-directory -C c_tests run-kernels OUT='$(abspath build/c_tests)'
test-c: build ## test the C, C++, Fortran, CMake, pkg-config and LD_PRELOAD programs, and the demo
	@scripts/setup.sh $(filter-out $(SKIP),$(filter-out lapack clang clang-format python-env python-torch,$(TEST_TOOLS)))
	$(MAKE) --no-print-directory -C c_tests CUDA=$(CUDA) run STAGE='$(abspath $(STAGE))' OUT='$(abspath build/c_tests)' SKIP='$(SKIP)' RECORDER='$(abspath $(RELEASE))/libtephra_recorder.so'
	$(MAKE) --no-print-directory -C demo smoke STAGE='$(abspath $(STAGE))' OUT='$(abspath build/demo_test)'

# ---- Python

.PHONY: wheel test-python
wheel: build ## build the Python wheel, which contains the library, in build/wheel
	@scripts/setup.sh python-env
	scripts/wheel.sh $(RELEASE) build/wheel

ifneq ($(filter python-env,$(SKIP)),)
test-python:
	@echo 'test-python: left out'
else
test-python: wheel ## install the wheel in a new environment and run the package's tests there
	@scripts/setup.sh $(filter-out $(SKIP),python-torch)
	scripts/wheel.sh --test build/wheel
endif

# ---- releases

# Releases run with every glibc since 2.28: zig links them, and knows which symbols that version has.
DIST_TARGET := $(shell uname -m)-unknown-linux-gnu
DIST_RELEASE := $(TARGET)/$(DIST_TARGET)/release
.PHONY: dist test-dist
dist: setup-build ## build the files of a release in build/dist: archives, Debian packages, the wheel, recipes, checksums
	@scripts/setup.sh dist python-env
	rm -rf build/dist && mkdir -p build/dist
	PATH="$$PWD/.tools/dist/bin:$$PATH" PYTHONPATH="$$PWD/.tools/dist" \
		$(CARGO) zigbuild $(CARGO_FLAGS) --target $(DIST_TARGET).2.28
	CC="env PYTHONPATH=$$PWD/.tools/dist python3 -m ziglang cc -target $(shell uname -m)-linux-gnu.2.28" scripts/wheel.sh $(DIST_RELEASE) build/dist
	scripts/dist.sh $(DIST_RELEASE) build/dist
test-dist: ## install each file of build/dist in an empty folder and use it
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
check-layouts: ## check that launches pass the argument structures that kernels declare
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
launches: build ## accept the current launches of the CUDA backend as the expected ones (tests/launches/expected.txt)
	UPDATE_LAUNCHES=1 $(CARGO) test $(CARGO_FLAGS) --test launches
gpu-bundle: build ## collect in build/gpu-bundle what a GPU machine without a toolchain needs to run the checks
	@scripts/setup.sh $(filter-out $(SKIP),$(filter-out lapack clang clang-format cmake pkg-config mpi python-env python-torch,$(TEST_TOOLS)))
	$(MAKE) --no-print-directory -C c_tests CUDA=$(CUDA) programs STAGE='$(abspath $(STAGE))' OUT='$(abspath build/c_tests)' SKIP='$(SKIP)'
	$(MAKE) --no-print-directory -C demo program STAGE='$(abspath $(STAGE))' OUT='$(abspath build/demo_test)'
	$(CARGO) test $(CARGO_FLAGS) --test launches
	$(if $(filter python-env,$(SKIP)),,scripts/setup.sh python-env && scripts/wheel.sh --native)
	scripts/gpu_bundle.py --release $(RELEASE) --programs build/c_tests build/demo_test --out build/gpu-bundle \
		-- $(CARGO) test $(CARGO_FLAGS)
# On a GPU machine without cargo, the bundle that was copied there is used as it is.
gpu-check: $(if $(shell command -v $(CARGO)),gpu-bundle) ## run the checks on this machine's GPU and write results/h200/gpu-report.json
	python3 scripts/gpu_check.py --bundle build/gpu-bundle
gpu-check-changed: $(if $(shell command -v $(CARGO)),gpu-bundle) ## run the checks that the report does not cover, and add them to the report
	python3 scripts/gpu_check.py --bundle build/gpu-bundle --changed
ifeq ($(CUDA),0)
check-gpu-report:
	@echo 'check-gpu-report: left out, there are no kernels'
else
check-gpu-report: build
	python3 scripts/check_gpu_report.py --kernels $(RELEASE)/kernels.txt -- $(CARGO) test $(CARGO_FLAGS)
endif

.PHONY: clean distclean clean-cache
clean: ## remove what was built
	rm -rf build
	$(CARGO) clean
distclean: clean ## also remove the fetched tools
	rm -rf .tools
clean-cache: ## remove the compiled kernels that are cached for all clones in ~/.cache/tephra
	case "$${XDG_CACHE_HOME:-}" in /*) rm -rf "$$XDG_CACHE_HOME/tephra";; *) rm -rf "$${HOME:?}/.cache/tephra";; esac
