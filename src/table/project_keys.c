/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts to rows. Functions, files and objects are numbered densely, so an array
 * leads to their row; lines, addresses and the places of nameless functions are
 * hashed, with a small cache of the rows seen lately in front: code is local.
 */
#include "table/project_impl.h"

static bool proj_keys_push_zeros(struct as_proj *p, enum as_col c)
{
	size_t n = p->col[c].n + p->e, cap = p->col[c].cap;

	if (n > cap) { /* all that is made room for is zero */
		if (!as_vec_reserve(p->al, &p->col[c], n))
			return false;
		memset(p->col[c].p + cap, 0, (p->col[c].cap - cap) * sizeof(as_val));
	}
	p->col[c].n = n;
	return true;
}

enum as_code as_proj_row(struct as_proj *p, const struct as_key *key, uint32_t *row)
{
	if (p->key.n >= UINT32_MAX - 2)
		return AS_E_LIMIT;
	for (unsigned c = 0; c < AS_COL_COUNT; c++)
		if ((p->cols >> c & 1) && !proj_keys_push_zeros(p, c))
			return AS_E_NOMEM;
	if (p->want_state && !as_vec_push(p->al, &p->state, (struct as_proj_state){0}))
		return AS_E_NOMEM;
	*row = (uint32_t)p->key.n;
	return as_vec_push(p->al, &p->key, *key) ? AS_OK : AS_E_NOMEM;
}

static enum as_code dense_key(
	struct as_proj *p, uint32_t handle, const struct as_key *key, uint32_t *row)
{
	if (AS_LIKELY(p->dense[handle])) {
		*row = p->dense[handle] - 1;
		return AS_OK;
	}
	AS_TRY(as_proj_row(p, key, row));
	p->dense[handle] = *row + 1;
	return AS_OK;
}

static bool same_key(enum as_by by, const struct as_key *a, const struct as_key *b)
{
	switch (by) {
	case AS_BY_LINE:
		return a->func.i == b->func.i && a->file.i == b->file.i && a->line == b->line;
	case AS_BY_FILEFUNC:
		return a->func.i == b->func.i && a->file.i == b->file.i && a->addr == b->addr;
	case AS_BY_ADDR:
		return a->addr == b->addr &&
		       (a->addr ? a->object.i == b->object.i : a->func.i == b->func.i);
	default:
		return a->func.i == b->func.i && a->addr == b->addr;
	}
}

static uint64_t key_hash(enum as_by by, const struct as_key *k)
{
	switch (by) {
	case AS_BY_LINE:
		return as_hash_mix(as_hash_mix(k->func.i, k->file.i), k->line);
	case AS_BY_FILEFUNC:
		return as_hash_mix(as_hash_mix(k->func.i, k->file.i), k->addr);
	case AS_BY_ADDR:
		return as_hash_mix(k->addr ? k->object.i : ~(uint64_t)k->func.i, k->addr);
	default:
		return as_hash_mix(k->func.i, k->addr);
	}
}

/* Known before unknown, then byte order. */
static int known_cmp(struct as_slice a, struct as_slice b)
{
	if (!a.len != !b.len)
		return a.len ? -1 : 1;
	return as_slice_cmp(a, b);
}

/* Several functions or lines at one address: the innermost is shown; where none is, the first by
 * name, whatever the order in which they come. */
static void settle_address(struct as_proj *p, uint32_t row, const struct as_key *k)
{
	const struct as_profile *prof = p->prof;
	struct as_key *have = &p->key.p[row];
	int cmp = (int)p->depth_now - (int)p->depth.p[row];

	if (cmp > 0)
		p->depth.p[row] = p->depth_now;
	if (have->func.i == k->func.i && have->file.i == k->file.i && have->line == k->line)
		return;
	if (!cmp && have->func.i != k->func.i)
		cmp = known_cmp(as_func_name(prof, have->func), as_func_name(prof, k->func));
	if (!cmp && have->file.i != k->file.i)
		cmp = known_cmp(as_file_path(prof, have->file), as_file_path(prof, k->file));
	cmp = cmp ? cmp : !have->line ? 1 : !k->line ? -1 : have->line > k->line;
	if (cmp > 0) {
		have->func = k->func;
		have->file = k->file;
		have->line = k->line;
	}
}

static enum as_code hashed_key(struct as_proj *p, const struct as_key *k, uint32_t *row)
{
	enum as_by by = p->opts->by;
	uint64_t pos = AS_INDEX_START, hash = key_hash(by, k);
	uint32_t *seen = &p->cache[hash % AS_KEY_CACHE];
	bool found = *seen && same_key(by, &p->key.p[*seen - 1], k);

