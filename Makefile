# gp5: the whole build. `make` builds, `make check` and `make demo` install what is missing first.
#
#   make [all]      build/gp5, build/libgp5.a, build/libgp5.so, build/gp5-gl-worker
#   make check      all tests, of long ones a fixed sample
#   make check-long all of them, and make check with the sanitizers
#   make demo       two programs, evaluated and compared with drivers
#   make bench      measurements (BENCH=--json)      make deps    install the packages of packages.txt
#   make docs       docs/instructions.md and what editors need, from the tables
#   make fuzz       the fuzzer for FUZZ_SECONDS=60 (needs clang); finds end up in build-fuzz/found
#   make install uninstall clean       PREFIX=/usr/local DESTDIR=
#
# V=1 shows commands, SAN=1 builds with the sanitizers (in build-san), CC=clang works, B=DIR builds elsewhere.
# Files are found by folder: a new .c file needs no line here.

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.PHONY: all demo check check-long bench fuzz fuzz-built install uninstall clean deps man docs tests demo-built \
        check-built check-long-built bench-built check-tools FORCE
.DEFAULT_GOAL := all

ifeq ($(origin CC),default)
CC := gcc
endif
AR := ar
OBJCOPY := objcopy
FLEX ?= flex
BISON ?= bison
SCDOC ?= scdoc
PKG_CONFIG ?= pkg-config

PREFIX ?= /usr/local
DESTDIR ?=
bindir ?= $(PREFIX)/bin
libdir ?= $(PREFIX)/lib
includedir ?= $(PREFIX)/include
libexecdir ?= $(PREFIX)/libexec
mandir ?= $(PREFIX)/share/man
datadir ?= $(PREFIX)/share
docdir ?= $(datadir)/doc/gp5
STRIP ?= strip
pkgconfigdir ?= $(libdir)/pkgconfig

V ?= 0
SAN ?= 0
FUZZ ?= 0
ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-7s %s\n'
endif
ifeq ($(SAN),1)
B ?= build-san
OPT ?= -O1
EVAL_OPT ?= -O2
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
ifeq ($(FUZZ),1)
SANITIZE += -fsanitize=fuzzer-no-link
endif
SO_CHECK :=
else
B ?= build
OPT ?= -O2
EVAL_OPT ?= -O3
SANITIZE :=
SO_CHECK := -Wl,-z,defs
endif

# ---- flags ----------------------------------------------------------------------------------------------------------

WERROR ?= -Werror
# Lines in traces; a debugger wants CFLAGS=-g, which takes a quarter longer. Valgrind 3.19 ends at clang's DWARF 5.
CFLAGS ?= -g1$(if $(findstring clang,$(CC)), -gdwarf-4)
WARNINGS := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla $(WERROR)
ifeq ($(FUZZ),1)
WARNINGS += -Wno-pass-failed    # what counts the paths taken keeps loops from being vectorised
endif
BASE_FLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -I. -Iinclude -I$(B)/gen -fPIC -fvisibility=hidden -pthread $(SANITIZE)
# The worker is looked for beside the command and in ../libexec/gp5 from there; elsewhere only when one says so here.
ifneq ($(origin libexecdir),file)
BASE_FLAGS += -DGP5_LIBEXECDIR='"$(libexecdir)/gp5"'
endif
DEPFLAGS = -MMD -MP -MF $(@:.o=.d)
LINK := -pthread $(SANITIZE)

# What flex and bison write is theirs: the warnings that their code cannot bear are off for it alone.
GENERATED_FLAGS := -Wno-unused-function -Wno-unused-but-set-variable -Wno-sign-compare -Wno-missing-prototypes \
                   -Wno-unused-parameter
# Rounding is part of the answer: no contraction; vectorised selects need -fno-trapping-math.
EVAL_FLAGS := -ffp-contract=off -fno-trapping-math -fno-math-errno

