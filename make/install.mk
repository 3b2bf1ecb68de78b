# SPDX-License-Identifier: GPL-2.0-or-later
# Installation: every place is a variable of the Makefile.

install: all
	$(INSTALL) -Dm755 $(BUILD)/lpartune $(DESTDIR)$(SBINDIR)/lpartune
	for m in man/*.[578]; do $(INSTALL) -Dm644 $$m $(DESTDIR)$(MANDIR)/man$${m##*.}/$${m##*/}; done
	$(INSTALL) -Dm644 completions/lpartune.bash $(DESTDIR)$(BASHDIR)/lpartune
	$(INSTALL) -Dm644 completions/_lpartune $(DESTDIR)$(ZSHDIR)/_lpartune
	$(INSTALL) -Dm644 completions/lpartune.fish $(DESTDIR)$(FISHDIR)/lpartune.fish
	for s in schema/*.json; do $(INSTALL) -Dm644 $$s $(DESTDIR)$(DATADIR)/schema/$${s##*/}; done
	for u in packaging/systemd/lpartune*; do \
		$(INSTALL) -Dm644 $$u $(DESTDIR)$(UNITDIR)/$${u##*/}; done
	$(INSTALL) -Dm644 packaging/systemd/90-lpartune.rules $(DESTDIR)$(UDEVDIR)/90-lpartune.rules
	$(INSTALL) -d $(DESTDIR)$(DATADIR)/examples
	cp -R --preserve=mode examples/synthetic-* $(DESTDIR)$(DATADIR)/examples/

uninstall:
	rm -f $(DESTDIR)$(SBINDIR)/lpartune $(DESTDIR)$(BASHDIR)/lpartune \
		$(DESTDIR)$(ZSHDIR)/_lpartune $(DESTDIR)$(FISHDIR)/lpartune.fish
	for m in man/*.[578]; do rm -f $(DESTDIR)$(MANDIR)/man$${m##*.}/$${m##*/}; done
	rm -f $(DESTDIR)$(UNITDIR)/lpartune*.service $(DESTDIR)$(UNITDIR)/lpartune*.timer \
		$(DESTDIR)$(UDEVDIR)/90-lpartune.rules
	rm -rf $(DESTDIR)$(DATADIR)

.PHONY: install uninstall
