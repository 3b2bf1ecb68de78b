# SPDX-License-Identifier: GPL-2.0-or-later
# The writer of synthetic machines, and the machines that it wrote: the examples and the fixtures.

generate_sources := $(sort $(wildcard tests/generate/*.c))

$(BUILD)/generate: $(generate_sources) $(wildcard tests/generate/*.h) $(BUILD)/base/idset.o
	$(Q)$(say) "  LINK  $@"; $(CC) $(CPPFLAGS) -Itests/generate $(CFLAGS) $(LDFLAGS) -o $@ \
		$(generate_sources) $(BUILD)/base/idset.o

check: $(BUILD)/generate

# Writes the machines of tests/machines anew, after a change of the generator.
fixtures: $(BUILD)/generate
	$(Q)BUILD=$(abspath $(BUILD)) tests/fixtures/write

.PHONY: fixtures
