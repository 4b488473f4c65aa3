# Tests: tests/DIR/NAME.c -> $(B)/tests/DIR/NAME.t (a program); tests/DIR/NAME.sh ->
# the same, by a wrapper. Each prints TAP. BB_TOP and BB_BUILD tell a shell test
# where it is.
TEST_DIRS := unit tool confine session cases
TEST_C    := $(foreach d,$(TEST_DIRS),$(wildcard tests/$(d)/*.c))
TEST_SH   := $(foreach d,$(TEST_DIRS),$(wildcard tests/$(d)/*.sh))
# Programs that tests use but that are no test (liar.c): named here.
TEST_AIDS := tests/confine/liar.c tests/session/liar-list.c tests/session/liar-search.c \
  tests/session/liar-write.c \
  tests/session/degrade-mask.c tests/session/at-append.c \
  tests/unit/rx-answer.c tests/unit/rx-answer-small.c
# The sanitizer build has no filter and no Landlock (BB_UNCONFINED): what tests those,
# and what needs a program of the ordinary build, is left out there and named.
SAN_OUT   := $(if $(SAN),$(filter tests/confine/% tests/session/liar-% \
  tests/session/degrade% tests/session/strace% tests/session/search-walls%,$(TEST_C) $(TEST_SH)))
t_of       = $(patsubst tests/%,$(B)/tests/%.t,$(basename $(1)))
TESTS     := $(call t_of,$(filter-out $(TEST_AIDS) $(SAN_OUT),$(TEST_C) $(TEST_SH)))

LINK_TEST  = $(CC) $(LDFLAGS_BB) $(1) -o $@ $(filter %.o,$^) -Wl,--start-group \
  $(filter %.a,$^) -Wl,--end-group $(LIBS_BB) $(2)
LIBS_TEST := $(B)/libbb.a $(B)/libtools.a $(B)/libcommon.a

$(B)/tests/%.t: $(B)/obj/tests/%.o $(LIBS_TEST)
	@mkdir -p $(@D)
	$(call LINK_TEST)
# The wrapper finds the repository from its own place: it may be moved, and its path
# may hold anything.
up         = $(subst $(eval) ,/,$(patsubst %,..,$(subst /, ,$(1))))
$(B)/tests/%.t: tests/%.sh
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nunset CDPATH\nBB_TOP=$$(cd "$$(dirname "$$0")/$(call up,$(@D))" && pwd -P) || exit 75\nBB_BUILD=$$BB_TOP/$(B)\nexport BB_TOP BB_BUILD\nexec sh "$$BB_TOP/$<" "$$@"\n' > $@
	@chmod +x $@

# The lying helper: static as the real ones, or the belt would keep its loader from it.
LIAR      := $(B)/tests/confine/liar
$(LIAR): $(call OBJ_MUSL,tests/confine/liar.c) $(B)/libcommon-musl.a
	@mkdir -p $(@D)
	$(call LINK_MUSL,$(filter %.o %.a,$^))
$(B)/tests/confine/liars.t $(B)/tests/confine/belt.t: | $(LIAR)
LIARS     := $(addprefix $(B)/tests/session/,liar-list liar-search)
$(LIARS): $(B)/tests/session/%: $(B)/musl/tests/session/%.o $(B)/libcommon-musl.a
	@mkdir -p $(@D)
	$(call LINK_MUSL,$(filter %.o %.a,$^))
$(B)/tests/session/liar-write: $(call OBJ_MUSL,tests/session/liar-write.c \
    bin/bb-write/replace.c bin/bb-write/diff.c) $(B)/libcommon-musl.a
	@mkdir -p $(@D)
	$(call LINK_MUSL,$(filter %.o %.a,$^))
$(B)/tests/session/liar-write.t: | $(B)/tests/session/liar-write
$(B)/tests/session/liar-list.t: | $(B)/tests/session/liar-list
$(B)/tests/session/liar-search.t: | $(B)/tests/session/liar-search
$(B)/tests/session/degrade-mask $(B)/tests/session/at-append: \
    $(B)/tests/session/%: $(B)/obj/tests/session/%.o
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_BB) -o $@ $<
$(B)/tests/session/degrade.t $(B)/tests/session/search-walls.t: | $(B)/tests/session/degrade-mask
$(B)/tests/session/trail-each.t $(B)/tests/session/write-kill.t: | $(B)/tests/session/at-append
$(B)/tests/unit/rx-answer $(B)/tests/unit/rx-answer-small: $(B)/tests/unit/%: \
    $(B)/obj/tests/unit/%.o $(LIBS_TEST)
	@mkdir -p $(@D)
	$(call LINK_TEST)
$(B)/tests/unit/rx-oracle.t: | $(B)/tests/unit/rx-answer $(B)/tests/unit/rx-answer-small

# The pure part of bb-write, in a test and a fuzz target.
EDITS     := $(call OBJ_BB,bin/bb-write/replace.c bin/bb-write/diff.c)
$(B)/tests/unit/edits.t $(B)/fuzz/write: $(EDITS)

tests: all completions bench-build $(TESTS)
# prove starts each test by tap.sh, which keeps its output in NAME.tap for count.awk.
PROVE     := prove -j2 -e 'sh scripts/tap.sh' -r
check: tests
	$(PROVE) $(B)/tests
check-%: tests
	$(PROVE) $(B)/tests/$*
# What was built, however little: scripts/check goes on after a failed build.
suite:
	@test ! -d $(B)/tests || $(PROVE) $(B)/tests
suite-left-out:
	@n=0; for t in $(filter-out $(TEST_AIDS),$(SAN_OUT)); do n=$$((n + 1)); \
	  echo "ok $$n - $$t # SKIP tests the confinement that the sanitizer build leaves out"; \
	done; echo "1..$$n"

# Fuzz targets: tests/fuzz/NAME.c with LLVMFuzzerTestOneInput. Built by scripts/fuzz.sh
# with clang into its own directory; make fuzz [T=NAME] [SECONDS=N].
FUZZ      := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))
$(B)/fuzz/%: $(B)/obj/tests/fuzz/%.o $(LIBS_TEST)
	@mkdir -p $(@D)
	$(call LINK_TEST,-fsanitize=fuzzer,-lseccomp)
fuzz-build: $(addprefix $(B)/fuzz/,$(FUZZ))
SECONDS   ?= 60
fuzz:
	sh scripts/fuzz.sh $(SECONDS) $(T)

lint:
	sh scripts/lint.sh
format:
	find bin libcommon scripts tests -name '*.[ch]' -type f -exec \
	  clang-format --style=file:scripts/clang-format -i {} +
print-flags:
	@printf '%s\n' '$(subst ','\'',$(CFLAGS_BB))'
map: $(B)/host/mkpolicy
	MKPOLICY=$(B)/host/mkpolicy sh scripts/map.sh

# Speed: design's table of bars, build/bench.json.
$(B)/host/bench: $(B)/obj/scripts/bench.o $(B)/obj/scripts/bench_rows.o $(B)/libtools.a $(B)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_BB) -o $@ $^
$(B)/host/empty: scripts/bench-empty.c | $(MUSLINC)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_MUSL) -c $< -o $@.o
	$(call LINK_MUSL,$@.o)
$(B)/host/bench-pair: scripts/bench-pair.c
	@mkdir -p $(@D)
	$(CC) $(BASE) -o $@ $<
bench-build: $(B)/host/bench-pair $(B)/bin/bb $(B)/bin/bb-read $(B)/bin/bb-search $(B)/host/bench $(B)/host/empty
bench: bench-build
	BVARIANT=$(BVARIANT) scripts/bench

include scripts/install.mk
.PHONY: tests check suite suite-left-out fuzz fuzz-build lint format print-flags map bench bench-build
