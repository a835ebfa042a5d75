/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_rows.h"

#include "base/date.h"
#include "base/sort.h"
#include "change/transform.h"
#include "fleet/fleet_rows_impl.h"
#include "io/threads.h"

#define SECOND INT64_C(1000000000)
enum { DAY = 86400, PIECES_MAX = 1000, AHEAD = 8, FEW = 1000, MANY = 1 << 16 };

/* What the tables carry. */
static const struct as_format rows_carry = {
	.name = "store",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(ADDRS) |
		AS_CAP(OBJECTS) | AS_CAP(IDS) | AS_CAP(EVENTS) | AS_CAP(PERIOD) | AS_CAP(TITLES) |
		AS_CAP(NEGATIVE) | AS_CAP(NOSTACK) | AS_CAP(EPOCH) | AS_CAP(LABELS) |
		AS_CAP(SYSTEM) | AS_CAP(STARTS) | AS_CAP(COLUMNS) | AS_CAP(DURATION) |
		AS_CAP(UNNAMED) | AS_CAP(ESTIMATES) | AS_CAP(META),
};

/* Costs on their way to rows. There are many, so they are short: their part and event tell series
 * and service. */
struct rows_cost {
	uint32_t part, event;
	uint64_t stack;
	as_val value;
};

struct rows_costs {
	AS_VEC(struct rows_cost) row;
	uint32_t *order;
	bool mixed; /* they are of several series; else of one service, too */
};

static uint64_t rows_series(const struct as_fleet_job *j, const struct rows_cost *c)
{
	return j->known[c->part * j->prof->event.n + c->event];
}

static uint64_t rows_svc(const struct as_fleet_job *j, const struct rows_cost *c)
{
	return j->svc[c->event];
}

static uint64_t rows_stack(const struct as_fleet_job *j, const struct rows_cost *c)
{
	(void)j;
	return c->stack;
}

/* ---- when ---- */

static enum as_code rows_time(struct as_fleet_job *j)
{
	const struct as_profile *prof = j->prof;
	struct as_fleet_rows *out = j->out;
	int64_t begin = j->opts->begin_ns, last;

	if (prof->epoch.i && !as_date_to_nanos(as_str_get(prof, prof->epoch), &begin))
		return as_err_set(j->err, AS_E_FORMAT,
			"'%.*s' is no time at which it can have begun",
			AS_SLICE_FMT(as_str_get(prof, prof->epoch)));
	if (begin < 0 || prof->duration < 0 ||
		__builtin_add_overflow(begin, prof->duration, &last) || last / SECOND > UINT32_MAX)
		return as_err_set(j->err, AS_E_LIMIT,
			"a store has times from 1970 to 2105, and not this one");
	out->begin_ns = begin;
	out->nanos = prof->duration;
	out->t0 = (uint32_t)(begin / SECOND);
	out->t1 = (uint32_t)(last / SECOND);
	out->day = out->t0 / DAY;
	return AS_OK;
}

static uint64_t rows_lost(const struct as_profile *prof)
{
	uint64_t sum = 0, n;

	for (size_t i = 0; i < prof->meta.n; i++)
		if (as_slice_is(as_str_get(prof, prof->meta.p[i].key), "assay: samples lost") &&
			as_slice_dec(as_str_get(prof, prof->meta.p[i].text), &n))
			sum += n;
	return sum;
}

/* Those that are too many for the columns are not known. */
static void rows_signals(struct as_fleet_rows *out, struct as_signals s)
{
	if (s.known && s.samples <= UINT64_MAX && s.signals <= UINT64_MAX &&
		s.squares <= UINT64_MAX && s.unsignalled <= UINT64_MAX)
		out->signals = s;
}

/* ---- costs ---- */

static void rows_push(struct as_fleet_job *j, struct rows_costs *cs, const struct rows_cost *row)
{
	uint64_t series = as_fleet_series(j, row->part, row->event);

	j->row.failed |= !as_vec_push(&j->pool.al, &cs->row, *row);
	if (!j->row.failed)
		cs->mixed |= series != rows_series(j, &cs->row.p[0]);
}

/* COST, a value for each event, of STACK in PART. If all are 0, that is one row. */
static void rows_add(struct as_fleet_job *j, struct rows_costs *cs, uint32_t part, uint64_t stack,
	const as_val *cost, uint32_t n)
{
	bool any = false;

	for (uint32_t k = 0; k < n; k++)
		any |= cost[k] != 0;
	for (uint32_t k = 0; k < n; k++)
		if (cost[k] || (!any && k == 0)) {
			struct rows_cost row = {part, k, stack, cost[k]};

			rows_push(j, cs, &row);
		}
}

