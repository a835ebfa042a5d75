/* SPDX-License-Identifier: Apache-2.0 */
/* The one dictionary that the file is. docs/formats/pstats.md §2. */
#include "formats/pstats/pstats.h"

#define PY_MARK UINT32_MAX /* the key of files of samples */

enum { PROBE_VALUES = 8 }; /* more than the first key and the head of what stands behind it have */

/* ---- keys: file, line, name ---- */

static bool pstats_no_memory(struct as_py *py)
{
	py->in.no_memory = true;
	return as_py_wrong(&py->in, "out of memory");
}

/* The first function of F's name and file, under HASH of these; F's ROW if that is it. */
static bool pstats_first(struct as_py *py, const struct py_func *f, uint64_t hash, uint32_t row)
{
	uint64_t at = AS_INDEX_START;
	uint32_t first;

	while (as_index_find(&py->names, hash, &at, &first))
		if (as_slice_eq(py->func.p[first].name, f->name) &&
			as_slice_eq(py->func.p[first].file, f->file)) {
			py->func.p[first].twin = true;
			py->func.p[row].first = first;
			return true;
		}
	py->func.p[row].first = row;
	return as_index_add(&py->names, hash, row);
}

static bool pstats_intern(struct as_py *py, const struct py_func *f, uint32_t *row)
{
	uint64_t name = as_hash_mix(
		as_hash_bytes(f->name.p, f->name.len), as_hash_bytes(f->file.p, f->file.len));
	uint64_t hash = as_hash_mix(name, (uint64_t)f->line), at = AS_INDEX_START;

	while (as_index_find(&py->keys, hash, &at, row)) {
		const struct py_func *other = &py->func.p[*row];

		if (other->line == f->line && as_slice_eq(other->name, f->name) &&
			as_slice_eq(other->file, f->file))
			return true;
	}
	*row = (uint32_t)py->func.n;
	return (as_vec_push(py->al, &py->func, *f) && as_index_add(&py->keys, hash, *row) &&
		       pstats_first(py, f, name, *row)) ||
	       pstats_no_memory(py);
}

static bool pstats_read_text(struct py_in *m, struct as_slice *text)
{
	struct py_value v;

	if (!as_py_next(m, &v))
		return false;
	*text = v.text;
	return v.kind == PY_TEXT || as_py_wrong(m, "expected a text in the name of a function");
}

/* The items of a tuple of which KEY is the head. */
static bool read_names(struct py_in *m, const struct py_value *key, struct py_func *f)
{
	struct py_value v;

	if (key->number != 3)
		return as_py_wrong(m, "expected a file, a line and a name for a key");
	if (!pstats_read_text(m, &f->file) || !as_py_next(m, &v))
		return false;
	f->line = v.number;
	if (v.kind != PY_INT || v.number < 0)
		return as_py_wrong(m, "expected a line in the name of a function");
	return pstats_read_text(m, &f->name);
}

/* KEY was read; *ROW is what it names. */
static bool pstats_key(struct as_py *py, const struct py_value *key, uint32_t *row)
{
	struct py_func f = {.line = 0};
	struct as_slice mark;

	if (key->kind == PY_KEY) {
		*row = (uint32_t)key->number;
		return true;
	}
	if (key->kind != PY_TUPLE)
		return as_py_wrong(&py->in, "expected a tuple for a key");
	if (key->number == 1) {
		*row = PY_MARK;
		return pstats_read_text(&py->in, &mark) &&
		       (as_slice_is(mark, PY_SAMPLED) ||
			       as_py_wrong(
				       &py->in, "expected a file, a line and a name for a key"));
	}
	if (!read_names(&py->in, key, &f) || !pstats_intern(py, &f, row))
		return false;
	as_py_keep(&py->in, key, *row);
	return true;
}

/* ---- counts and times ---- */

