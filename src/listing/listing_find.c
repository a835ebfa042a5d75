/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody typed to functions. */
#include "formats/format.h"
#include "listing/listing_impl.h"

/* Whether NAME is WHAT in the sense of one of the steps below. */
typedef bool same_fn(struct as_slice name, struct as_slice what);

/* "f(int)" for "f". */
static bool is_name_with_args(struct as_slice name, struct as_slice what)
{
	return what.len && name.len > what.len && memcmp(name.p, what.p, what.len) == 0 &&
	       name.p[what.len] == '(';
}

static bool has_text(struct as_slice name, struct as_slice what)
{
	for (size_t i = 0; i + what.len <= name.len; i++)
		if (memcmp(name.p + i, what.p, what.len) == 0)
			return true;
	return false;
}

static struct as_slice find_name(const void *of, size_t i, uint32_t *row)
{
	const struct as_listings *ls = of;

	*row = ls->order[i];
	return as_listings_name(ls, i);
}

static bool list_find_by_name(struct as_named *nm, struct as_slice what, same_fn *same)
{
	for (size_t i = 0; i < nm->n; i++) {
		uint32_t row;
		struct as_slice name = nm->name(nm->of, i, &row);

		if (name.len && same(name, what) && !as_vec_push(nm->al, nm->found, row))
			return false;
	}
	return true;
}

static bool by_match(struct as_named *nm, as_match_fn *match, void *ctx)
{
	for (size_t i = 0; match && i < nm->n; i++) {
		uint32_t row;
		struct as_slice name = nm->name(nm->of, i, &row);

		if ((name.len || nm->nameless) && match(ctx, name) &&
			!as_vec_push(nm->al, nm->found, row))
			return false;
	}
	return true;
}

bool as_named_wholly(struct as_named *nm, struct as_slice what, const struct as_listing_how *how)
{
	bool ok = list_find_by_name(nm, what, as_slice_eq);

	if (ok && !nm->found->n)
		ok = list_find_by_name(nm, what, is_name_with_args);
	if (ok && !nm->found->n)
		ok = by_match(nm, how->called, how->called_ctx);
	return ok;
}

bool as_named_partly(struct as_named *nm, struct as_slice what, const struct as_listing_how *how)
{
	bool ok = by_match(nm, how->own, how->own_ctx);

	if (ok && !nm->found->n)
		ok = list_find_by_name(nm, what, has_text);
	if (ok && !nm->found->n)
		ok = by_match(nm, how->match, how->match_ctx);
	return ok;
}

/* "[gzip+0x4330]" or "gzip+0x4330" to "gzip" and 0x4330; without an object "[0x4330]". */
static bool list_find_is_address(struct as_slice what, struct as_slice *object, uint64_t *addr)
{
	size_t at;

	if (what.len > 1 && what.p[0] == '[' && what.p[what.len - 1] == ']')
		what = (struct as_slice){what.p + 1, what.len - 2};
	for (at = what.len; at > 0 && what.p[at - 1] != '+';)
		at--;
	*object = (struct as_slice){what.p, at ? at - 1 : 0};
	what = as_slice_skip(what, at);
	return as_slice_starts(what, "0x") && as_slice_hex(as_slice_skip(what, 2), addr);
}

/* Nameless code as tables show it. */
static bool list_find_by_address(struct as_listings *ls, struct as_slice what)
{
	struct as_slice object;
	uint64_t addr;

	if (!list_find_is_address(what, &object, &addr))
		return true;
	for (size_t i = 0; i < ls->n_order; i++) {
		const struct as_key *key = &ls->table->key[ls->order[i]];

		if (key->addr == addr && addr && !as_listings_name(ls, i).len &&
			as_slice_eq(as_base_name(as_object_path(ls->prof, key->object)), object) &&
			!as_vec_push(ls->al, &ls->found, ls->order[i]))
			return false;
	}
	return true;
}

/* PATH is FILE, or ends in it from a directory on. */
static bool is_file(struct as_slice path, struct as_slice file)
{
	if (path.len < file.len || memcmp(path.p + path.len - file.len, file.p, file.len) != 0)
		return false;
	return path.len == file.len || path.p[path.len - file.len - 1] == '/';
}

struct at_line {
	struct as_listings *ls;
	struct as_slice file;
	uint64_t line;
	uint8_t *hit; /* of each function */
	as_val *v;    /* scratch */
};

