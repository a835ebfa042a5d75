/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes what `perf script` prints, of about the size asked for.
 *
 *	gen_perfscript [-S SEED] [-s SIZE] > FILE
 *
 * The program and the stacks of gen_gperf, with names as in gen_folded; 16 threads, a sample each
 * millisecond, offsets behind the names, as perf 4.8 and later print by default.
 */
#define _POSIX_C_SOURCE 200809L
#include "gen_names.h"
#include "gen_options.h"
#include "gen_stacks.h"

enum { NAME_CUT = 100, THREADS = 16, PERIOD = 1000000 };

struct script {
	struct stacks program;
	struct sink out;
	uint64_t samples;
	char *name[FUNCTIONS];
	size_t len[FUNCTIONS];
};

static void make_names(struct script *p)
{
	static struct name name;

	for (uint64_t f = 0; f < FUNCTIONS; f++) {
		name_function(&name, p->program.seed, f, false);
		p->len[f] = name.n < NAME_CUT ? name.n : NAME_CUT;
		while (p->len[f] && name.text[p->len[f] - 1] == ' ')
			p->len[f]--;
		p->name[f] = need(p->len[f], 1);
		memcpy(p->name[f], name.text, p->len[f]);
	}
}

/* The function whose code holds PC, and its object. */
static uint32_t function_at(const struct stacks *p, uint64_t pc, const struct object **object)
{
	uint32_t o = 0, low, high;

	while (pc < p->object[o].base || pc >= p->object[o].base + 0x1000 + p->object[o].text_size)
		o++;
	*object = &p->object[o];
	low = (*object)->first;
	high = (*object)->end;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (p->start[middle] <= pc - (*object)->base)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void put_frame(struct script *p, uint64_t pc)
{
	const struct object *object;
	uint32_t f = function_at(&p->program, pc, &object);
	uint64_t offset = pc - object->base;
	char text[64];

	snprintf(text, sizeof(text), "\t%16" PRIx64 " ", offset);
	sink_text(&p->out, text);
	sink_bytes(&p->out, p->name[f], p->len[f]);
	snprintf(text, sizeof(text), "+0x%" PRIx64 " (", offset - p->program.start[f]);
	sink_text(&p->out, text);
	sink_text(&p->out, object->path);
	sink_text(&p->out, ")\n");
}

static void put_sample(struct script *p, uint64_t id)
{
	uint64_t pc[MAX_DEPTH];
	uint32_t depth = make_stack(&p->program, id, pc);
	uint32_t thread = (uint32_t)(mix2(p->program.seed, p->samples) % THREADS);
	char text[96];

	snprintf(text, sizeof(text),
		"worker%-10" PRIu32 " %5u/%" PRIu32 " %6" PRIu64 ".%06" PRIu64
		": %10d cpu-clock: \n",
		thread, 4000u, 4000 + thread, 100 + p->samples / 1000, p->samples % 1000 * 1000,
		PERIOD);
	sink_text(&p->out, text);
	while (depth)
		put_frame(p, pc[--depth]);
	sink_char(&p->out, '\n');
	p->samples++;
}

int main(int argc, char **argv)
{
	static struct script p;
	uint64_t size = parse_size("10m");
	struct rng r;

	p.program.seed = 1;
	parse_options(argc, argv, &p.program.seed, &size);
	p.out.file = stdout;
	r.state = mix2(p.program.seed, 0x70736372);
	lay_out(&p.program);
	make_names(&p);
	while (p.out.written < size)
		put_sample(&p, choose_stack(&p.program, &r));
	sink_flush(&p.out);
	fact("bytes", p.out.written);
	fact("samples", p.samples);
	return fflush(stdout) || ferror(stdout);
}
