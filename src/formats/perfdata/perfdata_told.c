/* SPDX-License-Identifier: Apache-2.0 */
/* What the file says of the run, and what of it is missing. docs/formats/perfdata.md §10. */
#include "formats/perfdata/perfdata.h"

#include "base/date.h"
#include "formats/off_tell.h"

/* ---- facts ---- */

static enum as_code told_line(
	struct as_pd *pd, const char *key, struct as_slice text, enum as_meta_of of)
{
	if (!text.len)
		return AS_OK;
	return as_build_meta_of(pd->rd->out, 0, as_slice_of(key), text, of);
}

static enum as_code told_number(struct as_pd *pd, const char *key, uint64_t n, enum as_meta_of of)
{
	struct as_slice text;

	if (!n)
		return AS_OK;
	text = as_arena_printf(&pd->arena, "%" PRIu64, n);
	AS_TRY(as_err_memory(pd->rd->err, text.p));
	return told_line(pd, key, text, of);
}

/* Where records say how many samples are missing, those that were lost of any kind are the same
 * once more. */
static uint64_t told_lost(const struct as_pd *pd)
{
	const struct pd_tally *t = &pd->tally;

	return pd->counts_lost && t->lost_samples ? t->lost_samples : t->lost + t->lost_samples;
}

static enum as_code told_facts(struct as_pd *pd)
{
	AS_TRY(told_line(pd, "host", pd->host, AS_META_OF_RUN));
	AS_TRY(told_line(pd, "kernel", pd->release, AS_META_OF_RUN));
	AS_TRY(told_line(pd, "architecture", pd->arch, AS_META_OF_RUN));
	AS_TRY(told_line(pd, "processor", pd->cpu, AS_META_OF_RUN));
	AS_TRY(told_number(pd, "processors", pd->cpus, AS_META_OF_RUN));
	AS_TRY(told_line(pd, "recorded by", pd->command, AS_META_OF_RUN));
	AS_TRY(told_number(pd, "assay: samples lost", told_lost(pd), AS_META_OF_SUM));
	return told_number(pd, "assay: times throttled", pd->tally.throttled, AS_META_OF_SUM);
}

/* When it began is told by the moment at which perf looked at both clocks. Moments are counted from
 * there on. */
static enum as_code told_times(struct as_pd *pd)
{
	struct as_profile *prof = pd->rd->out->prof;
	char text[AS_DATE_NANOS];
	int64_t started;

	if (!pd->has_time)
		return AS_OK;
	if (pd->end_time - pd->first_time <= INT64_MAX)
		prof->duration = (int64_t)(pd->end_time - pd->first_time);
	started = (int64_t)(pd->wall_ns + (pd->first_time - pd->clock_ns));
	if (!pd->has_clock || started < 0)
		return AS_OK;
	pd->rd->out->has_zero = true;
	pd->rd->out->zero = (int64_t)pd->first_time;
	return as_build_str(pd->rd->out, as_slice_of(as_date_nanos_text(started, "T", "Z", text)),
		&prof->epoch);
}

/* ---- findings ---- */

static enum as_code told_throttled(struct as_pd *pd)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < pd->event.n; i++)
		ns += pd->event.p[i].throttled_ns;
	if (!pd->tally.throttled)
		return AS_OK;
	return as_rd_find(pd->rd, AS_F_PD_THROTTLED, AS_OFF_NONE, 0,
		"the kernel stopped sampling %" PRIu64 " time%s, for %" PRIu64
		" nanoseconds in all, because it took too long",
		pd->tally.throttled, pd->tally.throttled == 1 ? "" : "s", ns);
}

static enum as_code told_missing(struct as_pd *pd)
{
	const struct pd_tally *t = &pd->tally;
	uint64_t lost = told_lost(pd);

