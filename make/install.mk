# SPDX-License-Identifier: GPL-2.0-or-later
# Installation: every place is a variable of the Makefile. What is installed is what is in the folders.

units := $(notdir $(sort $(wildcard packaging/systemd/*.service packaging/systemd/*.timer)))
pages := $(notdir $(sort $(wildcard man/*.[578])))
# Files that name the program's place.
placed = sed 's|/usr/sbin/lpartune|$(SBINDIR)/lpartune|'

install: all
	$(INSTALL) -Dm755 $(BUILD)/lpartune $(DESTDIR)$(SBINDIR)/lpartune
	for m in $(pages); do $(INSTALL) -Dm644 man/$$m $(DESTDIR)$(MANDIR)/man$${m##*.}/$$m; done
	$(INSTALL) -Dm644 completions/lpartune.bash $(DESTDIR)$(BASHDIR)/lpartune
	$(INSTALL) -Dm644 completions/_lpartune $(DESTDIR)$(ZSHDIR)/_lpartune
	$(INSTALL) -Dm644 completions/lpartune.fish $(DESTDIR)$(FISHDIR)/lpartune.fish
	for s in schema/*.json; do $(INSTALL) -Dm644 $$s $(DESTDIR)$(DATADIR)/schema/$${s##*/}; done
	$(INSTALL) -d $(DESTDIR)$(UNITDIR)
	for u in $(units); do $(placed) packaging/systemd/$$u > $(DESTDIR)$(UNITDIR)/$$u; \
		chmod 644 $(DESTDIR)$(UNITDIR)/$$u; done
	$(INSTALL) -Dm644 packaging/systemd/85-lpartune.preset $(DESTDIR)$(PRESETDIR)/85-lpartune.preset
	$(INSTALL) -Dm644 packaging/systemd/90-lpartune.rules $(DESTDIR)$(UDEVDIR)/90-lpartune.rules
	$(INSTALL) -Dm644 docs/tour.md $(DESTDIR)$(DOCDIR)/tour.md
	$(INSTALL) -Dm644 README.md $(DESTDIR)$(DOCDIR)/README.md
	$(INSTALL) -d $(DESTDIR)$(DOCDIR)/examples
	for e in packaging/examples/*; do \
		$(placed) $$e > $(DESTDIR)$(DOCDIR)/examples/$${e##*/}; \
		chmod $$([ -x $$e ] && echo 755 || echo 644) $(DESTDIR)$(DOCDIR)/examples/$${e##*/}; done
	$(INSTALL) -d $(DESTDIR)$(DATADIR)/examples
	cp -R --preserve=mode examples/synthetic-* $(DESTDIR)$(DATADIR)/examples/

uninstall:
	rm -f $(DESTDIR)$(SBINDIR)/lpartune $(DESTDIR)$(BASHDIR)/lpartune \
		$(DESTDIR)$(ZSHDIR)/_lpartune $(DESTDIR)$(FISHDIR)/lpartune.fish
	for m in $(pages); do rm -f $(DESTDIR)$(MANDIR)/man$${m##*.}/$$m; done
	for u in $(units); do rm -f $(DESTDIR)$(UNITDIR)/$$u; done
	rm -f $(DESTDIR)$(PRESETDIR)/85-lpartune.preset $(DESTDIR)$(UDEVDIR)/90-lpartune.rules
	rm -rf $(DESTDIR)$(DATADIR) $(DESTDIR)$(DOCDIR)

.PHONY: install uninstall
