# SPDX-License-Identifier: GPL-2.0-or-later
# What the benchmarks run with.

$(BUILD)/pairs: tests/benchmark/pairs.c
	$(Q)mkdir -p $(@D); $(say) "  LINK  $@"; $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $<

benchmark: $(BUILD)/pairs $(BUILD)/generate

$(BUILD)/cost: tests/benchmark/cost.c
	$(Q)mkdir -p $(@D); $(say) "  LINK  $@"; $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $<

benchmark: $(BUILD)/cost

$(BUILD)/floor: tests/benchmark/floor.c
	$(Q)mkdir -p $(@D); $(say) "  LINK  $@"; \
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< -lm

benchmark: $(BUILD)/floor

# A program that does nothing but bring in the libraries of ours.
$(BUILD)/nothing: tests/benchmark/nothing.c
	$(Q)mkdir -p $(@D); echo "  LINK  $@"; \
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -Wl,--no-as-needed -o $@ $< $(LDLIBS)

benchmark: $(BUILD)/nothing
