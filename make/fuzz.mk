# SPDX-License-Identifier: GPL-2.0-or-later
# Fuzzing with clang's libFuzzer (make fuzz FUZZ_SECONDS=N), and its seeds without it (in make check).

FUZZ_SECONDS ?= 300
fuzz_sources := $(addprefix tests/fuzz/,fuzz.c parsers.c files.c advice.c trees.c documents.c)
fuzz_headers := $(wildcard tests/fuzz/*.h)

$(BUILD)/replay: $(fuzz_sources) tests/fuzz/replay.c $(fuzz_headers) $(parts)
	$(Q)$(say) "  LINK  $@"; $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ \
		$(filter %.c %.o,$^) $(LDLIBS)

$(BUILD)/fuzz: $(fuzz_sources) tests/fuzz/libfuzzer.c $(fuzz_headers) $(parts)
	$(Q)$(say) "  LINK  $@"; $(CC) $(CPPFLAGS) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ \
		$(filter %.c %.o,$^) $(LDLIBS)

fuzz: $(BUILD)/generate
	$(Q)$(MAKE) CC=clang SANITIZE=1 BUILD=$(BUILD)-fuzz \
		CFLAGS='-O1 -g -fsanitize=fuzzer-no-link' $(BUILD)-fuzz/fuzz
	$(Q)cp $(BUILD)/generate $(BUILD)-fuzz/; BUILD=$(abspath $(BUILD)-fuzz) \
		FUZZ_SECONDS=$(FUZZ_SECONDS) tests/fuzz/run

check: $(BUILD)/replay

.PHONY: fuzz
