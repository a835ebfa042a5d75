/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of code of which nothing but its addresses is known, those of a sampler that counts all
 * instructions of an image: there are many, and they stand in order. They go out as they are
 * walked, in the bytes that rows have which are gathered and ordered.
 */
#include "formats/pprof/pprof_write.h"

/* Whether nothing is known of the rows of run R but addresses that no mapping moves. */
static bool pb_bare_takes_run(const struct as_pb_write *w, uint32_t r)
{
	const struct as_run *run = &w->prof->self.run.p[r];

	return !w->prof->map.n && as_plan_is_nothing(&w->plan.func.p[w->plan.run_func[r]]) &&
	       !run->file.i;
}

bool as_pb_takes_bare(const struct as_pb_write *w, const uint32_t *at)
{
	const struct as_rows *rows = &w->prof->self;
	uint64_t last = 0; /* address */
	uint32_t map = UINT32_MAX;
	struct as_rows_view view;
	struct as_rows_cur cur;

	for (size_t i = 0; i < rows->run.n; i++) {
		if (!pb_bare_takes_run(w, at[i]))
			return false;
		as_rows_begin(&cur, rows, &rows->run.p[at[i]], w->row_v);
		for (; as_rows_next_view(&cur, &view); last = cur.addr) {
			uint64_t first = view.n ? view.addr : cur.addr;

			if (cur.line || cur.addr < first ||
				(map == w->run[at[i]].map && first <= last))
				return false;
			map = w->run[at[i]].map;
		}
	}
	return true;
}

static char *pb_bare_put(char *p, uint32_t number, uint64_t v)
{
	*p++ = (char)(number << 3 | AS_PB_VARINT);
	return as_pb_put_varint(p, v);
}

/* What stands between as_out_room() and END, behind two bytes, goes out as the message NUMBER. */
static void pb_bare_emit(struct as_out *out, uint32_t number, const char *end)
{
	char *p = out->buf + out->n;

	p[0] = (char)(number << 3 | AS_PB_BYTES);
	p[1] = (char)(end - p - 2); /* three fields have 33 bytes at the most */
	out->n += (size_t)(end - p);
}

/* A row with one count. */
static void pb_bare_put_count(struct as_pb_write *w, uint64_t id, uint64_t count)
{
	char *p = as_out_room(w->wr->out, 64) + 2;

	p = pb_bare_put(p, PB_SAMPLE_LOCATION, id);
	pb_bare_emit(w->wr->out, PB_SAMPLE, pb_bare_put(p, PB_SAMPLE_VALUE, count));
}

/* A row with the values of w->row_v, whatever they are. */
static enum as_code pb_bare_put_values(struct as_pb_write *w, uint64_t id)
{
	const as_val *v = w->row_v;

	w->list.n = 0;
	for (size_t k = 0; k < w->prof->event.n; k++)
		AS_TRY(as_pb_add_value(w, v[as_event_in_column(w->prof, (uint32_t)k)]));
	if (w->scale)
		AS_TRY(as_pb_add_value(w, v[0] * (as_val)w->scale));
	as_pb_put_list(&w->msg, PB_SAMPLE_LOCATION, &id, 1);
	as_pb_put_list(&w->msg, PB_SAMPLE_VALUE, w->list.p, w->list.n);
	return as_pb_emit(w, PB_SAMPLE);
}

/* The rows of a stretch, of which the first has the number *ID. */
static enum as_code pb_bare_put_view(
	struct as_pb_write *w, const struct as_rows_view *view, uint64_t *id)
{
	bool plain = w->prof->event.n == 1 && !w->scale;

	for (uint32_t k = 0; k < view->n; k++) {
		uint32_t count = as_view_value(view, k);

		if (!count)
			continue;
		w->row_v[0] = count;
		if (plain)
			pb_bare_put_count(w, (*id)++, count);
		else
			AS_TRY(pb_bare_put_values(w, (*id)++));
	}
	return AS_OK;
}

enum as_code as_pb_write_bare_samples(struct as_pb_write *w)
{
	const struct as_rows *rows = &w->prof->self;
	struct as_rows_view view;
	struct as_rows_cur cur;
	uint64_t id = 1;

	for (size_t i = 0; w->prof->event.n && i < rows->run.n; i++) {
		as_rows_begin(&cur, rows, &rows->run.p[w->bare[i]], w->row_v);
		while (as_rows_next_view(&cur, &view))
			AS_TRY(view.n ? pb_bare_put_view(w, &view, &id)
				      : pb_bare_put_values(w, id++));
	}
	return AS_OK;
}

static void pb_bare_put_location(struct as_pb_write *w, uint64_t id, uint32_t map, uint64_t addr)
{
	char *p = as_out_room(w->wr->out, 64) + 2;

	p = pb_bare_put(p, PB_LOC_ID, id);
	p = map ? pb_bare_put(p, PB_LOC_MAP, map) : p;
	pb_bare_emit(w->wr->out, PB_LOCATION, addr ? pb_bare_put(p, PB_LOC_ADDR, addr) : p);
}

void as_pb_write_bare_locations(struct as_pb_write *w)
{
	const struct as_rows *rows = &w->prof->self;
	struct as_rows_view view;
	struct as_rows_cur cur;
	uint64_t id = 1;

	for (size_t i = 0; i < rows->run.n; i++) {
		uint32_t map = w->run[w->bare[i]].map;

		as_rows_begin(&cur, rows, &rows->run.p[w->bare[i]], w->row_v);
		while (as_rows_next_view(&cur, &view)) {
			for (uint32_t k = 0; k < view.n; k++)
				if (as_view_value(&view, k))
					pb_bare_put_location(
						w, id++, map, view.addr + k * view.stride);
			if (!view.n)
				pb_bare_put_location(w, id++, map, cur.addr);
		}
	}
}