# Packages are probed when a recipe first needs them, so that `make check` can install before anything asks.
lazy = $(eval $(1) := $(2))$($(1))
JANSSON_CFLAGS = $(call lazy,JANSSON_CFLAGS,$(shell $(PKG_CONFIG) --cflags jansson))
JANSSON_LIBS = $(call lazy,JANSSON_LIBS,$(shell $(PKG_CONFIG) --libs jansson))
PNG_CFLAGS = $(call lazy,PNG_CFLAGS,$(shell $(PKG_CONFIG) --cflags libpng))
PNG_LIBS = $(call lazy,PNG_LIBS,$(shell $(PKG_CONFIG) --libs libpng))
# Relocations of tables of pointers in a tenth of the room, where the C library (glibc 2.36) reads them.
PACKED = $(call lazy,PACKED,$(shell grep -qs GLIBC_ABI_DT_RELR "`$(CC) -print-file-name=libc.so.6`" && \
               echo -Wl,-z,pack-relative-relocs))
GL_CFLAGS = $(call lazy,GL_CFLAGS,$(shell $(PKG_CONFIG) --cflags glew egl glfw3))
GL_LIBS = $(call lazy,GL_LIBS,$(shell $(PKG_CONFIG) --libs glew egl))

# ---- what there is -----------------------------------------------------------------------------------------------

VERSION := $(shell sed -n 's/^.define GP5_VERSION "\(.*\)"/\1/p' include/gp5.h 2>/dev/null)
TRIPLET := $(shell $(CC) -dumpmachine 2>/dev/null)

