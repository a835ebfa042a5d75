/* SPDX-License-Identifier: Apache-2.0 */
/* Markers: instants, and those that lasted as asynchronous events. docs/formats/traceevent.md,
 * "What we write". */
#include "formats/traceevent/traceevent_write.h"

static enum as_code write_markers_one(
	struct te_write *w, const char *phase, const struct as_moment *m, int64_t time, uint64_t id)
{
	as_te_write_row(w, phase, w->of_part[m->part]);
	as_te_write_time(w, ",\"ts\":", time);
	as_out_text(w->wr->out, ",\"cat\":\"markers\"");
	if (id)
		as_out_printf(w->wr->out, ",\"id\":\"%" PRIu64 "\"", id);
	else
		as_out_text(w->wr->out, ",\"s\":\"t\"");
	AS_TRY(as_te_write_func(w, ",\"name\":", m->node));
	as_out_char(w->wr->out, '}');
	return AS_OK;
}

/* Each has an id of its own, so that no end is another one's. */
enum as_code as_te_write_markers(struct te_write *w)
{
	struct as_moments_cur cur;
	uint64_t id = 0;

	as_moments_begin(&cur, &w->prof->moments);
	while (as_moments_next(&cur)) {
		const struct as_moment *m = &cur.at;

		if (m->event != w->markers || !m->node.i)
			continue;
		w->n_markers_repeated += m->value > 1 ? (uint64_t)m->value - 1 : 0;
		if (!m->duration) {
			AS_TRY(write_markers_one(w, "i", m, m->time, 0));
			continue;
		}
		id++;
		AS_TRY(write_markers_one(w, "b", m, m->time, id));
		AS_TRY(write_markers_one(w, "e", m, m->time + (int64_t)m->duration, id));
	}
	return AS_OK;
}