	if (found)
		*row = *seen - 1;
	while (!found && as_index_find(&p->index, hash, &pos, row))
		found = same_key(by, &p->key.p[*row], k);
	if (!found) {
		AS_TRY(as_proj_row(p, k, row));
		if (!as_index_add(&p->index, hash, *row) ||
			(by == AS_BY_ADDR && !as_vec_push(p->al, &p->depth, p->depth_now)))
			return AS_E_NOMEM;
	} else if (by == AS_BY_ADDR) {
		settle_address(p, *row, k);
	}
	*seen = *row + 1;
	return AS_OK;
}

static enum as_code func_key(struct as_proj *p, const struct as_pos *pos, uint32_t *row)
{
	const struct as_profile *prof = p->prof;
	struct as_key k = {0};
	uint32_t f;

	if (AS_LIKELY(p->dense[pos->func.i])) {
		*row = p->dense[pos->func.i] - 1;
		return AS_OK;
	}
	f = k.func.i = p->fold.group[pos->func.i];
	k.file = prof->func.file.p[f];
	k.object = prof->func.object.p[f];
	k.addr = prof->func.addr.p[f];
	k.contexts = p->fold.cut && p->fold.cut[f];
	if (!as_proj_is_object_code(p, f)) {
		AS_TRY(dense_key(p, f, &k, row));
		p->dense[pos->func.i] = *row + 1; /* of each function of the group */
		return AS_OK;
	}
	k.addr = pos->addr;
	return hashed_key(p, &k, row);
}

struct as_key as_proj_site(const struct as_proj *p, const struct as_pos *pos)
{
	const struct as_profile *prof = p->prof;
	uint32_t f = p->fold.group[pos->func.i];
	struct as_key k = {.func = {f},
		.file = pos->file,
		.object = prof->func.object.p[f],
		.line = pos->line,
		.contexts = p->fold.cut && p->fold.cut[f]};

	if (p->opts->by == AS_BY_LINE)
		return k;
	k.addr = pos->addr ? pos->addr : prof->func.addr.p[pos->func.i];
	if (!k.addr) { /* what has no address is told apart by function only */
		k.file = prof->func.file.p[f];
		k.line = 0;
	}
	return k;
}

void as_proj_expect(const struct as_proj *p, const struct as_pos *pos)
{
	struct as_key k = as_proj_site(p, pos);

	as_index_expect(&p->index, key_hash(p->opts->by, &k));
}

enum as_code as_proj_key(struct as_proj *p, const struct as_pos *pos, uint32_t *row)
{
	const struct as_profile *prof = p->prof;
	struct as_key k = {0};

	switch (p->opts->by) {
	case AS_BY_FUNC:
		return func_key(p, pos, row);
	case AS_BY_FILE:
		k.file = pos->file;
		return dense_key(p, k.file.i, &k, row);
	case AS_BY_OBJECT:
		k.object = prof->func.object.p[pos->func.i];
		return dense_key(p, k.object.i, &k, row);
	case AS_BY_LINE:
	case AS_BY_ADDR:
		k = as_proj_site(p, pos);
		return hashed_key(p, &k, row);
	case AS_BY_FILEFUNC:
		break;
	}
	k.func.i = p->fold.group[pos->func.i];
	k.file = pos->file;
	k.object = prof->func.object.p[k.func.i];
	k.contexts = p->fold.cut && p->fold.cut[k.func.i];
	k.addr = as_proj_is_object_code(p, k.func.i) ? pos->addr : prof->func.addr.p[k.func.i];
	return hashed_key(p, &k, row);
}

enum as_code as_proj_callee(struct as_proj *p, const as_val *v, uint32_t *row)
{
	struct as_pos pos = {.func = {(uint32_t)v[AS_CALL_FUNC]},
		.file = p->prof->func.file.p[(uint32_t)v[AS_CALL_FUNC]],
		.line = (uint64_t)v[AS_CALL_LINE],
		.addr = (uint64_t)v[AS_CALL_ADDR]};

	return as_proj_key(p, &pos, row);
}

static size_t dense_size(const struct as_profile *prof, enum as_by by)
{
	switch (by) {
	case AS_BY_FUNC:
		return prof->func.name.n;
	case AS_BY_FILE:
		return prof->file.n;
	case AS_BY_OBJECT:
		return prof->object.n;
	case AS_BY_FILEFUNC:
	case AS_BY_LINE:
	case AS_BY_ADDR:
		break;
	}
	return 0;
}

