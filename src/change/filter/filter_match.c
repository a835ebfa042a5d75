/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions, files and objects match: each is asked for once, however many samples it has. */
#include "change/filter/filter_impl.h"
#include "change/kit/context.h"
#include "formats/format.h"
#include "io/out.h"

enum {
	HEX_HEAD = 2,   /* "0x" */
	CODE_TAIL = 18, /* the digits of an address, what stands behind them, and a newline */
};

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

void as_filter_name_code(const struct as_filtering *f, as_func func, struct as_filter_code *code)
{
	const struct as_profile *src = f->c.src;
	struct as_slice object = as_base_name(as_object_path(src, src->func.object.p[func.i]));

	if (object.len > sizeof(code->text) - 32)
		object.len = sizeof(code->text) - 32;
	code->func = func;
	code->gap = as_path_is_gap(object);
	code->text[0] = '[';
	memcpy(code->text + !code->gap, object.p, object.len);
	code->len = object.len + !code->gap;
}

/* The text up to the digits of an address, which as_put_hex() puts behind the last HEX_HEAD. */
static struct as_slice matching_code_head(struct as_filter_code *code)
{
	char *p = code->text + code->len;

	if (code->len > 1)
		*p++ = '+';
	memcpy(p, "0x", HEX_HEAD);
	return (struct as_slice){code->text, (size_t)(p + HEX_HEAD - code->text)};
}

static struct as_slice matching_code_name(struct as_filter_code *code, uint64_t addr)
{
	struct as_slice name = {code->text, code->len};
	char *end = code->text + code->len;

	if (code->gap)
		return name;
	if (addr) {
		name = matching_code_head(code);
		end = as_put_hex(code->text + name.len - HEX_HEAD, addr);
	}
	*end++ = ']';
	name.len = (size_t)(end - code->text);
	return name;
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

enum as_code as_filter_begin_code(struct as_filtering *f, as_func func, struct as_filter_code *code)
{
	const struct as_matcher *m = f->how->matcher;
	struct as_slice head;

	as_filter_name_code(f, func, code);
	code->bits = 0;
	code->each = code->gap;
	if (!f->open && !as_alloc_array(f->c.al, &f->open, f->how->n))
		return AS_E_NOMEM;
	head = matching_code_head(code);
	for (size_t i = 0; i < f->how->n && !code->gap; i++) {
		f->open[i] = (f->wanted >> m[i].kind & 1) && (m[i].fields & AS_MATCH_FUNC);
		if (!f->open[i])
			continue;
		code->each |= !m[i].inside || m[i].kind == AS_FILTER_PRUNE_FROM;
		if (!m[i].inside || !m[i].match(m[i].ctx, head))
			continue;
		code->bits |= 1u << m[i].kind;
		f->open[i] = false;
		if (f->matched)
			f->matched[i] = true;
	}
	return AS_OK;
}

unsigned as_filter_address_bits(struct as_filtering *f, struct as_filter_code *code, uint64_t addr)
{
	return matching_match(f, AS_MATCH_FUNC, matching_code_name(code, addr));
}

/* The names of all addresses of VIEW, each on a line. False if out of memory. */
static bool matching_join(
	struct as_filtering *f, struct as_filter_code *code, const struct as_rows_view *view)
{
	struct as_slice head = matching_code_head(code);
	char *p;

	if (!as_vec_reserve(f->c.al, &f->names, view->n * (head.len + CODE_TAIL)))
		return false;
	p = f->names.p;
	for (uint32_t i = 0; i < view->n; i++) {
		memcpy(p, head.p, head.len);
		p = as_put_hex(p + head.len - HEX_HEAD, view->addr + i * view->stride);
		memcpy(p, "]\n", 2);
		p += 2;
	}
	f->names.n = (size_t)(p - f->names.p);
	return true;
}

/* What all lines of NAMES begin with, as far as their addresses have the same number of digits. */
static struct as_slice matching_common(struct as_slice names, struct as_slice head)
{
	size_t len = as_slice_find(names, '\n'), n = head.len;
	const char *last = names.p + names.len - len - 1;

	if (last[-1] != '\n' && last != names.p)
		return head;
	while (n < len && names.p[n] == last[n])
		n++;
	return (struct as_slice){names.p, n};
}

enum as_code as_filter_view_bits(struct as_filtering *f, struct as_filter_code *code,
	const struct as_rows_view *view, unsigned *bits, bool *same)
{
	const struct as_matcher *m = f->how->matcher;
	struct as_slice names = {0};

	*bits = code->bits;
	*same = !code->each && view->addr;
	for (size_t i = 0; i < f->how->n && *same; i++) {
		if (!f->open[i])
			continue;
		if (!names.p && !matching_join(f, code, view))
			return AS_E_NOMEM;
		names = (struct as_slice){f->names.p, f->names.n};
		if (!m[i].match(m[i].ctx, names))
			continue;
		*same = m[i].match(m[i].ctx, matching_common(names, matching_code_head(code)));
		*bits |= 1u << m[i].kind;
		if (*same && f->matched)
			f->matched[i] = true;
	}
	return AS_OK;
}

static uint8_t match_func(struct as_filtering *f, as_func func, bool callers)
{
	const struct as_profile *src = f->c.src;
	struct as_slice name = as_func_name(src, func);
	uint64_t addr = src->func.addr.p[func.i];
	struct as_filter_code code;

	if (as_func_is_whole(src, func) || (!name.len && addr && !f->how->show_named)) {
		as_filter_name_code(f, func, &code);
		name = matching_code_name(&code, addr);
	} else if (!f->how->keep_contexts) {
		name = as_fold_name(name, callers);
	}
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
