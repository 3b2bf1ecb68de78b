# SPDX-License-Identifier: GPL-2.0-or-later
# make kill-walk [STEP=N]: kill apply and revert at every Nth system call; see tests/kill-walk.

STEP ?= 1

kill-walk: $(BUILD)/lpartune
	$(Q)LPARTUNE=$(abspath $(BUILD))/lpartune tests/kill-walk $(STEP)

.PHONY: kill-walk
