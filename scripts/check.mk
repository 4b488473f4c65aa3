# Tests: tests/DIR/NAME.c -> $(B)/tests/DIR/NAME.t (a program); tests/DIR/NAME.sh ->
# the same, by a wrapper. Each prints TAP. BB_TOP and BB_BUILD tell a shell test
# where it is.
TEST_DIRS := unit tool confine session cases
TEST_C    := $(foreach d,$(TEST_DIRS),$(wildcard tests/$(d)/*.c))
TEST_SH   := $(foreach d,$(TEST_DIRS),$(wildcard tests/$(d)/*.sh))
# Programs that tests use but that are no test (liar.c): named here.
TEST_AIDS := tests/confine/liar.c
TESTS     := $(patsubst tests/%.c,$(B)/tests/%.t,$(filter-out $(TEST_AIDS),$(TEST_C))) \
             $(patsubst tests/%.sh,$(B)/tests/%.t,$(TEST_SH))

$(B)/tests/%.t: $(B)/obj/tests/%.o $(B)/libbb.a $(B)/libtools.a $(B)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_BB) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LIBS_BB)
$(B)/tests/%.t: tests/%.sh
	@mkdir -p $(@D)
	printf '#!/bin/sh\nBB_TOP="%s" BB_BUILD="%s" exec sh "%s" "$$@"\n' "$(CURDIR)" "$(CURDIR)/$(B)" "$(CURDIR)/$<" > $@
	chmod +x $@

tests: all $(TESTS)
check: tests
	prove -j2 -r $(B)/tests
check-%: all
	$(MAKE) tests
	prove -j2 -r $(B)/tests/$*
.PHONY: tests check
