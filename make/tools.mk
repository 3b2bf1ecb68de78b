# SPDX-License-Identifier: GPL-2.0-or-later
# Programs of the tests and of the manual, one a file, linked with everything but main.

tools := $(patsubst tests/tool/%.c,$(BUILD)/tool/%,$(sort $(wildcard tests/tool/*.c)))

$(BUILD)/tool/%: tests/tool/%.c $(parts)
	$(Q)mkdir -p $(@D); $(say) "  TOOL  $@"; \
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(parts) $(LDLIBS)

check: $(tools)

# The manual page of the rules is made of the table of rules; a test tells when it is not current.
man: $(BUILD)/tool/rules_man
	$(Q)$< > man/lpartune-rules.7

-include $(tools:=.d)

.PHONY: man
