# One file, not recursive. Everything built lands in $(B); programs in $(B)/bin.
#   make            programs          make check   build and run the tests
#   make SAN=1 …    sanitizer build in build/san (helpers unconfined, dynamic)
#   make lint       style and static checks          make install PREFIX= DESTDIR=
VERSION   := 0.3.0
PREFIX    ?= /usr/local
DESTDIR   ?=
ifeq ($(origin CC),default)
CC        := gcc
endif
HOSTCC    := $(CC)
B         := build$(if $(SAN),/san)$(BVARIANT)

WARN      := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
  -Wformat=2 -Wvla -Wundef -Wwrite-strings -Wswitch-enum -Wimplicit-fallthrough \
  $(if $(CI),-Werror)
ARCH      := $(shell uname -m)
HARD      := -fstack-protector-strong -fstack-clash-protection -D_FORTIFY_SOURCE=3 -fPIE \
  $(if $(filter x86_64,$(ARCH)),-fcf-protection=full) \
  $(if $(filter aarch64,$(ARCH)),-mbranch-protection=standard)
GCCHARD   := $(if $(findstring clang,$(CC)),,-ftrivial-auto-var-init=zero -fzero-call-used-regs=used-gpr)
LDHARD    := -Wl,-z,relro,-z,now,-z,noexecstack,-z,separate-code
BASE      := -std=gnu17 -O2 -g $(WARN) -fno-strict-aliasing -I. -I$(B)/gen -D_GNU_SOURCE \
  -DBB_VERSION='"$(VERSION)"' -DBB_PREFIX='"$(PREFIX)"'
SANFLAGS  := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer \
  -DBB_UNCONFINED
CFLAGS_BB := $(BASE) $(if $(SAN),-fPIE $(SANFLAGS),$(HARD) $(GCCHARD)) $(EXTRA_CFLAGS)
LDFLAGS_BB:= -pie $(LDHARD) -Wl,--as-needed $(if $(SAN),$(SANFLAGS)) $(EXTRA_LDFLAGS)

# musl: headers of the kernel come by a directory of links.
MULTI     := $(shell $(CC) -print-multiarch 2>/dev/null)
MUSL      := /usr/lib/$(ARCH)-linux-musl
MUSLINC   := $(B)/muslinc
CFLAGS_MUSL := $(BASE) $(HARD) $(GCCHARD) -DBB_HELPER \
  -nostdinc -isystem /usr/include/$(ARCH)-linux-musl -isystem $(MUSLINC) \
  -isystem $(shell $(CC) -print-file-name=include)
LIBGCC    := $(shell $(CC) -print-libgcc-file-name)
LINK_MUSL  = $(CC) -static-pie -nostdlib -nostartfiles $(LDHARD) -Wl,--gc-sections -o $@ \
  $(MUSL)/rcrt1.o $(MUSL)/crti.o $(1) $(MUSL)/libc.a $(LIBGCC) $(MUSL)/libc.a $(MUSL)/crtn.o

# libcommon: what only bb links, and what helpers link too.
COMMON_BB   := libcommon/json.c libcommon/loop.c libcommon/log.c libcommon/same.c \
  libcommon/tool_words.c
COMMON_PURE := $(filter-out $(COMMON_BB),$(wildcard libcommon/*.c))
TOOLS     := $(shell sed 's/\#.*//' policy/tools.list | awk 'NF{print $$1}')
ROOMS     := $(wildcard bin/bb/*/*.c)
AUDIT     := $(wildcard bin/bb-audit/*.c)
PURE      := $(patsubst bin/%/main.c,%,$(filter-out bin/bb-audit/main.c,$(wildcard bin/bb-*/main.c)))
PROGRAMS  := $(addprefix $(B)/bin/,bb frame $(PURE) $(if $(AUDIT),bb-audit))

LIBS_BB   := -ljansson -lutf8proc
LIBS_AUDIT:= -ljansson

all: $(PROGRAMS)

# --- generated: tool tables --------------------------------------------------
MKPOLICY  := $(wildcard scripts/mkpolicy*.c) libcommon/hash.c
$(B)/host/mkpolicy: $(MKPOLICY) scripts/mkpolicy.h libcommon/hash.h libcommon/tool.h
	@mkdir -p $(@D)
	$(HOSTCC) $(BASE) -o $@ $(MKPOLICY) -lseccomp
