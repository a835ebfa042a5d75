/* SPDX-License-Identifier: Apache-2.0 */
/* The writer: header, blocks, totals, for each part. */
#include "formats/callgrind/callgrind_write.h"

/* Many enough that handing them to a thread takes no time. */
enum { BATCH_ROWS = 3 * 1024 };

/* A header value stands on one line. */
static void header_value(struct cgw *w, struct as_slice value)
{
	for (size_t i = 0; i < value.len; i++) {
		char c = value.p[i];

		if (c == '\n' || c == '\r')
			c = ' ';
		as_out_char(w->out, c);
	}
	as_out_char(w->out, '\n');
}

static void cg_write_header(struct cgw *w, const char *key, struct as_slice value)
{
	as_out_text(w->out, key);
	as_out_text(w->out, ": ");
	header_value(w, value);
}

static void cg_write_number(struct cgw *w, const char *key, uint64_t v)
{
	as_out_printf(w->out, "%s: %" PRIu64 "\n", key, v);
}

static void cg_write_put_meta(struct cgw *w)
{
	const struct as_profile *prof = w->prof;

	if (!as_profile_is_from(prof, "callgrind"))
		return;
	for (size_t i = 0; i < prof->meta.n; i++)
		if (prof->meta.p[i].part == w->part &&
			!as_run_is_key(as_str_get(prof, prof->meta.p[i].key)))
			cg_write_header(w, as_str_get(prof, prof->meta.p[i].key).p,
				as_str_get(prof, prof->meta.p[i].text));
}

/* What no line of its own says of the run. */
static enum as_code cg_write_put_run(struct cgw *w)
{
	struct as_run_lines run;
	bool ok = as_run_lines_make(&run, w->prof, AS_RUN_TIMES);

	for (size_t i = 0; ok && i < run.line.n; i++)
		cg_write_header(w, "desc", run.line.p[i]);
	as_losses_add_cap(w->wr->losses, AS_CAPBIT_EPOCH, run.lost_started);
	as_losses_add_cap(w->wr->losses, AS_CAPBIT_DURATION, run.lost_duration);
	as_run_lines_release(&run, w->al);
	return as_err_memory(w->wr->err, ok);
}

enum { OFFSETS = 1, OTHER = 2 };

/* What the addresses are of the objects that have code, by rank. */
static void find_kinds(const struct cgw *w, uint8_t *kind)
{
	const struct as_profile *prof = w->prof;

	for (uint32_t f = 1; f < prof->func.name.n; f++) {
		uint32_t o = prof->func.object.p[f].i;

		if (o)
			kind[w->objects.rank[o]] |=
				prof->object.p[o].addr_kind == AS_ADDR_FILE_OFFSET ? OFFSETS
										   : OTHER;
	}
}

/* Objects of one path, which stand side by side, are one in the file. */
static void cg_write_put_kind(struct cgw *w, struct as_slice path, uint8_t kind)
{
	as_losses_add(w->wr->losses, "addresses", kind == (OFFSETS | OTHER),
		"object{|s} with addresses of two kinds, which are not told apart any more");
	if (kind != OFFSETS)
		return;
	as_out_text(w->out, "desc: " AS_CG_OFFSETS);
	header_value(w, path);
}

/* "instr" means virtual addresses, and which those are only the binary knows. */
static enum as_code put_offsets(struct cgw *w)
{
	const struct as_object_row *row = w->prof->object.p;
	const uint32_t *object = w->objects.at;
	size_t n = w->prof->object.n;
	uint8_t *kind = as_alloc_new(w->own, n), now = 0;

	AS_TRY(as_err_memory(w->wr->err, kind));
	find_kinds(w, kind);
	for (size_t rank = 0; rank < n; rank++) {
		now |= kind[rank];
		if (rank + 1 < n && row[object[rank]].path.i == row[object[rank + 1]].path.i)
			continue;
		cg_write_put_kind(w, as_str_get(w->prof, row[object[rank]].path), now);
		now = 0;
	}
	return AS_OK;
}

static enum as_code put_sums(struct cgw *w, const char *key, const as_val *v)
{
	as_out_text(w->out, key);
	as_out_char(w->out, ':');
	for (size_t k = 0; k < w->column.n; k++) {
		if (v[k] > (as_val)UINT64_MAX || v[k] < (as_val)INT64_MIN) {
			char text[AS_VAL_TEXT];

			return as_err_set(w->wr->err, AS_E_LIMIT,
				"a total of %s does not fit the 64 bits of the callgrind format",
				as_val_text(v[k], text));
		}
		as_out_char(w->out, ' ');
		as_out_val(w->out, v[k]);
	}
	as_out_char(w->out, '\n');
	return AS_OK;
}

/* The columns of the part: all, where its reader named none; its costs would have no place else. */
static bool plan_columns(struct cgw *w, const struct as_part *part)
{
	uint32_t n = part->event ? part->n_events : as_n_events(w->prof);

	w->column.n = 0;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t event = part->event ? part->event[k] : k;

		if ((w->only < 0 || w->only == (int64_t)event) &&
			!as_vec_push(w->own, &w->column, event))
			return false;
	}
	return true;
}

/* Which columns the part has, and whether its rows hold addresses and lines. */
static enum as_code plan_part(struct cgw *w, size_t from, size_t to)
{
	const struct as_profile *prof = w->prof;
	const struct as_part *part = &prof->part.p[w->part];
	struct as_rows_cur cur;
	as_val *v;

