/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that turned out to be the same: one row is kept, the facts are moved to it. */
#include "model/build.h"

enum as_code as_build_func_new(struct as_build *b, struct as_slice name, as_func *out)
{
	struct as_profile *prof = b->prof;
	struct as_func_row row = {0};

	AS_TRY(as_build_str(b, name, &row.name));
	if (prof->func.name.n >= UINT32_MAX - 2)
		return as_err_set(b->err, AS_E_LIMIT, "more than 2^32 functions");
	out->i = (uint32_t)prof->func.name.n;
	return as_err_memory(b->err, as_build_push_func(prof, &row));
}

static bool same_rare(const struct as_profile *prof, as_func a, as_func b)
{
	struct as_func_row x = as_func_get(prof, a), y = as_func_get(prof, b);

	return x.system.i == y.system.i && x.line == y.line && x.extra.i == y.extra.i;
}

enum { SEEN = 1, SHARED = 2 };

/* What is known of each name: that it is of a function, or of several. */
static uint8_t *name_uses(const struct as_profile *prof, size_t n)
{
	uint8_t *uses = as_alloc_new(prof->al, n);

	for (size_t i = 0; uses && i < prof->func.name.n; i++) {
		uint8_t *u = &uses[prof->func.name.p[i].i];

		*u |= *u ? SHARED : SEEN;
	}
	return uses;
}

/* The first function equal to I among those in IX, where I goes if there is none. False if out of
 * memory. */
static bool first_equal(
	const struct as_profile *prof, struct as_index *ix, uint32_t i, uint32_t *to)
{
	uint64_t pos = AS_INDEX_START;
	uint64_t hash = as_hash_mix(as_hash_mix(prof->func.name.p[i].i, prof->func.object.p[i].i),
		as_hash_mix(prof->func.file.p[i].i, prof->func.addr.p[i]));

	while (as_index_find(ix, hash, &pos, to))
		if (prof->func.name.p[*to].i == prof->func.name.p[i].i &&
			prof->func.object.p[*to].i == prof->func.object.p[i].i &&
			prof->func.file.p[*to].i == prof->func.file.p[i].i &&
			prof->func.addr.p[*to] == prof->func.addr.p[i] &&
			same_rare(prof, (as_func){*to}, (as_func){i}))
			return true;
	*to = i;
	return as_index_add(ix, hash, i);
}

/* TO[i] = the first function equal to i; most have a name of their own. Returns how many are not
 * the first, or -1. */
static int64_t find_equal(const struct as_profile *prof, uint32_t *to)
{
	size_t n_names = prof->strings.row.n;
	uint8_t *uses = name_uses(prof, n_names);
	struct as_index ix;
	int64_t again = uses ? 0 : -1;

	as_index_init(&ix, prof->al);
	for (uint32_t i = 0; again >= 0 && i < prof->func.name.n; i++) {
		to[i] = i;
		if (!(uses[prof->func.name.p[i].i] & SHARED))
			continue;
		if (!first_equal(prof, &ix, i, &to[i]))
			again = -1;
		else
			again += to[i] != i;
	}
	as_index_release(&ix);
	as_alloc_free(prof->al, uses, n_names);
	return again;
}

/* Close the gaps: the kept rows move down, TO becomes old row -> new row. */
static void build_unify_compact(struct as_profile *prof, uint32_t *to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < prof->func.name.n; i++) {
		if (to[i] != i) {
			to[i] = to[to[i]]; /* the first one has moved already */
			if (as_func_is_whole(prof, (as_func){i}))
				prof->func.whole.p[to[i]] = 1;
			continue;
		}
		prof->func.name.p[n] = prof->func.name.p[i];
		prof->func.object.p[n] = prof->func.object.p[i];
		prof->func.file.p[n] = prof->func.file.p[i];
		prof->func.addr.p[n] = prof->func.addr.p[i];
		if (prof->func.system.n)
			prof->func.system.p[n] = prof->func.system.p[i];
		if (prof->func.line.n)
			prof->func.line.p[n] = prof->func.line.p[i];
		if (prof->func.extra.n)
			prof->func.extra.p[n] = prof->func.extra.p[i];
		if (prof->func.whole.n)
			prof->func.whole.p[n] = prof->func.whole.p[i];
		to[i] = n++;
	}
	prof->func.name.n = prof->func.object.n = n;
	prof->func.file.n = prof->func.addr.n = n;
	prof->func.system.n = prof->func.system.n ? n : 0;
	prof->func.line.n = prof->func.line.n ? n : 0;
	prof->func.extra.n = prof->func.extra.n ? n : 0;
	prof->func.whole.n = prof->func.whole.n ? n : 0;
}

/* Write ROWS anew with the functions in their values (column COL) and runs renamed. */
static enum as_code build_unify_rewrite(
	struct as_build *b, struct as_rows *rows, const uint32_t *to, uint32_t col)
{
	as_val *v = as_alloc_new(b->prof->al, rows->width * sizeof(*v) + 1);
	struct as_rows fresh;
	struct as_rows_cur cur;
	bool ok = v != NULL;

	as_rows_init(&fresh, b->prof->al, rows->width);
	for (size_t r = 0; ok && r < rows->run.n; r++) {
		const struct as_run *run = &rows->run.p[r];

		ok = as_rows_run(&fresh, run->part, (as_func){to[run->func.i]}, run->file,
			(as_func){to[run->inl.i]});
		as_rows_begin(&cur, rows, run, v);
		while (ok && as_rows_next(&cur)) {
			v[col] = to[(uint32_t)v[col]];
			ok = as_rows_add(&fresh, cur.line, cur.addr, v, rows->width);
		}
	}
	as_alloc_free(b->prof->al, v, rows->width * sizeof(*v) + 1);
	if (!ok) {
		as_rows_release(&fresh);
		return as_err_no_memory(b->err);
	}
	as_rows_release(rows);
	*rows = fresh;
	return AS_OK;
}

static enum as_code rename_all(struct as_build *b, const uint32_t *to)
{
	struct as_profile *prof = b->prof;

	for (size_t r = 0; r < prof->self.run.n; r++) {
		prof->self.run.p[r].func.i = to[prof->self.run.p[r].func.i];
		prof->self.run.p[r].inl.i = to[prof->self.run.p[r].inl.i];
	}
	for (size_t i = 0; i < prof->place.func.n; i++)
		prof->place.func.p[i].i = to[prof->place.func.p[i].i];
	AS_TRY(build_unify_rewrite(b, &prof->call, to, AS_CALL_FUNC));
	return build_unify_rewrite(b, &prof->jump, to, AS_JUMP_FUNC);
}

enum as_code as_build_unify(struct as_build *b)
{
	struct as_profile *prof = b->prof;
	size_t n = prof->func.name.n;
	uint32_t *to = as_alloc_new(prof->al, n * sizeof(*to));
	enum as_code rc = AS_OK;
	int64_t again;

	AS_TRY(as_err_memory(b->err, to));
	again = find_equal(prof, to);
	if (again < 0)
		rc = as_err_no_memory(b->err);
	if (again > 0) {
		build_unify_compact(prof, to);
		as_index_release(&b->funcs); /* its rows have moved */
		rc = rename_all(b, to);
	}
	as_alloc_free(prof->al, to, n * sizeof(*to));
	return rc;
}