static void rows_samples(struct as_fleet_job *j, struct rows_costs *cs)
{
	const struct as_profile *prof = j->prof;
	uint32_t e = as_n_events(prof);

	for (size_t i = 0; i < prof->sample.node.n && !j->row.failed; i++)
		rows_add(j, cs, prof->sample.part.p[i], as_fleet_path(j, prof->sample.node.p[i]),
			prof->sample.cost.p + i * e, e);
}

static enum as_code rows_self(struct as_fleet_job *j, struct rows_costs *cs)
{
	const struct as_rows *self = &j->prof->self;
	struct as_rows_cur cur;
	as_val *v;

	AS_TRY(as_err_memory(j->err, as_alloc_array(&j->pool.al, &v, self->width)));
	for (size_t r = 0; r < self->run.n; r++) {
		const struct as_run *run = &self->run.p[r];

		as_rows_begin(&cur, self, run, v);
		while (as_rows_next(&cur) && !j->row.failed)
			rows_add(j, cs, run->part, as_fleet_spot(j, run, cur.line, cur.addr), v,
				as_n_events(j->prof));
	}
	return as_err_memory(j->err, !j->row.failed);
}

/* An event of which nothing was counted is there, too: as one row of 0. */
static void rows_zeros(struct as_fleet_job *j, struct rows_costs *cs)
{
	const struct as_profile *prof = j->prof;
	bool some;

	for (uint32_t k = 0; k < prof->event.n && cs->row.n; k++) {
		struct rows_cost row = {cs->row.p[0].part, k, cs->row.p[0].stack, 0};

		/* its series is there even if only other parts have samples of it */
		(void)as_fleet_series(j, row.part, k);
		some = false;
		for (size_t i = 0; i < cs->row.n && !some; i++)
			some = rows_svc(j, &cs->row.p[i]) == j->svc[k];
		if (!some)
			rows_push(j, cs, &row);
	}
}

/* ---- their order ---- */

/* The rows, in their order so far, by the id OF each. */
static bool rows_sort_by(struct as_fleet_job *j, struct rows_costs *cs, uint64_t *key,
	uint64_t (*of)(const struct as_fleet_job *j, const struct rows_cost *c))
{
	for (size_t i = 0; i < cs->row.n; i++)
		key[i] = of(j, &cs->row.p[cs->order[i]]);
	return as_sort_hashes(&j->pool.al, key, cs->order, cs->row.n);
}

/* As the table's key has it. Ids are hashes: comparing rows one with the other would take long. */
static bool rows_sort(struct as_fleet_job *j, struct rows_costs *cs)
{
	uint64_t *key;

	if (!as_alloc_array(&j->pool.al, &key, cs->row.n) ||
		!as_alloc_array(&j->pool.al, &cs->order, cs->row.n))
		return false;
	for (size_t i = 0; i < cs->row.n; i++)
		cs->order[i] = (uint32_t)i;
	return rows_sort_by(j, cs, key, rows_stack) &&
	       (!cs->mixed || (rows_sort_by(j, cs, key, rows_series) &&
				      rows_sort_by(j, cs, key, rows_svc)));
}

/* Rows I and I - 1 are of the same. */
static bool rows_are_same(const struct as_fleet_job *j, const struct rows_costs *cs, size_t i)
{
	const struct rows_cost *a = &cs->row.p[cs->order[i - 1]];
	const struct rows_cost *b = &cs->row.p[cs->order[i]];

	return a->stack == b->stack && rows_series(j, a) == rows_series(j, b) &&
	       rows_svc(j, a) == rows_svc(j, b);
}

/* ---- batches ---- */

static struct as_fleet_batch *rows_last(struct as_fleet_job *j)
{
	return &j->out->batch.p[j->out->batch.n - 1];
}

static bool rows_new_batch(struct as_fleet_job *j)
{
	return as_vec_push(j->out->al, &j->out->batch, (struct as_fleet_batch){0});
}

/* One row. What would be too much for the batch begins another. */
static bool rows_put(struct as_fleet_job *j, const struct rows_cost *c, int64_t value)
{
	uint64_t mass = (uint64_t)(value < 0 ? -value : value);
	struct as_fleet_batch *b = rows_last(j);
	char row[AS_FLEET_ROW], *end = row;

	if (b->mass + mass > INT64_MAX) {
		if (!rows_new_batch(j))
			return false;
		b = rows_last(j);
	}
	end = as_fleet_le(end, j->out->day, sizeof(uint16_t));
	end = as_fleet_le(end, rows_svc(j, c), sizeof(uint64_t));
	end = as_fleet_le(end, j->out->t0, sizeof(uint32_t));
	end = as_fleet_le(end, rows_series(j, c), sizeof(uint64_t));
	end = as_fleet_le(end, c->stack, sizeof(c->stack));
	end = as_fleet_le(end, (uint64_t)value, sizeof(value));
	as_assert(end == row + sizeof(row));
	b->n_samples++;
	b->total += value;
	b->mass += mass;
	return as_vec_append(j->out->al, &b->samples, row, sizeof(row));
}

static enum as_code rows_put_all(struct as_fleet_job *j, const struct rows_cost *c)
{
	as_val left = c->value;
	int64_t piece;

	if (left > (as_val)INT64_MAX * PIECES_MAX || left < -(as_val)INT64_MAX * PIECES_MAX)
		return as_err_set(j->err, AS_E_LIMIT,
			"a cost of more than a thousand times 2^63: no store has room for it");
	do {
		piece = left > INT64_MAX    ? INT64_MAX
			: left < -INT64_MAX ? -INT64_MAX
					    : (int64_t)left;
		left -= piece;
		AS_TRY(as_err_memory(j->err, rows_put(j, c, piece)));
	} while (left);
	return AS_OK;
}

/* A push that says the same again is the same batch. */
static bool rows_name_batch(struct as_fleet_job *j, size_t i)
{
	struct as_fleet_batch *b = &j->out->batch.p[i];

	as_assert(i < j->out->batch.n);
	j->row.v.n = 0;
	as_fleet_put_string(&j->row, j->opts->run);
	as_fleet_put_string(&j->row, j->opts->service);
	as_fleet_put_string(&j->row, j->opts->host);
	as_fleet_put_number(&j->row, (uint64_t)j->out->begin_ns, sizeof(int64_t));
	as_fleet_put_number(&j->row, (uint64_t)j->out->nanos, sizeof(int64_t));
	as_fleet_put_number(&j->row, i, sizeof(uint32_t));
	as_fleet_put_number(&j->row, as_fleet_hash(b->samples.p, b->samples.n), sizeof(uint64_t));
	b->id = as_fleet_bytes_hash(&j->row);
	return !j->row.failed;
}

static enum as_code rows_batches(struct as_fleet_job *j, struct rows_costs *cs)
{
	struct rows_cost sum;

	if (cs->row.n > UINT32_MAX)
		return as_err_set(j->err, AS_E_LIMIT, "more than 2^32 costs");
	AS_TRY(as_err_memory(j->err, rows_sort(j, cs) && rows_new_batch(j) &&
					     as_vec_reserve(j->out->al, &rows_last(j)->samples,
						     cs->row.n * AS_FLEET_ROW)));
	for (size_t i = 0; i < cs->row.n;) {
		if (i + AHEAD < cs->row.n)
			AS_PREFETCH(&cs->row.p[cs->order[i + AHEAD]]);
		sum = cs->row.p[cs->order[i]];
		while (++i < cs->row.n && rows_are_same(j, cs, i))
			sum.value += cs->row.p[cs->order[i]].value;
		AS_TRY(rows_put_all(j, &sum));
	}
	for (size_t i = 0; i < j->out->batch.n; i++)
		AS_TRY(as_err_memory(j->err, rows_name_batch(j, i)));
	return AS_OK;
}

/* ---- many stacks ---- */

/* The row of OF, which ends there, behind those of TO. */
static void rows_move_stack(const struct as_fleet_job *j, size_t of, char *to, size_t *end)
{
	const struct as_fleet_named *named = j->out->stack.p;
	size_t begin = of ? named[of - 1].end : 0, size = named[of].end - begin;

	memcpy(to + *end, j->stacks.v.p + begin, size);
	*end += size;
}

/* Stacks by id, as their table has them. They are in memory of OUT's, as others use the pool. */
static bool rows_order_stacks(struct as_fleet_job *j)
{
	const struct as_alloc *al = j->out->al;
	size_t n = j->out->stack.n, end = 0;
	const struct as_fleet_named *have = j->out->stack.p;
	uint64_t *key = NULL;
	uint32_t *order = NULL;
	AS_VEC(struct as_fleet_named) named = {0};
	AS_VEC(char) rows = {0};
	bool ok = as_vec_fit(al, &named, n) && as_alloc_array(al, &key, n) &&
		  as_alloc_array(al, &order, n) &&
		  as_vec_fit(al, &rows, j->stacks.v.n + AS_FLEET_STACK_MARK);

	for (size_t i = 0; i < n && ok; i++) {
		key[i] = have[i].id;
		order[i] = (uint32_t)i;
	}
	ok = ok && as_sort_hashes(al, key, order, n);
	for (size_t i = 0; i < n && ok; i++) {
		if (i + 2 * AHEAD < n)
			AS_PREFETCH(&have[order[i + 2 * AHEAD]]);
		if (i + AHEAD < n)
			AS_PREFETCH(j->stacks.v.p + have[order[i + AHEAD]].end);
		rows_move_stack(j, order[i], rows.p, &end);
		named.p[i] = (struct as_fleet_named){have[order[i]].id, end, have[order[i]].n};
	}
	if (ok) {
		as_assert(end == j->stacks.v.n);
		as_vec_free(al, &j->out->stack);
		as_vec_move(&j->out->stack, &named);
		j->out->stack.n = n;
		as_vec_free(al, &j->stacks.v);
		as_vec_move(&j->stacks.v, &rows);
		j->stacks.v.n = end;
		j->out->ordered = true;
	}
	as_vec_free(al, &rows);
	as_vec_free(al, &named);
	as_alloc_free(al, key, n * sizeof(*key) + 1);
	as_alloc_free(al, order, n * sizeof(*order) + 1);
	return ok;
}

/* What is left to do once each cost has its stack. */
struct rows_ending {
	struct as_fleet_job *j;
	struct rows_costs *cs;
	enum as_code rc;
	bool ordered;
};

static void rows_end_one(void *arg, unsigned i)
{
	struct rows_ending *e = arg;

	if (i)
		e->ordered = rows_order_stacks(e->j);
	else
		e->rc = rows_batches(e->j, e->cs);
}

/* Many stacks are put in order beside their samples: who sends few of them sorts these anyway. */
static enum as_code rows_end(struct as_fleet_job *j, struct rows_costs *cs)
{
	struct rows_ending e = {.j = j, .cs = cs, .ordered = true};

	as_threads_run(2, rows_end_one, &e, j->out->stack.n < MANY ? 1 : 2);
	AS_TRY(e.rc);
	return as_err_memory(j->err, e.ordered);
}

/* ---- the whole ---- */

static enum as_code rows_refuse(const struct as_profile *prof, struct as_err *err)
{
	if (prof->call.n)
		return as_err_set(err, AS_E_UNSUPPORTED,
			"a store has stacks and places, and no calls: callers of callers cannot be "
			"told "
			"from them");
	if (prof->sums.func.n || prof->stacks.n)
		return as_err_set(err, AS_E_ARG, "a profile of sums has no stacks any more");
	return AS_OK;
}

/* Lines of metadata that there is no column for. */
static uint64_t rows_metas_lost(const struct as_profile *prof, bool signals)
{
	uint64_t n = 0;

	for (size_t i = 0; i < prof->meta.n; i++) {
		struct as_slice key = as_str_get(prof, prof->meta.p[i].key);

		n += !signals ||
		     !(as_slice_is(key, AS_META_SAMPLES) || as_slice_is(key, AS_META_SIGNALS) ||
			     as_slice_is(key, AS_META_SQUARES) ||
			     as_slice_is(key, AS_META_UNSIGNALLED));
	}
	return n;
}

static bool rows_losses(const struct as_profile *prof, bool signals, struct as_losses *l)
{
	if (!l)
		return true;
	for (size_t i = 0; i < prof->event.n; i++)
		as_losses_add(l, "active", prof->event.p[i].active != 0,
			"share{ of the time that an event|s of the time that events} counted");
	for (size_t i = 1; i < prof->object.n; i++)
		as_losses_add(l, "text", prof->object.p[i].text_size != 0,
			"size{ of an object's|s of objects'} text");
	for (size_t i = 0; i < prof->self.run.n; i++)
		as_losses_add(l, "inlined", prof->self.run.p[i].inl.i ? prof->self.run.p[i].n : 0,
			"row{'s inlined function|s' inlined functions}");
	as_losses_add_cap(l, AS_CAPBIT_META, rows_metas_lost(prof, signals));
	return as_losses_by_caps(l, prof, &rows_carry);
}

static enum as_code rows_run(struct as_fleet_job *j)
{
	const struct as_alloc *al = &j->pool.al;
	struct rows_costs cs = {0};

	j->row.al = al;
	j->seen_frames.al = j->seen_stacks.al = j->seen_series.al = al;
	j->out->home = as_fleet_hash_string(j->opts->service);
	AS_TRY(rows_time(j));
	AS_TRY(as_fleet_frames_begin(j));
	AS_TRY(as_fleet_series_begin(j));
	rows_samples(j, &cs);
	AS_TRY(rows_self(j, &cs));
	rows_zeros(j, &cs);
	AS_TRY(rows_end(j, &cs));
	j->out->lost = rows_lost(j->prof);
	return as_err_memory(j->err,
		!j->row.failed && !j->frames.failed && !j->stacks.failed && !j->series.failed);
}

/* Whether merging would say the same of PROF: no part says what becomes a label, and no two events
 * or objects may be one. Merging takes as long as all else. */
static bool rows_is_settled(const struct as_profile *prof)
{
	if (prof->event.n > FEW || prof->object.n > FEW)
		return false;
	for (size_t i = 0; i < prof->part.n; i++)
		if (prof->part.p[i].has_pid || prof->part.p[i].has_tid || prof->part.p[i].thread.i)
			return false;
	for (size_t i = 0; i < prof->event.n; i++)
		for (size_t k = 0; k < i; k++)
			if (prof->event.p[i].name.i == prof->event.p[k].name.i)
				return false;
	for (size_t i = 1; i < prof->object.n; i++)
		for (size_t k = 1; k < i; k++)
			if (prof->object.p[i].path.i == prof->object.p[k].path.i)
				return false;
	return true;
}

/* PROF as merging makes it, so that a profile alone gives what it gives among others: process and
 * thread of its parts are labels. */
static enum as_code rows_settle(const struct as_alloc *al, const struct as_profile *prof,
	struct as_profile **out, struct as_err *err)
{
	struct as_merge_opts opts = {.label_parts = true};
	struct as_merge *merge;
	enum as_code rc;

	AS_TRY(as_merge_new(al, &opts, &merge, err));
	rc = as_merge_add(merge, prof, NULL);
	if (rc == AS_OK)
		return as_merge_finish(merge, out);
	as_merge_free(merge);
	return rc;
}

enum as_code as_fleet_rows_make(const struct as_alloc *al, const struct as_profile *prof,
	const struct as_fleet_rows_opts *opts, struct as_fleet_rows *out, struct as_losses *l,
	struct as_err *err)
{
	struct as_fleet_job j = {.opts = opts, .out = out, .err = err};
	struct as_profile *settled = NULL;
	enum as_code rc;

	*out = (struct as_fleet_rows){.al = al, .service = opts->service, .host = opts->host};
	AS_TRY(rows_refuse(prof, err));
	if (!rows_is_settled(prof))
		AS_TRY(rows_settle(al, prof, &settled, err));
	j.prof = settled ? settled : prof;
	j.frames.al = j.stacks.al = j.series.al = al;
	as_pool_init(&j.pool, al);
	rc = rows_run(&j);
	rows_signals(out, as_signals_of(prof));
	if (rc == AS_OK && !rows_losses(prof, out->signals.known, l))
		rc = as_err_no_memory(err);
	as_vec_move(&out->frames, &j.frames.v);
	as_vec_move(&out->stacks, &j.stacks.v);
	as_vec_move(&out->series, &j.series.v);
	as_pool_release(&j.pool);
	as_profile_free(settled);
	return rc;
}

void as_fleet_rows_release(struct as_fleet_rows *rows)
{
	for (size_t i = 0; i < rows->batch.n; i++)
		as_vec_free(rows->al, &rows->batch.p[i].samples);
	as_vec_free(rows->al, &rows->batch);
	as_vec_free(rows->al, &rows->frames);
	as_vec_free(rows->al, &rows->stacks);
	as_vec_free(rows->al, &rows->series);
	as_vec_free(rows->al, &rows->frame);
	as_vec_free(rows->al, &rows->stack);
	as_vec_free(rows->al, &rows->serie);
}
