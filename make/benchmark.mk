# SPDX-License-Identifier: GPL-2.0-or-later
# What the benchmarks run with.

$(BUILD)/pairs: tests/benchmark/pairs.c
	$(Q)mkdir -p $(@D); echo "  LINK  $@"; $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $<

benchmark: $(BUILD)/pairs $(BUILD)/generate

$(BUILD)/cost: tests/benchmark/cost.c
	$(Q)mkdir -p $(@D); echo "  LINK  $@"; $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $<

benchmark: $(BUILD)/cost

$(BUILD)/floor: tests/benchmark/floor.c
	$(Q)mkdir -p $(@D); echo "  LINK  $@"; \
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< -lm

benchmark: $(BUILD)/floor
