/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of self cost as samples of one location each: in the order, and so in the bytes, of a
 * profile in which each is a path, but without its nodes and places. One order is that of samples
 * and of locations.
 */
#include "base/sort.h"
#include "formats/pprof/pprof_write.h"

static const struct as_pb_row *pb_rows_at(const struct as_pb_write *w, size_t i)
{
	return &w->row.p[w->row_order[i]];
}

/* Whether nothing is known of a row but its address. */
static bool pb_rows_is_bare(const struct as_pb_write *w, const struct as_pb_row *row)
{
	const struct as_pb_run *run = &w->run[row->run];

	return run->nothing && !row->line && !run->file.i;
}

/* As frames are, in paths_plan.c. */
static int pb_rows_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_pb_write *w = ctx;
	const struct as_pb_row *x = &w->row.p[a], *y = &w->row.p[b];
	int c = as_cmp_u64(x->map, y->map);

	c = c ? c : as_cmp_u64(x->addr, y->addr);
	c = c ? c : as_cmp_u64(w->run[x->run].rank, w->run[y->run].rank);
	c = c ? c : as_cmp_u64(x->line, y->line);
	return c || x->run == y->run
		       ? c
		       : as_file_cmp(w->prof, w->run[x->run].file.i, w->run[y->run].file.i);
}

/* Whether row I of the order may follow the one before it. */
static bool pb_rows_ascend(const struct as_pb_write *w, size_t i)
{
	return pb_rows_cmp(w, w->row_order[i - 1], w->row_order[i]) <= 0;
}

static bool pb_rows_sort(struct as_pb_write *w, size_t first, size_t n)
{
	return as_sort_rows(w->al, w->row_order + first, n, pb_rows_cmp, w);
}

