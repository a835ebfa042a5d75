/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a recording: chunk after chunk. */
#include "base/date.h"
#include "formats/jfr/jfr.h"

static enum as_code jfr_read_times(struct as_jfr_read *r)
{
	struct as_build *b = r->rd->out;
	char text[AS_DATE_NANOS];

	if (!r->has_start)
		return AS_OK;
	b->prof->duration = r->end - r->start;
	return as_build_str(
		b, as_slice_of(as_date_nanos_text(r->start, "T", "Z", text)), &b->prof->epoch);
}

static enum as_code jfr_read_all(struct as_jfr_read *r)
{
	enum as_code rc;

	AS_TRY(as_rd_part(r->rd, "jfr", &r->part));
	do {
		rc = as_jfr_read_chunk(r);
	} while (rc == AS_OK);
	if (rc != AS_END)
		return rc;
	AS_TRY(jfr_read_times(r));
	AS_TRY(as_jfr_put_samples(r));
	AS_TRY(as_jfr_tell_facts(r));
	return as_rd_find_if(r->rd, !r->rd->out->prof->sample.node.n, AS_F_NO_SAMPLES,
		"no event of the recording has a stack");
}

enum as_code as_jfr_read_file(struct as_rd *rd)
{
	struct as_jfr_read r = {.rd = rd, .al = rd->al};

	as_arena_init(&r.arena, r.al);
	return jfr_read_all(&r);
}