static bool pstats_read_count(struct py_in *m, int64_t *n)
{
	struct py_value v;

	if (!as_py_next(m, &v))
		return false;
	*n = v.number;
	return (v.kind == PY_INT && v.number >= 0) || as_py_wrong(m, "expected a number of calls");
}

/* The module profile writes 0 for 0.0. */
static bool pstats_time(struct as_py *py, int64_t *nanos)
{
	uint64_t off = (uint64_t)(py->in.p - py->base);
	struct py_value v;
	enum py_exact exact;

	if (!as_py_next(&py->in, &v))
		return false;
	*nanos = 0;
	if (v.kind == PY_INT && v.number == 0)
		return true;
	if (v.kind != PY_REAL)
		return as_py_wrong(&py->in, "expected a time");
	exact = as_py_nanos(v.bits, nanos);
	if (exact == PY_ROUNDED && !py->n_rounded++)
		py->first_rounded = off;
	if (exact == PY_NO_TIME && !py->n_no_time++)
		py->first_no_time = off;
	return true;
}

static bool pstats_counts(struct as_py *py, struct py_counts *has)
{
	has->timed = true;
	return pstats_read_count(&py->in, &has->primitive) &&
	       pstats_read_count(&py->in, &has->calls) && pstats_time(py, &has->self) &&
	       pstats_time(py, &has->all);
}

/* A caller has both numbers of calls the other way round, but not in every writer's file; the
 * larger is that of all calls. */
static bool pstats_edge_counts(struct as_py *py, struct py_counts *has)
{
	struct py_value v;
	int64_t calls;

	*has = (struct py_counts){.timed = false};
	if (!as_py_next(&py->in, &v))
		return false;
	if (v.kind == PY_INT && v.number >= 0) {
		has->calls = v.number;
		return true;
	}
	if (v.kind != PY_TUPLE || v.number != 4)
		return as_py_wrong(&py->in, "expected what a caller's calls cost");
	if (!pstats_counts(py, has))
		return false;
	calls = has->calls > has->primitive ? has->calls : has->primitive;
	has->primitive += has->calls - calls;
	has->calls = calls;
	return true;
}

static bool pstats_callers(struct as_py *py, uint32_t callee)
{
	struct py_edge e = {.to = callee};
	struct py_value v;

	for (;;) {
		if (!as_py_next(&py->in, &v))
			return false;
		if (v.kind == PY_NULL)
			return true;
		if (!pstats_key(py, &v, &e.from))
			return false;
		if (e.from == PY_MARK)
			return as_py_wrong(&py->in, "expected a caller");
		if (!pstats_edge_counts(py, &e.has))
			return false;
		if (!as_vec_push(py->al, &py->edge, e))
			return pstats_no_memory(py);
	}
}

/* What stands behind a function's key. */
static bool pstats_row(struct as_py *py, uint32_t func)
{
	struct py_row row = {.func = func};
	struct py_value v;

	if (!as_py_next(&py->in, &v))
		return false;
	if (v.kind != PY_TUPLE || v.number != 5)
		return as_py_wrong(&py->in, "expected two counts, two times and the callers");
	if (!pstats_counts(py, &row.has))
		return false;
	if (!as_vec_push(py->al, &py->row, row))
		return pstats_no_memory(py);
	if (!as_py_next(&py->in, &v))
		return false;
	if (v.kind != PY_DICT)
		return as_py_wrong(&py->in, "expected the callers");
	return pstats_callers(py, func);
}

static bool read_dict(struct as_py *py)
{
	uint32_t func = PY_MARK;
	struct py_value v;

	if (!as_py_next(&py->in, &v))
		return false;
	if (v.kind != PY_DICT)
		return as_py_wrong(&py->in, "expected a dictionary");
	for (;;) {
		if (!as_py_next(&py->in, &v))
			return false;
		if (v.kind == PY_NULL)
			return true;
		if (!pstats_key(py, &v, &func))
			return false;
		if (func != PY_MARK) {
			if (!pstats_row(py, func))
				return false;
			continue;
		}
		if (!as_py_next(&py->in, &v))
			return false;
		py->sampled = v.kind == PY_INT && v.number;
	}
}

