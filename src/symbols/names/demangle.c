/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linkage names by libiberty. It hands out a name in pieces, so a name that grows without end is
 * left by longjmp() at the first piece too many: the C++ and Rust parts hold no memory then.
 */
#include "symbols/names/demangle.h"

#if AS_HAVE_IBERTY
#include <setjmp.h>

#include <libiberty/demangle.h>

enum {
	IN_MAX = 32768,      /* bytes of a linkage name; libiberty takes stack in proportion */
	OUT_MAX = 65536,     /* bytes of a readable name */
	D_IN_MAX = 4096,     /* bytes; the D part recurses without a limit of its own ... */
	D_BACKREFS_MAX = 40, /* ... and expands each reference: at most 3^(N / 3) types */
	STYLE = DMGL_PARAMS | DMGL_ANSI | DMGL_VERBOSE,
};

struct pieces {
	const struct as_alloc *al;
	AS_VEC(char) text;
	bool no_memory, too_long;
	jmp_buf leave;
};

/* libiberty holds memory only while it hands out a name in Punycode, which is never ASCII. */
static bool is_ascii(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)p[i] >= 0x80)
			return false;
	return true;
}

static void demangle_take_piece(const char *p, size_t n, void *ctx)
{
	struct pieces *pc = ctx;

	pc->too_long |= n > OUT_MAX || pc->text.n + n > OUT_MAX;
	if (!pc->too_long && !pc->no_memory)
		pc->no_memory = !as_vec_append(pc->al, &pc->text, p, n);
	if ((pc->too_long || pc->no_memory) && is_ascii(p, n))
		longjmp(pc->leave, 1);
}

/* C++ and Rust. False: it is neither, or has no end. */
static bool run_callbacks(struct pieces *pc, const char *name)
{
	if (setjmp(pc->leave))
		return false;
	if (rust_demangle_callback(name, STYLE, demangle_take_piece, pc))
		return !pc->too_long && !pc->no_memory;
	pc->text.n = 0;
	return cplus_demangle_v3_callback(name, STYLE, demangle_take_piece, pc) && !pc->too_long &&
	       !pc->no_memory;
}

static bool run_d(struct pieces *pc, const char *name, size_t len)
{
	size_t n_backrefs = 0;
	char *text;

	for (size_t i = 0; i < len; i++)
		n_backrefs += name[i] == 'Q';
	if (len > D_IN_MAX || n_backrefs > D_BACKREFS_MAX)
		return false;
	text = dlang_demangle(name, DMGL_DLANG);
	if (!text)
		return false;
	len = strlen(text);
	pc->too_long = len > OUT_MAX;
	if (!pc->too_long)
		pc->no_memory = !as_vec_append(pc->al, &pc->text, text, len);
	free(text);
	return !pc->too_long && !pc->no_memory;
}

static bool looks_mangled(struct as_slice name)
{
	return as_slice_starts(name, "_Z") || as_slice_starts(name, "_R") ||
	       as_slice_starts(name, "_D") || as_slice_starts(name, "_GLOBAL_");
}

/* What is behind '@' is of the linker: a version, or "plt". */
static bool demangle_whole(struct pieces *pc, struct as_slice name)
{
	size_t at = as_slice_find(name, '@');
	char *text = as_alloc_new(pc->al, at + 1);
	bool ok;

	if (!text) {
		pc->no_memory = true;
		return false;
	}
	memcpy(text, name.p, at);
	ok = text[1] == 'D' ? run_d(pc, text, at) : run_callbacks(pc, text);
	as_alloc_free(pc->al, text, at + 1);
	if (!ok)
		return false;
	pc->no_memory = !as_vec_append(pc->al, &pc->text, name.p + at, name.len - at);
	return !pc->no_memory;
}

/* The full readable name; NAME itself where it is no linkage name or has none. */
static struct as_slice demangle_full_name(struct as_arena *arena, struct as_slice name)
{
	struct pieces pc = {.al = arena->al};
	struct as_slice out = name;

	if (name.len > IN_MAX || !looks_mangled(name) || memchr(name.p, 0, name.len))
		return name;
	if (demangle_whole(&pc, name))
		out = as_arena_dup(arena, (struct as_slice){pc.text.p, pc.text.n});
	else if (pc.no_memory)
		out = (struct as_slice){NULL, 0};
	as_vec_free(pc.al, &pc.text);
	return out;
}

#else

static struct as_slice demangle_full_name(struct as_arena *arena, struct as_slice name)
{
	(void)arena;
	return name;
}

#endif

bool as_demangle_is_built(void)
{
	return AS_HAVE_IBERTY;
}

struct as_slice as_demangle(struct as_arena *arena, struct as_slice name, enum as_name_level level)
{
	struct as_slice full;
	bool dotted = as_slice_starts(name, "_D");

	if (!name.p || !name.len)
		return (struct as_slice){"", 0};
	full = demangle_full_name(arena, name);
	if (!full.p || level == AS_NAMES_FULL)
		return full;
	return as_name_shorten(arena, full, level, dotted && full.p != name.p);
}
