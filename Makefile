# SPDX-License-Identifier: Apache-2.0
#
# The short names for what one does here. Each installs the Debian packages it lacks
# (tools/setup.sh), so that a fresh machine needs gcc and make only. meson does the work.

BUILD ?= build
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 600

all: build

# Install what is missing, build what is shown, and show the main job on two real profiles.
quickstart: setup
	@ninja -C $(BUILD) -j$(JOBS) quickstart
	@tools/quickstart.sh $(BUILD)

build: setup
	@ninja -C $(BUILD) -j$(JOBS)

# A folder that was set up elsewhere (the tree was copied or moved) would build, and write, there.
setup:
	@tools/setup.sh build
	@if [ -f $(BUILD)/build.ninja ] && \
	    ! grep -qF -e '"source": "$(CURDIR)"' -e '"source": "$(realpath .)"' $(BUILD)/meson-info/meson-info.json; then \
	    echo "make: $(BUILD)/ belongs to a tree in another folder; it is set up anew"; rm -rf $(BUILD); \
	fi
	@test -f $(BUILD)/build.ninja || meson setup $(BUILD)

# The tests that answer for most changes, in the build that is there, within a minute.
quick: build
	@tools/setup.sh quick
	@JOBS=$(JOBS) python3 tools/check.py quick --build $(BUILD)

# All tests but the long ones; the last line is "N passed, N failed". SINCE=COMMIT adds the long
# tests of what has changed since then.
check:
	@PATH=$$(tools/alone.sh --path) && export PATH && \
	    tools/setup.sh check && JOBS=$(JOBS) python3 tools/check.py check $(if $(SINCE),--since $(SINCE))

# Every test, and each fuzz target for 25 seconds, ten minutes in all.
check-all:
	@PATH=$$(tools/alone.sh --path) && export PATH && \
	    tools/setup.sh check && JOBS=$(JOBS) python3 tools/check.py all

# One assay test or suite, quickly: make test T=unit
test: build
	@meson test -C $(BUILD) --print-errorlogs $(if $(T),--suite $(T))

# Ratios to assay's peers, in one run (bench/README.md); make bench ARGS='--large --slow'
bench: build
	@tools/setup.sh bench
	@python3 bench/run.py --assay $(BUILD)/src/cli/assay $(ARGS)

# What programs built against the library's last release need of it (tests/abi/run_abi.sh).
abi: build
	@tools/setup.sh abi
	@meson test -C $(BUILD) --print-errorlogs --suite long-abi

# Every reader under libFuzzer with ASan and UBSan, FUZZ_SECONDS each.
fuzz:
	@tools/setup.sh fuzz
	@JOBS=$(JOBS) FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz.sh $(TARGET)

lint: build
	@tools/setup.sh lint
	@JOBS=$(JOBS) SINCE=$(SINCE) tools/lint.sh $(BUILD)

# Write the sources as clang-format 14 has them.
format:
	@tools/setup.sh lint
	@tools/lint.sh --fix

# The pictures of README.md (tools/pictures.sh).
docs: build
	@tools/setup.sh docs
	@tools/pictures.sh $(BUILD)

install: build
	@meson configure $(BUILD) -Dprefix=$(PREFIX)
	@meson install -C $(BUILD)

# The sources as a tarball, the same bytes for the same commit (tools/dist.py).
dist:
	@tools/setup.sh dist
	@tools/dist.py

# Debian packages out of it, in build-deb/ (tools/deb.sh).
deb:
	@tools/setup.sh deb
	@JOBS=$(JOBS) tools/deb.sh

# The documentation as plain HTML, in build-site/ (tools/site.py).
site: build
	@tools/setup.sh site
	@tools/site.py $(BUILD)

# The program as one file that needs no library, build-static/assay (docs/static.md).
static:
	@tools/setup.sh static
	@JOBS=$(JOBS) tools/static.sh

clean:
	rm -rf $(BUILD) build-static build-site build-check build-asan build-tsan build-fuzz build-pictures build-dist build-deb

.PHONY: all quickstart setup build quick check check-all test abi bench fuzz lint format docs install dist deb static site clean
