# SPDX-License-Identifier: GPL-2.0-or-later
# make [all] · check · lint · benchmark · fuzz · lab · lab-full · install · uninstall · dist · clean
# make deb · rpm · packages [ARCH=ppc64el] · check-packages
# Variables: CC CFLAGS CPPFLAGS LDFLAGS LDLIBS PREFIX DESTDIR … as usual, and
#   WERROR=1    warnings are errors
#   SANITIZE=1  AddressSanitizer and UBSan (SANITIZE=thread: ThreadSanitizer)
#   CROSS=powerpc64le-linux-gnu-   cross-build, in a build folder of its own
#   SYSROOT=DIR unpacked -dev packages of the target
#   V=1         show whole command lines

VERSION := 0.1.0
CROSS ?=
ifeq ($(origin CC),default)
CC := $(CROSS)gcc
endif
PKG_CONFIG ?= pkg-config
INSTALL ?= install

PREFIX ?= /usr
SBINDIR ?= $(PREFIX)/sbin
DATADIR ?= $(PREFIX)/share/lpartune
MANDIR ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
UNITDIR ?= $(PREFIX)/lib/systemd/system
PRESETDIR ?= $(PREFIX)/lib/systemd/system-preset
UDEVDIR ?= $(PREFIX)/lib/udev/rules.d
DOCDIR ?= $(PREFIX)/share/doc/lpartune

BUILD ?= build$(if $(CROSS),-$(CROSS:-=))$(if $(SANITIZE),-sanitize$(filter-out 1,$(SANITIZE)))
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
	-Wformat=2 -Wvla $(if $(WERROR),-Werror)
CFLAGS ?= -O2 -g
comma := ,
sanitizers := $(if $(filter thread,$(SANITIZE)),thread,$(if $(SANITIZE),address$(comma)undefined))
# A distribution that has a level of its own keeps it.
fortify := $(if $(SANITIZE)$(findstring FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS)),,-D_FORTIFY_SOURCE=2)
hardening := $(fortify) -fstack-protector-strong

override CPPFLAGS += -D_GNU_SOURCE -Isrc -I$(BUILD)/include
override CFLAGS += -std=gnu11 -fPIE -pthread $(WARNINGS) $(hardening) \
	-fdebug-prefix-map='$(CURDIR)=.' \
	$(if $(SANITIZE),-fsanitize=$(sanitizers) -fno-sanitize-recover=all -fno-omit-frame-pointer)
override LDFLAGS += -pie -Wl,-z,relro,-z,now -pthread \
	$(if $(SANITIZE),-fsanitize=$(sanitizers))
ifdef SYSROOT
triplet := $(CROSS:-=)
override CPPFLAGS += -isystem $(SYSROOT)/usr/include -isystem $(SYSROOT)/usr/include/$(triplet) \
	-isystem $(SYSROOT)/usr/include/libsmartcols
override LDFLAGS += -L$(SYSROOT)/usr/lib/$(triplet) -L$(SYSROOT)/lib/$(triplet) \
	-Wl,-rpath-link,$(SYSROOT)/lib/$(triplet):$(SYSROOT)/usr/lib/$(triplet)
LDLIBS += -lsmartcols -ljansson -lcap -lpfm -lm
else
override CPPFLAGS += $(shell $(PKG_CONFIG) --cflags smartcols jansson libcap)
LDLIBS += $(shell $(PKG_CONFIG) --libs smartcols jansson libcap) -lpfm -lm
endif

sources := $(sort $(wildcard src/*.c src/*/*.c src/*/*/*.c))
objects := $(sources:src/%.c=$(BUILD)/%.o)
parts := $(filter-out $(BUILD)/main.o,$(objects))
units := $(patsubst tests/unit/%.c,$(BUILD)/unit/%,$(sort $(wildcard tests/unit/*.c)))
Q := $(if $(V),,@)
say := $(if $(V),:,echo)

all: $(BUILD)/lpartune

$(BUILD)/lpartune: $(objects)
	$(Q)$(say) "  LINK  $@"; $(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/%.o: src/%.c $(BUILD)/include/version.h
	$(Q)mkdir -p $(@D); $(say) "  CC    $<"; $(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/include/version.h: Makefile
	$(Q)mkdir -p $(@D); printf '#define LPARTUNE_VERSION "%s"\n' '$(VERSION)' > $@

# Unit tests: one program a file, linked with everything but main; they print TAP.
$(BUILD)/unit/%: tests/unit/%.c $(parts)
	$(Q)mkdir -p $(@D); $(say) "  TEST  $@"; \
	$(CC) $(CPPFLAGS) -Itests/unit $(CFLAGS) -MMD -MP $(LDFLAGS) -o $@ $< $(parts) $(LDLIBS)

check: $(BUILD)/lpartune $(units)
	$(Q)BUILD='$(abspath $(BUILD))' tests/run $(TESTS)

lint:
	$(Q)tests/lint

benchmark: $(BUILD)/lpartune
	$(Q)BUILD='$(abspath $(BUILD))' tests/benchmark/run $(BENCHMARKS)

dist:
	git archive --prefix=lpartune-$(VERSION)/ -o lpartune-$(VERSION).tar.gz HEAD

clean:
	rm -rf build build-* lpartune-*.tar.gz

# Parts that bring their own targets (fuzz, lab, install …).
include $(sort $(wildcard make/*.mk))
-include $(objects:.o=.d) $(units:=.d)

.PHONY: all check lint benchmark dist clean
.DELETE_ON_ERROR:
