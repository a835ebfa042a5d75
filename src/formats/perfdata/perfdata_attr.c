/* SPDX-License-Identifier: Apache-2.0 */
/* Events: how they were opened, what they are called, and their columns. */
#include "formats/perfdata/perfdata.h"

enum { TYPE_HARDWARE, TYPE_SOFTWARE, TYPE_TRACEPOINT, TYPE_CACHE, TYPE_RAW, TYPE_BREAKPOINT };
enum { SOFTWARE_CPU_CLOCK = 0, SOFTWARE_TASK_CLOCK = 1, SOFTWARE_DUMMY = 9 };

/* ---- what it is ---- */

/* A machine of the other byte order has the first flag in the highest bit of the first byte. */
static uint64_t attr_flags(const struct as_pd *pd, const char *p)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 8; i++) {
		unsigned byte = (unsigned char)p[i], bits = 0;

		for (unsigned k = 0; k < 8; k++)
			bits |= (byte >> k & 1) << (pd->swap ? 7 - k : k);
		v |= (uint64_t)bits << (8 * i);
	}
	return v;
}

static uint64_t attr_word(const struct as_pd *pd, struct as_slice attr, size_t at)
{
	return attr.len >= at + 8 ? pd_u64(pd, attr.p + at) : 0;
}

/* ATTR has PD_ATTR_LEAST bytes; what newer perfs have behind those that are known is skipped. */
static struct pd_event attr_decode(const struct as_pd *pd, struct as_slice attr)
{
	struct pd_event ev = {.type = pd_u32(pd, attr.p),
		.config = attr_word(pd, attr, 8),
		.flags = attr_flags(pd, attr.p + 40),
		.weight = PD_NONE,
		.samples = PD_NONE};

	ev.layout = (struct as_perf_layout){.sample_type = attr_word(pd, attr, 24),
		.read_format = attr_word(pd, attr, 32),
		.branch_type = attr_word(pd, attr, 72),
		.regs = attr_word(pd, attr, 80),
		.swap = pd->swap,
		.bare = !pd_flag(&ev, PD_SAMPLE_ID_ALL)};
	ev.time_at = AS_PERF_HEAD + 8 * as_perf_words_before(ev.layout.sample_type, AS_PERF_S_TIME);
	ev.time_to_end = 8 * as_perf_words_to_end(ev.layout.sample_type, AS_PERF_S_TIME);
	if (!pd_flag(&ev, PD_FREQ))
		ev.period = attr_word(pd, attr, 16);
	ev.clock = ev.type == TYPE_SOFTWARE &&
		   (ev.config == SOFTWARE_CPU_CLOCK || ev.config == SOFTWARE_TASK_CLOCK);
	return ev;
}

/* By the clock that run-times tell the time by. */
static bool attr_is_monotonic(
	const struct as_pd *pd, struct as_slice attr, const struct pd_event *ev)
{
	enum { CLOCKID = 92, MONOTONIC = 1 };

	return pd_flag(ev, PD_USE_CLOCKID) && attr.len >= CLOCKID + 4 &&
	       pd_u32(pd, attr.p + CLOCKID) == MONOTONIC;
}

enum as_code as_pd_add_event(struct as_pd *pd, struct as_slice attr, struct as_slice ids)
{
	uint32_t row = (uint32_t)pd->event.n;

	if (attr.len < PD_ATTR_LEAST || pd->event.n >= pd->rd->lim.events / 2)
		return as_rd_fail(pd->rd, AS_E_FORMAT, AS_OFF_NONE, 0,
			"an event is described by %zu bytes, expected 64 at least", attr.len);
	AS_TRY(as_err_memory(pd->rd->err, as_vec_push(pd->al, &pd->event, attr_decode(pd, attr))));
	pd->other_clock |= !attr_is_monotonic(pd, attr, &pd->event.p[row]);
	pd->counts_lost |= (pd->event.p[row].layout.read_format & AS_PERF_R_LOST) != 0;
	return as_pd_add_ids(pd, row, ids);
}

/* ---- which numbers it has ---- */

uint32_t as_pd_find_id(struct as_pd *pd, uint64_t id)
{
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	if (pd->last_id != PD_NONE && pd->id.p[pd->last_id].id == id)
		return pd->last_id;
	while (as_index_find(&pd->ids, as_hash_mix(id, 1), &at, &row))
		if (pd->id.p[row].id == id) {
			pd->last_id = row;
			return row;
		}
	return PD_NONE;
}

