/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions, files and objects match: each is asked for once, however many samples it has. */
#include <stdio.h>

#include "change/filter/filter_impl.h"
#include "change/kit/context.h"
#include "formats/format.h"

struct as_slice as_filter_simple_name(struct as_slice name)
{
	static const char *const reserved[] = {"(anonymous namespace)", "operator()"};

	if (as_slice_starts(name, "."))
		name = as_slice_skip(name, 1);
	for (size_t i = 0; i < name.len; i++) {
		struct as_slice rest = as_slice_skip(name, i);
		size_t skip = 0;

		for (size_t k = 0; k < AS_ARRAY_LEN(reserved) && !skip; k++)
			if (as_slice_starts(rest, reserved[k]))
				skip = strlen(reserved[k]);
		if (skip)
			i += skip - 1;
		else if (rest.p[0] == '(')
			return (struct as_slice){name.p, i};
	}
	return name;
}

/* The kinds whose patterns for FIELD match TEXT. */
static uint8_t matching_match(struct as_filtering *f, unsigned field, struct as_slice text)
{
	const struct as_matcher *m = f->how->matcher;
	struct as_slice simple = text;
	unsigned bits = 0;

	if (field == AS_MATCH_FUNC && (f->wanted & AS_FILTER_BIT(PRUNE_FROM)))
		simple = as_filter_simple_name(text);
	for (size_t i = 0; i < f->how->n; i++) {
		struct as_slice s = m[i].kind == AS_FILTER_PRUNE_FROM ? simple : text;

		bool known = (bits >> m[i].kind & 1) && (!f->matched || f->matched[i]);

		if (!(f->wanted >> m[i].kind & 1) || !(m[i].fields & field) || known)
			continue;
		if (m[i].match(m[i].ctx, s)) {
			bits |= 1u << m[i].kind;
			if (f->matched)
				f->matched[i] = true;
		}
	}
	return (uint8_t)bits;
}

/* What tables call code without a name, "[xz+0x4330]", in TEXT. */
static struct as_slice shown_name(
	const struct as_profile *prof, as_func func, uint64_t addr, char *text, size_t size)
{
	as_object o = prof->func.object.p[func.i];
	struct as_slice object = as_base_name(as_object_path(prof, o));

	if (as_path_is_gap(object))
		return object;
	if (object.len > size - 32)
		object.len = size - 32;
	if (addr)
		(void)snprintf(text, size, "[%.*s%s0x%" PRIx64 "]", AS_SLICE_FMT(object),
			object.len ? "+" : "", addr);
	else
		(void)snprintf(text, size, "[%.*s]", AS_SLICE_FMT(object));
	return as_slice_of(text);
}

static bool wants_names(const struct as_filtering *f)
{
	bool wanted = false;

	for (size_t i = 0; i < f->how->n; i++)
		wanted |= (f->how->matcher[i].fields & AS_MATCH_FUNC) != 0;
	return wanted;
}

/* Names of single addresses are looked at: pprof knows none, and calls lead to functions only. */
static bool wants_addresses(const struct as_filtering *f)
{
	return wants_names(f) && !f->how->show_named && !f->kinds && !f->c.src->call.n;
}

bool as_filter_is_by_address(const struct as_filtering *f, as_func func)
{
	const struct as_profile *src = f->c.src;

	return f->addresses && !src->func.name.p[func.i].i && !src->func.addr.p[func.i] &&
	       src->func.object.p[func.i].i;
}

unsigned as_filter_address_bits(struct as_filtering *f, as_func func, uint64_t addr)
{
	char text[4096];

	return matching_match(
		f, AS_MATCH_FUNC, shown_name(f->c.src, func, addr, text, sizeof(text)));
}

static uint8_t match_func(struct as_filtering *f, as_func func, bool callers)
{
	const struct as_profile *src = f->c.src;
	struct as_slice name = as_func_name(src, func);
	uint64_t addr = src->func.addr.p[func.i];
	char text[4096];

	if (as_func_is_whole(src, func) || (!name.len && addr && !f->how->show_named))
		name = shown_name(src, func, addr, text, sizeof(text));
	else if (!f->how->keep_contexts)
		name = as_fold_name(name, callers);
	return matching_match(f, AS_MATCH_FUNC, name);
}

static void matching_match_funcs(struct as_filtering *f)
{
	const struct as_profile *src = f->c.src;
	bool callers = as_has_callers(src), names = wants_names(f);

	for (uint32_t i = 0; i < src->func.name.n; i++) {
		as_func func = {i};
		struct as_slice name = as_func_name(src, func);

		if (names)
			f->func[i] = match_func(f, func, callers);
		f->func[i] |= f->file[src->func.file.p[i].i];
		f->func[i] |= f->object[src->func.object.p[i].i];
		if (f->how->show_named && !name.len && !src->func.file.p[i].i)
			f->func[i] &= (uint8_t)~AS_FILTER_BIT(SHOW);
	}
}

enum as_code as_filter_match(struct as_filtering *f)
{
	const struct as_profile *src = f->c.src;
	size_t funcs = src->func.name.n, files = src->file.n, objects = src->object.n;

	if (!as_alloc_array(f->c.al, &f->func, funcs) ||
		!as_alloc_array(f->c.al, &f->file, files) ||
		!as_alloc_array(f->c.al, &f->object, objects))
		return AS_E_NOMEM;
	for (size_t i = 0; i < f->how->n; i++) {
		as_assert(f->how->matcher[i].kind < 8); /* a bit of a byte */
		f->wanted |= 1u << f->how->matcher[i].kind;
	}
	if (f->kinds)
		f->wanted &= f->kinds;
	f->addresses = wants_addresses(f);
	for (uint32_t i = 0; i < files; i++)
		f->file[i] = matching_match(f, AS_MATCH_FILE, as_file_path(src, (as_file){i}));
	for (uint32_t i = 0; i < objects; i++)
		f->object[i] =
			matching_match(f, AS_MATCH_OBJECT, as_object_path(src, (as_object){i}));
	matching_match_funcs(f);
	return AS_OK;
}
