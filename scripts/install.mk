# make install PREFIX= DESTDIR=: bb and bb-audit in bin, helpers and frame in libexec/bb,
# manual pages and completions where they are looked for. make uninstall takes exactly
# these files away again.
BINDIR    := $(PREFIX)/bin
LIBEXEC   := $(PREFIX)/libexec/bb
MANDIR    := $(PREFIX)/share/man
MANUALS   := $(wildcard bin/*/*.[1-8] policy/*.[1-8] libcommon/*.[1-8] scripts/*.[1-8])
COMP_BASH := $(PREFIX)/share/bash-completion/completions
COMP_ZSH  := $(PREFIX)/share/zsh/site-functions
COMP_FISH := $(PREFIX)/share/fish/vendor_completions.d
HELPERS    = $(filter-out $(B)/bin/bb,$(PROGRAMS))

# Completions from the tables, as bb and bb-audit themselves print them.
$(B)/host/completions: scripts/completions.c
	@mkdir -p $(@D)
	$(CC) $(BASE) -o $@ $< -ljansson
$(B)/gen/%.help.json: $(B)/bin/%
	@mkdir -p $(@D)
	$< --help --json > $@.tmp && mv $@.tmp $@
$(foreach s,bash zsh fish,$(B)/completions/%.$(s)): $(B)/gen/%.help.json $(B)/host/completions
	@mkdir -p $(@D)
	set -e; for s in bash zsh fish; do \
	  $(B)/host/completions $$s < $< > $(@D)/$*.$$s.tmp; \
	  mv $(@D)/$*.$$s.tmp $(@D)/$*.$$s; done
completions: $(foreach p,bb bb-audit,$(addprefix $(B)/completions/$(p).,bash zsh fish))

D := "$(DESTDIR)"
install: all completions
	install -d $(D)"$(BINDIR)" $(D)"$(LIBEXEC)"
	install -m 755 $(B)/bin/bb $(D)"$(BINDIR)/bb"
	set -e; for p in $(HELPERS); do install -m 755 $$p $(D)"$(LIBEXEC)/$${p##*/}"; done
	ln -sf ../libexec/bb/bb-audit $(D)"$(BINDIR)/bb-audit"
	set -e; for m in $(MANUALS); do \
	  install -d $(D)"$(MANDIR)/man$${m##*.}"; \
	  install -m 644 $$m $(D)"$(MANDIR)/man$${m##*.}/$${m##*/}"; done
	set -e; for p in bb bb-audit; do \
	  install -D -m 644 $(B)/completions/$$p.bash $(D)"$(COMP_BASH)/$$p"; \
	  install -D -m 644 $(B)/completions/$$p.zsh $(D)"$(COMP_ZSH)/_$$p"; \
	  install -D -m 644 $(B)/completions/$$p.fish $(D)"$(COMP_FISH)/$$p.fish"; done

uninstall:
	for p in bb bb-audit; do rm -f $(D)"$(BINDIR)/$$p" $(D)"$(COMP_BASH)/$$p" \
	  $(D)"$(COMP_ZSH)/_$$p" $(D)"$(COMP_FISH)/$$p.fish"; done
	for p in $(HELPERS); do rm -f $(D)"$(LIBEXEC)/$${p##*/}"; done
	for m in $(MANUALS); do rm -f $(D)"$(MANDIR)/man$${m##*.}/$${m##*/}"; done
	-rmdir $(D)"$(LIBEXEC)" 2>/dev/null

.PHONY: install uninstall completions