enum as_code as_pd_add_ids(struct as_pd *pd, uint32_t event, struct as_slice ids)
{
	for (size_t i = 0; i + 8 <= ids.len; i += 8) {
		struct pd_id one = {.id = pd_u64(pd, ids.p + i), .event = event};

		if (as_pd_find_id(pd, one.id) != PD_NONE)
			continue;
		if (!as_index_add(&pd->ids, as_hash_mix(one.id, 1), (uint32_t)pd->id.n) ||
			!as_vec_push(pd->al, &pd->id, one))
			return as_err_no_memory(pd->rd->err);
	}
	return AS_OK;
}

/* ---- what it is called ---- */

enum as_code as_pd_name_event(struct as_pd *pd, uint32_t event, struct as_slice name)
{
	as_assert(event < pd->event.n);
	name.len = as_slice_find(name, '\0');
	if (!name.len)
		return AS_OK;
	pd->event.p[event].name = as_arena_dup(&pd->arena, name);
	return as_err_memory(pd->rd->err, pd->event.p[event].name.p);
}

enum as_code as_pd_name_config(struct as_pd *pd, struct as_slice row)
{
	if (row.len < 9)
		return AS_OK;
	for (uint32_t i = 0; i < pd->event.n; i++)
		if (pd->event.p[i].config == pd_u64(pd, row.p) && !pd->event.p[i].name.len)
			AS_TRY(as_pd_name_event(pd, i, as_slice_skip(row, 8)));
	return AS_OK;
}

