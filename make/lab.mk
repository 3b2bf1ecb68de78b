# SPDX-License-Identifier: GPL-2.0-or-later
# The pseries lab: real ppc64le kernels under QEMU. See tests/pseries/README.md.

LPARTUNE_LAB ?= $(CURDIR)/build-lab
export LPARTUNE_LAB
hypervisor_sources := $(wildcard tests/pseries/hypervisor/*.c) src/base/parse.c src/base/idset.c

# The program under test, for the guests: with the libraries of the sysroot.
lab_lpartune := build-powerpc64le-linux-gnu/lpartune
lab_witness := build-powerpc64le-linux-gnu/witness

# What was checked, kernel by kernel; lab-full adds the rest of the matrix. LAB="steal facts" runs
# only these suites.
lab: lab-tools
	$(Q)tests/pseries/run core $(LAB)

lab-full: PREPARE += --full
lab-full: lab-tools
	$(Q)$(MAKE) --no-print-directory CROSS=s390x-linux-gnu- BUILD=build-s390x-linux-gnu \
		SYSROOT=$(LPARTUNE_LAB)/sysroot-s390x build-s390x-linux-gnu/lpartune
	$(Q)tests/pseries/run full $(LAB)

lab-tools: lab-prepare
	$(Q)$(MAKE) --no-print-directory $(LPARTUNE_LAB)/hypervisor $(LPARTUNE_LAB)/ticker
	$(Q)$(MAKE) --no-print-directory CROSS=powerpc64le-linux-gnu- BUILD=build-powerpc64le-linux-gnu \
		SYSROOT=$(LPARTUNE_LAB)/sysroot $(lab_lpartune) $(lab_witness)

lab-prepare:
	$(Q)tests/pseries/prepare $(PREPARE)

$(LPARTUNE_LAB)/hypervisor: $(hypervisor_sources) $(wildcard tests/pseries/hypervisor/*.h)
	$(Q)$(say) "  CC    $@"; cc -O2 -g $(WARNINGS) -std=gnu11 -D_GNU_SOURCE -Isrc \
		-o $@ $(hypervisor_sources)

$(LPARTUNE_LAB)/ticker: tests/pseries/guest/ticker.c
	$(Q)$(say) "  CC    $@"; powerpc64le-linux-gnu-gcc -static -O2 $(WARNINGS) -std=gnu11 -D_GNU_SOURCE -o $@ $<

$(BUILD)/witness: tests/pseries/guest/witness.c $(objects)
	$(Q)echo "  LINK  $@"; $(CC) $(CPPFLAGS) $(CFLAGS) -Wno-missing-prototypes $(LDFLAGS) \
		-Wl,--wrap=observer_classify -o $@ $^ $(LDLIBS)

.PHONY: lab lab-full lab-tools lab-prepare