	AS_TRY(as_err_memory(w->wr->err, plan_columns(w, part)));
	w->all_columns = true;
	for (size_t k = 0; k < w->column.n; k++)
		w->all_columns &= w->column.p[k] == k;
	w->plain = w->all_columns && w->column.n && w->relative && !w->full_rows;
	w->instr = part->positions & AS_POS_INSTR;
	w->lines = part->positions & AS_POS_LINE || !w->instr;
	if (part->positions && as_profile_is_from(prof, "callgrind"))
		to = from; /* the source has said what its rows hold */
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->own, &v, as_n_events(prof) + 16)));
	for (size_t i = from; i < to && !(w->instr && w->lines); i++) {
		struct cgw_run r = as_cgw_run(w, w->run_order[i]);

		as_rows_begin(&cur, r.rows, r.run, v);
		while (as_rows_next(&cur)) {
			w->instr |= cur.addr != 0;
			w->lines |= cur.line != 0;
		}
	}
	return AS_OK;
}

static enum as_code sum_part(struct cgw *w, size_t from, size_t to, as_val *sum)
{
	const struct as_profile *prof = w->prof;
	struct as_rows_cur cur;
	as_val *v;

	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->own, &v, as_n_events(prof))));
	if (prof->part.n == 1) {
		for (size_t k = 0; k < w->column.n; k++)
			sum[k] = prof->total[w->column.p[k]];
		to = from;
	}
	for (size_t i = from; i < to; i++) {
		struct cgw_run r = as_cgw_run(w, w->run_order[i]);

		if (r.kind != CGW_SELF)
			continue;
		as_rows_begin(&cur, r.rows, r.run, v);
		while (as_rows_next(&cur))
			for (size_t k = 0; k < w->column.n; k++)
				sum[k] += v[w->column.p[k]];
	}
	return AS_OK;
}

static enum as_code cg_write_put_header(struct cgw *w, const as_val *sum)
{
	const struct as_profile *prof = w->prof;
	const struct as_part *part = &prof->part.p[w->part];
	struct as_slice creator = as_str_get(prof, part->creator);

	as_out_text(w->out, "# callgrind format\nversion: 1\n");
	cg_write_header(w, "creator", creator.len ? creator : as_slice_of(AS_CG_CREATOR));
	if (part->has_pid)
		cg_write_number(w, "pid", part->pid);
	if (part->command.i)
		cg_write_header(w, "cmd", as_str_get(prof, part->command));
	if (part->has_number)
		cg_write_number(w, "part", part->number);
	if (part->has_tid)
		cg_write_number(w, "thread", part->tid);
	cg_write_put_meta(w);
	if (w->part == 0)
		AS_TRY(cg_write_put_run(w));
	if (w->part == 0)
		AS_TRY(put_offsets(w));
	as_out_text(w->out, "\npositions:");
	as_out_text(w->out, w->instr ? " instr" : "");
	as_out_text(w->out, w->lines ? " line\n" : "\n");
	as_cgw_put_events(w);
	if (w->column.n)
		AS_TRY(put_sums(w, "summary", part->summary && w->only < 0 ? part->summary : sum));
	as_out_char(w->out, '\n');
	return AS_OK;
}

static enum as_code cg_write_put_part(struct cgw *w, size_t from, size_t to)
{
	as_val *sum;

	AS_TRY(plan_part(w, from, to));
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->own, &sum, w->column.n)));
	AS_TRY(sum_part(w, from, to, sum));
	AS_TRY(cg_write_put_header(w, sum));
	AS_TRY(as_cgw_blocks(w, from, to));
	return w->column.n ? put_sums(w, "totals", sum) : AS_OK;
}

static enum as_code put_parts(struct cgw *w)
{
	size_t from = 0;

	AS_TRY(as_err_memory(w->wr->err, as_cgw_rank(w) && as_cgw_order_runs(w)));
	for (w->part = 0; w->part < w->prof->part.n; w->part++) {
		size_t to = from;

		while (to < w->n_run_order &&
			(w->prof->part.n == 1 || as_cgw_run_at(w, to)->part == w->part))
			to++;
		AS_TRY(cg_write_put_part(w, from, to));
		from = to;
	}
	return AS_OK;
}

static enum as_code choose_event(struct cgw *w)
{
	const char *name = as_opts_get(&w->wr->opts, "event");
	uint32_t event;

	w->only = -1;
	if (!name)
		return AS_OK;
	if (!as_profile_event(w->prof, as_slice_of(name), &event))
		return as_err_set(w->wr->err, AS_E_ARG, "there is no event '%s'", name);
	w->only = event;
	return AS_OK;
}

enum as_code as_cgw_write(struct as_wr *wr, const struct as_profile *prof, uint32_t batch_rows)
{
	struct as_pool pool;
	struct cgw w = {
		.wr = wr,
		.out = wr->out,
		.prof = prof,
		.al = prof->al,
		.own = &pool.al,
		.ids = as_opts_flag(&wr->opts, "compress-strings", true),
		.relative = as_opts_flag(&wr->opts, "compress-pos", true),
		.full_rows = as_opts_flag(&wr->opts, "full-rows", false),
		.batch_rows = batch_rows,
	};
	enum as_code rc = choose_event(&w);

	for (unsigned k = 0; k < CGW_FEW; k++) {
		char text[AS_OUT_NUM + 1] = " ";

		as_put_u64(text + 1, k);
		memcpy(w.cost[k], text, sizeof(w.cost[k]));
	}
	as_pool_init(&pool, w.al);
	as_arena_init(&w.arena, w.own);
	if (rc == AS_OK)
		rc = as_cgw_name_events(&w) ? put_parts(&w) : as_err_no_memory(wr->err);
	as_pool_release(&pool);
	return rc;
}

enum as_code as_cg_write(struct as_wr *wr, const struct as_profile *prof)
{
	return as_cgw_write(wr, prof, BATCH_ROWS);
}