obj = $(patsubst %.c,$(B)/obj/%.o,$(1))
EVAL_SRC := $(filter-out eval/kernels/%,$(wildcard eval/*/*.c model/*.c model/*/*.c))
TEXT_SRC := $(filter-out asm/gen/%,$(wildcard api/*.c asm/*.c asm/*/*.c lexer/*.c parser/*.c translate/*.c))
LIB_SRC := $(TEXT_SRC) $(EVAL_SRC)
LIB_GEN := $(patsubst %.l,$(B)/gen/%.c,$(notdir $(wildcard lexer/lexer.l))) \
           $(patsubst %.y,$(B)/gen/%.c,$(notdir $(wildcard parser/parser.y)))
GEN_HEADERS := $(LIB_GEN:.c=.h)
KERNELS := $(wildcard eval/kernels/*.c eval/subgroup/kernels/*.c)

# One source, one object a level; which level runs is chosen at run time.
ifneq ($(filter x86_64-%,$(TRIPLET)),)
LEVELS := base v3 v4
else
LEVELS := base
endif
# Nothing unwinds through a kernel. Loops over the vectors of a plane are written out (EVAL_OPT) where that was measured
# to be faster; elsewhere that is twice the room for nothing. Of the first level, for machines without AVX2, all are
# small.
KERNEL_FLAGS := -fno-asynchronous-unwind-tables
SMALL = $(OPT) $(if $(findstring clang,$(CC)),,-ftree-vectorize -fvect-cost-model=very-cheap)
FAST_v4 := $(patsubst %,eval/kernels/%.c,integer planes special texels)
FAST_v3 := $(FAST_v4) eval/kernels/float.c
FLAGS_v3 := -mavx2 -mfma -mbmi -mbmi2 -mlzcnt -mpopcnt -mf16c
FLAGS_v4 := $(FLAGS_v3) -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512cd
# Subgroup kernels gain nothing from the last level.
KERNEL_OBJ := $(filter-out $(B)/obj/eval/subgroup/kernels/%.v4.o,\
                $(foreach level,$(LEVELS),$(patsubst %.c,$(B)/obj/%.$(level).o,$(KERNELS))))

LIB_OBJ := $(call obj,$(LIB_SRC)) $(patsubst %.c,%.o,$(LIB_GEN)) $(KERNEL_OBJ)
COMPARE_OBJ := $(call obj,$(wildcard compare/*/*.c raster/*.c))
CLI_OBJ := $(call obj,$(wildcard cli/*.c lsp/*.c))
GL_OBJ := $(call obj,$(wildcard gl/*.c))

# tests/unit/*/test_*.c and tests/bench/bench_*.c are programs, and so is every other file of tests/unit, tests/bench,
# tests/oracle and tests/tools with a main(); the rest is code that they share. tests/tools/experiments/*.c are programs
# for looking at drivers. A line `/* link: mpfr GLEW */` among a program's first five names libraries beyond the usual
# ones.
TEST_SRC := $(wildcard tests/unit/test_*.c tests/unit/*/test_*.c)
BENCH_SRC := $(wildcard tests/bench/bench_*.c)
OTHER_SRC := $(filter-out $(TEST_SRC) $(BENCH_SRC),$(wildcard $(patsubst %,tests/%/*.c,unit unit/* bench oracle tools)))
HELPER_SRC := $(if $(OTHER_SRC),$(shell grep -l '^int main' $(OTHER_SRC)))
SHARED_SRC := $(filter-out $(HELPER_SRC),$(OTHER_SRC))
TEST_BIN := $(patsubst %.c,$(B)/tests/%,$(notdir $(TEST_SRC)))
HELPER_BIN := $(patsubst %.c,$(B)/tests/%,$(notdir $(HELPER_SRC)))
BENCH_BIN := $(BENCH_SRC:tests/bench/%.c=$(B)/bench/%)
EXPERIMENT_SRC := $(wildcard tests/tools/experiments/*.c)
EXPERIMENT_BIN := $(EXPERIMENT_SRC:tests/tools/%.c=$(B)/%)
EXAMPLE_BIN := $(patsubst examples/%.c,$(B)/examples/%,$(wildcard examples/*.c))
DRAW_BIN := $(B)/examples/translate/draw
SHARED_OBJ := $(call obj,$(SHARED_SRC))
FUZZ_OBJ := $(call obj,$(wildcard tests/fuzz/*.c))
TOOL_OBJ := $(call obj,asm/gen/instructions.c asm/gen/syntax.c)
TEST_OBJ := $(call obj,$(TEST_SRC) $(BENCH_SRC) $(HELPER_SRC) $(EXPERIMENT_SRC)) $(SHARED_OBJ) $(FUZZ_OBJ)

PRODUCTS := $(B)/libgp5.a $(B)/libgp5.so
ifneq ($(CLI_OBJ),)
PRODUCTS += $(B)/gp5
endif
ifneq ($(GL_OBJ),)
PRODUCTS += $(B)/gp5-gl-worker
endif
MAN := $(patsubst %.scd,$(B)/%,$(wildcard docs/man/*.scd))

all: check-tools $(PRODUCTS)
tests: all $(B)/instructions $(B)/syntax $(TEST_BIN) $(HELPER_BIN) $(EXPERIMENT_BIN) $(EXAMPLE_BIN) $(DRAW_BIN)
man: $(MAN)

# A build without the packages ends in one sentence and not in a page of missing headers.
check-tools:
	@missing=; for tool in $(CC) $(FLEX) $(BISON) $(PKG_CONFIG); do \
	    command -v $$tool >/dev/null 2>&1 || missing="$$missing $$tool"; done; \
	if [ -n "$$missing" ]; then echo "gp5: not found:$$missing; 'make deps' installs what is needed" >&2; exit 1; fi

# ---- libraries and programs ------------------------------------------------------------------------------------

# What is installed: one object, of whose names only the public ones are seen by who links it.
$(B)/libgp5.a: $(LIB_OBJ) $(B)/gen/lists
	$(say) AR $@
	$(Q)rm -f $@; $(CC) -r -nostdlib -o $(B)/gen/gp5.o $(LIB_OBJ)
	$(Q)$(OBJCOPY) --localize-hidden $(B)/gen/gp5.o && $(AR) rcs $@ $(B)/gen/gp5.o && rm -f $(B)/gen/gp5.o

# What the command, the worker and the tests link: the same objects, one by one.
$(B)/libgp5-all.a: $(LIB_OBJ) $(B)/gen/lists
	$(say) AR $@
	$(Q)rm -f $@; $(AR) rcs $@ $(LIB_OBJ)

$(B)/libcompare.a: $(COMPARE_OBJ) $(B)/gen/lists
	$(say) AR $@
	$(Q)rm -f $@; $(AR) rcs $@ $(COMPARE_OBJ)

$(B)/libtests.a: $(SHARED_OBJ) $(B)/gen/lists
	$(say) AR $@
	$(Q)rm -f $@; $(AR) rcs $@ $(SHARED_OBJ)

$(B)/libgp5.so.0: $(LIB_OBJ) $(B)/gen/lists api/libgp5.map
	$(say) LINK $@
	$(Q)$(CC) $(LINK) $(LDFLAGS) -shared $(PACKED) -Wl,-soname,libgp5.so.0 -Wl,--version-script=api/libgp5.map \
	    $(SO_CHECK) -o $@ $(LIB_OBJ) -lm

$(B)/libgp5.so: $(B)/libgp5.so.0
	$(Q)ln -sf libgp5.so.0 $@

$(B)/gp5: $(CLI_OBJ) $(B)/libcompare.a $(B)/libgp5-all.a
	$(say) LINK $@
	$(Q)$(CC) $(LINK) $(PACKED) $(LDFLAGS) -o $@ $(CLI_OBJ) $(B)/libcompare.a $(B)/libgp5-all.a $(JANSSON_LIBS) \
	    $(PNG_LIBS) -ldl -lm

# The only program that sees a GL library.
$(B)/gp5-gl-worker: $(GL_OBJ) $(B)/libcompare.a
	$(say) LINK $@
	$(Q)$(CC) $(LINK) $(LDFLAGS) -o $@ $(GL_OBJ) $(B)/libcompare.a $(GL_LIBS) $(JANSSON_LIBS) -ldl -lm

# Writes docs/instructions.md from the tables.
$(B)/instructions: $(B)/obj/asm/gen/instructions.o $(B)/libgp5-all.a
	$(say) LINK $@
	$(Q)$(CC) $(LINK) $(LDFLAGS) -o $@ $< $(B)/libgp5-all.a -lm

# Writes the words of the language: the fuzzer's dictionary, and what editors need.
$(B)/syntax: $(B)/obj/asm/gen/syntax.o $(B)/libgp5-all.a
	$(say) LINK $@
	$(Q)$(CC) $(LINK) $(LDFLAGS) -o $@ $< $(B)/libgp5-all.a $(JANSSON_LIBS) -lm

docs: $(B)/instructions $(B)/syntax
	$(B)/instructions >docs/instructions.md
	$(B)/syntax vim >docs/editors/vim/syntax/gp5asm.vim
	$(B)/syntax textmate >docs/editors/vscode/syntaxes/gp5asm.tmLanguage.json

test_libs = $(patsubst %,-l%,$(shell sed -n '1,5s|^/\* link: \(.*\) \*/.*|\1|p' $(1)))
link_test = $(CC) $(LINK) $(LDFLAGS) -o $@ $< $(B)/libtests.a $(B)/libcompare.a $(B)/libgp5-all.a $(JANSSON_LIBS) $(PNG_LIBS)

define helper_rule
$(B)/tests/$(basename $(notdir $(1))): $(call obj,$(1)) $(B)/libtests.a $(B)/libcompare.a $(B)/libgp5-all.a
	$$(say) LINK $$@
	$$(Q)mkdir -p $$(@D) && $$(link_test) $$(call test_libs,$(1)) $(2) -lm
endef
$(foreach source,$(HELPER_SRC),$(eval $(call helper_rule,$(source))))
$(foreach source,$(TEST_SRC),$(eval $(call helper_rule,$(source),-lcmocka)))
$(EXPERIMENT_BIN): $(B)/experiments/%: $(B)/obj/tests/tools/experiments/%.o $(B)/libtests.a $(B)/libcompare.a $(B)/libgp5-all.a
	$(say) LINK $@
	$(Q)mkdir -p $(@D) && $(link_test) $(call test_libs,tests/tools/experiments/$*.c) -lm

# The fuzzer brings its own main(); only a build with FUZZ=1 has what it needs.
$(B)/fuzz-input: $(FUZZ_OBJ) $(B)/libtests.a $(B)/libcompare.a $(B)/libgp5-all.a
	$(say) LINK $@
	$(Q)$(CC) $(LINK) -fsanitize=fuzzer $(LDFLAGS) -o $@ $(FUZZ_OBJ) $(B)/libtests.a $(B)/libcompare.a \
	    $(B)/libgp5-all.a $(JANSSON_LIBS) -lm

# As anybody else would build them: the public headers and the shared library.
$(EXAMPLE_BIN): $(B)/examples/%: examples/%.c $(wildcard include/*.h) $(B)/libgp5.so $(B)/gen/flags
	$(say) LINK $@
	$(Q)mkdir -p $(@D) && $(CC) -std=c11 $(WARNINGS) $(CFLAGS) -Iinclude $(LINK) $(LDFLAGS) -o $@ $< -L$(B) -lgp5 \
	    -Wl,-rpath,'$$ORIGIN/..'

$(DRAW_BIN): $(B)/%: %.c $(B)/gen/flags
	$(say) LINK $@
	$(Q)mkdir -p $(@D) && $(CC) -std=c11 $(WARNINGS) $(CFLAGS) $(GL_CFLAGS) $(JANSSON_CFLAGS) $(LDFLAGS) -o $@ $< \
	    $(GL_LIBS) $(JANSSON_LIBS)

# Measurements open a GL in their own process, to have a driver beside gp5.
BENCH_GL := $(call obj,$(wildcard gl/context.c gl/egl*.c gl/glfw*.c))
$(BENCH_BIN): $(B)/bench/%: $(B)/obj/tests/bench/%.o $(BENCH_GL) $(B)/libtests.a $(B)/libgp5-all.a
	$(say) LINK $@
	$(Q)mkdir -p $(@D) && $(CC) $(LINK) $(LDFLAGS) -o $@ $< $(BENCH_GL) $(B)/libtests.a $(B)/libgp5-all.a \
	    $(call test_libs,tests/bench/$*.c) $(GL_LIBS) -ldl -lm

# ---- objects -------------------------------------------------------------------------------------------------------

compile = $(CC) $(BASE_FLAGS) $(WARNINGS) $(1) $(CFLAGS) $(CPPFLAGS) $(DEPFLAGS) -c -o $@ $<
LIB_OTHER_OBJ := $(call obj,$(TEXT_SRC)) $(TOOL_OBJ)
EVAL_OBJ := $(call obj,$(EVAL_SRC))
ALL_OBJ := $(LIB_OBJ) $(COMPARE_OBJ) $(CLI_OBJ) $(GL_OBJ) $(TOOL_OBJ) $(TEST_OBJ)

$(ALL_OBJ): $(B)/gen/flags Makefile | $(GEN_HEADERS) $(B)/gen/words.inc

$(LIB_OTHER_OBJ): $(B)/obj/%.o: %.c
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(call compile,$(OPT))

$(EVAL_OBJ): $(B)/obj/%.o: %.c
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(call compile,$(EVAL_OPT) $(EVAL_FLAGS))

$(patsubst %.c,%.o,$(LIB_GEN)): $(B)/gen/%.o: $(B)/gen/%.c
	$(say) CC $<
	$(Q)$(call compile,$(OPT) $(GENERATED_FLAGS))

define kernel_rule
$(patsubst %.c,$(B)/obj/%.$(1).o,$(KERNELS)): $(B)/obj/%.$(1).o: %.c
	$$(say) CC '$$< ($(1))'
	$$(Q)mkdir -p $$(@D) && $$(call compile,$$(if $$(filter $$<,$(FAST_$(1))),$$(EVAL_OPT),$$(SMALL)) $$(EVAL_FLAGS) \
	    $$(KERNEL_FLAGS) -DLEVEL=$(1) $(FLAGS_$(1)))
endef
$(if $(KERNELS),$(foreach level,$(LEVELS),$(eval $(call kernel_rule,$(level)))))

$(COMPARE_OBJ) $(CLI_OBJ): $(B)/obj/%.o: %.c
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(call compile,$(OPT) $(JANSSON_CFLAGS) $(PNG_CFLAGS))

$(GL_OBJ): $(B)/obj/%.o: %.c
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(call compile,$(OPT) $(GL_CFLAGS) $(JANSSON_CFLAGS))

$(TEST_OBJ): $(B)/obj/%.o: %.c
	$(say) CC $<
	$(Q)mkdir -p $(@D) && $(call compile,$(OPT) $(JANSSON_CFLAGS))

# ---- generated files ---------------------------------------------------------------------------------------------

$(B)/gen/lexer.c: lexer/lexer.l
	$(say) FLEX $<
	$(Q)mkdir -p $(@D) && $(FLEX) --header-file=$(B)/gen/lexer.h -o $@ $<

$(B)/gen/parser.c: parser/parser.y
	$(say) BISON $<
	$(Q)mkdir -p $(@D) && $(BISON) -Werror --header=$(B)/gen/parser.h -o $@ $<

$(GEN_HEADERS): %.h: %.c ;

WORDS_DEF := $(patsubst %,asm/%.def,isa keywords modifiers bindings)
$(B)/gen/words.inc: asm/gen/words.awk $(WORDS_DEF)
	$(say) GEN $@
	$(Q)mkdir -p $(@D) && awk -f $< $(WORDS_DEF) >$@

# Rewritten only when what it says has changed: objects follow the flags, archives follow the list of their members.
remember = mkdir -p $(@D); echo '$(1)' | cmp -s - $@ || echo '$(1)' >$@
$(B)/gen/flags: FORCE
	@$(call remember,$(CC) $(TRIPLET) $(BASE_FLAGS) $(WARNINGS) $(OPT) $(EVAL_OPT) $(EVAL_FLAGS) $(CFLAGS) $(CPPFLAGS))
$(B)/gen/lists: FORCE
	@$(call remember,$(sort $(LIB_OBJ) $(COMPARE_OBJ) $(SHARED_OBJ)))

$(MAN): $(B)/docs/man/%: docs/man/%.scd
	$(say) SCDOC $<
	$(Q)mkdir -p $(@D) && $(SCDOC) <$< >$@

# ---- what one types ----------------------------------------------------------------------------------------------
# `check`, `demo` and `bench` install in this make and build in a second one: with a job a processor, unless -j says else.
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))

deps:
	@tests/tools/deps

check-long: deps
	+@$(MAKE) --no-print-directory $(JOBS) check-long-built
	+@$(MAKE) --no-print-directory $(JOBS) SAN=1 check-built

check demo bench: deps
	+@$(MAKE) --no-print-directory $(JOBS) $@-built

check-built: tests man
	@B=$(B) SAN=$(SAN) tests/run $(TESTS)

check-long-built: tests man
	@B=$(B) SAN=$(SAN) LONG=1 tests/run $(TESTS)

demo-built: all $(DRAW_BIN)
	@B=$(B) examples/demo

bench-built: all $(BENCH_BIN)
	@B=$(B) tests/tools/bench $(BENCH)

# Instrumented objects live in a folder of their own.
fuzz: deps
	+@$(MAKE) --no-print-directory $(JOBS) SAN=1 FUZZ=1 CC=clang B=build-fuzz fuzz-built

fuzz-built: $(B)/fuzz-input $(B)/syntax
	@B=$(B) tests/tools/fuzz $(FUZZ_SECONDS)

# What shells complete, made of what the command says of itself: SHELL of bash, zsh, fish.
COMPLETIONS := $(patsubst %,$(B)/completions/%,bash zsh fish)
$(COMPLETIONS): $(B)/completions/%: cli/completions.sh $(B)/gp5
	$(say) GEN $@
	$(Q)mkdir -p $(@D)
	$(Q)GP5=$(B)/gp5 cli/completions.sh $* >$@

# Files of the documentation, the examples and the editors, which are installed as they lie here.
DOCS := $(wildcard README.md docs/*.md)
EXAMPLES := $(wildcard examples/*.* examples/*/*)
VIM := $(wildcard docs/editors/vim/*/*)
VSCODE := $(wildcard docs/editors/vscode/*.* docs/editors/vscode/*/*)
# $(1) each file, from a folder $(2) of ours to a folder $(3) of the system's; tree_gone takes them away again.
tree = for file in $(1); do install -D -m 644 $$file $(DESTDIR)$(3)/$${file\#$(2)/}; done
tree_gone = $(patsubst $(2)/%,$(DESTDIR)$(3)/%,$(1))
COMPLETION_FILES := $(datadir)/bash-completion/completions/gp5 $(datadir)/zsh/vendor-completions/_gp5 \
                    $(datadir)/fish/vendor_completions.d/gp5.fish

install: all man $(COMPLETIONS)
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(libdir) $(DESTDIR)$(includedir) $(DESTDIR)$(pkgconfigdir) \
	    $(DESTDIR)$(libexecdir)/gp5 $(DESTDIR)$(mandir)/man1 $(DESTDIR)$(mandir)/man3
	install -m 755 $(B)/gp5 $(DESTDIR)$(bindir)/gp5
	install -m 755 $(B)/gp5-gl-worker $(DESTDIR)$(libexecdir)/gp5/gp5-gl-worker
	install -m 644 $(B)/libgp5.a $(DESTDIR)$(libdir)/libgp5.a
	install -m 755 $(B)/libgp5.so.0 $(DESTDIR)$(libdir)/libgp5.so.0
	ln -sf libgp5.so.0 $(DESTDIR)$(libdir)/libgp5.so
	install -m 644 $(wildcard include/*.h) $(DESTDIR)$(includedir)/
	sed -e 's|@prefix@|$(PREFIX)|' -e 's|@libdir@|$(libdir)|' -e 's|@includedir@|$(includedir)|' \
	    -e 's|@version@|$(VERSION)|' gp5.pc.in >$(DESTDIR)$(pkgconfigdir)/gp5.pc
	install -m 644 $(filter %.1,$(MAN)) $(DESTDIR)$(mandir)/man1/
	install -m 644 $(filter %.3,$(MAN)) $(DESTDIR)$(mandir)/man3/
	$(STRIP) $(DESTDIR)$(bindir)/gp5 $(DESTDIR)$(libexecdir)/gp5/gp5-gl-worker
	$(STRIP) --strip-unneeded $(DESTDIR)$(libdir)/libgp5.so.0
	$(STRIP) --strip-debug $(DESTDIR)$(libdir)/libgp5.a
	$(Q)$(call tree,$(DOCS),,$(docdir))
	$(Q)$(call tree,$(EXAMPLES),,$(docdir))
	$(Q)install -m 644 LICENSE $(DESTDIR)$(docdir)/copyright
	$(Q)$(call tree,$(VIM),docs/editors/vim,$(datadir)/vim/vimfiles)
	$(Q)$(call tree,$(VSCODE),docs/editors/vscode,$(datadir)/gp5/vscode)
	$(Q)set -- $(COMPLETION_FILES); for shell in bash zsh fish; do \
	    install -D -m 644 $(B)/completions/$$shell $(DESTDIR)$$1; shift; done

uninstall:
	rm -f $(DESTDIR)$(bindir)/gp5 $(DESTDIR)$(libexecdir)/gp5/gp5-gl-worker $(DESTDIR)$(libdir)/libgp5.a \
	    $(DESTDIR)$(libdir)/libgp5.so $(DESTDIR)$(libdir)/libgp5.so.0 $(DESTDIR)$(pkgconfigdir)/gp5.pc \
	    $(patsubst include/%,$(DESTDIR)$(includedir)/%,$(wildcard include/*.h)) \
	    $(patsubst $(B)/docs/man/%,$(DESTDIR)$(mandir)/man1/%,$(filter %.1,$(MAN))) \
	    $(patsubst $(B)/docs/man/%,$(DESTDIR)$(mandir)/man3/%,$(filter %.3,$(MAN)))
	rm -f $(addprefix $(DESTDIR)$(docdir)/,$(DOCS) $(EXAMPLES) copyright) $(addprefix $(DESTDIR),$(COMPLETION_FILES)) \
	    $(call tree_gone,$(VIM),docs/editors/vim,$(datadir)/vim/vimfiles) \
	    $(call tree_gone,$(VSCODE),docs/editors/vscode,$(datadir)/gp5/vscode)
	-find $(DESTDIR)$(libexecdir)/gp5 $(DESTDIR)$(docdir) $(DESTDIR)$(datadir)/gp5 -depth -type d -empty -delete 2>/dev/null

clean:
	rm -rf build build-san build-fuzz

-include $(ALL_OBJ:.o=.d)