static unsigned pb_rows_bits(uint64_t v)
{
	return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/* w->key becomes the order of the N rows from FIRST on, which are of one function: what tells their
 * places apart, and ITEM_BITS for the row. False: that may need more than 64 bits. */
static bool pb_rows_make_keys(struct as_pb_write *w, size_t first, size_t n, unsigned *item_bits)
{
	const struct as_pb_row *row = w->row.p + first;
	uint64_t line = 0, addr = 0, map = 0; /* the bits in which they differ */
	unsigned addr_bits, line_bits;

	for (size_t i = 1; i < n; i++) {
		line |= row[i].line ^ row->line;
		addr |= row[i].addr ^ row->addr;
		map |= row[i].map ^ row->map;
	}
	*item_bits = pb_rows_bits(n);
	line_bits = pb_rows_bits(line);
	addr_bits = pb_rows_bits(addr);
	if (map || *item_bits + line_bits + addr_bits > 63)
		return false;
	line = (UINT64_C(1) << line_bits) - 1;
	addr = (UINT64_C(1) << addr_bits) - 1;
	for (size_t i = 0; i < n; i++)
		w->key.p[i] = ((row[i].addr & addr) << line_bits | (row[i].line & line))
				      << *item_bits |
			      i;
	return true;
}

/* The rows from FIRST on, which are of one function, in order. */
static enum as_code pb_rows_order(struct as_pb_write *w, size_t first)
{
	size_t n = w->row.n - first, end;
	uint32_t *at = w->row_order + first;
	unsigned item_bits;
	uint64_t *key;
	bool ok = true;

	AS_TRY(as_err_memory(w->wr->err, as_vec_reserve(w->al, &w->key, 2 * n)));
	key = w->key.p;
	if (!pb_rows_make_keys(w, first, n, &item_bits)) {
		for (size_t i = 0; i < n; i++)
			at[i] = (uint32_t)(first + i);
		return as_err_memory(w->wr->err, pb_rows_sort(w, first, n));
	}
	as_sort_numbers(key, n, key + n, item_bits);
	for (size_t i = 0; i < n; i++)
		at[i] = (uint32_t)(first + (key[i] & ((UINT64_C(1) << item_bits) - 1)));
	for (size_t i = 0; ok && i < n; i = end) { /* rows of several files at one place */
		for (end = i + 1; end < n && key[end] >> item_bits == key[i] >> item_bits;)
			end++;
		ok = end == i + 1 || pb_rows_sort(w, first + i, end - i);
	}
	return as_err_memory(w->wr->err, ok);
}

/* V, the values of a row, to w->cost: most are small. */
static enum as_code pb_rows_keep(struct as_pb_write *w, const as_val *v)
{
	size_t e = w->prof->event.n;
	char *end;

	if (!e)
		return AS_OK;
	if (!as_vec_reserve(w->al, &w->cost, w->cost.n + e * AS_PB_VARINT_MAX))
		return as_err_no_memory(w->wr->err);
	end = w->cost.p + w->cost.n;
	for (size_t k = 0; k < e; k++) {
		if (v[k] < INT64_MIN || v[k] > INT64_MAX)
			return as_pb_value_range(w, v[k]);
		if (AS_LIKELY(v[k] >= 0 && v[k] < 0x80))
			*end++ = (char)v[k];
		else
			end = as_pb_put_varint(end, (uint64_t)v[k]);
	}
	w->cost.n = (size_t)(end - w->cost.p);
	return AS_OK;
}

/* The values of a row, added to w->sum. */
static void pb_rows_add(struct as_pb_write *w, const struct as_pb_row *row)
{
	const char *p = w->cost.p + row->cost;

	for (size_t k = 0; k < w->prof->event.n; k++) {
		uint64_t v = 0;
		unsigned shift = 0;

		for (; *p & 0x80; shift += 7)
			v |= (uint64_t)(*p++ & 0x7f) << shift;
		v |= (uint64_t)*p++ << shift;
		w->sum[k] += (int64_t)v;
	}
}

static enum as_code pb_rows_load_run(struct as_pb_write *w, uint32_t r, as_val *v)
{
	const struct as_run *run = &w->prof->self.run.p[r];
	as_object object = w->prof->func.object.p[run->func.i];
	struct as_pb_row row = {.run = r};
	struct as_rows_cur cur;

	as_rows_begin(&cur, &w->prof->self, run, v);
	while (as_rows_next(&cur)) {
		row.line = cur.line;
		row.addr = cur.addr;
		row.cost = w->cost.n & (UINT64_MAX >> 1);
		row.map = as_plan_locate(&w->plan, object, &row.addr);
		if (!as_vec_push(w->al, &w->row, row))
			return as_err_no_memory(w->wr->err);
		AS_TRY(pb_rows_keep(w, v));
	}
	return AS_OK;
}

static int pb_rows_cmp_run(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_pb_run *x = &((const struct as_pb_run *)ctx)[a];
	const struct as_pb_run *y = &((const struct as_pb_run *)ctx)[b];
	int c = as_cmp_u64(x->map, y->map);

	c = c ? c : as_cmp_u64(x->addr, y->addr);
	return c ? c : as_cmp_u64(x->rank, y->rank);
}

static void pb_rows_look_at_runs(struct as_pb_write *w, as_val *v)
{
	const struct as_rows *rows = &w->prof->self;
	struct as_rows_cur cur;

	for (size_t r = 0; r < rows->run.n; r++) {
		struct as_pb_run *run = &w->run[r];

		as_rows_begin(&cur, rows, &rows->run.p[r], v);
		if (as_rows_next(&cur))
			run->addr = cur.addr;
		run->rank = w->plan.func_order.rank[w->plan.run_func[r]];
		run->map = as_plan_locate(
			&w->plan, w->prof->func.object.p[rows->run.p[r].func.i], &run->addr);
		run->nothing = as_plan_is_nothing(&w->plan.func.p[w->plan.run_func[r]]);
		if (rows->run.p[r].file.i != w->prof->func.file.p[rows->run.p[r].func.i].i)
			run->file = rows->run.p[r].file;
	}
}

/* The runs in the order of AT. Those of one function are sorted by themselves: where rows have no
 * addresses nothing is left to be done after that. */
static enum as_code pb_rows_load_all(struct as_pb_write *w, const uint32_t *at, as_val *v)
{
	size_t first = 0, n = w->prof->self.run.n;
	bool ascend = true;

	for (size_t i = 0; i < n; i++) {
		AS_TRY(pb_rows_load_run(w, at[i], v));
		if (i + 1 < n && w->run[at[i]].rank == w->run[at[i + 1]].rank)
			continue;
		AS_TRY(pb_rows_order(w, first));
		ascend = ascend && (!first || first == w->row.n || pb_rows_ascend(w, first));
		first = w->row.n;
	}
	return as_err_memory(w->wr->err, ascend || pb_rows_sort(w, 0, w->row.n));
}

static enum as_code pb_rows_load(struct as_pb_write *w)
{
	size_t n = w->prof->self.n, runs = w->prof->self.run.n;
	uint32_t *at;

	if (n >= UINT32_MAX - 1)
		return as_err_set(w->wr->err, AS_E_LIMIT, "more than 2^32 call paths");
	if (!as_alloc_array(w->al, &w->row_v, w->prof->self.width) ||
		!as_alloc_array(w->al, &w->run, runs))
		return as_err_no_memory(w->wr->err);
	pb_rows_look_at_runs(w, w->row_v);
	at = as_sorted_rows(w->al, runs, pb_rows_cmp_run, w->run);
	AS_TRY(as_err_memory(w->wr->err, at));
	if (as_pb_takes_bare(w, at)) {
		w->bare = at;
		return AS_OK;
	}
	if (!as_vec_reserve(w->al, &w->row, n) || !as_alloc_array(w->al, &w->row_order, n) ||
		!as_alloc_array(w->al, &w->sum, w->prof->event.n))
		return as_err_no_memory(w->wr->err);
	return pb_rows_load_all(w, at, w->row_v);
}

enum as_code as_pb_plan_rows(struct as_pb_write *w)
{
	AS_TRY(as_plan_make_rows(&w->plan));
	AS_TRY(pb_rows_load(w));
	AS_TRY(as_pb_plan_has(w));
	for (size_t i = 0; i < w->row.n; i++) {
		const struct as_pb_row *row = pb_rows_at(w, i);
		uint32_t f = w->plan.run_func[row->run];
		const struct as_func_row *func = &w->plan.func.p[f];

		w->row.p[w->row_order[i]].again =
			i && pb_rows_cmp(w, w->row_order[i - 1], w->row_order[i]) == 0;
		if (!pb_rows_is_bare(w, row))
			w->plan.func_id[f] = 1;
		if (row->map && !as_profile_is_from(w->prof, "pprof"))
			w->has[row->map - 1] |= (func->name.i ? AS_MAP_HAS_FUNCS : 0) |
						(func->file.i ? AS_MAP_HAS_FILES : 0) |
						(row->line ? AS_MAP_HAS_LINES : 0);
	}
	as_plan_number_funcs(&w->plan);
	return AS_OK;
}

/* Rows from I on are one: what told them apart is not in the file. */
static size_t pb_rows_end_of_one(const struct as_pb_write *w, size_t i)
{
	size_t end = i + 1;

	while (end < w->row.n && pb_rows_at(w, end)->again)
		end++;
	return end;
}

/* What the rows from FIRST up to END cost, to w->list. */
static enum as_code pb_rows_sum(struct as_pb_write *w, size_t first, size_t end)
{
	size_t e = w->prof->event.n;

	memset(w->sum, 0, e * sizeof(*w->sum));
	for (size_t i = first; i < end; i++)
		pb_rows_add(w, pb_rows_at(w, i));
	w->list.n = 0;
	for (size_t k = 0; k < e; k++)
		AS_TRY(as_pb_add_value(w, w->sum[as_event_in_column(w->prof, (uint32_t)k)]));
	return w->scale ? as_pb_add_value(w, w->sum[0] * (as_val)w->scale) : AS_OK;
}

/* The values of ROW as they stand in w->cost: where nothing is to be added, that is the field. */
static struct as_slice pb_rows_values(const struct as_pb_write *w, const struct as_pb_row *row)
{
	size_t end = row + 1 < w->row.p + w->row.n ? row[1].cost : w->cost.n;

	return (struct as_slice){w->cost.p + row->cost, end - row->cost};
}

enum as_code as_pb_write_row_samples(struct as_pb_write *w)
{
	bool packed = w->prof->event.n > 2 && !w->scale && !as_event_in_column(w->prof, 0);
	uint64_t id = 0;

	if (w->bare)
		return as_pb_write_bare_samples(w);
	for (size_t i = 0, end; w->prof->event.n && i < w->row.n; i = end) {
		end = pb_rows_end_of_one(w, i);
		id++;
		as_pb_put_list(&w->msg, PB_SAMPLE_LOCATION, &id, 1);
		if (packed && end == i + 1) {
			as_pb_put_bytes(
				&w->msg, PB_SAMPLE_VALUE, pb_rows_values(w, pb_rows_at(w, i)));
		} else {
			AS_TRY(pb_rows_sum(w, i, end));
			as_pb_put_list(&w->msg, PB_SAMPLE_VALUE, w->list.p, w->list.n);
		}
		AS_TRY(as_pb_emit(w, PB_SAMPLE));
	}
	return AS_OK;
}

enum as_code as_pb_write_row_locations(struct as_pb_write *w)
{
	uint64_t id = 0;

	if (w->bare)
		as_pb_write_bare_locations(w);
	for (size_t i = 0; i < w->row.n; i = pb_rows_end_of_one(w, i)) {
		const struct as_pb_row *row = pb_rows_at(w, i);
		struct as_plan_frame f = {.func = w->plan.run_func[row->run],
			.line = row->line,
			.file = w->run[row->run].file};

		as_pb_put_number(&w->msg, PB_LOC_ID, ++id);
		as_pb_put_number(&w->msg, PB_LOC_MAP, row->map);
		as_pb_put_number(&w->msg, PB_LOC_ADDR, row->addr);
		if (!pb_rows_is_bare(w, row))
			as_pb_put_line(w, &f);
		AS_TRY(as_pb_emit(w, PB_LOCATION));
	}
	return AS_OK;
}
