/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a heap profile as text, as gperftools does of a sampled heap.
 *
 *	gen_heap [-S SEED] [-s SIZE] > FILE
 *
 * Stacks are those of a program of 5000 functions with a few call sites each, mean depth 19; nine
 * of ten are distinct. The head has what the rows add up to.
 */
#define _POSIX_C_SOURCE 200809L
#include "gen_options.h"

enum { FUNCTIONS = 5000, CALLS = 6, MAX_DEPTH = 128, NUMBERS = 4 };

#define BASE UINT64_C(0x55d0c0de0000)
#define RATE "524288"

struct heap {
	uint64_t seed, rows, frames, sum[NUMBERS];
	struct sink out;
};

/* "2: 8 [3: 12] @" */
static void put_numbers(struct heap *p, const uint64_t v[NUMBERS])
{
	static const char *const behind[NUMBERS] = {": ", " [", ": ", "] @"};

	for (int i = 0; i < NUMBERS; i++) {
		sink_text(&p->out, "  ");
		sink_dec(&p->out, v[i]);
		sink_text(&p->out, behind[i]);
	}
}

static void put_stack(struct heap *p, struct rng *r)
{
	uint32_t depth = (uint32_t)quantile_at(depths, ARRAY_LEN(depths), rng_unit(r));
	uint32_t f = rng_below(r, 4);
	uint64_t pc[MAX_DEPTH];

	for (uint32_t i = 0; i < depth; i++) {
		double u = rng_unit(r);
		uint32_t site = (uint32_t)(u * u * CALLS);

		pc[i] = BASE + (uint64_t)f * 512 + 5 + (uint64_t)site * 31;
		f = callee_of(p->seed, f, site, FUNCTIONS);
	}
	for (uint32_t i = depth; i-- > 0;) {
		sink_text(&p->out, " 0x");
		sink_hex(&p->out, pc[i]);
	}
	p->frames += depth;
}

static void put_row(struct heap *p, struct rng *r)
{
	uint64_t size = UINT64_C(16) << rng_below(r, 10);
	uint64_t v[NUMBERS] = {rng_below(r, 30)};

	v[2] = v[0] + 1 + rng_below(r, 300);
	v[1] = v[0] * size;
	v[3] = v[2] * size;
	put_numbers(p, v);
	put_stack(p, r);
	sink_char(&p->out, '\n');
	for (int i = 0; i < NUMBERS; i++)
		p->sum[i] += v[i];
	p->rows++;
}

static void put_rows(struct heap *p, uint64_t size)
{
	struct rng r = {.state = mix2(p->seed, 0x68656170)};

	p->out.written = p->rows = p->frames = 0;
	memset(p->sum, 0, sizeof(p->sum));
	while (p->out.written < size)
		put_row(p, &r);
}

int main(int argc, char **argv)
{
	static struct heap p = {.seed = 1};
	uint64_t size = parse_size("10m"), head;

	parse_options(argc, argv, &p.seed, &size);
	put_rows(&p, size); /* for what it adds up to */
	sink_flush(&p.out);
	p.out.file = stdout;
	p.out.written = 0;
	sink_text(&p.out, "heap profile:");
	put_numbers(&p, p.sum);
	sink_text(&p.out, " heap_v2/" RATE "\n");
	head = p.out.written;
	put_rows(&p, size);
	sink_text(&p.out, "\nMAPPED_LIBRARIES:\n"
			  "55d0c0de0000-55d0c1200000 r-xp 00000000 08:01 12 /srv/server\n");
	sink_flush(&p.out);
	fact("bytes", p.out.written + head);
	fact("lines", p.rows);
	fact("frames", p.frames);
	fact("samples", p.sum[1]);
	return fflush(stdout) || ferror(stdout);
}
