/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes folded stacks of about the size asked for.
 *
 *	gen_folded [-S SEED] [-s SIZE] > FILE
 *
 * 5000 functions with names like those of a large C++ program, cut at 100 bytes as profilers
 * do that collapse stacks; mean depth 19, lines of about 1 kB, nine of ten distinct, in no
 * order: what a sampler that does not sort writes.
 */
#define _POSIX_C_SOURCE 200809L
#include "gen_names.h"
#include "gen_options.h"

enum { FUNCTIONS = 5000, CALLS = 6, MAX_DEPTH = 128, NAME_CUT = 100 };

struct folded {
	uint64_t seed, lines, samples, frames;
	struct sink out;
	char *name[FUNCTIONS];
	size_t len[FUNCTIONS];
};

static void make_names(struct folded *p)
{
	static struct name name;

	for (uint64_t f = 0; f < FUNCTIONS; f++) {
		name_function(&name, p->seed, f, false);
		p->len[f] = name.n < NAME_CUT ? name.n : NAME_CUT;
		while (p->len[f] && name.text[p->len[f] - 1] == ' ')
			p->len[f]--;
		p->name[f] = need(p->len[f], 1);
		memcpy(p->name[f], name.text, p->len[f]);
	}
}

static void put_line(struct folded *p, struct rng *r)
{
	uint32_t depth = (uint32_t)quantile_at(depths, ARRAY_LEN(depths), rng_unit(r));
	uint32_t f = rng_below(r, 4);
	uint64_t count = 1 + (rng_chance(r, 200) ? rng_below(r, 20) : 0);

	for (uint32_t i = 0; i < depth; i++) {
		double u = rng_unit(r);

		if (i)
			sink_char(&p->out, ';');
		sink_bytes(&p->out, p->name[f], p->len[f]);
		f = callee_of(p->seed, f, (uint32_t)(u * u * CALLS), FUNCTIONS);
	}
	sink_char(&p->out, ' ');
	sink_dec(&p->out, count);
	sink_char(&p->out, '\n');
	p->lines++;
	p->samples += count;
	p->frames += depth;
}

int main(int argc, char **argv)
{
	static struct folded p = {.seed = 1};
	uint64_t size = parse_size("10m");
	struct rng r;

	parse_options(argc, argv, &p.seed, &size);
	p.out.file = stdout;
	r.state = mix2(p.seed, 0x666f6c64);
	make_names(&p);
	while (p.out.written < size)
		put_line(&p, &r);
	sink_flush(&p.out);
	fact("bytes", p.out.written);
	fact("lines", p.lines);
	fact("frames", p.frames);
	fact("samples", p.samples);
	return fflush(stdout) || ferror(stdout);
}