static const char *attr_usual_name(const struct pd_event *ev)
{
	static const char *const hardware[] = {"cycles", "instructions", "cache-references",
		"cache-misses", "branches", "branch-misses", "bus-cycles",
		"stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
	static const char *const software[] = {"cpu-clock", "task-clock", "page-faults",
		"context-switches", "cpu-migrations", "minor-faults", "major-faults",
		"alignment-faults", "emulation-faults", "dummy", "bpf-output", "cgroup-switches"};

	if (ev->type == TYPE_HARDWARE && ev->config < AS_ARRAY_LEN(hardware))
		return hardware[ev->config];
	if (ev->type == TYPE_SOFTWARE && ev->config < AS_ARRAY_LEN(software))
		return software[ev->config];
	return NULL;
}

static struct as_slice attr_cache_name(struct as_arena *ar, uint64_t config)
{
	static const char *const cache[] = {
		"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"};
	static const char *const op[] = {"load", "store", "prefetch"};
	unsigned c = config & 0xff, o = config >> 8 & 0xff, missed = config >> 16 & 0xff;

	if (c >= AS_ARRAY_LEN(cache) || o >= AS_ARRAY_LEN(op))
		return as_arena_printf(ar, "cache-0x%" PRIx64, config);
	return as_arena_printf(ar, missed ? "%s-%s-misses" : "%s-%ss", cache[c], op[o]);
}

/* In which parts of the system it counted, and how exactly, in perf's letters. */
static void attr_letters(const struct pd_event *ev, char text[16])
{
	bool some = pd_flag(ev, PD_EXCLUDE_USER) || pd_flag(ev, PD_EXCLUDE_KERNEL) ||
		    pd_flag(ev, PD_EXCLUDE_HV);
	unsigned precise = ev->flags >> PD_PRECISE & 3;
	size_t n = 0;

	text[n++] = ':';
	if (some && !pd_flag(ev, PD_EXCLUDE_KERNEL))
		text[n++] = 'k';
	if (some && !pd_flag(ev, PD_EXCLUDE_USER))
		text[n++] = 'u';
	if (some && !pd_flag(ev, PD_EXCLUDE_HV))
		text[n++] = 'h';
	for (unsigned i = 0; i < precise; i++)
		text[n++] = 'p';
	if (pd_flag(ev, PD_EXCLUDE_HOST) || pd_flag(ev, PD_EXCLUDE_GUEST) == (some || precise)) {
		if (!pd_flag(ev, PD_EXCLUDE_HOST))
			text[n++] = 'H';
		if (!pd_flag(ev, PD_EXCLUDE_GUEST))
			text[n++] = 'G';
	}
	text[n > 1 ? n : 0] = '\0';
}

/* What perf would call it where the file does not say. */
static struct as_slice attr_make_name(struct as_pd *pd, const struct pd_event *ev)
{
	const char *usual = attr_usual_name(ev);
	char letters[16];

	attr_letters(ev, letters);
	if (usual)
		return as_arena_printf(&pd->arena, "%s%s", usual, letters);
	switch (ev->type) {
	case TYPE_TRACEPOINT:
		return as_arena_printf(&pd->arena, "tracepoint-%" PRIu64, ev->config);
	case TYPE_CACHE:
		return attr_cache_name(&pd->arena, ev->config);
	case TYPE_RAW:
		return as_arena_printf(&pd->arena, "r%" PRIx64 "%s", ev->config, letters);
	case TYPE_BREAKPOINT:
		return as_slice_of("breakpoint");
	default:
		return as_arena_printf(&pd->arena, "pmu-%" PRIu32 "/config=0x%" PRIx64 "/%s",
			ev->type, ev->config, letters);
	}
}

/* ---- all of them ---- */

static bool attr_reads_group(const struct pd_event *ev)
{
	return ev->layout.sample_type & AS_PERF_S_READ &&
	       ev->layout.read_format & AS_PERF_R_GROUP && ev->layout.read_format & AS_PERF_R_ID;
}

void as_pd_settle_events(struct as_pd *pd)
{
	const struct pd_event *first = pd->event.p;
	uint64_t has = pd->event.n ? first->layout.sample_type : 0;

	pd->alike = true;
	pd->id_field = has & AS_PERF_S_IDENTIFIER ? AS_PERF_S_IDENTIFIER : has & AS_PERF_S_ID;
	pd->id_before = as_perf_words_before(has, pd->id_field);
	pd->id_to_end = as_perf_words_to_end(has, pd->id_field);
	for (size_t i = 1; i < pd->event.n; i++) {
		const struct pd_event *ev = &first[i];

		pd->alike &= ev->time_at == first->time_at &&
			     ev->time_to_end == first->time_to_end &&
			     ev->layout.bare == first->layout.bare &&
			     !((ev->layout.sample_type ^ has) & AS_PERF_S_TIME);
	}
}

static enum as_code attr_column(
	struct as_pd *pd, const struct pd_event *ev, const char *words, uint32_t *column)
{
	struct as_build *b = pd->rd->out;
	bool count = words[0] != '\0';
	uint32_t have = as_n_events(b->prof);
	struct as_slice name;

	for (uint32_t again = 1;; again++) {
		char more[24] = "";

		if (again > 1)
			snprintf(more, sizeof(more), " (%" PRIu32 ")", again);
		name = as_arena_printf(&pd->arena, "%.*s%s%s", AS_SLICE_FMT(ev->name), more, words);
		AS_TRY(as_err_memory(pd->rd->err, name.p));
		AS_TRY(as_build_event(b, name,
			as_slice_of(count || !ev->clock ? "count" : "nanoseconds"), column));
		if (*column == have)
			break;
	}
	if (!count || !ev->period)
		return AS_OK;
	b->prof->event.p[*column].period = ev->period;
	return as_build_str(b, as_slice_of(ev->clock ? "nanoseconds" : "events"),
		&b->prof->event.p[*column].period_unit);
}

/* Whether samples of EV say how much they stand for. */
static bool attr_has_weight(const struct pd_event *ev)
{
	return ev->period || ev->layout.sample_type & AS_PERF_S_PERIOD || ev->is_member;
}

enum as_code as_pd_add_columns(struct as_pd *pd)
{
	struct as_build *b = pd->rd->out;
	bool group = false;

	pd->creator = as_slice_of("perf");
	if (pd->perf.len)
		pd->creator = as_arena_printf(&pd->arena, "perf %.*s", AS_SLICE_FMT(pd->perf));
	AS_TRY(as_err_memory(pd->rd->err, pd->creator.p));
	for (size_t i = 0; i < pd->event.n; i++)
		group |= attr_reads_group(&pd->event.p[i]) && pd->event.p[i].n_samples;
	for (size_t i = 0; i < pd->event.n; i++) {
		struct pd_event *ev = &pd->event.p[i];

		ev->is_member = group && attr_reads_group(ev);
		if (!ev->name.len)
			ev->name = attr_make_name(pd, ev);
		AS_TRY(as_err_memory(pd->rd->err, ev->name.p));
		ev->role = as_pd_role(ev);
		if ((ev->type == TYPE_SOFTWARE && ev->config == SOFTWARE_DUMMY && !ev->n_samples) ||
			ev->role == PD_OFF)
			continue;
		if (attr_has_weight(ev))
			AS_TRY(attr_column(pd, ev, "", &ev->weight));
		AS_TRY(attr_column(pd, ev, " samples", &ev->samples));
	}
	AS_TRY(as_pd_off_column(pd));
	if (!as_rd_takes_stacks(pd->rd) || pd->off_event != PD_NONE)
		return AS_OK; /* what ends later needs a path */
	pd->stacks = &b->prof->stacks;
	for (size_t i = 0; i < pd->event.n; i++)
		if (!as_stacks_kind(pd->stacks, pd->event.p[i].weight, pd->event.p[i].samples))
			return as_err_no_memory(pd->rd->err);
	return AS_OK;
}