static void list_find_mark_rows(struct at_line *at, const struct as_rows *rows)
{
	struct as_rows_cur cur;

	for (size_t r = 0; r < rows->run.n; r++) {
		const struct as_run *run = &rows->run.p[r];

		if (!is_file(as_file_path(at->ls->prof, run->file), at->file))
			continue;
		as_rows_begin(&cur, rows, run, at->v);
		while (as_rows_next(&cur))
			if (cur.line == at->line)
				at->hit[at->ls->fold.group[run->func.i]] = 1;
	}
}

static bool mark_and_take(struct at_line *at)
{
	struct as_listings *ls = at->ls;
	const struct as_profile *prof = ls->prof;

	list_find_mark_rows(at, &prof->self);
	list_find_mark_rows(at, &prof->call);
	for (size_t i = 0; i < prof->place.func.n; i++)
		if (prof->place.line.p[i] == at->line &&
			is_file(as_file_path(prof, prof->place.file.p[i]), at->file))
			at->hit[ls->fold.group[prof->place.func.p[i].i]] = 1;
	for (size_t i = 0; i < ls->n_order; i++)
		if (at->hit[ls->table->key[ls->order[i]].func.i] &&
			!as_vec_push(ls->al, &ls->found, ls->order[i]))
			return false;
	return true;
}

static bool by_line(struct as_listings *ls, struct as_slice what)
{
	struct at_line at = {.ls = ls, .file = what};
	size_t colon = as_slice_up_to_last(what, ':'),
	       size = (as_n_events(ls->prof) + AS_CALL_COST) * sizeof(as_val);
	bool ok;

	if (colon < 2 || !as_slice_dec(as_slice_skip(what, colon), &at.line))
		return true;
	at.file.len = colon - 1;
	at.hit = as_alloc_new(ls->al, ls->fold.n + 1);
	at.v = as_alloc_new(ls->al, size);
	ok = at.hit && at.v && mark_and_take(&at);
	as_alloc_free(ls->al, at.hit, ls->fold.n + 1);
	as_alloc_free(ls->al, at.v, size);
	return ok;
}

enum as_code as_listings_find(struct as_listings *ls, struct as_slice what,
	const struct as_listing_how *how, struct as_err *err)
{
	static const struct as_listing_how plain = {0};
	struct as_named nm = {ls->al, ls, ls->n_order, find_name, &ls->found, false};
	bool ok;

	ls->found.n = 0;
	how = how ? how : &plain;
	ok = as_named_wholly(&nm, what, how);
	if (ok && !ls->found.n)
		ok = list_find_by_address(ls, what);
	if (ok && !ls->found.n)
		ok = by_line(ls, what);
	if (ok && !ls->found.n)
		ok = as_named_partly(&nm, what, how);
	return ok ? AS_OK : as_err_no_memory(err);
}

/* Whether that is said of PATH: nothing, all of it, or its last part. */
static bool path_is(struct as_slice path, struct as_slice said)
{
	return !said.len || as_slice_eq(path, said) ||
	       (as_slice_find(said, '/') == said.len && as_slice_eq(as_base_name(path), said));
}

/* EXACT: what is not said is not known; what has a name has no address, as in JSON. */
static bool is_id(
	const struct as_listings *ls, size_t i, const struct as_listing_id *id, bool exact)
{
	const struct as_key *key = &ls->table->key[ls->order[i]];
	struct as_slice file = as_file_path(ls->prof, key->file);
	struct as_slice object = as_object_path(ls->prof, key->object);

	if (!as_slice_eq(as_listings_name(ls, i), id->name))
		return false;
	if (!exact)
		return path_is(file, id->file) && path_is(object, id->object);
	return as_slice_eq(file, id->file) && as_slice_eq(object, id->object) &&
	       (id->name.len ? 0 : key->addr) == id->addr;
}

static bool take_ids(struct as_listings *ls, const struct as_listing_id *id, bool exact)
{
	for (size_t i = 0; i < ls->n_order; i++)
		if (is_id(ls, i, id, exact) && !as_vec_push(ls->al, &ls->found, ls->order[i]))
			return false;
	return true;
}

enum as_code as_listings_find_id(
	struct as_listings *ls, const struct as_listing_id *id, struct as_err *err)
{
	bool ok;

	ls->found.n = 0;
	ok = take_ids(ls, id, true);
	if (ok && !ls->found.n && id->name.len)
		ok = take_ids(ls, id, false);
	return ok ? AS_OK : as_err_no_memory(err);
}
