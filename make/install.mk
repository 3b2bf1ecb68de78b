# SPDX-License-Identifier: GPL-2.0-or-later
# Installation: every place is a variable of the Makefile. What is installed is what is in the folders.
# Rule: modes are ours, not those of the source and the umask; uninstall removes by name, because any
# of the places may be a folder of others.

unit_files := $(notdir $(sort $(wildcard packaging/systemd/*.service packaging/systemd/*.timer)))
pages := $(notdir $(sort $(wildcard man/*.[578])))
# Files that name the places of the program, its data and its documentation: placed SOURCE TARGET.
placed = placed() { $(INSTALL) -Dm644 "$$1" "$$2" && \
	sed -e 's|/usr/sbin/lpartune|$(SBINDIR)/lpartune|' -e 's|/usr/share/doc/lpartune|$(DOCDIR)|' \
		-e 's|/usr/share/lpartune|$(DATADIR)|' "$$1" >"$$2"; }

install: all
	$(INSTALL) -Dm755 "$(BUILD)/lpartune" "$(DESTDIR)$(SBINDIR)/lpartune"
	set -e; $(placed); for m in $(pages); do \
		placed man/$$m "$(DESTDIR)$(MANDIR)/man$${m##*.}/$$m"; done
	$(INSTALL) -Dm644 completions/lpartune.bash "$(DESTDIR)$(BASHDIR)/lpartune"
	$(INSTALL) -Dm644 completions/_lpartune "$(DESTDIR)$(ZSHDIR)/_lpartune"
	$(INSTALL) -Dm644 completions/lpartune.fish "$(DESTDIR)$(FISHDIR)/lpartune.fish"
	set -e; for s in schema/*.json; do $(INSTALL) -Dm644 $$s "$(DESTDIR)$(DATADIR)/$$s"; done
	set -e; $(placed); for u in $(unit_files); do \
		placed packaging/systemd/$$u "$(DESTDIR)$(UNITDIR)/$$u"; done
	$(INSTALL) -Dm644 packaging/systemd/85-lpartune.preset "$(DESTDIR)$(PRESETDIR)/85-lpartune.preset"
	$(INSTALL) -Dm644 packaging/systemd/90-lpartune.rules "$(DESTDIR)$(UDEVDIR)/90-lpartune.rules"
	$(INSTALL) -Dm644 docs/tour.md "$(DESTDIR)$(DOCDIR)/tour.md"
	$(INSTALL) -Dm644 README.md "$(DESTDIR)$(DOCDIR)/README.md"
	set -e; $(placed); for e in packaging/examples/*; do \
		placed $$e "$(DESTDIR)$(DOCDIR)/examples/$${e##*/}"; \
		[ ! -x $$e ] || chmod 755 "$(DESTDIR)$(DOCDIR)/examples/$${e##*/}"; done
	$(INSTALL) -d "$(DESTDIR)$(DATADIR)/examples"
	set -e; for e in examples/synthetic-*; do \
		cp -R $$e "$(DESTDIR)$(DATADIR)/examples/"; \
		chmod -R u=rwX,go=rX "$(DESTDIR)$(DATADIR)/$$e"; done

uninstall:
	rm -f "$(DESTDIR)$(SBINDIR)/lpartune" "$(DESTDIR)$(BASHDIR)/lpartune" \
		"$(DESTDIR)$(ZSHDIR)/_lpartune" "$(DESTDIR)$(FISHDIR)/lpartune.fish"
	for m in $(pages); do rm -f "$(DESTDIR)$(MANDIR)/man$${m##*.}/$$m"; done
	for u in $(unit_files); do rm -f "$(DESTDIR)$(UNITDIR)/$$u"; done
	rm -f "$(DESTDIR)$(PRESETDIR)/85-lpartune.preset" "$(DESTDIR)$(UDEVDIR)/90-lpartune.rules"
	rm -f "$(DESTDIR)$(DOCDIR)/tour.md" "$(DESTDIR)$(DOCDIR)/README.md"
	for e in packaging/examples/*; do rm -f "$(DESTDIR)$(DOCDIR)/examples/$${e##*/}"; done
	for s in schema/*.json; do rm -f "$(DESTDIR)$(DATADIR)/$$s"; done
	for e in examples/synthetic-*; do rm -rf "$(DESTDIR)$(DATADIR)/$$e"; done
	for d in "$(DOCDIR)/examples" "$(DOCDIR)" "$(DATADIR)/schema" "$(DATADIR)/examples" "$(DATADIR)"; do \
		rmdir "$(DESTDIR)$$d" 2>/dev/null || :; done

.PHONY: install uninstall
