# SPDX-License-Identifier: GPL-2.0-or-later
# make deb, rpm, packages [ARCH=ppc64el]: packages in build/packages; see packaging/build.
# make check-packages: all of them, built in a clean system, checked and installed; see tests/packages.

deb rpm:
	$(Q)packaging/build $@ $(ARCH)

packages: deb rpm

check-packages: $(BUILD)/lpartune lab-prepare
	$(Q)LPARTUNE=$(abspath $(BUILD))/lpartune tests/packages/run

.PHONY: deb rpm packages check-packages