GEN_C     := $(patsubst %,$(B)/gen/tool_%.c,$(TOOLS)) $(B)/gen/tools.c
$(B)/gen/tool_%.c: policy/%.tool policy/groups.seccomp policy/tools.list $(B)/host/mkpolicy
	@mkdir -p $(@D)
	$(B)/host/mkpolicy tool policy $* > $@.tmp && mv $@.tmp $@
$(B)/gen/tools.c: policy/tools.list $(wildcard policy/*.tool) $(B)/host/mkpolicy
	@mkdir -p $(@D)
	$(B)/host/mkpolicy table policy > $@.tmp && mv $@.tmp $@
# digests of the helpers as built, for bb doctor
$(B)/gen/helpers.c: $(addprefix $(B)/bin/,$(PURE)) $(B)/host/mkpolicy
	$(B)/host/mkpolicy digests $(addprefix $(B)/bin/,$(PURE)) > $@.tmp && mv $@.tmp $@

# --- objects -------------------------------------------------------------------
OBJ_BB    = $(patsubst %.c,$(B)/obj/%.o,$(1))
OBJ_MUSL  = $(patsubst %.c,$(B)/musl/%.o,$(1))
$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_BB) -MMD -MP -c $< -o $@
$(B)/obj/gen/%.o: $(B)/gen/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_BB) -MMD -MP -c $< -o $@
$(MUSLINC):
	@mkdir -p $@
	ln -sfn /usr/include/linux $@/linux
	ln -sfn /usr/include/asm-generic $@/asm-generic
	ln -sfn $(if $(MULTI),/usr/include/$(MULTI)/asm,/usr/include/asm) $@/asm
$(B)/musl/%.o: %.c | $(MUSLINC)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_MUSL) -ffunction-sections -fdata-sections -MMD -MP -c $< -o $@
$(B)/musl/gen/%.o: $(B)/gen/%.c | $(MUSLINC)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_MUSL) -ffunction-sections -fdata-sections -MMD -MP -c $< -o $@

define archive
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $(filter %.o,$^)
endef
$(B)/libcommon.a: $(call OBJ_BB,$(COMMON_PURE) $(COMMON_BB))
	$(archive)
$(B)/libtools.a: $(patsubst %,$(B)/obj/gen/tool_%.o,$(TOOLS)) $(B)/obj/gen/tools.o
	$(archive)
$(B)/libbb.a: $(call OBJ_BB,$(ROOMS))
	$(archive)
$(B)/libcommon-musl.a: $(call OBJ_MUSL,$(COMMON_PURE)) $(patsubst %,$(B)/musl/gen/tool_%.o,$(TOOLS))
	$(archive)

# --- programs --------------------------------------------------------------------
$(B)/bin/bb: $(call OBJ_BB,$(wildcard bin/bb/*.c)) $(B)/obj/gen/helpers.o $(B)/libbb.a $(B)/libtools.a $(B)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_BB) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(LIBS_BB)
$(B)/bin/bb-audit: $(call OBJ_BB,$(AUDIT)) $(B)/libtools.a $(B)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_BB) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS_AUDIT)
$(B)/bin/frame: $(call OBJ_BB,scripts/frame.c) $(B)/libtools.a $(B)/libcommon.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_BB) -o $@ $(filter %.o,$^) $(filter %.a,$^)
define pure_program
ifeq ($(SAN),)
$(B)/bin/$(1): $(call OBJ_MUSL,$(wildcard bin/$(1)/*.c)) $(B)/libcommon-musl.a
	@mkdir -p $$(@D)
	$$(call LINK_MUSL,$$(filter %.o,$$^) $(B)/libcommon-musl.a)
else
$(B)/bin/$(1): $(call OBJ_BB,$(wildcard bin/$(1)/*.c)) $(B)/libtools.a $(B)/libcommon.a
	@mkdir -p $$(@D)
	$(CC) $(LDFLAGS_BB) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^)
endif
endef
$(foreach p,$(PURE),$(eval $(call pure_program,$(p))))

include scripts/check.mk

clean:
	rm -rf build
.PHONY: all clean
.SECONDARY:
.DELETE_ON_ERROR:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
