# SPDX-License-Identifier: GPL-2.0-or-later
# The program built for ppc64le (with the lab's libraries) under qemu-user, beside the native one.

cross: $(BUILD)/lpartune lab-prepare
	$(Q)$(MAKE) --no-print-directory CROSS=powerpc64le-linux-gnu- \
		BUILD=build-powerpc64le-linux-gnu SYSROOT=$(LPARTUNE_LAB)/sysroot WERROR=1
	$(Q)BUILD=$(abspath $(BUILD)) tests/run cross

.PHONY: cross
