/* SPDX-License-Identifier: Apache-2.0 */
/* Markers: instants, and asynchronous events, whose ends find one another by what they are called.
 * docs/formats/traceevent.md §5. */
#include "formats/traceevent/traceevent.h"

#include "base/sort.h"

char as_te_marker_phase(char phase)
{
	switch (phase) {
	case 'b':
	case 'S':
		return 'b';
	case 'e':
	case 'F':
		return 'e';
	case 'i':
	case 'I':
	case 'R': /* performance.mark() */
	case 'n':
	case 'T':
	case 'p':
		return 'n';
	default:
		return 0;
	}
}

/* ---- as they are read ---- */

static enum as_code marker_key(
	struct as_te *te, const struct te_marker_event *e, struct te_marker *m)
{
	struct te_key one = {.name = m->name};
	uint64_t hash = as_hash_mix(as_hash_mix(as_hash_bytes(e->category.p, e->category.len),
					    as_hash_bytes(e->id.p, e->id.len)),
		m->name.i);
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&te->keys, hash, &at, &m->key)) {
		const struct te_key *k = &te->key.p[m->key];

		if (k->name.i == m->name.i && as_slice_eq(k->id, e->id) &&
			as_slice_eq(k->category, e->category))
			return AS_OK;
	}
	m->key = (uint32_t)te->key.n;
	one.category = as_arena_dup(&te->arena, e->category);
	one.id = as_arena_dup(&te->arena, e->id);
	return as_err_memory(te->rd->err, one.category.p && one.id.p &&
						  as_vec_push(te->al, &te->key, one) &&
						  as_index_add(&te->keys, hash, m->key));
}

enum as_code as_te_marker(struct as_te *te, const struct te_marker_event *e)
{
	struct te_marker m = {
		.time = e->time, .end = e->time, .key = AS_TE_NONE, .phase = e->phase};

	if (!e->has_time) {
		te->odd.time++;
		return AS_OK;
	}
	if (te->marker.n >= UINT32_MAX - 1)
		return as_rd_fail(
			te->rd, AS_E_LIMIT, as_json_in_off(&te->in), 0, "more than 2^32 markers");
	AS_TRY(as_te_thread(te, e->pid, e->tid, &m.thread));
	AS_TRY(as_build_str(
		te->rd->out, e->name.len ? e->name : as_slice_of("(anonymous)"), &m.name));
	if (m.phase != 'n')
		AS_TRY(marker_key(te, e, &m));
	return as_err_memory(te->rd->err, as_vec_push(te->al, &te->marker, m));
}

/* ---- when all are there ---- */

static int marker_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct te_marker *p = ctx;
	int c = (p[a].time > p[b].time) - (p[a].time < p[b].time);

	return c ? c : as_cmp_u64(a, b);
}

/* Of what M may be the end of, that which began last ends. PREV: of each marker that is open, that
 * which was open before it. */
static void marker_end(struct as_te *te, struct te_marker *m, const uint32_t *prev)
{
	struct te_key *key = &te->key.p[m->key];
	struct te_marker *begin;

	if (!key->open)
		return; /* a point in time */
	begin = &te->marker.p[key->open - 1];
	key->open = prev[key->open - 1];
	begin->end = m->time;
	m->phase = 0; /* it is told with its beginning */
}

static enum as_code marker_add(struct as_te *te, const struct te_marker *m)
{
	struct as_tally_when when = {m->time, (uint64_t)m->end - (uint64_t)m->time};
	uint32_t thread;

	if (!m->phase)
		return AS_OK;
	AS_TRY(as_te_in_tally(te, m->thread, &thread));
	return as_tally_marker(&te->tally, thread, as_str_get(te->rd->out->prof, m->name), &when);
}

enum as_code as_te_put_markers(struct as_te *te)
{
	uint32_t n = (uint32_t)te->marker.n, *order, *prev;

	if (!n)
		return AS_OK;
	order = as_sorted_rows(te->al, n, marker_cmp, te->marker.p);
	AS_TRY(as_err_memory(te->rd->err, order && as_alloc_array(te->al, &prev, n)));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = order[i];
		struct te_marker *m = &te->marker.p[row];

		if (m->phase == 'b') {
			prev[row] = te->key.p[m->key].open;
			te->key.p[m->key].open = row + 1;
		} else if (m->phase == 'e') {
			marker_end(te, m, prev);
		}
	}
	for (uint32_t i = 0; i < n; i++)
		AS_TRY(marker_add(te, &te->marker.p[order[i]]));
	return AS_OK;
}
