/* SPDX-License-Identifier: Apache-2.0 */
/* Records in the order of time. */
#include "formats/perfdata/perfdata.h"

/* No recording has so many: a sum of such counts would not hold them. */
#define LOST_MAX (UINT64_C(1) << 48)

static void take_add(struct as_pd *pd, uint64_t *sum, uint64_t n)
{
	if (n > LOST_MAX || *sum > LOST_MAX)
		pd->tally.bad++;
	else
		*sum += n;
}

static void take_throttle(struct as_pd *pd, uint32_t event, const struct as_perf_rec *rec)
{
	uint32_t row = as_pd_find_id(pd, rec->id);
	struct pd_event *ev = &pd->event.p[row == PD_NONE ? event : pd->id.p[row].event];

	if (rec->type == AS_PERF_THROTTLE) {
		pd->tally.throttled++;
		ev->throttled_at = rec->time;
	} else if (ev->throttled_at && rec->time >= ev->throttled_at) {
		ev->throttled_ns += rec->time - ev->throttled_at;
		ev->throttled_at = 0;
	}
}

static enum as_code take_bad(struct as_pd *pd, uint64_t off)
{
	if (!pd->tally.bad++)
		pd->tally.first_bad = off;
	return AS_OK;
}

static enum as_code take_rec(struct as_pd *pd, uint32_t event, const struct as_perf_rec *rec)
{
	switch (rec->type) {
	case AS_PERF_SAMPLE:
		return as_pd_take_sample(pd, event, rec);
	case AS_PERF_MMAP:
	case AS_PERF_MMAP2:
		return as_pd_take_mmap(pd, rec);
	case AS_PERF_COMM:
		return as_pd_take_comm(pd, rec, rec->misc & AS_PERF_MISC_EXEC);
	case AS_PERF_FORK:
		AS_TRY(as_pd_off_end(pd, rec->tid, true));
		return as_pd_take_fork(pd, rec);
	case AS_PERF_EXIT:
		return as_pd_off_end(pd, rec->tid, false);
	case AS_PERF_SWITCH:
	case AS_PERF_SWITCH_CPU_WIDE:
		return as_pd_take_switch(pd, rec);
	case AS_PERF_KSYMBOL:
		return as_pd_take_ksymbol(pd, rec);
	case AS_PERF_CGROUP:
		return as_pd_take_cgroup(pd, rec);
	case AS_PERF_LOST:
		as_off_lost(&pd->off);
		take_add(pd, &pd->tally.lost, rec->count);
		return AS_OK;
	case AS_PERF_LOST_SAMPLES:
		if (!(rec->misc & AS_PERF_MISC_LOST_BY_BPF))
			take_add(pd, &pd->tally.lost_samples, rec->count);
		return AS_OK;
	case AS_PERF_THROTTLE:
	case AS_PERF_UNTHROTTLE:
		take_throttle(pd, event, rec);
		return AS_OK;
	case AS_PERF_AUX:
		take_add(pd, &pd->tally.aux_bytes, rec->len);
		return AS_OK;
	default:
		pd->tally.unknown_types += rec->type >= AS_PERF_KERNEL_TYPES;
		return AS_OK;
	}
}

enum as_code as_pd_take(struct as_pd *pd, struct as_slice record, uint64_t off)
{
	struct as_perf_rec rec;
	uint32_t event;
	bool known;

	if (!pd->event.n)
		return take_bad(pd, off);
	event = as_pd_event_of(pd, record, pd_u32(pd, record.p), &known);
	if (!as_perf_parse(record, &pd->event.p[event].layout, &rec))
		return take_bad(pd, off);
	pd->tally.unknown_events += !known && rec.type == AS_PERF_SAMPLE;
	return take_rec(pd, event, &rec);
}
