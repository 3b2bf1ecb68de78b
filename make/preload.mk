# SPDX-License-Identifier: GPL-2.0-or-later
# What tests preload into the program as it is.

$(BUILD)/preload/%.so: tests/preload/%.c
	$(Q)mkdir -p $(@D); echo "  LINK  $@"; $(CC) $(CPPFLAGS) -O2 -g -fPIC -shared $(WARNINGS) -o $@ $< -ldl

check: $(BUILD)/preload/delay.so $(BUILD)/preload/nomap.so
