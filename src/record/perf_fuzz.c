/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as what the kernel wrote into two ring buffers: all of it is read once, and whatever
 * it says, the profile is built and adds up.
 */
#include <linux/perf_event.h>

#include "lib/fuzz_must.h"
#include "record/perf_merge.h"
#include "record/perf_weigh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RING = 4096, PERIOD = 1000000, FIRST_PID = 1 << 30 };

static enum as_code take(void *ctx, const struct as_perf_rec *rec)
{
	/* the processes of this machine are none of the input's business */
	if (rec->pid < FIRST_PID || (rec->type == PERF_RECORD_FORK && rec->ppid < FIRST_PID))
		return AS_OK;
	return as_perf_track_record(ctx, rec);
}

static void fill(struct as_perf_cpu *cpu, uint8_t *ring, const uint8_t *data, size_t size)
{
	cpu->ring.data = ring;
	cpu->ring.size = RING;
	cpu->ring.tail = size ? data[0] * 16u : 0;
	cpu->ring.head = cpu->ring.tail + size;
	for (size_t i = 0; i < size; i++)
		ring[(cpu->ring.tail + i) & (RING - 1)] = data[i];
}

/* None is missing, but where the kernel counted fewer by no more than chance: then as many. */
static void check_samples(uint64_t kept, uint64_t taken, uint64_t wanted)
{
	uint64_t more = taken > wanted ? taken - wanted : 0;

	must(kept >= taken || (wanted && kept >= wanted && more * more <= 16 * taken));
}

/* Three events, whose numbers are 1 to 3; samples of the last say for how many they stand. */
static void plan_events(struct as_perf_set *set)
{
	struct as_perf_events events;

	must(as_perf_events_parse(as_slice_of("cpu-clock,page-faults:9,branches"), &events, NULL) ==
		AS_OK);
	as_perf_columns_plan(&set->columns, &events, 99, false);
	for (uint32_t i = 0; i < events.n; i++)
		must(as_perf_columns_note(&set->columns,
			&(struct as_perf_opened){.fd = -1, .column = i, .id = i + 1}));
	set->layout.sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_PERIOD;
}

static void add_events(struct as_perf_set *set, struct as_build *b, struct as_perf_track *t)
{
	static const char *const name[] = {"samples", "faults", "branches"};
	uint32_t at;

	must(as_build_event(b, as_slice_of(name[0]), as_slice_of("count"), &t->event) == AS_OK);
	for (uint32_t i = 1; i < set->columns.n; i++)
		must(as_build_event(b, as_slice_of(name[i]), as_slice_of("count"), &at) == AS_OK);
	t->columns = set->columns.n ? &set->columns : NULL;
}

static void look_at_sums(const struct as_profile *prof, const struct as_perf_track *t)
{
	uint64_t samples = 0, lost = 0;

	for (uint32_t i = 0; i < t->columns->n; i++) {
		samples += t->tally[i].samples;
		lost += t->tally[i].lost;
		if (t->columns->row[i].period)
			must(prof->total[i] ==
				(as_val)t->tally[i].samples + (as_val)t->tally[i].lost);
	}
	must(samples == t->n_samples && lost == t->lost);
}

static void build(struct as_perf_set *set, struct as_build *b, uint64_t total)
{
	struct as_perf_counted counted = {PERIOD, total, true, true};
	struct as_profile *prof = NULL;
	struct as_perf_weighed w;
	struct as_perf_track t;
	bool kept;

	if (set->columns.n)
		counted = (struct as_perf_counted){.period_ns = 0};
	must(as_perf_track_init(&t, b, &set->layout) == AS_OK);
	t.machine = t.whole = set->machine;
	t.kernel_frames = set->kernel_frames;
	add_events(set, b, &t);
	must(as_perf_rings_merge(set, UINT64_MAX / 2, take, &t) == AS_OK);
	must(as_perf_rings_merge(set, UINT64_MAX, take, &t) == AS_OK);
	for (size_t i = 0; i < set->cpu.n; i++)
		must(set->cpu.p[i].ring.tail == set->cpu.p[i].ring.head);
	must(as_perf_weigh(&t, &counted, &w) == AS_OK);
	check_samples(w.samples, t.n_samples, total / PERIOD);
	kept = b->keep_moments;
	must(as_build_finish(b, &prof) == AS_OK);
	must(kept || (!prof->moments.n && !prof->moments.left));
	must(!prof->moments.n || !prof->moments.left);
	if (set->columns.n)
		look_at_sums(prof, &t);
	else
		must(prof->total[0] == (as_val)w.samples);
	as_profile_free(prof);
	as_perf_track_release(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct as_perf_cpu cpu[2];
	static uint8_t ring[2][RING];
	struct as_perf_set set;
	struct as_build b;
	size_t half;

	if (size < 2)
		return 0;
	as_perf_set_init(&set, &as_alloc_libc, NULL);
	set.layout.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN;
	if (data[0] & 1)
		set.layout.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	set.layout.regs = 0xff01ff;
	set.machine = data[0] & 2;
	set.kernel_frames = data[0] & 64;
	if (set.machine && data[0] & 8)
		plan_events(&set);
	set.cpu.p = cpu;
	set.cpu.n = 2;
	half = data[1] % size;
	memset(cpu, 0, sizeof(cpu));
	cpu[1].cpu = 1;
	cpu[1].side = set.machine && data[0] & 4;
	fill(&cpu[0], ring[0], data, half < RING ? half : RING);
	fill(&cpu[1], ring[1], data + half, size - half < RING ? size - half : RING);
	must(as_build_init(&b, &as_alloc_libc, NULL) == AS_OK);
	b.keep_moments = data[0] & 16;
	build(&set, &b, (uint64_t)data[1] * PERIOD);
	as_build_free(&b);
	as_perf_columns_release(&set.columns);
	return 0;
}
