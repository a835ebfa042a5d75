/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a gperftools CPU profile (64-bit, little-endian) of about the size
 * asked for: header, records leaf first, trailer, the list of mappings.
 *
 *	gen_gperf [-S SEED] [-s SIZE] [-r RUN] [-a] > FILE
 *
 * SEED chooses the program: 5000 active functions, each with some call sites.
 * RUN chooses what was sampled: about half of the distinct stacks of two runs
 * are the same. -a loads the objects elsewhere in each run, as ASLR does.
 *
 * A reader's cost depends on how often stacks and addresses repeat, so the
 * numbers of distinct ones are counted and stated (stderr, with other facts).
 */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "gen_stacks.h"

enum { PERIOD_US = 10000 };

/* Ticks in one record. The profiler's table is small and evicts, so one is the rule. */
static const struct quantile ticks[] = {
	{0.00, 1},
	{0.80, 1.99},
	{0.90, 3},
	{0.97, 6},
	{0.995, 20},
	{1.00, 200},
};

struct profile {
	struct stacks program;
	struct set stacks, addresses;
	struct sink out;
	uint64_t samples, frames;
};

/* ---- the file ---- */

static void put_record(struct profile *p, struct rng *r, uint64_t id)
{
	uint64_t pc[MAX_DEPTH], hash = 0;
	uint32_t depth = make_stack(&p->program, id, pc);
	uint64_t count = (uint64_t)quantile_at(ticks, ARRAY_LEN(ticks), rng_unit(r));

	sink_le(&p->out, count, 8);
	sink_le(&p->out, depth, 8);
	for (uint32_t i = depth; i-- > 0;) {
		sink_le(&p->out, pc[i], 8);
		hash = mix2(hash, pc[i]);
		set_add(&p->addresses, pc[i]);
	}
	set_add(&p->stacks, hash);
	p->samples += count;
	p->frames += depth;
}

static void put_mapping(struct profile *p, uint64_t begin, uint64_t end, const char *perms,
	const struct object *object)
{
	static const char *const special[] = {"[heap]", "[stack]", "[vdso]"};
	char line[256];
	uint64_t offset = object && begin > object->base ? begin - object->base : 0;
	const char *path = object ? object->path : special[perms[3] - '0'];

	/* the layout of gperftools 2.10: the inode padded to 11, then a blank */
	snprintf(line, sizeof(line),
		"%08" PRIx64 "-%08" PRIx64 " %.3sp %08" PRIx64 " 00:00 %-11" PRIu64 " %s\n", begin,
		end, perms, offset, object ? object->inode : 0, path);
	sink_text(&p->out, line);
}

static void put_mappings(struct profile *p)
{
	for (uint32_t o = 0; o < OBJECTS; o++) {
		const struct object *object = &p->program.object[o];
		uint64_t text = object->base + 0x1000, data = text + object->text_size;

		put_mapping(p, object->base, text, "r--p", object);
		put_mapping(p, text, data, "r-xp", object);
		put_mapping(p, data, data + 0x8000, "r--p", object);
		put_mapping(p, data + 0x8000, data + 0xa000, "rw-p", object);
		if (o == 0)
			put_mapping(p, data + 0x100000, data + 0x900000, "rw-0", NULL);
	}
	put_mapping(p, UINT64_C(0x7ffd00000000), UINT64_C(0x7ffd00021000), "rw-1", NULL);
	put_mapping(p, UINT64_C(0x7ffd00100000), UINT64_C(0x7ffd00102000), "r-x2", NULL);
}

static void put_profile(struct profile *p, uint64_t size)
{
	struct rng r = {mix2(p->program.seed ^ 0x7265636f, p->program.run)};
	const uint64_t header[] = {0, 3, 0, PERIOD_US, 0}, trailer[] = {0, 1, 0};
	const uint64_t text = 2000; /* about what the mappings take */

	for (size_t i = 0; i < ARRAY_LEN(header); i++)
		sink_le(&p->out, header[i], 8);
	while (p->out.written + text < size)
		put_record(p, &r, choose_stack(&p->program, &r));
	for (size_t i = 0; i < ARRAY_LEN(trailer); i++)
		sink_le(&p->out, trailer[i], 8);
	put_mappings(p);
	sink_flush(&p->out);
}

int main(int argc, char **argv)
{
	static struct profile p;
	uint64_t size = 1000000;
	int c;

	p.program.seed = 1;
	p.out.file = stdout;
	while ((c = getopt(argc, argv, "S:s:r:a")) != -1) {
		switch (c) {
		case 'S':
			p.program.seed = parse_num(optarg);
			break;
		case 's':
			size = parse_size(optarg);
			break;
		case 'r':
			p.program.run = parse_num(optarg);
			break;
		case 'a':
			p.program.aslr = true;
			break;
		default:
			return 2;
		}
	}
	if (optind < argc) {
		fputs("usage: gen_gperf [-S SEED] [-s SIZE] [-r RUN] [-a] > FILE\n", stderr);
		return 2;
	}
	lay_out(&p.program);
	put_profile(&p, size);
	if (fflush(stdout))
		die("write");
	fact("bytes", p.out.written);
	fact("records", p.program.records);
	fact("samples", p.samples);
	fact("frames", p.frames);
	fact("distinct_stacks", p.stacks.used);
	fact("distinct_addresses", p.addresses.used);
	free(p.stacks.slot);
	free(p.addresses.slot);
	return 0;
}
