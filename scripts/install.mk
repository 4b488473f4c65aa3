# make install PREFIX= DESTDIR=: bb and bb-audit in bin, helpers and frame in libexec/bb,
# manual pages and completions where they are looked for. make uninstall takes exactly
# these files away again.
BINDIR    := $(PREFIX)/bin
LIBEXEC   := $(PREFIX)/libexec/bb
MANDIR    := $(PREFIX)/share/man
MANUALS   := $(wildcard bin/*/*.[1-8] policy/*.[1-8] libcommon/*.[1-8] scripts/*.[1-8])
COMP_BASH := $(PREFIX)/share/bash-completion/completions/bb
COMP_ZSH  := $(PREFIX)/share/zsh/site-functions/_bb
COMP_FISH := $(PREFIX)/share/fish/vendor_completions.d/bb.fish
HELPERS    = $(filter-out $(B)/bin/bb,$(PROGRAMS))

# Completions from the tables, as bb itself prints them.
$(B)/host/completions: scripts/completions.c
	@mkdir -p $(@D)
	$(CC) $(BASE) -o $@ $< -ljansson
$(B)/gen/help.json: $(B)/bin/bb
	@mkdir -p $(@D)
	$(B)/bin/bb help --json > $@.tmp && mv $@.tmp $@
$(B)/completions/bb.%: $(B)/gen/help.json $(B)/host/completions
	@mkdir -p $(@D)
	$(B)/host/completions $* < $< > $@.tmp && mv $@.tmp $@
completions: $(addprefix $(B)/completions/bb.,bash zsh fish)

D := "$(DESTDIR)"
install: all completions
	install -d $(D)"$(BINDIR)" $(D)"$(LIBEXEC)"
	install -m 755 $(B)/bin/bb $(D)"$(BINDIR)/bb"
	set -e; for p in $(HELPERS); do install -m 755 $$p $(D)"$(LIBEXEC)/$${p##*/}"; done
	ln -sf ../libexec/bb/bb-audit $(D)"$(BINDIR)/bb-audit"
	set -e; for m in $(MANUALS); do \
	  install -d $(D)"$(MANDIR)/man$${m##*.}"; \
	  install -m 644 $$m $(D)"$(MANDIR)/man$${m##*.}/$${m##*/}"; done
	install -D -m 644 $(B)/completions/bb.bash $(D)"$(COMP_BASH)"
	install -D -m 644 $(B)/completions/bb.zsh $(D)"$(COMP_ZSH)"
	install -D -m 644 $(B)/completions/bb.fish $(D)"$(COMP_FISH)"

uninstall:
	rm -f $(D)"$(BINDIR)/bb" $(D)"$(BINDIR)/bb-audit" $(D)"$(COMP_BASH)" $(D)"$(COMP_ZSH)" \
	  $(D)"$(COMP_FISH)"
	for p in $(HELPERS); do rm -f $(D)"$(LIBEXEC)/$${p##*/}"; done
	for m in $(MANUALS); do rm -f $(D)"$(MANDIR)/man$${m##*.}/$${m##*/}"; done
	-rmdir $(D)"$(LIBEXEC)" 2>/dev/null

.PHONY: install uninstall completions
