/* SPDX-License-Identifier: Apache-2.0 */
#include "record/events/perf_kinds.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "record/perf_why.h"

enum { PERIOD_US_MIN = 50, PERIOD_US_MAX = 10 * 1000 * 1000 };

#define HARDWARE(which) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##which
#define SOFTWARE(which) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##which
#define CACHE(which, op, result)                                                               \
	PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##which | (PERF_COUNT_HW_CACHE_OP_##op << 8) | \
				    (PERF_COUNT_HW_CACHE_RESULT_##result << 16)

enum { BILLION = 1000000000, MILLION = 1000000, THOUSAND = 1000 };

static const struct as_perf_kind kinds[] = {
	{"cpu-clock", NULL, SOFTWARE(CPU_CLOCK), true, BILLION},
	{"task-clock", NULL, SOFTWARE(TASK_CLOCK), true, BILLION},
	{"cycles", "cpu-cycles", HARDWARE(CPU_CYCLES), false, UINT64_C(4) * BILLION},
	{"instructions", NULL, HARDWARE(INSTRUCTIONS), false, UINT64_C(4) * BILLION},
	{"cache-references", NULL, HARDWARE(CACHE_REFERENCES), false, 100 * MILLION},
	{"cache-misses", NULL, HARDWARE(CACHE_MISSES), false, 10 * MILLION},
	{"branches", "branch-instructions", HARDWARE(BRANCH_INSTRUCTIONS), false, BILLION},
	{"branch-misses", NULL, HARDWARE(BRANCH_MISSES), false, 10 * MILLION},
	{"bus-cycles", NULL, HARDWARE(BUS_CYCLES), false, 100 * MILLION},
	{"ref-cycles", NULL, HARDWARE(REF_CPU_CYCLES), false, UINT64_C(4) * BILLION},
	{"stalled-cycles-frontend", "idle-cycles-frontend", HARDWARE(STALLED_CYCLES_FRONTEND),
		false, UINT64_C(4) * BILLION},
	{"stalled-cycles-backend", "idle-cycles-backend", HARDWARE(STALLED_CYCLES_BACKEND), false,
		UINT64_C(4) * BILLION},
	{"page-faults", "faults", SOFTWARE(PAGE_FAULTS), false, 100 * THOUSAND},
	{"minor-faults", NULL, SOFTWARE(PAGE_FAULTS_MIN), false, 100 * THOUSAND},
	{"major-faults", NULL, SOFTWARE(PAGE_FAULTS_MAJ), false, THOUSAND},
	{"context-switches", "cs", SOFTWARE(CONTEXT_SWITCHES), false, 100 * THOUSAND},
	{"cpu-migrations", "migrations", SOFTWARE(CPU_MIGRATIONS), false, THOUSAND},
	{"cgroup-switches", NULL, SOFTWARE(CGROUP_SWITCHES), false, 100 * THOUSAND},
	{"alignment-faults", NULL, SOFTWARE(ALIGNMENT_FAULTS), false, THOUSAND},
	{"emulation-faults", NULL, SOFTWARE(EMULATION_FAULTS), false, THOUSAND},
	{"L1-dcache-loads", NULL, CACHE(L1D, READ, ACCESS), false, BILLION},
	{"L1-dcache-load-misses", NULL, CACHE(L1D, READ, MISS), false, 100 * MILLION},
	{"L1-icache-load-misses", NULL, CACHE(L1I, READ, MISS), false, 10 * MILLION},
	{"LLC-loads", NULL, CACHE(LL, READ, ACCESS), false, 100 * MILLION},
	{"LLC-load-misses", NULL, CACHE(LL, READ, MISS), false, 10 * MILLION},
	{"dTLB-load-misses", NULL, CACHE(DTLB, READ, MISS), false, 10 * MILLION},
	{"iTLB-load-misses", NULL, CACHE(ITLB, READ, MISS), false, 10 * MILLION},
};

const struct as_perf_kind *as_perf_kind_of(struct as_slice name)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(kinds); i++)
		if (as_slice_is(name, kinds[i].name) ||
			(kinds[i].other && as_slice_is(name, kinds[i].other)))
			return &kinds[i];
	return NULL;
}