	if (lost)
		AS_TRY(as_rd_find(pd->rd, AS_F_PD_LOST, AS_OFF_NONE, 0,
			"%" PRIu64 " sample%s lost, for which there was no room%s", lost,
			lost == 1 ? " is" : "s are",
			pd->counts_lost && t->lost_samples
				? ""
				: "; records of other kinds may be among them"));
	AS_TRY(told_throttled(pd));
	if (t->aux_bytes)
		AS_TRY(as_rd_find(pd->rd, AS_F_PD_TRACE, AS_OFF_NONE, 0,
			"there are %" PRIu64 " bytes of a processor's trace, which are not decoded",
			t->aux_bytes));
	AS_TRY(as_rd_tell(pd->rd, AS_F_PD_COPIES, t->copied,
		"sample{ has|s have} a copy of the stack, which is not unwound: where there is no "
		"other call chain the path is one frame"));
	if (t->short_copies || t->broken)
		AS_TRY(as_rd_find(pd->rd, AS_F_PD_TRUNCATED, AS_OFF_NONE, 0,
			"%" PRIu64 " of %" PRIu64
			" stacks that were unwound begin with [truncated]: %" PRIu64
			" went on behind the copy, of %" PRIu64
			" no binary that is here tells the caller",
			t->short_copies + t->broken, t->unwound, t->short_copies, t->broken));
	AS_TRY(as_rd_find_if(pd->rd, t->made_untimed, AS_F_PD_JIT_TIME,
		"code was made where other code had been, and the samples have the times of "
		"another clock than jit-PID.dump (perf record -k mono): its names are the last "
		"ones"));
	AS_TRY(as_rd_tell(pd->rd, AS_F_PD_DEFERRED, t->deferred,
		"sample{ has|s have} a stack in user code that was written later, which is not "
		"read: the path is the kernel's part"));
	return AS_OK;
}

static enum as_code told_odd(struct as_pd *pd)
{
	const struct pd_tally *t = &pd->tally;

	if (t->bad) {
		as_rd_partial(pd->rd);
		AS_TRY(as_rd_find(pd->rd, AS_F_PD_RECORD, t->first_bad, 0,
			"%" PRIu64 " record%s not what the kernel writes; left out", t->bad,
			t->bad == 1 ? " is" : "s are"));
	}
	AS_TRY(as_rd_tell(pd->rd, AS_F_PD_TYPE, t->unknown_types,
		"record{ is|s are} of a kind that is not known, skipped"));
	AS_TRY(as_rd_tell(pd->rd, AS_F_PD_EVENT, t->unknown_events,
		"sample{ is|s are} of an event that the file does not describe, taken for the "
		"first one"));
	AS_TRY(as_rd_tell(pd->rd, AS_F_PD_NO_WEIGHT, t->no_weight,
		"sample{ is|s are} of a period that the kernel chose and did not write: they are "
		"counted only"));
	AS_TRY(as_rd_tell(pd->rd, AS_F_PD_DEPTH, t->cut,
		"stack{ is|s are} as deep as the kernel goes by default: the root side may be "
		"cut"));
	AS_TRY(as_rd_tell(pd->rd, AS_F_PD_STRANGERS, t->strangers,
		"sample{ is|s are} of a process outside the recorder's namespace, which has no "
		"number there"));
	return AS_OK;
}

enum as_code as_pd_tell(struct as_pd *pd)
{
	struct as_profile *prof = pd->rd->out->prof;
	uint32_t part;

	if (!prof->part.n)
		AS_TRY(as_rd_part(pd->rd, "perfdata", &part));
	AS_TRY(as_build_str(
		pd->rd->out, as_slice_of(pd->version == 1 ? "1" : "2"), &prof->version));
	AS_TRY(told_facts(pd));
	AS_TRY(told_times(pd));
	AS_TRY(told_missing(pd));
	AS_TRY(told_odd(pd));
	AS_TRY(as_off_tell(pd->rd, &pd->off, pd->off_sampled && !pd->n_switches));
	return as_rd_find_if(pd->rd, !pd->sum.n, AS_F_NO_SAMPLES, "the file holds no samples");
}