static unsigned cols_needed(const struct as_profile *prof, enum as_by by)
{
	unsigned cols = 1 << AS_COL_SELF;

	if (prof->call.n || prof->sample.node.n || prof->sums.func.n)
		cols |= 1 << AS_COL_INCL;
	if (prof->call.n && by == AS_BY_FUNC)
		cols |= 1 << AS_COL_OUT;
	return cols;
}

/* What is remembered of sites matters where paths pass them, or who calls whom is asked for. */
static bool wants_state(const struct as_proj *p)
{
	const struct as_profile *prof = p->prof;

	if (!(p->cols >> AS_COL_INCL & 1))
		return false;
	return !as_by_is_site(p->opts->by) || p->want_self || prof->sample.node.n ||
	       prof->sums.func.n;
}

bool as_proj_room(struct as_proj *p, size_t n)
{
	size_t need = p->e ? n * p->e : 1; /* rows have an address, also without events */
	size_t cap;

	if (n <= p->key.cap)
		return true;
	for (unsigned c = 0; c < AS_COL_COUNT; c++) {
		if (!(p->cols >> c & 1))
			continue;
		cap = p->col[c].cap;
		if (cap >= need)
			continue;
		if (!as_vec_fit(p->al, &p->col[c], need))
			return false;
		memset(p->col[c].p + cap, 0, (need - cap) * sizeof(as_val));
	}
	return as_vec_fit(p->al, &p->key, n) && as_vec_fit(p->al, &p->state, n);
}

static size_t scratch_size(const struct as_proj *p)
{
	return as_proj_row_values(p) * AS_PROJ_BATCH * sizeof(as_val);
}

enum as_code as_proj_init(
	struct as_proj *p, const struct as_profile *prof, const struct as_project_opts *opts)
{
	*p = (struct as_proj){.prof = prof, .al = prof->al, .opts = opts, .e = as_n_events(prof)};
	as_index_init(&p->index, p->al);
	p->n_dense = dense_size(prof, opts->by);
	p->cols = cols_needed(prof, opts->by);
	p->want_self = opts->want_edges || opts->want_callees;
	p->want_state = wants_state(p);
	AS_TRY(as_memory(as_fold_init(&p->fold, prof, opts->keep_contexts, opts->fold_clones)));
	if (prof->call.n && opts->by == AS_BY_FUNC && !as_proj_room(p, p->fold.n))
		return AS_E_NOMEM;
	p->row = as_alloc_new(p->al, scratch_size(p));
	p->cache = as_alloc_new(p->al, AS_KEY_CACHE * sizeof(*p->cache));
	p->dense = as_alloc_new(p->al, p->n_dense * sizeof(*p->dense) + 1);
	return p->row && p->cache && p->dense ? AS_OK : AS_E_NOMEM;
}

void as_proj_release(struct as_proj *p)
{
	const struct as_alloc *al = p->al;

	as_fold_release(&p->fold);
	as_alloc_free(al, p->row, scratch_size(p));
	as_alloc_free(al, p->cache, AS_KEY_CACHE * sizeof(*p->cache));
	as_alloc_free(al, p->dense, p->n_dense * sizeof(*p->dense) + 1);
	for (unsigned c = 0; c < AS_COL_COUNT; c++)
		as_vec_free(al, &p->col[c]);
	as_vec_free(al, &p->state);
	as_vec_free(al, &p->touched);
	as_vec_free(al, &p->depth);
	as_alloc_free(al, p->of_place_depth, p->prof->place.func.n);
	as_alloc_free(al, p->slot, p->graph.n * sizeof(*p->slot) + 1);
	as_alloc_free(al, p->cycle, p->n_cycle * sizeof(*p->cycle) + 1);
	as_alloc_free(al, p->func_cycle, p->fold.n * sizeof(*p->func_cycle));
	as_alloc_free(al, p->cycle_called, (size_t)p->n_cycles * sizeof(*p->cycle_called) + 1);
	as_alloc_free(al, p->of_place, p->prof->place.func.n * sizeof(*p->of_place));
	as_alloc_free(al, p->live, p->prof->node.parent.n);
	as_graph_release(&p->graph, al);
	as_index_release(&p->index);
	as_vec_free(al, &p->key);
	as_pairs_release(&p->pairs, al);
}