/* ---- all of it ---- */

/* All of the input, in memory. */
static enum as_code read_load(struct as_py *py)
{
	struct as_in *in = py->rd->in;
	struct as_slice all = {NULL, 0};

	do {
		AS_TRY(as_in_peek(in, all.len + 1, &all));
	} while (!in->eof);
	AS_TRY(as_in_peek(in, 0, &all));
	py->base = py->in.p = all.p;
	py->in.end = all.p + all.len;
	return AS_OK;
}

/* What is wrong, where there is something to keep. */
static enum as_code read_wrong(struct as_py *py)
{
	uint64_t off = (uint64_t)(py->in.p - py->base);

	if (py->in.no_memory)
		return as_err_no_memory(py->rd->err);
	if (!py->row.n)
		return as_rd_fail(
			py->rd, py->in.cut ? AS_E_TRUNC : AS_E_FORMAT, off, 0, "%s", py->in.why);
	as_rd_partial(py->rd);
	return as_rd_find(py->rd, py->in.cut ? AS_F_TRUNCATED : AS_F_PY_DAMAGED, off, 0,
		"%s; what came before is kept", py->in.why);
}

static enum as_code pstats_read_whole(struct as_py *py)
{
	AS_TRY(read_load(py));
	if (!read_dict(py))
		AS_TRY(read_wrong(py));
	else if (py->in.p < py->in.end && !py->row.n)
		return as_rd_fail(py->rd, AS_E_FORMAT, (uint64_t)(py->in.p - py->base), 0,
			"the dictionary is empty, and is not all there is");
	else if (py->in.p < py->in.end)
		AS_TRY(as_rd_find(py->rd, AS_F_PY_MORE, (uint64_t)(py->in.p - py->base), 0,
			"%zu bytes stand behind the profile", (size_t)(py->in.end - py->in.p)));
	return as_py_put(py);
}

enum as_code as_py_read(struct as_rd *rd)
{
	struct as_py py = {.rd = rd};

	py.al = py.in.al = rd->al;
	as_index_init(&py.keys, py.al);
	as_index_init(&py.names, py.al);
	as_arena_init(&py.arena, py.al);
	return pstats_read_whole(&py);
}

enum as_probe as_py_probe(const struct as_peek *pk)
{
	struct py_value room[PROBE_VALUES];
	struct as_slice texts[PROBE_VALUES];
	struct py_in m = {.p = pk->head.p,
		.end = pk->head.p + pk->head.len,
		.ref = {.p = room, .cap = PROBE_VALUES},
		.text = {.p = texts, .cap = PROBE_VALUES}};
	struct py_func f = {.line = 0};
	struct py_value v;
	enum as_probe sure = AS_PROBE_NO;

	if (pk->head.len < 2 || !as_py_next(&m, &v) || v.kind != PY_DICT)
		return AS_PROBE_NO;
	if (as_py_next(&m, &v) && v.kind == PY_NULL)
		sure = pk->whole && m.p == m.end ? AS_PROBE_LIKELY : AS_PROBE_NO;
	else if (v.kind == PY_TUPLE && v.number == 1)
		sure = pstats_read_text(&m, &f.name) && as_slice_is(f.name, PY_SAMPLED)
			       ? AS_PROBE_MAGIC
			       : sure;
	else if (v.kind == PY_TUPLE && v.number == 3)
		sure = read_names(&m, &v, &f) && as_py_next(&m, &v) && v.kind == PY_TUPLE &&
				       v.number == 5
			       ? AS_PROBE_SURE
		       : m.cut ? AS_PROBE_MAGIC
			       : AS_PROBE_NO;
	return sure;
}