/* ---- what is asked ---- */

static enum as_code kinds_period(
	struct as_slice text, struct as_perf_asked *asked, struct as_err *err)
{
	bool time = asked->kind->time, good = as_slice_dec(text, &asked->period);

	if (time)
		good = good && asked->period >= PERIOD_US_MIN && asked->period <= PERIOD_US_MAX;
	else
		good = good && asked->period >= 1 && asked->period <= UINT32_MAX;
	if (good)
		return AS_OK;
	return as_err_set(err, AS_E_ARG,
		time ? "the period of '%s' is 50 to 10000000 microseconds, not '%.*s'"
		     : "the period of '%s' is 1 to 4294967295 of them, not '%.*s'",
		asked->kind->name, AS_SLICE_FMT(text));
}

static enum as_code kinds_parse_one(
	struct as_slice text, struct as_perf_asked *asked, struct as_err *err)
{
	size_t colon = as_slice_find(text, ':');
	struct as_slice name = {text.p, colon};

	*asked = (struct as_perf_asked){.kind = as_perf_kind_of(name)};
	if (!asked->kind)
		return as_err_set(err, AS_E_ARG, "there is no event '%.*s'", AS_SLICE_FMT(name));
	if (colon == text.len)
		return AS_OK;
	return kinds_period(as_slice_skip(text, colon + 1), asked, err);
}

enum as_code as_perf_events_parse(
	struct as_slice text, struct as_perf_events *events, struct as_err *err)
{
	struct as_slice rest = text, word;

	*events = (struct as_perf_events){.n = 0};
	while (as_slice_cut(&rest, ',', &word)) {
		struct as_perf_asked one;

		AS_TRY(kinds_parse_one(word, &one, err));
		for (uint32_t i = 0; i < events->n; i++)
			if (events->row[i].kind == one.kind)
				return as_err_set(err, AS_E_ARG, "the event '%s' stands twice",
					one.kind->name);
		if (events->n == AS_PERF_EVENTS_MAX)
			return as_err_set(
				err, AS_E_ARG, "more than %d events at once", AS_PERF_EVENTS_MAX);
		events->row[events->n++] = one;
	}
	return AS_OK;
}

bool as_perf_events_by_frequency(const struct as_perf_events *events)
{
	for (uint32_t i = 0; i < events->n; i++)
		if (!events->row[i].period)
			return true;
	return false;
}

/* ---- what there is ---- */

bool as_perf_kind_is_here(const struct as_perf_kind *kind)
{
	int why = as_perf_try(kind->type, kind->config, true);

	if (why == EACCES || why == EPERM)
		why = as_perf_try(kind->type, kind->config, false);
	return why != ENOENT && why != EOPNOTSUPP && why != ENODEV && why != EINVAL;
}

void as_perf_kinds_here(char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < AS_ARRAY_LEN(kinds); i++)
		if (as_perf_kind_is_here(&kinds[i]) && n < size)
			n += (size_t)snprintf(
				text + n, size - n, "%s%s", n ? ", " : "", kinds[i].name);
}

enum as_code as_perf_events_are_here(const struct as_perf_events *events, struct as_err *err)
{
	char here[384];

	for (uint32_t i = 0; i < events->n; i++) {
		const struct as_perf_kind *kind = events->row[i].kind;

		if (as_perf_kind_is_here(kind))
			continue;
		as_perf_kinds_here(here, sizeof(here));
		return as_err_set(err, AS_E_UNSUPPORTED,
			"this machine does not count '%s'; it counts %s", kind->name, here);
	}
	return AS_OK;
}
